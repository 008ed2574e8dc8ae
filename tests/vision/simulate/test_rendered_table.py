"""Tests of the rendered table: the layout, the camera's picture and the true positions."""

from __future__ import annotations

from itertools import pairwise

import cv2
import msgspec
import numpy as np
import pytest

from companion.engine import Layout, Spot
from companion.games.take_a_train.layout import places
from vision.image import Image
from vision.mat import Mat, find, make_mat
from vision.print.cards import design, faces
from vision.simulate.camera_geometry import CameraAngles, camera_above, through
from vision.simulate.difficulty import BENCHMARKS, DEFAULT, DEVELOPMENT, DIFFICULTIES, EASY, HARD, Difficulty
from vision.simulate.lying import LayingError
from vision.simulate.rendered_table import RenderedTable

SIZE = (640, 360)
ROW = "seat.1.train.1"
LAYOUT = Layout({
    ROW: Spot(("steam-3", "coal-200", "oil-150")),
    "seat.2.train.1": Spot(("food-50",), down=1),
    "market": Spot(("cattle-150", "twin")),
    "auction": Spot(()),
})  # fmt: skip


def mat() -> Mat:
    """Return the mat for two."""
    return make_mat(places(2), (63.0, 88.0), players=2)


def table(seed: int = 3, difficulty: Difficulty = EASY, size: tuple[int, int] = SIZE) -> RenderedTable:
    """Return an empty table."""
    return RenderedTable(mat(), faces("take-a-train"), design("take-a-train").backs, difficulty, seed, size)


def names(made: RenderedTable) -> list[tuple[str, int, str | None, str]]:
    """Return the true cards without corners."""
    return sorted((s.place, s.at, s.card, s.face) for s in made.truth())


def test_a_layout_lies_as_it_says() -> None:
    """Rows begin with their locomotive, face-down cards show their back, and spreads fill their outlines."""
    made = table()
    made.set(LAYOUT)
    assert names(made) == [
        ("market", 0, "cattle-150", "up"), ("market", 1, "twin", "up"),
        (ROW, 0, "steam-3", "up"), (ROW, 1, "coal-200", "up"), (ROW, 2, "oil-150", "up"),
        ("seat.2.train.1", 0, "back-locomotive", "down"), ("seat.2.train.1", 1, "food-50", "up"),
    ]  # fmt: skip


def test_what_lies_right_is_not_touched() -> None:
    """A layout that adds a card leaves all other cards in place, including places it does not mention."""
    made = table(difficulty=HARD)
    made.set(LAYOUT)
    before = {(s.place, s.at): s.corners for s in made.truth()}
    made.set(Layout({ROW: Spot(("steam-3", "coal-200", "oil-150", "bonus"))}))
    after = {(s.place, s.at): s.corners for s in made.truth()}
    assert {key: after[key] for key in before} == before
    assert set(after) - set(before) == {(ROW, 3)}


def test_a_hand_moves_one_card() -> None:
    """A card moves from one place to the end of another, rows close up and spreads keep their gaps."""
    made = table()
    made.set(LAYOUT)
    made.lay("cattle-150", ROW, source="market")
    made.lay("coal-200", "", source=ROW)
    assert [(s.at, s.card) for s in made.truth() if s.place == ROW][::-1] == [
        (0, "steam-3"), (1, "oil-150"), (2, "cattle-150"),
    ]  # fmt: skip
    assert [(s.at, s.card) for s in made.truth() if s.place == "market"] == [(1, "twin")]
    made.lay("bin", "market")
    assert sorted((s.at, s.card or "") for s in made.truth() if s.place == "market") == [(0, "bin"), (1, "twin")]


@pytest.mark.parametrize(
    ("card", "place", "source", "said"),
    [
        ("steam-9", "market", "", "no picture of 'steam-9'"),
        ("twin", "kitchen", "", "no place called 'kitchen'"),
        ("twin", "market", "auction", "There is no twin at auction"),
    ],
)
def test_what_cannot_be_laid_is_said(card: str, place: str, source: str, said: str) -> None:
    """An unknown card, place or source is named in the error."""
    with pytest.raises(LayingError, match=said):
        table().lay(card, place, source)


def test_a_card_leaves_a_row_that_begins_with_a_back() -> None:
    """The named card is taken from a row that begins with a face-down card."""
    made = table()
    made.lay("cattle-150", ROW, face="down")
    made.lay("coal-200", ROW)
    made.lay("coal-200", "", source=ROW)
    assert [(lying.card, lying.face) for lying in made.heap.at(ROW)] == [("back-wagon", "down")]


def test_a_full_place_takes_no_more() -> None:
    """A spread for three refuses a fourth card."""
    made = table()
    for card in ("food-50", "food-100", "food-150"):
        made.lay(card, "market")
    made.lay("food-200", "auction")
    before = names(made)
    with pytest.raises(LayingError, match="no room"):
        made.lay("food-200", "market", source="auction")
    with pytest.raises(LayingError, match="no room"):
        next(made.hand("food-200", "market", source="auction"))
    assert names(made) == before


def test_a_hand_that_is_called_off_is_gone() -> None:
    """A hand whose pictures are no longer requested leaves the table."""
    made = table()
    made.set(LAYOUT)
    hand = made.hand("twin", ROW, source="market", frames=12)
    for _ in range(4):
        next(hand)
    hand.close()
    assert all(shown.share > 0.9 for shown in made.showing() if shown.sighting.at == 0)


def test_the_same_seed_takes_the_same_pictures() -> None:
    """Pictures depend only on the seed and their number, and each has its own noise."""
    one, other, third = table(5, DEFAULT), table(5, DEFAULT), table(6, DEFAULT)
    for made in (one, other, third):
        made.set(LAYOUT)
    first = one.picture()
    assert np.array_equal(first, other.picture())
    for mine, yours in zip(one.hand("bonus", "market"), other.hand("bonus", "market"), strict=True):
        assert np.array_equal(mine, yours)
    assert not np.array_equal(first, one.picture())
    assert not np.array_equal(first, third.picture())


@pytest.mark.parametrize("difficulty", DIFFICULTIES.values(), ids=DIFFICULTIES)
def test_cards_are_where_truth_says(difficulty: Difficulty) -> None:
    """A card straightened by its true corners resembles its own face more than another's."""
    made = table(11, difficulty, (1920, 1080))
    made.set(LAYOUT)
    picture, pictures = made.picture(), faces("take-a-train")
    for shown in made.showing():
        if shown.share > 0.99:
            card = shown.sighting.card
            assert card is not None
            here = likeness(cut(picture, shown.pixels), pictures[card])
            other = max(likeness(cut(picture, shown.pixels), pictures[n]) for n in pictures if n != card)
            assert here > 0.6 and here > other + 0.05, (card, here, other)


def cut(picture: Image, corners: tuple[tuple[float, float], ...]) -> Image:
    """Return an upright card cut out of a picture, 93 × 130 pixels."""
    target = np.array([[-0.5, -0.5], [92.5, -0.5], [92.5, 129.5], [-0.5, 129.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), target)
    found = cv2.warpPerspective(picture, matrix, (93, 130), flags=cv2.INTER_AREA)
    return found  # type: ignore[return-value]


def likeness(seen: Image, face: Image) -> float:
    """Return the similarity of two pictures of cards, from -1 to 1."""
    small = cv2.GaussianBlur(cv2.resize(face, (93, 130), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    a, b = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY)[4:-4, 4:-4].astype(np.float64).ravel() for each in (seen, small))
    return float(np.corrcoef(a, b)[0, 1])


def test_truth_in_pixels_is_truth_in_millimetres_through_the_view() -> None:
    """A mat found in the picture maps the true corners in millimetres to those in pixels."""
    made = table(21, msgspec.structs.replace(DEFAULT, sheets=(0.0, 0.0)), (1920, 1080))
    made.set(LAYOUT)
    pose = find(made.picture(), made.mat)
    assert pose is not None
    for shown in made.showing():
        there = pose.project(np.array(shown.sighting.corners))
        assert np.abs(there - np.array(shown.pixels)).max() < 1.0


def test_a_tucked_wagon_shows_about_a_quarter() -> None:
    """Each tucked wagon of a row shows about a quarter, and the first card shows whole."""
    made = table()
    made.set(LAYOUT)
    shares = {shown.sighting.at: shown.share for shown in made.showing() if shown.sighting.place == ROW}
    assert shares[0] == pytest.approx(1.0)
    assert 0.18 < shares[1] < 0.32 and 0.18 < shares[2] < 0.32


def test_a_hand_covers_what_it_reaches_over_and_carries_the_card() -> None:
    """During a move the card is nowhere and the hand covers others; at the end the card is at its destination."""
    made = table(4)
    made.set(LAYOUT)
    quiet = made.picture()
    seen, least = [], 1.0
    for picture in made.hand("twin", ROW, source="market", frames=12):
        seen.append((picture, "twin" in {s.card for s in made.truth()}))
        least = min(least, *[shown.share for shown in made.showing() if shown.sighting.at == 0])
    assert {lies for _, lies in seen} == {True, False}
    assert least < 0.5
    moving = [cv2.absdiff(a, b).max() > 30 for (a, _), (b, _) in pairwise(seen)]
    assert all(moving[2:-2])
    assert (ROW, 3, "twin", "up") in names(made)
    assert cv2.absdiff(made.picture(), quiet).mean() < 5


def test_what_is_put_over_a_place_covers_it() -> None:
    """A cup covers most of a card until it is removed, and the true position stays."""
    made = table()
    made.set(LAYOUT)
    before = names(made)
    made.cover("market", 1)
    shares = {(shown.sighting.place, shown.sighting.at): shown.share for shown in made.showing()}
    assert shares["market", 1] < 0.4 and shares[ROW, 0] > 0.9
    made.clear_covers()
    assert names(made) == before


def test_a_card_of_another_game_is_unknown() -> None:
    """A card that is not in the deck has no name."""
    made = table()
    made.lay("foreign-1", "market")
    (sighting,) = made.truth()
    assert (sighting.card, sighting.doubt, sighting.place) == (None, "unknown", "market")


def test_piles_are_seen_and_not_told() -> None:
    """A pile is visible in the picture and missing from the true cards, because piles are not read."""
    made = table()
    empty = made.picture()
    made.lay("back-wagon", "deck.wagons")
    assert cv2.absdiff(made.picture(), empty).max() > 60
    assert made.truth() == ()


def test_any_size_shows_the_same_table() -> None:
    """A smaller picture of the same camera shows everything at the same relative position."""
    made = table(8, DEFAULT, (1280, 720))
    made.set(LAYOUT)
    large = np.array([shown.pixels for shown in made.showing()])
    small = np.array([shown.pixels for shown in made.showing((320, 180))])
    assert np.abs((large + 0.5) / 4 - 0.5 - small).max() < 0.1
    assert made.picture((320, 180)).shape == (180, 320, 3)


def test_a_lens_is_undone_by_its_inverse() -> None:
    """The inverse lens maps seen pixels back to millimetres, and the table with its margin fits the picture."""
    view = camera_above((700, 500), (1280, 720), CameraAngles(15, 40, 5), 0.05, 0.03)
    points = np.array([[0, 0], [700, 0], [350, 250], [10, 490], [700, 500]], np.float64)
    seen = view.to_picture(points)
    middle, half = (np.array(view.size) - 1) / 2, np.hypot(*view.size) / 2
    away = (seen - middle) / half
    flat = away * (1 + view.bend * (away**2).sum(axis=1, keepdims=True)) * half + middle
    assert np.abs(through(np.linalg.inv(view.matrix), flat) - points).max() < 0.01
    assert seen.min() > 30 and (seen < np.array([1280, 720])).all()


def test_benchmarks_see_no_seed_of_development() -> None:
    """The seeds of development and of benchmarks do not overlap."""
    assert max(DEVELOPMENT) < BENCHMARKS
