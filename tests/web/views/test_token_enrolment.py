"""Test teaching tokens to the companion: one picture of many, a tap for each, both faces, and similar tokens."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.messages import CameraState
from tests.support.web.camera_double import Camera, Seeing, jpeg, seated
from tests.support.web.visitors import said
from web.presenters import enrolment as presenter
from web.presenters.enrolment import token_groups_of, token_sayer, wanted_pictures
from web.views import photographs
from web.views.taught_kinds import FAULTS
from web.words import words

GAME = GAMES["take-a-train"]
DECK = "our cards"
SAY = words("en")


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield a table of printed cards with a device registry, without people yet."""
    with seated(tmp_path, monkeypatch, join=False) as room:
        yield room


@pytest.fixture
def camera(seeing: Seeing) -> Camera:
    """Return the table's camera."""
    return seeing.camera()


def do(room: Seeing, what: str, **form: Any) -> TestResponse:
    """Press a button of the page."""
    return room.anybody.submit(room.host + "tokens", {"do": what, "deck": DECK, **form}, room.host + "camera")


def tokens_page(room: Seeing, **query: Any) -> str:
    """Return the page of the deck's tokens."""
    more = "".join([f"&{name}={value}" for name, value in query.items()])
    return room.anybody.read(f"{room.host}tokens?deck={DECK.replace(' ', '+')}{more}")


def file(data: bytes, name: str = "tokens.jpg") -> tuple[io.BytesIO, str]:
    """Return a file in the way in which a form sends it."""
    return io.BytesIO(data), name


def offered(page: str) -> list[tuple[str, str]]:
    """Return the names that the page offers first, as their key and in words."""
    return re.findall(r'name="token" value="([\w-]+)"[^>]*>(?:Keep as|Another picture of) ([^<]+)<', page)


def test_only_the_host_teaches(seeing: Seeing, camera: Camera) -> None:
    """Nobody else can open the page or send a large upload."""
    seeing.join_all()
    for page in (seeing.seats[0], seeing.page("tablet"), seeing.page("watch")):
        token = page.split("/")[-2]
        for part in (f"tokens?deck={DECK}", f"tokens-report?deck={DECK}"):
            assert seeing.anybody.get(f"/h/{token}/{part}").status_code == 404
        answer = seeing.anybody.client.post(f"/h/{token}/tokens", data={"file": file(b"x" * 200_000)})
        assert answer.status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_how(seeing: Seeing, camera: Camera, lang: str) -> None:
    """The page says where to lay tokens, which ones are missing, and that none is stored yet; the page of decks
    links to it."""
    seeing.anybody.headers["Accept-Language"] = lang
    say = words(lang)
    page = tokens_page(seeing)
    for key in ("how_paper", "how_lay", "how_turn", "on_mat"):
        assert say(f"token_enrolment.{key}") in page
    assert say("token_enrolment.count", taught=0, whole=48) in page
    assert 'href="tokens?deck=our+cards"' in seeing.anybody.read(seeing.host + "enrolment")
    assert 'href="tokens?deck=our+cards"' in seeing.anybody.read(f"{seeing.host}enrolment?deck=our+cards")


def test_without_a_service_the_page_says_so(seeing: Seeing) -> None:
    """Without an answer from the service, the page says so."""
    assert SAY("answer.absent") in seeing.anybody.read(f"{seeing.host}tokens?deck=x")
    answer = do(seeing, "capture")
    assert (answer.status_code, said(answer)) == (409, SAY("answer.absent"))


def test_what_no_button_says_is_refused(seeing: Seeing, camera: Camera) -> None:
    """An unknown button and an invalid deck are refused."""
    asked = len(camera.said)
    assert do(seeing, "sing").status_code == 422 and do(seeing, "capture", deck="../x").status_code == 422
    assert len(camera.said) == asked


def test_one_picture_finds_all_and_a_tap_names_each(seeing: Seeing, camera: Camera) -> None:
    """Outlines link to the tokens, the game's next token is offered, and a named one leaves the list."""
    assert do(seeing, "capture").headers["Location"] == "tokens?deck=our+cards"
    page = tokens_page(seeing)
    assert page.count("<polygon") == 3 and 'src="shelf/sheet.jpg"' in page and "20 × 20 mm" in page
    assert offered(page) == [("money-50", "$50"), ("money-100", "$100")]
    answer = do(seeing, "enrol", picture="token-1.jpg", token="money-50")
    assert answer.headers["Location"] == "tokens?deck=our+cards&last=money-50"
    page = tokens_page(seeing, last="money-50")
    assert page.count("<polygon") == 2 and 'value="token-2.jpg"' in page and "1 of 48 faces" in page
    assert offered(page) == [("money-100", "$100"), ("money-500", "$500")]
    assert 'value="token-3.jpg"' in tokens_page(seeing, at=1)
    do(seeing, "enrol", picture="token-2.jpg", token="money-100")
    do(seeing, "enrol", picture="token-3.jpg", token="")
    assert camera.tokens == {"money-50": ["token-1.jpg"], "money-100": ["token-2.jpg"]}
    page = tokens_page(seeing)
    assert "Still missing: $500" in page and SAY("token_enrolment.one_face", names="$50, $100") in page


def test_what_looks_like_a_known_token_is_offered_first(seeing: Seeing, camera: Camera) -> None:
    """A token that resembles a known one is first offered as another picture of it."""
    camera.tokens = {"sequence-3": ["a.jpg"]}
    do(seeing, "capture")
    page = tokens_page(seeing, last="money-100")
    assert offered(page) == [
        ("sequence-3", "Sequence tokens 3"),
        ("money-500", "$500"),
        ("money-1000", "$1,000"),
    ]


def test_nothing_is_lost_by_a_reload(seeing: Seeing, camera: Camera) -> None:
    """Unnamed tokens are still there in another browser of the host, and a number beyond the last one shows the last
    one."""
    do(seeing, "capture")
    page = seeing.visitor().read(f"{seeing.host}tokens?deck=our+cards&at=9")
    assert page.count("<polygon") == 3 and 'value="token-3.jpg"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_said(seeing: Seeing, camera: Camera, lang: str) -> None:
    """Each fault of a token is explained; without a sheet or a token there is nothing to name."""
    seeing.anybody.headers["Accept-Language"] = lang
    for fault in FAULTS:
        camera.faults = (fault,)
        do(seeing, "capture")
        page = tokens_page(seeing)
        assert words(lang)(f"token_enrolment.fault_{fault}") in page
        assert "autofocus" not in page.partition("teach-name")[2]
    for fault in ("none", "no_sheet"):
        camera.faults = (fault,)
        answer = do(seeing, "capture")
        assert (answer.status_code, said(answer)) == (409, words(lang)(f"token_enrolment.fault_{fault}"))
        assert "teach-name" not in answer.text


def test_the_others_are_left_out_at_once(seeing: Seeing, camera: Camera) -> None:
    """Leaving out the other tokens keeps the named ones."""
    do(seeing, "capture")
    do(seeing, "enrol", picture="token-2.jpg", token="purpose-P-3")
    do(seeing, "leave")
    assert camera.tokens == {"purpose-P-3": ["token-2.jpg"]} and camera.on_paper == []
    assert "Three by three" in tokens_page(seeing)


def test_a_picture_is_removed(seeing: Seeing, camera: Camera) -> None:
    """One picture can be removed, and removing a missing one is reported."""
    camera.tokens = {"money-50": ["a.jpg", "b.jpg"]}
    assert do(seeing, "forget", token="money-50", picture="a.jpg").status_code == 303
    assert camera.tokens == {"money-50": ["b.jpg"]}
    answer = do(seeing, "forget", token="money-50", picture="a.jpg")
    assert (answer.status_code, said(answer)) == (409, SAY("answer.no_token"))


def test_names_that_are_none_are_refused(seeing: Seeing, camera: Camera) -> None:
    """An invalid name does not reach the service."""
    do(seeing, "capture")
    for form in ({"picture": "token-1.jpg", "token": "<x>"}, {"picture": "../a", "token": "money-50"}):
        assert said(do(seeing, "enrol", **form)) == SAY("answer.bad_name")
    assert camera.tokens == {}


def test_photographs_without_a_camera(seeing: Seeing, camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone's photograph is removed after it is read, and an invalid or large file is reported."""
    camera.live(CameraState("none", "no_camera"))
    seeing.until(lambda: not seeing.board.camera.sees)
    page = tokens_page(seeing)
    assert SAY("token_enrolment.photographs_now") in page and 'value="capture"' not in page
    assert do(seeing, "photograph", file=file(jpeg())).status_code == 303
    sent = next(each.fields["file"] for each in camera.said if each.what == "capture_tokens")
    assert sent.startswith("photograph-") and not (seeing.context.frames / sent).exists()
    assert said(do(seeing, "photograph")) == SAY("enrolment.no_file")
    assert said(do(seeing, "photograph", file=file(b"GIF89a", "x.gif"))) == SAY("enrolment.no_photograph", file="x.gif")
    camera.refuse["capture_tokens"] = "bad_file"
    assert said(do(seeing, "photograph", file=file(jpeg()))) == SAY("answer.no_picture")
    monkeypatch.setattr(photographs, "LARGEST", 10)
    assert "at most 0 MB" in said(do(seeing, "photograph", file=file(jpeg())))


def test_no_picture_is_taken_while_fists_are_closed(
    seeing: Seeing, camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the game hides token places from the camera, the page takes no picture either."""
    asked = len(camera.said)
    monkeypatch.setattr(type(GAME), "readable_places", staticmethod(lambda state: ("auction.token",)))
    assert not presenter.may_look(seeing.table.snapshot())
    answer = do(seeing, "capture")
    assert (answer.status_code, said(answer)) == (409, SAY("token_enrolment.hidden"))
    assert 'value="capture"' not in answer.text
    assert [each.what for each in camera.said[asked:]] == ["tokens"]
    assert do(seeing, "photograph", file=file(jpeg())).status_code == 303


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_shows_money_first(seeing: Seeing, camera: Camera, lang: str) -> None:
    """The report lists similar pairs with advice, money first, and then the deck can be used."""
    camera.tokens = {name: [f"{name}.jpg"] for name in ("auction-open", "auction-pass", "money-100", "money-1000")}
    seeing.anybody.headers["Accept-Language"] = lang
    page = seeing.anybody.read(f"{seeing.host}tokens-report?deck={DECK}")
    assert re.findall(r'<li class="panel (\w+)">', page) == ["alike", "close"]
    assert words(lang)("token_enrolment.how_alike_do") in page
    camera.tokens = {name: [f"{name}.jpg"] for name in ("auction-pass", "money-100", "money-1000")}
    page = seeing.anybody.read(f"{seeing.host}tokens-report?deck={DECK}")
    assert re.findall(r'src="shelf/([\w-]+).jpg"', page)[:2] == ["money-100", "money-1000"]
    assert do(seeing, "use").headers["Location"] == "enrolment"
    assert camera.said[-1].what == "use"


def test_tokens_of_an_unfinished_deck_wait_for_it(seeing: Seeing, camera: Camera) -> None:
    """The tokens of an unfinished deck are stored, and the page asks to finish the deck first."""
    camera.tokens = {"money-50": ["a.jpg"]}
    camera.made.clear()
    page = seeing.anybody.read(f"{seeing.host}tokens-report?deck={DECK}")
    assert SAY("token_enrolment.deck_first") in page and 'value="use"' not in page
    assert SAY("token_enrolment.no_pairs") in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_token_has_a_name_of_its_own(lang: str) -> None:
    """Each of the 35 kinds and two backs has a unique name, and kinds with two equal faces need two pictures."""
    groups = token_groups_of(GAME, lang)
    wanted = wanted_pictures(GAME)
    assert [pick.card for group in groups for pick in group.picks] == list(wanted)
    assert (len(wanted), sum(wanted.values())) == (37, 48)
    say = token_sayer(groups)
    assert len({say(token) for token in wanted}) == 37


def test_a_game_without_tokens_has_no_such_page() -> None:
    """A game without tokens has no names to offer."""
    assert token_groups_of(GAMES["express"], "en") == () and wanted_pictures(GAMES["express"]) == {}
