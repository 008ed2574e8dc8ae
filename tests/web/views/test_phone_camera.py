"""Test a phone as the camera: who may send a picture, where it goes, and which pictures are refused."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.i18n import LANGUAGES
from tests.support.web.camera_double import Seeing, jpeg, seated
from tests.support.web.visitors import said
from web.words import words


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people around a table, without a camera yet."""
    with seated(tmp_path, monkeypatch) as room:
        yield room


PICTURE = jpeg()


def hand(room: Seeing, data: bytes, page: str = "") -> TestResponse:
    """Send a picture as the page's script does."""
    where = (page or room.host) + "camera/phone"
    return room.anybody.submit(where, {"file": (io.BytesIO(data), "table.jpg")}, where, **{"HX-Request": "true"})


@pytest.mark.parametrize("page", ["host", "tablet"])
def test_a_picture_goes_to_the_camera_and_is_kept_nowhere(seeing: Seeing, page: str) -> None:
    """A picture from the host's page or the shared tablet goes to the camera and is stored nowhere."""
    camera = seeing.camera()
    answer = hand(seeing, PICTURE, seeing.host if page == "host" else seeing.page("tablet"))
    assert (answer.status_code, said(answer)) == (200, words("en")("phone.sent"))
    assert camera.handed == [PICTURE]
    assert list(seeing.context.frames.glob("*.upload")) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_what_is_sent(seeing: Seeing, lang: str) -> None:
    """The page says that only the inside is sent and why there is no live picture, and the camera's page leads to
    it."""
    read = seeing.visitor(lang).read
    page = read(seeing.host + "camera/phone")
    for key in ("corners", "honest", "script"):
        assert words(lang)(f"phone.{key}") in page
    assert 'href="camera/phone"' in read(seeing.host + "camera")


def test_what_cannot_be_used_is_said(seeing: Seeing) -> None:
    """Without a service, beside a camera of the table's own, and for a film or a HEIC picture, the page gives the
    reason."""
    say = words("en")
    assert said(hand(seeing, PICTURE)) == say("phone.absent")
    camera = seeing.camera()
    assert said(hand(seeing, b"RIFF a film")) == say("enrolment.no_photograph", file=say("phone.title"))
    assert hand(seeing, b"\0\0\0\x18ftypheic").status_code == 422
    camera.refuse["hand_picture"] = "camera_there"
    assert said(hand(seeing, PICTURE)) == say("answer.camera_there")
    assert camera.handed == []
