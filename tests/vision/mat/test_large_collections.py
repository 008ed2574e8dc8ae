"""Tests of growing places: they wrap over several lines, the mat fits the table, and omissions are reported."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from companion.engine import Place, Seat
from companion.games import game_of_trains
from companion.games.take_a_train.layout import places as trains
from tests.support.vision.photographing import camera, drawn, furthest, photograph
from tests.vision.mat.test_arrangement import apart
from vision.mat import Mat, MatError, find, make_mat, suggest_mat
from vision.mat.camera_resolution import CAMERAS, NEEDED, camera_lines, pixels_per_mm
from vision.mat.concessions import concessions
from vision.mat.tiling import CLEAR, SPREAD, TABLE

CARD = (63.0, 88.0)
OWNED = 24
"""The most cards that a player of a deck-building game keeps in a line."""


def owned(players: int, most: int = OWNED) -> tuple[Place, ...]:
    """Return a collection for each player."""
    return tuple([Place(f"seat.{seat + 1}.owned", "spread", most, Seat(seat)) for seat in range(players)])


def piles(players: int, supply: int = 8) -> tuple[Place, ...]:
    """Return a supply in the middle, and a deck and discard pile for each player."""
    mine = [Place(f"seat.{s + 1}.{n}", "pile", 1, Seat(s)) for s in range(players) for n in ("deck", "discard")]
    return (*[Place(f"supply.{n + 1}", "pile", 1) for n in range(supply)], *mine)


def check(mat: Mat, places: tuple[Place, ...]) -> None:
    """Check that these places have all outlines, on the table and without overlaps."""
    for place in places:
        lines = [slot for slot in mat.slots if slot.place == place.name]
        assert sum(slot.most for slot in lines) == place.most
        assert [slot.at for slot in lines] == [sum(each.most for each in lines[:nth]) for nth in range(len(lines))]
    boxes = [(*mat.hull(slot)[0], *mat.hull(slot)[2]) for slot in mat.slots]
    markers = [(m.x, m.y, m.x + m.side, m.y + m.side) for m in mat.markers]
    assert (np.ptp(np.array(markers)[:, :2], axis=0) >= SPREAD * np.array(mat.size)).all()
    assert all(apart(a, b, 5.9) for a, b in combinations(boxes, 2))
    assert all(apart(a, b, CLEAR - 1e-9) for a in markers for b in boxes)
    everything = np.array([*boxes, *markers])
    assert everything.min() >= -1e-9 and (everything[:, 2:] <= np.array(mat.size) + 1e-9).all()
    assert min(mat.size) <= min(TABLE) and max(mat.size) <= max(TABLE)


@pytest.mark.parametrize(
    ("players", "paper", "sheets"),
    [(2, "a3", 3), (3, "a3", 6), (4, "a4", 18), (4, "a3", 6), (4, "letter", 25)],
)
def test_a_collection_of_24_wraps_over_several_lines(players: int, paper: str, sheets: int) -> None:
    """A collection of 24 cards per player wraps over several lines that a good camera can read."""
    places = owned(players)
    mat = make_mat(places, CARD, paper, players)
    check(mat, places)
    assert len(mat.sheets) <= sheets
    assert pixels_per_mm(mat, CAMERAS[0]) >= NEEDED
    (sentence,) = concessions(mat, places)
    assert sentence.startswith("Owned of each seat: the 24 cards lie in ")


def test_later_lines_lie_behind_for_their_owner() -> None:
    """Later lines lie behind earlier ones as their owner sees them, and all lines begin at the left."""
    mat = make_mat(owned(4), CARD, "a3", 4)
    for seat in range(4):
        lines = [slot for slot in mat.slots if slot.seat == seat]
        assert len(lines) == 3
        down = [slot.y if slot.turn == 0 else -slot.y for slot in lines]
        assert down == sorted(down) and len({slot.x for slot in lines}) == 1


def test_eight_seats_have_room() -> None:
    """Eight seats with six cards each fit by wrapping, and the markers are not collinear."""
    mat = make_mat(owned(8, 6), CARD, "a3", 8)
    check(mat, owned(8, 6))
    assert len(mat.sheets) == 4 and pixels_per_mm(mat, CAMERAS[0]) >= NEEDED


@pytest.mark.parametrize(("players", "most"), [(4, OWNED), (8, 6), (2, OWNED)])
def test_the_mat_is_found_in_a_picture(players: int, most: int) -> None:
    """The markers in a picture locate each outline to a millimetre."""
    mat = make_mat(owned(players, most), CARD, "a3", players)
    true = camera(mat, (2304, 1296), 0.02)
    found = find(photograph(drawn(mat), true), mat)
    assert found is not None and furthest(found, true, mat) < 1.0


def test_piles_are_given_up_before_cards_that_are_read() -> None:
    """Outlines of the supply's piles are dropped before cards that are read, so 24 cards fit for each of four seats."""
    places = (*owned(4), *piles(4))
    mat = make_mat(places, CARD, "a3", 4)
    check(mat, (*owned(4), *piles(4, 0)))
    said = list(concessions(mat, places))
    assert len(said) == 2 and said[1] == (
        "There is no room for the outlines of piles, which the camera does not read: "
        "Supply 1, Supply 2, Supply 3, Supply 4, Supply 5, Supply 6, Supply 7, Supply 8."
    )
    small = make_mat(places, (44.0, 68.0), "a3", 4)
    check(small, places)
    assert len(list(concessions(small, places))) == 1


def test_the_smallest_mat_is_named_where_none_fits() -> None:
    """The refusal names the table size needed and suggests smaller cards or larger paper."""
    with pytest.raises(MatError, match=r"needs a table of 132 × 81 cm"):
        make_mat(owned(6), CARD, "a3", 6)
    instead = suggest_mat(owned(6), CARD, "a3", 6)
    assert instead is not None and instead.paper == "a3" and 50 < instead.card[0] < CARD[0]
    check(instead, owned(6))


def test_larger_paper_is_suggested_where_markers_have_no_room() -> None:
    """Larger paper is suggested if a sheet would have no room for its own markers."""
    with pytest.raises(MatError, match="no room for markers on every sheet"):
        make_mat(owned(6), (56.0, 79.0), "a4", 6)
    instead = suggest_mat(owned(6), (56.0, 79.0), "a4", 6)
    assert instead is not None and (instead.paper, instead.card) == ("a3", (56.0, 79.0))


def test_short_places_do_not_wrap() -> None:
    """Up to six cards lie in one line, and a complete mat reports no omissions."""
    for places in (owned(4, 6), trains(4)):
        assert not list(concessions(make_mat(places, CARD, "a4", 4), places))
    pool = game_of_trains.GAME.rules.places(2)
    assert list(concessions(make_mat(pool, CARD, "a4", 2), pool)) == [
        "Pool: the 12 cards lie in 2 lines of up to 6, filled one after the other."
    ]


def test_every_camera_of_the_docs_is_judged() -> None:
    """The figures for each camera equal those of docs/camera.md, with a warning below the needed resolution."""
    lines = list(camera_lines(make_mat(trains(6), CARD, "a4", 6)))
    assert lines == [
        "Camera Module 3 (4608 × 2592): 3.7 px/mm.",
        "Camera Module 2 (3280 × 2464): 3.5 px/mm: just enough, if the mat fills the picture (reading needs 3.3).",
        "USB 4K (3840 × 2160): 3.1 px/mm: too few, reading needs 3.3.",
        "USB Full HD (1920 × 1080): 1.5 px/mm: too few, reading needs 3.3.",
    ]
    near = list(camera_lines(make_mat(owned(4), CARD, "a4", 4)))
    assert near[2] == "USB 4K (3840 × 2160): 3.28 px/mm: too few, reading needs 3.3."
