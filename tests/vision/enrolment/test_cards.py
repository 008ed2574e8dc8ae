"""Tests of enrolling a card with the camera: its detection, faults of the picture and recovery after a power loss."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.camera_requests.enrolment import CaptureAnswer, CardCaptureAnswer, EnrolAnswer, EnrolledAnswer
from vision.deck.deck import Deck
from vision.deck.deck_file import load
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolment.camera_view import CameraView
from vision.enrolment.card_finder import find_cards, judge_capture, straighten_card
from vision.enrolment.card_kind import CardsKind
from vision.enrolment.enrolment import Enrolment
from vision.enrolment.frames_shelf import FramesShelf
from vision.image import Image
from vision.print.cards import faces

CARD = (63.0, 88.0)
CARDS = faces("take-a-train")


def photograph(
    *cards: tuple[str, float, float, float], size: tuple[int, int] = (1280, 960), scale: float = 5.0
) -> Image:
    """Return a dark table with cards, each given by name, centre in pixels and turn in degrees."""
    size = (1280, 960)
    picture = np.full((size[1], size[0], 3), (45, 50, 40), dtype=np.uint8)
    picture = np.clip(picture + np.random.default_rng(2).normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    for name, x, y, degrees in cards:
        face = CARDS[name]
        a = np.radians(degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        half = np.array(CARD) * scale / 2
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T + (x, y)
        height, width = face.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        plane = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
        white = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), plane, size)
        lit = (cv2.warpPerspective(face, plane, size) * 0.92).astype(np.uint8)  # paper below overexposure
        picture[white > 127] = lit[white > 127]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.uint8)


@pytest.fixture
def enrolling(tmp_path: Path) -> Enrolment:
    """Return a session over an empty data folder."""
    return opened(tmp_path)


def opened(folder: Path) -> Enrolment:
    """Return a session over a data folder, as after a restart."""
    (folder / "shelf").mkdir(exist_ok=True)
    return Enrolment(CardsKind(DeckLibrary(folder), CARD), FramesShelf(folder / "shelf"))


def captured(enrolling: Enrolment, picture: Image) -> CaptureAnswer:
    """Capture the card in a picture and return the answer."""
    return enrolling.capture("ours", CameraView(picture))


def finished(enrolling: Enrolment) -> Deck:
    """Make the deck and return it."""
    assert isinstance(enrolling.kind, CardsKind)
    return enrolling.kind.finish("ours")


@pytest.mark.parametrize("degrees", [12, -35, 90])
def test_card_is_found_and_made_straight(degrees: float) -> None:
    """A card at any angle is straightened and fills its picture, upright or upside down."""
    ((corners, crowded),), heaps = find_cards(photograph(("steam-3", 640, 480, degrees)), CARD)
    assert not crowded and not heaps
    found = straighten_card(photograph(("steam-3", 640, 480, degrees)), corners, CARD)
    known = cv2.resize(CARDS["steam-3"], (found.shape[1], found.shape[0]), interpolation=cv2.INTER_AREA) * 0.92
    errors = [np.abs(np.rot90(found, turn).astype(float) - known).mean() for turn in (0, 2)]
    assert found.shape[1] == pytest.approx(63 * 5, abs=6) and min(errors) < 18 < max(errors)


def test_empty_table_has_no_card(enrolling: Enrolment) -> None:
    """An empty table yields no card, and its picture is not kept."""
    assert captured(enrolling, photograph()).faults == ("none",)
    assert enrolling.read("ours") == EnrolledAnswer()


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        (photograph(("steam-3", 540, 480, 0), ("coal-200", 640, 700, 10)), "several"),
        (photograph(("steam-3", 640, 480, 0), ("coal-200", 560, 280, 40)), "several"),
        (photograph(("steam-3", 640, 480, 0), scale=2.5), "small"),
        (cv2.GaussianBlur(photograph(("steam-3", 640, 480, 0)), (0, 0), 5), "blur"),
        ((photograph(("steam-3", 640, 480, 0)) // 6).astype(np.uint8), "dark"),
        (photograph(("steam-3", 120, 480, 12)), "cut"),
    ],
)
def test_faults_are_told(enrolling: Enrolment, picture: Image, fault: str) -> None:
    """Overlapping cards, small cards, blur, darkness and a corner outside the picture are reported."""
    assert fault in captured(enrolling, picture).faults


def test_good_picture_has_no_faults(enrolling: Enrolment) -> None:
    """A good picture is reported without faults."""
    assert [captured(enrolling, photograph((card, 640, 480, 8))).faults for card in list(CARDS)[::16]] == [
        () for _ in list(CARDS)[::16]
    ]


@pytest.mark.parametrize("margin", [4, 6, 12])
def test_a_whole_card_at_the_pictures_edge_is_not_cut(margin: int) -> None:
    """A whole card at the picture's edge is not reported as cropped, even with a narrow margin."""
    picture = photograph(("steam-3", 157.5 + margin, 480, 0))
    ((corners, _),), _ = find_cards(picture, CARD)
    assert abs(float(corners[:, 0].min()) - margin) < 2.5
    assert judge_capture(picture, corners, straighten_card(picture, corners, CARD)) == ()


def test_many_cards_of_one_picture_wait_for_their_names(enrolling: Enrolment, tmp_path: Path) -> None:
    """Several cards of one picture are named row by row, one can be skipped, and a lost one no longer waits."""
    rows = [["steam-1", "steam-2", "steam-3"], ["coal-100", "coal-150", "coal-200"]]
    lying = [
        (name, 240 + 400 * x, 250 + 460 * y, 4 * x - 3) for y, row in enumerate(rows) for x, name in enumerate(row)
    ]
    found = captured(enrolling, photograph(*lying, scale=4.0))
    assert isinstance(found, CardCaptureAnswer) and [each.faults for each in found.cards] == [()] * 6
    middles = [np.mean(each.outline, axis=0) * (1280, 960) for each in found.cards]
    assert np.abs(middles - np.array([place[1:3] for place in lying])).max() < 4
    assert found.waiting[0] == found.picture and found.sheet.startswith("sheet-")
    for name, picture in zip(["steam-1", "steam-2"], found.waiting, strict=False):
        enrolling.enrol("ours", picture, name)
    enrolling.enrol("ours", found.waiting[2], "")
    (tmp_path / "decks" / "ours" / f".waits-{found.waiting[3]}").unlink()
    for file in (tmp_path / "shelf").iterdir():
        file.unlink()
    known = opened(tmp_path).read("ours")
    assert set(known.pictures) == {"steam-1", "steam-2"}
    assert known.captured is not None and known.captured.waiting == found.waiting[4:]
    shelf = {file.name for file in (tmp_path / "shelf").iterdir()}
    assert shelf == {found.sheet, *found.waiting[:2], *found.waiting[4:]}
    sheet = cv2.imread(str(tmp_path / "shelf" / found.sheet))
    assert sheet is not None and sheet[5, 5].max() < 12 and sheet[225, 225].max() > 30  # black except for the cards
    captured(enrolling, photograph(("diesel-3", 640, 480, 0)))
    assert len(list((tmp_path / "decks" / "ours").glob(".waits-*"))) == 1


def test_glare_and_cut_corners_are_told() -> None:
    """Glare on a card and a corner outside the picture are reported."""
    picture = photograph(("coal-200", 640, 480, 0))
    ((corners, _),), _ = find_cards(picture, CARD)
    picture[380:560, 560:720] = 255
    assert "glare" in judge_capture(picture, corners, straighten_card(picture, corners, CARD))
    assert "cut" in judge_capture(
        picture, corners - (corners.min(axis=0) - (1, 200)), straighten_card(picture, corners, CARD)
    )


def test_nothing_is_lost_when_the_plug_is_pulled(enrolling: Enrolment, tmp_path: Path) -> None:
    """Enrolled pictures and the last capture survive a restart that empties the frames folder."""
    first = captured(enrolling, photograph(("steam-3", 640, 480, 0)))
    assert enrolling.enrol("ours", first.picture, "steam-3") == EnrolAnswer("steam-3", 1)
    second = captured(enrolling, photograph(("coal-200", 640, 480, 0)))
    for file in (tmp_path / "shelf").iterdir():
        file.unlink()
    known = opened(tmp_path).read("ours")
    assert known.pictures == {"steam-3": [first.picture]} and known.captured == second
    assert {file.name for file in (tmp_path / "shelf").iterdir()} == {first.picture, second.picture}
    assert opened(tmp_path).enrol("ours", second.picture, "coal-200").pictures == 1
    known = opened(tmp_path).read("ours")
    assert known.captured is None and known.pictures["coal-200"] == [second.picture]


def test_a_picture_that_fails_leaves_none_to_be_named(enrolling: Enrolment) -> None:
    """A failed capture discards the previous one, which would otherwise get the next card's name."""
    first = captured(enrolling, photograph(("steam-3", 640, 480, 0)))
    assert captured(enrolling, photograph()).picture == ""
    assert enrolling.read("ours").captured is None
    with pytest.raises(RequestRefused):
        enrolling.enrol("ours", first.picture, "coal-200")
    captured(enrolling, photograph(("steam-3", 640, 480, 0)))
    enrolling.begin("ours")
    assert enrolling.read("ours").captured is None


def test_likeliest_names_are_those_that_look_alike(enrolling: Enrolment) -> None:
    """The names of similar cards are suggested first, as for a second picture of one card."""
    for card in ("steam-3", "coal-200", "diesel-3"):
        picture = captured(enrolling, photograph((card, 640, 480, 0))).picture
        enrolling.enrol("ours", picture, card)
    assert captured(enrolling, photograph(("coal-200", 600, 500, 5))).likeliest[0] == "coal-200"


def test_pictures_are_taken_out_again(enrolling: Enrolment) -> None:
    """A single picture or a whole card can be removed."""
    for degrees in (0, 6):
        picture = captured(enrolling, photograph(("steam-3", 640, 480, degrees))).picture
        enrolling.enrol("ours", picture, "steam-3")
    first, second = enrolling.read("ours").pictures["steam-3"]
    enrolling.forget("ours", "steam-3", first)
    assert enrolling.read("ours").pictures == {"steam-3": [second]}
    enrolling.forget("ours", "steam-3")
    assert enrolling.read("ours").pictures == {}


def test_deck_is_made_kept_and_taken_up_again(enrolling: Enrolment, tmp_path: Path) -> None:
    """A finished deck is saved as one file and used, and later cards are added to it."""
    for card in ("steam-3", "coal-200", "back-wagon"):
        picture = captured(enrolling, photograph((card, 640, 480, 0))).picture
        enrolling.enrol("ours", picture, card)
    report = enrolling.compare("ours")
    assert all(len(pair.cards) == len(pair.pictures) == 2 for pair in report.pairs)
    deck = finished(enrolling)
    assert set(deck.cards) == {"steam-3", "coal-200"} and deck.backs == ("back-wagon",)
    decks = DeckLibrary(tmp_path)
    assert decks.last_used() == "ours" and set(load(decks.path("ours")).cards) == set(deck.cards)
    assert not decks.unfinished_folder("ours").exists()
    again = opened(tmp_path)
    assert set(again.read("ours").pictures) == {"steam-3", "coal-200", "back-wagon"}
    picture = captured(again, photograph(("diesel-3", 640, 480, 0))).picture
    again.enrol("ours", picture, "diesel-3")
    assert set(finished(again).cards) == {"steam-3", "coal-200", "diesel-3"}


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "used", "x" * 60, " pad "])
def test_names_that_lead_elsewhere_are_refused(enrolling: Enrolment, name: str) -> None:
    """A deck name that contains a path is refused, because it becomes a file name."""
    with pytest.raises(RequestRefused) as found:
        enrolling.read(name)
    assert found.value.key == "bad_name"


def test_what_is_not_there_is_refused(enrolling: Enrolment) -> None:
    """Enrolling without a capture, forgetting an unknown card and finishing an empty deck are refused."""
    for ask, key in (
        (lambda: enrolling.enrol("ours", "card-0.jpg", "steam-3"), "no_picture"),
        (lambda: enrolling.forget("ours", "steam-3"), "no_card"),
        (lambda: finished(enrolling), "no_card"),
    ):
        with pytest.raises(RequestRefused) as found:
            ask()
        assert found.value.key == key


def test_a_name_that_was_half_given_is_not_given_twice(enrolling: Enrolment, tmp_path: Path) -> None:
    """A power loss between moving a picture and removing its capture does not name the card twice."""
    first = captured(enrolling, photograph(("steam-3", 640, 480, 0)))
    index = tmp_path / "decks" / "ours" / ".captured.json"
    before = index.read_bytes()
    enrolling.enrol("ours", first.picture, "steam-3")
    index.write_bytes(before)
    assert opened(tmp_path).read("ours").captured is None
    with pytest.raises(RequestRefused, match="no_picture"):
        enrolling.enrol("ours", first.picture, "coal-200")
    assert enrolling.read("ours").pictures == {"steam-3": [first.picture]}
