"""Test teaching cards to the companion: taking and naming pictures, uploading photographs, making and sharing decks."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.devices.camera_requests.enrolment import AlikePair
from companion.i18n import LANGUAGES
from companion.messages import CameraState
from tests.support.web.camera_double import Camera, Seeing, jpeg, seated
from tests.support.web.visitors import said
from web.presenters.enrolment import describe_pair
from web.security import csrf
from web.views import photographs
from web.views.taught_kinds import CARDS, FAULTS
from web.words import COOKIE, words

BOX = "Our box"


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield a table of printed cards with a device registry, without a camera or people yet."""
    with seated(tmp_path, monkeypatch, join=False) as room:
        yield room


@pytest.fixture
def camera(seeing: Seeing) -> Camera:
    """Return the table's camera, for which a deck of the game has been begun."""
    found = seeing.camera()
    assert do(seeing, "begin", deck=BOX).status_code == 303
    return found


def do(room: Seeing, what: str, **form: Any) -> TestResponse:
    """Press a button of these pages."""
    return room.anybody.submit(room.host + "enrolment", {"do": what, **form}, room.host + "camera")


def deck_page(room: Seeing, deck: str = BOX) -> str:
    """Return the page of a deck."""
    return room.anybody.read(f"{room.host}enrolment?deck={deck.replace(' ', '+')}")


def file(data: bytes, name: str = "card.jpg") -> tuple[io.BytesIO, str]:
    """Return a file in the way in which a form sends it."""
    return io.BytesIO(data), name


def teach(room: Seeing, camera: Camera, *cards: str, deck: str = BOX) -> None:
    """Take a picture of each card and name it."""
    for card in cards:
        assert do(room, "capture", deck=deck).status_code == 303
        picture = camera.captured[deck]["picture"]
        assert do(room, "enrol", deck=deck, card=card, picture=picture).status_code == 303


# --- who and whether --------------------------------------------------------------------------------


def test_only_the_host_teaches(seeing: Seeing, camera: Camera) -> None:
    """No other page leads here, and the server accepts no large upload from anybody else."""
    seeing.join_all()
    for page in (seeing.seats[0], seeing.page("tablet"), seeing.page("watch")):
        token = page.split("/")[-2]
        for part in ("enrolment", "report?deck=x", "export?deck=x", "shelf/a.jpg"):
            assert seeing.anybody.get(f"/h/{token}/{part}").status_code == 404
        answer = seeing.anybody.client.post(f"/h/{token}/enrolment", data={"file": file(b"x" * 200_000)})
        assert answer.status_code == 404


def test_without_a_service_the_page_says_so(seeing: Seeing) -> None:
    """Without an answer the page says so, begins nothing, and does not claim that there is no deck."""
    page = seeing.anybody.read(seeing.host + "enrolment")
    assert words("en")("answer.absent") in page
    assert words("en")("enrolment.not_listed") in page and words("en")("enrolment.none") not in page
    answer = do(seeing, "begin", deck=BOX)
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.absent"))
    for path in (f"enrolment?deck={BOX}", f"report?deck={BOX}", f"export?deck={BOX}"):
        assert words("en")("answer.absent") in seeing.anybody.read(seeing.host + path)


@pytest.mark.parametrize("what", ["", "format", "do"])
def test_what_no_button_says_is_refused(seeing: Seeing, camera: Camera, what: str) -> None:
    """A request that no button sends changes nothing."""
    asked = len(camera.said)
    assert do(seeing, what, deck=BOX).status_code == 422
    assert len(camera.said) == asked


# --- decks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key"), [("our cards", "taken"), ("", "bad_name"), ("x/y", "bad_name"), ("x" * 41, "bad_name")]
)
def test_a_deck_needs_a_name_of_its_own(seeing: Seeing, camera: Camera, name: str, key: str) -> None:
    """A name that is taken or invalid is refused with a sentence."""
    answer = do(seeing, "begin", deck=name)
    assert (answer.status_code, said(answer)) == (409, words("en")(f"answer.{key}"))


def test_decks_are_listed_used_and_handed_out(seeing: Seeing, camera: Camera) -> None:
    """The page lists each deck with its cards and names the one in use; another one can be used or saved as one
    file."""
    teach(seeing, camera, "coal-100", "coal-200")
    page = seeing.anybody.read(seeing.host + "enrolment")
    assert re.findall(r'<b>([^<]+)</b> <span class="note">([^<]+)</span>', page) == [
        ("our cards", "Different cards: 1 · in use"),
        (BOX, "Different cards: 2 · not finished"),
    ]
    answer = do(seeing, "use", deck=BOX)
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.no_deck"))
    assert do(seeing, "finish", deck=BOX).status_code == 303
    assert camera.used == BOX
    assert do(seeing, "use", deck="our cards").status_code == 303
    assert camera.used == "our cards"
    answer = seeing.anybody.get(f"{seeing.host}export?deck={BOX}")
    assert answer.data == b"DECK" + BOX.encode()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Our-box.deck"'
    answer = seeing.anybody.get(f"{seeing.host}export?deck=nothing")
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.no_deck"))


def test_a_deck_is_brought_in(seeing: Seeing, camera: Camera) -> None:
    """A deck can be imported from a file; an invalid or missing file is reported and changes nothing."""
    assert do(seeing, "import", file=file(b"DECKfriends", "friends.deck")).status_code == 303
    assert "friends" in camera.decks
    before = set(camera.decks)
    answer = do(seeing, "import", file=file(b"nonsense", "x.deck"))
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.bad_file"))
    assert said(do(seeing, "import")) == words("en")("enrolment.no_file")
    assert set(camera.decks) == before
    assert not [each for each in seeing.context.frames.iterdir() if each.suffix in (".deck", ".upload")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("own", "key"), [("friends", "own_taken"), ("my.cards", "own_bad_name")])
def test_a_deck_is_brought_in_under_another_name(seeing: Seeing, camera: Camera, own: str, key: str, lang: str) -> None:
    """If a deck's own name is taken or unusable, the form says so and has a field for another name."""
    camera.decks["friends"] = {"coal-200": ["a.jpg"]}
    seeing.anybody.client.set_cookie(COOKIE, lang)
    answer = do(seeing, "import", file=file(b"DECK" + own.encode()))
    assert (answer.status_code, said(answer)) == (409, words(lang)(f"answer.{key}", deck=own))
    assert '<details class="fold" open>' in answer.text
    for wrong, why in (("a/b", "bad_name"), ("friends", "taken")):
        answer = do(seeing, "import", file=file(b"DECK" + own.encode()), deck=wrong)
        assert (answer.status_code, said(answer)) == (409, words(lang)(f"answer.{why}"))
    assert set(camera.decks) == {"our cards", "friends"}
    assert do(seeing, "import", file=file(b"DECK" + own.encode()), deck=" theirs ").status_code == 303
    assert set(camera.decks) == {"our cards", "friends", "theirs"}


def test_what_is_too_large_is_refused(seeing: Seeing, camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the limit is not read, and a photograph above its limit is reported by name."""
    monkeypatch.setattr(photographs, "LARGEST", 50_000)
    answer = do(seeing, "photograph", deck=BOX, file=file(jpeg() + b"x" * 60_000, "large.jpg"))
    assert said(answer) == words("en")("enrolment.too_large", file="large.jpg", size=1, most=0)
    monkeypatch.setattr(csrf, "MAX_UPLOAD", 100_000)
    answer = do(seeing, "import", file=file(b"x" * 200_000))
    assert (answer.status_code, said(answer)) == (413, words("en")("error.too_big"))
    assert not [each for each in camera.said if each.what in ("import", "capture")]


# --- teaching ---------------------------------------------------------------------------------------


def test_a_card_is_taken_and_named(seeing: Seeing, camera: Camera) -> None:
    """After the first picture is named, the page proposes the next card in the deck's order, and then the one after
    it."""
    page = deck_page(seeing)
    assert words("en")("enrolment.capture") in page and "0 of 49 different cards" in page
    assert do(seeing, "capture", deck=BOX).headers["Location"] == "enrolment?deck=Our+box"
    page = deck_page(seeing)
    assert words("en")("enrolment.good") in page and 'src="shelf/capture-1.jpg"' in page
    assert re.findall(r'value="([\w-]+)" autofocus>Keep as', page) == ["steam-1"]
    answer = do(seeing, "enrol", deck=BOX, card="steam-1", picture="capture-1.jpg")
    assert answer.headers["Location"] == "enrolment?deck=Our+box&last=steam-1"
    page = deck_page(seeing)
    assert "1 of 49 different cards" in page and 'alt="Picture of steam ×1\u00a0·\u00a0100, 60\u00a0km/h"' in page
    assert seeing.anybody.get(seeing.host + "shelf/capture-1.jpg").data == jpeg()
    do(seeing, "capture", deck=BOX)
    assert re.findall(r'value="([\w-]+)" autofocus>Keep as', deck_page(seeing)) == ["steam-2"]


def test_nothing_is_lost_by_a_reload(seeing: Seeing, camera: Camera) -> None:
    """After a reload, even in another browser of the host, an unnamed picture is still there."""
    teach(seeing, camera, "coal-100")
    do(seeing, "capture", deck=BOX)
    again = seeing.visitor().read(f"{seeing.host}enrolment?deck={BOX}")
    assert 'src="shelf/capture-2.jpg"' in again and "1 of 49 different cards" in again


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_with_a_picture_is_said(seeing: Seeing, camera: Camera, lang: str) -> None:
    """The page reports each fault in words and proposes no card first; without a card in the picture there is
    nothing to name."""
    seeing.anybody.headers["Accept-Language"] = lang
    for fault in FAULTS:
        camera.faults = (fault,)
        do(seeing, "capture", deck=BOX)
        page = deck_page(seeing)
        assert words(lang)(f"enrolment.fault_{fault}") in page
        assert words(lang)("enrolment.good") not in page and "autofocus" not in page.partition("teach-name")[2]
    camera.faults, camera.cards_in_picture = ("several",), 3
    do(seeing, "capture", deck=BOX)
    page = deck_page(seeing)
    assert words(lang)("enrolment.fault_several") in page and page.count('class="faulty"') == 3
    for fault in ("several", "none"):
        camera.faults = ("none", fault)
        answer = do(seeing, "capture", deck=BOX)
        assert (answer.status_code, said(answer)) == (409, words(lang)(f"enrolment.fault_{fault}"))
    answer = do(seeing, "photograph", deck=BOX, file=file(jpeg()))
    assert said(answer) == words(lang)("enrolment.fault_none")


def test_the_same_card_again_is_another_picture_of_it(seeing: Seeing, camera: Camera) -> None:
    """The most similar known card is proposed beside the next one, and then gets the new picture too."""
    teach(seeing, camera, "coal-100")
    camera.faults = ("known",)
    do(seeing, "capture", deck=BOX)
    page = seeing.anybody.read(f"{seeing.host}enrolment?deck={BOX}&last=coal-100")
    assert re.findall(r'value="([\w-]+)"[^>]*>(Keep as|Another picture of) ', page) == [
        ("coal-150", "Keep as"),
        ("coal-100", "Another picture of"),
        ("coal-200", "Keep as"),
    ]
    do(seeing, "enrol", deck=BOX, card="coal-100", picture="capture-2.jpg")
    assert camera.decks[BOX] == {"coal-100": ["capture-1.jpg", "capture-2.jpg"]}


def test_many_cards_of_one_picture_are_named_one_by_one(seeing: Seeing, camera: Camera) -> None:
    """The page shows all cards of the picture; a tap chooses one, then the next follows, and one or all others can
    be left out."""
    camera.cards_in_picture = 4
    do(seeing, "capture", deck=BOX)
    page = deck_page(seeing)
    assert words("en").plural("enrolment.found", 4) in page and page.count("<polygon") == 4
    assert re.findall(r'<li><a href="enrolment\?([^"]+)"', page)[2] == "deck=Our+box&at=2&last="
    chosen = seeing.anybody.read(f"{seeing.host}enrolment?deck={BOX}&at=2&last=coal-100")
    assert '<img class="taken" src="shelf/capture-3.jpg"' in chosen
    do(seeing, "enrol", deck=BOX, card="coal-150", picture="capture-3.jpg")
    do(seeing, "enrol", deck=BOX, card="", picture="capture-1.jpg")
    page = deck_page(seeing)
    assert words("en").plural("enrolment.found", 2) in page and '<img class="taken" src="shelf/capture-2.jpg"' in page
    do(seeing, "leave", deck=BOX)
    assert "teach-name" not in deck_page(seeing) and camera.decks[BOX] == {"coal-150": ["capture-3.jpg"]}


def test_a_photograph_of_many_cards_is_sent_alone(seeing: Seeing, camera: Camera) -> None:
    """A photograph of many cards ignores the chosen name, and several such photographs are refused."""
    camera.cards_in_picture = 3
    assert do(seeing, "photograph", deck=BOX, card="oil-200", file=file(jpeg())).status_code == 303
    assert deck_page(seeing).count("<polygon") == 3 and BOX not in camera.decks
    many = [file(jpeg(), f"{n}.jpg") for n in range(2)]
    answer = do(seeing, "photograph", deck=BOX, card="oil-200", file=many)
    assert said(answer) == words("en")("enrolment.many_alone", file="0.jpg") and BOX not in camera.decks


def test_a_picture_is_taken_out_again(seeing: Seeing, camera: Camera) -> None:
    """Removing a card's last picture removes the card, and removing a missing one is reported."""
    teach(seeing, camera, "coal-100", "coal-100", "coal-200")
    do(seeing, "forget", deck=BOX, card="coal-100", picture="capture-1.jpg")
    assert camera.decks[BOX]["coal-100"] == ["capture-2.jpg"]
    do(seeing, "forget", deck=BOX, card="coal-100", picture="capture-2.jpg")
    assert set(camera.decks[BOX]) == {"coal-200"}
    answer = do(seeing, "forget", deck=BOX, card="coal-100", picture="capture-2.jpg")
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.no_card"))


def test_a_deck_of_no_game_has_free_names(seeing: Seeing, camera: Camera) -> None:
    """A card of a free deck can have any valid name, and no card is reported as missing."""
    do(seeing, "begin", deck="snap", free="1")
    do(seeing, "capture", deck="snap")
    page = deck_page(seeing, "snap")
    assert words("en")("enrolment.free_name") in page and "data-pick-group" not in page
    answer = do(seeing, "enrol", deck="snap", card="<dragon>", picture="capture-1.jpg")
    assert said(answer) == words("en")("answer.bad_name")
    assert do(seeing, "enrol", deck="snap", card="Red dragon", picture="capture-1.jpg").status_code == 303
    page = deck_page(seeing, "snap")
    assert "Cards: 1" in page and "Red dragon" in page and "missing" not in page.partition("<main")[2]


def test_a_deck_of_other_cards_that_was_brought_in_misses_none_of_the_game(seeing: Seeing, camera: Camera) -> None:
    """A deck of other cards keeps its own names and misses no card; a deck of the game counts only the game's cards."""
    camera.decks["Pinochle"] = {"KS": ["a.jpg"], "10H": ["b.jpg"]}
    page = deck_page(seeing, "Pinochle")
    assert "Cards: 2" in page and "of 49" not in page and "missing" not in page.partition("<main")[2]
    camera.decks[BOX] = {"oil-200": ["a.jpg"], "a joker of ours": ["b.jpg"]}
    assert "1 of 49" in deck_page(seeing)


@pytest.mark.parametrize("what", ["capture", "photograph"])
def test_a_picture_that_fails_leaves_no_other_to_be_named(
    seeing: Seeing, camera: Camera, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused picture shows its reason, and the page no longer offers the picture before it, which would get the
    wrong name."""
    assert do(seeing, "photograph", deck=BOX, file=file(jpeg())).status_code == 303
    assert "teach-name" in deck_page(seeing)
    camera.refuse["capture"] = "no_picture"
    answer = do(seeing, what, deck=BOX, **({"file": file(jpeg())} if what == "photograph" else {}))
    assert answer.status_code == 409 and "teach-name" not in answer.text
    monkeypatch.setattr(photographs, "LARGEST", 10)
    answer = do(seeing, "photograph", deck=BOX, file=file(jpeg()))
    assert "at most 0 MB" in said(answer) and "teach-name" not in answer.text


def test_a_deck_is_made_of_two_cards_or_more(seeing: Seeing, camera: Camera) -> None:
    """A deck needs two cards besides the backs before the page leads on."""
    teach(seeing, camera, "back-locomotive", "back-wagon", "coal-100")
    assert "report?" not in deck_page(seeing)
    teach(seeing, camera, "coal-200")
    assert "report?" in deck_page(seeing)


def test_what_is_missing_is_named(seeing: Seeing, camera: Camera) -> None:
    """The page names the first missing cards and the number of the others, or all of them if they are few."""

    from web.presenters.card_names import card_groups_of

    picks = [pick for group in card_groups_of(seeing.table.snapshot(), "en") for pick in group.picks]
    camera.decks[BOX] = {pick.card: ["a.jpg"] for pick in picks[:-8]}
    page = deck_page(seeing)
    assert "41 of 49" in page and f"Still missing: {picks[-8].name}" in page and "and 2 more" in page
    camera.decks[BOX] |= {pick.card: ["a.jpg"] for pick in picks}
    assert words("en")("enrolment.complete") in deck_page(seeing)


# --- photographs ------------------------------------------------------------------------------------


def test_photographs_without_a_camera(seeing: Seeing, camera: Camera) -> None:
    """A service without a camera accepts a phone's photograph, and removes it from the frames' folder after reading
    it."""
    camera.live(CameraState("none", "no_camera"))
    seeing.until(lambda: not seeing.board.camera.sees)
    page = deck_page(seeing)
    assert words("en")("enrolment.photographs_now") in page and 'value="capture"' not in page
    assert 'accept="image/*" multiple' in page
    assert do(seeing, "photograph", deck=BOX, file=file(jpeg())).status_code == 303
    assert 'src="shelf/capture-1.jpg"' in deck_page(seeing)
    sent = camera.said[-2].fields["file"]
    assert sent.startswith("photograph-") and not (seeing.context.frames / sent).exists()


def test_a_photograph_as_phones_take_them(seeing: Seeing, camera: Camera) -> None:
    """A photograph may be much larger than any other form, and contain any bytes."""
    data = jpeg() + random.Random(7).randbytes(400_000)
    assert do(seeing, "photograph", deck=BOX, file=file(data)).status_code == 303
    assert 'src="shelf/capture-1.jpg"' in deck_page(seeing)


def test_several_photographs_of_one_card(seeing: Seeing, camera: Camera) -> None:
    """All photographs are stored under the chosen name; without a name, or with too many, they are refused."""
    many = [file(jpeg(), f"{n}.jpg") for n in range(3)]
    answer = do(seeing, "photograph", deck=BOX, file=many)
    assert said(answer) == words("en")("enrolment.one_card")
    many = [file(jpeg(), f"{n}.jpg") for n in range(3)]
    assert do(seeing, "photograph", deck=BOX, card="oil-200", file=many).status_code == 303
    assert camera.decks[BOX] == {"oil-200": ["capture-1.jpg", "capture-2.jpg", "capture-3.jpg"]}
    crowd = [file(jpeg(), f"{n}.jpg") for n in range(CARDS.most_photographs + 1)]
    answer = do(seeing, "photograph", deck=BOX, card="oil-200", file=crowd)
    assert said(answer) == words("en")("enrolment.too_many", most=CARDS.most_photographs)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x00\x00\x00\x18ftypheic\x00\x00", "heic"),
        (b"GIF89a and so on", "no_photograph"),
        (b"", "no_photograph"),
        (b"<script>alert(1)</script>", "no_photograph"),
    ],
)
def test_what_is_no_photograph_is_said(seeing: Seeing, camera: Camera, data: bytes, key: str) -> None:
    """The page names the file and says what to do, and the camera's service never receives it."""
    answer = do(seeing, "photograph", deck=BOX, file=file(data, "holiday.jpg"))
    assert (answer.status_code, said(answer)) == (409, words("en")(f"enrolment.{key}", file="holiday.jpg"))
    assert not [each for each in camera.said if each.what == "capture"]


def test_a_picture_that_the_service_cannot_read_is_said(seeing: Seeing, camera: Camera) -> None:
    """A file that only begins like a picture is refused."""
    answer = do(seeing, "photograph", deck=BOX, file=file(b"\x89PNG\r\n\x1a\n and nothing more"))
    assert said(answer) == words("en")("answer.no_picture")
    assert said(do(seeing, "photograph", deck=BOX)) == words("en")("enrolment.no_file")


@pytest.mark.parametrize("name", ["..%2Fjournal.db", ".hidden.jpg", "live.json", "none.jpg", "a.svg"])
def test_only_pictures_of_the_frames_folder_are_shown(seeing: Seeing, camera: Camera, name: str) -> None:
    """Neither other files of the folder nor files outside it are served."""
    (seeing.context.frames / ".hidden.jpg").write_bytes(b"x")
    (seeing.context.frames / "live.json").write_bytes(b"{}")
    assert seeing.anybody.get(f"{seeing.host}shelf/{name}").status_code == 404


# --- the report -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_shows_pairs_with_what_to_do(seeing: Seeing, camera: Camera, lang: str) -> None:
    """The report shows similar cards side by side, how certain the distinction is, and what to do."""
    teach(seeing, camera, "coal-100", "coal-150", "coal-200", "oil-200")
    seeing.anybody.headers["Accept-Language"] = lang
    page = seeing.anybody.read(f"{seeing.host}report?deck={BOX}")
    assert re.findall(r'<li class="panel (\w+)">', page) == ["alike", "close"]
    assert words(lang)("enrolment.how_alike_do") in page and words(lang)("enrolment.how_close", percent=5) in page
    assert re.findall(r'src="shelf/(capture-\d).jpg"', page) == [f"capture-{n}" for n in (1, 2, 2, 3)]
    assert words(lang)("enrolment.no_pairs") not in page


def test_a_clear_report_says_so(seeing: Seeing, camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    """If all cards differ enough, the report says so and shows the most similar pair; it ignores malformed pairs."""
    pair = {"cards": ["coal-100", "coal-200"], "pictures": ["a.jpg", "b.jpg"], "margin": 0.6}
    pairs = [pair, {}, {"cards": ["x"], "pictures": [], "margin": 1}, {**pair, "margin": "x"}]
    monkeypatch.setattr(camera, "_do_report", lambda deck: {"pairs": pairs})
    page = seeing.anybody.read(f"{seeing.host}report?deck={BOX}")
    assert words("en")("enrolment.no_pairs") in page and page.count("<figure>") == 2


def test_margins_are_said_in_words() -> None:
    """A margin is described as none, small or sufficient."""
    pairs = [AlikePair(("a", "b"), ("a.jpg", "b.jpg"), margin) for margin in (-1, 0, 0.14, 0.15, 3)]
    assert [describe_pair(pair, str)[2:] for pair in pairs] == [
        ("alike", 0),
        ("alike", 0),
        ("close", 14),
        ("clear", 15),
        ("clear", 100),
    ]
