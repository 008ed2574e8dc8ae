"""Tests of the mat's geometry: all places without overlaps, clockwise seats and markers on each sheet."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from companion.engine import Place, Seat
from companion.games import game_of_trains
from companion.games.take_a_train.layout import places
from tests.support.vision.photographing import mat_for
from vision.mat import Mat, MatError, make_mat, read_card
from vision.mat.tiling import BLOCK, CLEAR, RIM, TABLE


def boxes(mat: Mat) -> dict[str, tuple[float, float, float, float]]:
    """Return the left, top, right and bottom of each place."""
    return {slot.place: (*mat.hull(slot)[0], *mat.hull(slot)[2]) for slot in mat.slots}


def apart(a: tuple[float, ...], b: tuple[float, ...], by: float = 0.0) -> bool:
    """Return whether two boxes do not touch."""
    return a[2] + by <= b[0] or b[2] + by <= a[0] or a[3] + by <= b[1] or b[3] + by <= a[1]


@pytest.mark.parametrize(
    ("players", "card", "paper"),
    [(2, (63, 88), "a4"), (6, (63, 88), "a4"), (6, (63, 88), "a2"), (4, (88, 63), "a4"), (5, (45, 68), "a3"),
     (3, (70, 120), "letter"), (4, (70, 70), "a4"), (6, (40, 40), "letter")],
)  # fmt: skip
def test_every_place_is_there_and_nothing_overlaps(players: int, card: tuple[float, float], paper: str) -> None:
    """Each place of the game has its outlines, clear of each other and of the markers, on one table."""
    mat = mat_for(players, card, paper)
    assert {slot.place for slot in mat.slots} == {place.name for place in places(players)}
    assert {slot.place: slot.most for slot in mat.slots} == {place.name: place.most for place in places(players)}
    found = boxes(mat)
    assert all(apart(a, b, 5.9) for a, b in combinations(found.values(), 2))
    markers = [(m.x, m.y, m.x + m.side, m.y + m.side) for m in mat.markers]
    assert all(apart(a, b, CLEAR - 1e-9) for a in markers for b in found.values())
    assert all(apart(a, b, CLEAR - 1e-9) for a, b in combinations(markers, 2))
    everything = np.array([*found.values(), *markers])
    assert everything.min() >= -1e-9 and (everything[:, 2:] <= np.array(mat.size) + 1e-9).all()
    assert min(mat.size) <= min(TABLE) and max(mat.size) <= max(TABLE)


def test_every_sheet_has_markers_of_its_own() -> None:
    """Each sheet has at least two whole markers, whose numbers differ from those for any other number of players."""
    taken: set[int] = set()
    for players in range(2, 7):
        mat = mat_for(players, paper="letter" if players == 3 else "a4")
        for sheet in mat.sheets:
            own = [m for m in mat.markers if m.sheet == sheet.number]
            assert len(own) >= 2
            assert all(
                m.x - sheet.x >= RIM - 1e-9 and sheet.x + sheet.width - m.x - m.side >= RIM - 1e-9
                and m.y - sheet.y >= RIM - 1e-9 and sheet.y + sheet.height - m.y - m.side >= RIM - 1e-9
                for m in own
            )  # fmt: skip
        numbers = {m.id for m in mat.markers}
        assert len(numbers) == len(mat.markers) <= BLOCK and not numbers & taken
        taken |= numbers


def test_seats_go_clockwise_and_read_their_own_cards() -> None:
    """Seats go clockwise from the lower right: along the lower side to the left, then back along the upper side."""
    mat = mat_for(6)
    middle = {}
    for seat in range(6):
        own = [slot for slot in mat.slots if slot.seat == seat]
        middle[seat] = np.mean([mat.hull(slot).mean(axis=0) for slot in own], axis=0) - np.array(mat.size) / 2
        assert {slot.turn for slot in own} == ({0} if seat < 3 else {2})
    around = [np.degrees(np.arctan2(y, x)) % 360 for x, y in middle.values()]
    assert around == sorted(around)


def test_rows_lead_away_from_their_owner() -> None:
    """A row's first card lies nearest to its owner, and each tucked card shows the outer quarter of its long side."""
    mat = mat_for(2)
    near, far = mat.slot("seat.1.train.1"), mat.slot("seat.2.train.1")
    assert near is not None and far is not None
    assert near.step == (0.0, -22.0) and far.step == (0.0, 22.0)
    assert mat.corners(near)[2][1] == pytest.approx(mat.hull(near)[2][1])
    first, second = mat.corners(far, 0), mat.corners(far, 1)
    assert (second - first == np.array([0.0, 22.0])).all()
    assert first[0][0] > first[1][0] and first[0][1] > first[2][1]  # upside down: its own top left is lower right


def test_wide_cards_lead_to_the_right() -> None:
    """Wide cards lie across, so their rows run to their owner's right."""
    row = mat_for(3, (88, 63)).slot("seat.1.train.2")
    assert row is not None and row.step == (22.0, 0.0)


def test_any_game_with_places_has_a_mat() -> None:
    """Spreads of seats, shared rows and a single place can be arranged too."""
    odd = (
        Place("line", "row", 4),
        Place("seat.1.front", "spread", 3, Seat(0)),
        Place("seat.2.front", "spread", 3, Seat(1)),
        Place("seat.3.hand", "pile", 1, Seat(2)),
    )
    mat = make_mat(odd, (60.0, 90.0), "a4", 3)
    found = boxes(mat)
    assert set(found) == {place.name for place in odd}
    assert all(apart(a, b) for a, b in combinations(found.values(), 2))
    assert len(make_mat((Place("one", "spread", 1),), (60.0, 90.0)).markers) >= 2


def test_what_fits_no_table_is_refused_with_the_size_it_needs() -> None:
    """Places too large for any table are refused with the size they need and the largest size allowed."""
    with pytest.raises(MatError, match=r"needs a table of \d+ × \d+ cm, .* 120 × 80 cm"):
        mat_for(6, (70, 120))


@pytest.mark.parametrize("text", ["63", "63x", "30x88", "63x130", "axb", ""])
def test_cards_of_no_size_are_refused(text: str) -> None:
    """A card size other than two numbers from 40 to 120 mm is refused."""
    with pytest.raises(MatError, match=r"mm|millimetres"):
        read_card(text)


@pytest.mark.parametrize("text", ["63x88", "63 × 88 mm", "63,0X88.0"])
def test_sizes_are_read_as_people_write_them(text: str) -> None:
    """A size is read with a cross or an x and with a comma or a point."""
    assert read_card(text) == (63.0, 88.0)


def test_unknown_paper_is_refused() -> None:
    """The refusal of an unknown paper lists the known ones."""
    with pytest.raises(MatError, match="a4, a3, a2, letter"):
        make_mat(places(2), (63.0, 88.0), "b5")


@pytest.mark.parametrize("paper", ["a4", "a2"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_line_of_single_cards_lies_along_its_owners_edge(players: int, paper: str) -> None:
    """Seven wagons run from left to right for their owner, and a long pool folds where that fits better."""
    mat = make_mat(game_of_trains.GAME.rules.places(players), (63.0, 88.0), paper, players)
    boxes = [(*mat.hull(slot)[0], *mat.hull(slot)[2]) for slot in mat.slots]
    assert all(apart(a, b, 5.9) for a, b in combinations(boxes, 2))
    for seat in range(players):
        own = [slot for slot in mat.slots if slot.seat == seat]
        assert [slot.place for slot in own] == [f"seat.{seat + 1}.wagon.{at}" for at in range(1, 8)]
        along = [slot.x if slot.turn == 0 else -slot.x for slot in own]
        assert along == sorted(along) and len({slot.y for slot in own}) == 1
    pool = [slot for slot in mat.slots if slot.place == "pool"]
    assert sum(slot.most for slot in pool) == 12
    assert [slot.at for slot in pool] == ([0, 6] if players == 2 else [0])
    assert len(pool) == 1 or pool[1].y - pool[0].y > 88
