"""Tests of lines without printed places: a complete line defines its positions, which are read from then on."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine import Layout, Seat, Spot
from companion.games import SEEN
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.layout import POOL, line_place
from companion.messages import Sighted
from tests.support.vision.on_coasters import CoasterTable
from vision.mat import Mat
from vision.simulate.clutter import rectangle
from vision.slots.free_lines import find_line
from vision.slots.free_rows import Owner
from vision.slots.tracks import FoundCard, Track

CARD = (63.0, 88.0)
PLACES = SEEN["game-of-trains"].places(2)
MAT = Mat((640.0, 510.0), CARD, (), players=2, places=PLACES)
LINES = [[place for place in PLACES if place.seat == Seat(seat)] for seat in (0, 1)]


def card(x: float, y: float, turn: float = 0.0, named: bool = True) -> Track:
    """Return a card seen twice, with its centre at the given millimetres."""
    corners = rectangle(CARD, turn) + np.array([x, y])
    found = FoundCard(corners, "wagon-1") if named else FoundCard(corners, None, 0.0, "unknown")
    track = Track(found)
    track.count(found)
    return track


def positions(seat: int, tracks: list[Track]) -> list[tuple[str, Track]]:
    """Return the positions of a seat's line and the cards on them."""
    return [(frame.slot.place, track) for track, frame in find_line(LINES[seat], CARD, Owner(MAT, seat), tracks)]


def line(y: float, shift: float = 0.0) -> list[Track]:
    """Return seven slightly tilted cards side by side from left to right."""
    return [card(100 + 72 * n + shift, y + 3 * n, 2.0) for n in range(7)]


@pytest.mark.parametrize(("seat", "y"), [(0, 430.0), (1, 60.0)])
def test_places_are_numbered_from_their_owners_left(seat: int, y: float) -> None:
    """Positions are numbered from their owner's left, which is the picture's right for the far side."""
    cards = line(y)
    owners = cards if seat == 0 else cards[::-1]
    assert positions(seat, cards) == [(line_place(seat, n), each) for n, each in enumerate(owners, 1)]


def test_a_locomotive_beside_the_line_is_no_card_of_it() -> None:
    """An unknown locomotive beside a line is not part of it, but an unnamed card within the line is."""
    cards = line(430.0)
    assert len(positions(0, [*cards, card(30, 430, named=False)])) == 7
    assert len(positions(0, [*cards[:6], card(532, 448, named=False)])) == 7


@pytest.mark.parametrize(
    "cards",
    [
        line(430.0)[:6],  # one missing at an end
        [*line(430.0), card(604, 448)],  # one too many
        [*line(430.0)[:3], *line(430.0, 80.0)[3:]],  # a gap, and one pushed on at the end
        [*line(430.0)[:6], card(532, 400)],  # one beside the line
        [card(100 + 72 * n, 430, 40) for n in range(7)],  # tilted
        line(300.0),  # in the middle of the table
    ],
    ids=["missing", "too many", "gap", "beside", "askew", "far"],
)
def test_what_is_no_whole_line_tells_nothing(cards: list[Track]) -> None:
    """An incomplete line defines no positions, because its gaps are unknown."""
    assert positions(0, cards) == []


NEAR, FAR = (72, 71, 41, 32, 12, 7, 1), (81, 58, 53, 37, 33, 15, 5)


def laid(near: tuple[int, ...], far: tuple[int, ...], pool: tuple[int, ...] = ()) -> Layout:
    """Return a table with the numbers of two lines (0: a gap) and of the pool."""
    spots = {
        line_place(seat, at): Spot((wagon_id(number),)) if number else Spot()
        for seat, own in enumerate((near, far))
        for at, number in enumerate(own, 1)
    }
    return Layout(spots | {POOL: Spot(tuple(map(wagon_id, pool)))})


def told(sighted: Sighted) -> dict[str, list[str | None]]:
    """Return the reported card of each place."""
    found: dict[str, list[str | None]] = {}
    for one in sighted.sightings:
        found.setdefault(one.place, []).append(one.card)
    return found


def read(table: CoasterTable, layout: Layout) -> Sighted:
    """Return the reading of this table."""
    table.lay(layout)
    return table.read()


@pytest.mark.pixels
def test_a_gap_stays_a_gap() -> None:
    """A card taken away leaves an empty position, and the next card there gets that position."""
    table = CoasterTable("game-of-trains", 2, 1)
    whole = {place: list(spot.up) for place, spot in laid(NEAR, FAR).spots.items() if spot.up}
    assert told(read(table, laid(NEAR, FAR))) == whole
    seen = read(table, laid((0, 71, 41, 0, 12, 7, 1), FAR, (72,)))
    gone = {line_place(0, 1), line_place(0, 4)}
    assert told(seen) == {place: up for place, up in whole.items() if place not in gone} | {POOL: [wagon_id(72)]}
    assert seen.covered == ()
    seen = read(table, laid((0, 71, 41, 66, 12, 7, 1), FAR, (72,)))
    assert told(seen)[line_place(0, 4)] == [wagon_id(66)] and line_place(0, 1) not in told(seen)


@pytest.mark.pixels
def test_a_line_that_is_not_whole_yet_is_not_read() -> None:
    """The cards of a line that is still being dealt are read neither in the line nor in the pool."""
    table = CoasterTable("game-of-trains", 2, 1)
    seen = read(table, laid((72, 71, 41, 32, 12, 7, 0), FAR))
    assert set(told(seen)) == {line_place(1, at) for at in range(1, 8)}
