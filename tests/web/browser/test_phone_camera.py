"""Test a phone as the camera: the area outside the four corners never leaves it."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.support.web.camera_double import Seeing, jpeg
from tests.web.browser.truth import unfit
from tests.web.browser.watched import Watched, watching
from web.words import words

pytestmark = pytest.mark.browser
EN = words("en")


def sit_down(room: Seeing) -> None:
    """Begin a match with printed cards."""
    room.set_up(deck="ours")
    room.join_all()


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> Iterator[Watched]:
    """Yield three people without a camera of their own; afterwards no page may have logged errors."""
    with tempfile.TemporaryDirectory() as shelf:
        monkeypatch.setenv("COMPANION_SHELF", shelf)
        with watching(tmp_path, browser, sit_down) as found:
            yield found


def test_only_what_lies_between_the_corners_is_sent(watched: Watched) -> None:
    """Only the area between the corners is sent, in a picture of the same size, and the corners stay for the next
    one."""
    page = watched.open(watched.room.host + "camera/phone", phone=True)
    expect(page.locator("[data-phone-send]")).to_be_hidden()
    white = jpeg(Image.new("RGB", (800, 600), (250, 250, 250)))
    page.locator("[data-phone-file]").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": white})
    first = page.locator("[data-handle]").first
    first.wait_for()
    frame, picture = (page.locator(f"[data-phone-{name}]").bounding_box() for name in ("frame", "picture"))
    assert frame == picture  # corner coordinates are fractions of the picture's size
    first.focus()
    for _ in range(5):
        first.press("Shift+ArrowRight")
    assert unfit(page, touch=True) == []
    page.locator("[data-phone-send]").click()
    expect(page.locator("[data-phone-said]")).to_have_text(EN("phone.sent"))
    (sent,) = watched.camera.handed
    seen = Image.open(io.BytesIO(sent)).convert("L")
    assert seen.size == (800, 600)
    # the upper left corner is now at 0.25, 0.1, and the others are a tenth from the edges
    for x, y in ((400, 300), (220, 80), (700, 530), (100, 530)):
        assert int(seen.getpixel((x, y))) > 230, (x, y)  # type: ignore[arg-type]
    for x, y in ((100, 80), (60, 300), (400, 40), (760, 300), (400, 570)):
        assert int(seen.getpixel((x, y))) < 20, (x, y)  # type: ignore[arg-type]
    page.locator("[data-phone-file]").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": white})
    expect(page.locator("[data-handle]").first).to_have_attribute("style", "left: 25%; top: 10%;")


def test_a_file_that_no_browser_opens_is_said(watched: Watched) -> None:
    """The page says that the browser cannot open the file, and sends nothing."""
    page = watched.open(watched.room.host + "camera/phone", phone=True)
    page.locator("[data-phone-file]").set_input_files({"name": "a.heic", "mimeType": "image/heic", "buffer": b"none"})
    expect(page.locator("[data-phone-said]")).to_have_text(EN("phone.unreadable"))
    assert watched.camera.handed == []
