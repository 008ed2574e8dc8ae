"""Replay the rulebook's example: two turns of four players with every card, cube, coin and Waste, in corrected
readings.

The printed example is illegal: Red begins in Yokohama and then builds there. In one reading, a river above Yokohama
replaces the city on the small map of the tests. In the others, Red begins on the mountain or the river above Yokohama
on Tokyo's board, and every printed build is legal.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from companion.engine import CellName, Event, Seat, State
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.events import (
    Bought,
    CardsDrawn,
    Ended,
    FirstNamed,
    Gained,
    MustShuffle,
    Played,
    RailLaid,
    StartPlaced,
    StationBuilt,
)
from companion.games.trains.rules import RULES
from companion.games.trains.steps.turn import Act, end_of_game
from companion.games.trains.table import GAINED, PLAY, Table, deck_of, discard_of, hand_of
from tests.games.proofs import proves
from tests.games.trains.build import KINGDOM, A, B, C, D, after, begun, held, on_small_map, why

__all__ = ["on_small_map"]

VIOLET, YELLOW, GREY, RED = A, B, C, D
SEATS = (VIOLET, YELLOW, GREY, RED)
TOKYO = {"SM": "E7", "F1": "E6", "SS": "D6", "IU": "C7", "F2": "C6", "KJ": "C5", "TA": "C3", "F3": "C4", "F4": "D4"}
"""Cells of the example on Tokyo's board, except Red's, which depend on the reading."""
READINGS = {
    "river instead of Yokohama": {"start": "YO", "first": "V1", "second": "V2", "station": "YO"},
    "mountain above Yokohama": TOKYO | {"start": "G2", "first": "H2", "second": "F2", "station": "H2"},
    "river above Yokohama": TOKYO | {"start": "G3", "first": "H2", "second": "F2", "station": "H2"},
}
"""By reading, the cells for Red's start, first rail, second rail and station, and for all other names in the
example."""
LAST_HAND = (NORMAL,) * 5
"""Cards that every seat draws after its second turn. The rest of the example does not depend on them."""


class Line(NamedTuple):
    """One turn of the example."""

    seat: Seat
    hand: tuple[str, ...]
    moves: tuple[tuple[str, str, int], ...]
    """Cards played or `buy`, each with its place or card and the coins afterwards."""
    stock: tuple[int, int]
    """Waste and stations left at the end of the turn."""
    lies: tuple[int, int, int]
    """Number of cards in deck, hand and discard pile at the end of the turn."""
    left: tuple[str, ...] = ()
    """Unplayed cards in the hand."""
    pile: tuple[str, int] = ("", 0)
    """The bought card and the number left in its pile."""


N1, N2, N3, N4, N5 = [(NORMAL, "", coins) for coins in (1, 2, 3, 4, 5)]
LINES = (
    Line(VIOLET, (RAILS, RAILS, NORMAL, NORMAL, STATION),
         ((RAILS, "F1", 0), N1, (RAILS, "SS", 0), (STATION, "SS", 0)), (67, 29), (0, 5, 8), (NORMAL,)),
    Line(YELLOW, (NORMAL,) * 4 + (STATION,), ((STATION, "IU", 0), N1, N2, N3, N4, ("buy", "amusement_park", 0)),
         (66, 28), (0, 5, 7), pile=("amusement_park", 9)),
    Line(GREY, (NORMAL,) * 4 + (STATION,), ((STATION, "TA", 0), N1, N2, N3, N4, ("buy", "amusement_park", 0)),
         (65, 27), (0, 5, 7), pile=("amusement_park", 8)),
    Line(RED, (NORMAL,) * 3 + (RAILS, STATION),
         (N1, (RAILS, "first", 0), (STATION, "station", 0), N1, N2, ("buy", "landfill", 0)),
         (63, 26), (0, 5, 8), pile=("landfill", 9)),
    Line(VIOLET, (NORMAL,) * 5, (N1, N2, N3, N4, N5, ("buy", "dump_site", 0)), (63, 26), (9, 5, 0),
         pile=("dump_site", 9)),
    Line(YELLOW, (NORMAL,) * 3 + (RAILS,) * 2,
         ((RAILS, "F2", 0), N1, (RAILS, "KJ", 0), N1, N2, ("buy", "conductors_station", 0)), (61, 26), (10, 5, 0),
         pile=("conductors_station", 9)),
    Line(GREY, (NORMAL,) * 3 + (RAILS,) * 2,
         ((RAILS, "F3", 0), (RAILS, "F4", 0), N1, N2, N3, ("buy", EXPRESS, 0)), (59, 26), (10, 5, 0),
         pile=(EXPRESS, 19)),
    Line(RED, (NORMAL,) * 4 + (RAILS,), (N1, (RAILS, "second", 0), N1, N2, N3, ("buy", EXPRESS, 0)),
         (58, 26), (10, 5, 0), pile=(EXPRESS, 18)),
)  # fmt: skip
"""The eight turns. A second hand consists of the five starting cards that the first one lacks."""


def seated(start: str, cells: dict[str, str]) -> State[Table]:
    """Return the state before the first turn, after the hands were dealt and the first cubes placed."""
    state = after(begun(4, kingdom=KINGDOM), FirstNamed(VIOLET))
    state = after(state, *[CardsDrawn(line.seat, line.hand) for line in LINES[:4]])
    starts = zip(SEATS, ("SM", "IU", "TA", start), strict=True)
    return after(state, *[StartPlaced(seat, CellName(cells.get(cell, cell))) for seat, cell in starts])


def events_of(seat: Seat, card: str, place: str) -> list[Event]:
    """Return the events of one move: a purchase, or a played card and its text."""
    if card == "buy":
        return [Bought(seat, place)]
    text: dict[str, list[Event]] = {
        RAILS: [RailLaid(seat, CellName(place))],
        STATION: [StationBuilt(seat, CellName(place))],
    }
    return [Played(seat, card), *text.get(card, [])]


def played(state: State[Table], line: Line, cells: dict[str, str]) -> State[Table]:
    """Return the state after the moves of a turn, and check coins, Waste and pieces after each."""
    for card, place, coins in line.moves:
        cell, before = cells.get(place, place), state.table
        state = after(state, *events_of(line.seat, card, cell))
        assert state.table.coins == coins
        assert state.effects == ((Gained(line.seat, WASTE),) if card in (RAILS, STATION) else ())
        if card == RAILS:
            assert state.table.rails[line.seat] == (*before.rails[line.seat], cell)
        if card == STATION:
            assert state.table.stations == before.stations | {cell: 1}
    return state


def counts(state: State[Table], seat: Seat) -> tuple[int, ...]:
    """Return the number of cards in a seat's deck, hand and discard pile."""
    return tuple([state.table.zones.count(zone(seat)) for zone in (deck_of, hand_of, discard_of)])


@proves("R-02", "R-06", "R-10", "R-13", "R-14", "R-16")
@pytest.mark.parametrize("reading", READINGS)
def test_the_example(reading: str, request: pytest.FixtureRequest) -> None:
    """In every corrected reading, the example ends with the printed totals."""
    cells = READINGS[reading]
    if "SM" not in cells:
        request.getfixturevalue("on_small_map")
    state = seated(cells["start"], cells)
    assert state.table.supply == {
        EXPRESS: 20, LIMITED: 10, RAILS: 12, STATION: 16, WASTE: 70, "apartment": 10, "tower": 10, "skyscraper": 10,
        **dict.fromkeys(KINGDOM, 10),
    }  # fmt: skip
    assert state.table.markers == 30
    for number, line in enumerate(LINES):
        assert state.agenda == (Act(line.seat),)
        assert (held(state, line.seat), state.table.coins) == (sorted(line.hand), 0)
        state = played(state, line, cells)
        assert (state.table.supply[WASTE], state.table.markers) == line.stock
        assert held(state, line.seat) == list(line.left)
        zones = state.table.zones
        assert zones.count(PLAY) + len(line.left) == 5
        assert zones.count(GAINED) == sum(card in (RAILS, STATION, "buy") for card, _, _ in line.moves)
        drawn = LINES[number + 4].hand if number < 4 else LAST_HAND
        state = after(state, Ended(line.seat), CardsDrawn(line.seat, drawn))
        assert (MustShuffle(line.seat) in state.effects) == (number >= 4)
        assert counts(state, line.seat) == line.lies
        if line.pile[0]:
            assert state.table.supply[line.pile[0]] == line.pile[1]
    common = {NORMAL: 7, RAILS: 2, STATION: 1, WASTE: 3}
    assert state.table.owned == (
        common | {"dump_site": 1},
        common | {"amusement_park": 1, "conductors_station": 1},
        common | {"amusement_park": 1, EXPRESS: 1},
        common | {"landfill": 1, EXPRESS: 1},
    )
    assert [state.table.cubes_left(seat) for seat in SEATS] == [17] * 4
    assert (RULES.scores(state), RULES.ranking(state)) == ((2, 2, 2, 2), (SEATS,))
    assert (end_of_game(state.table), state.agenda) == ("", (Act(VIOLET),))


@proves("R-15")
@pytest.mark.parametrize("board", ["small", "tokyo"])
def test_the_example_as_printed_is_refused(board: str, request: pytest.FixtureRequest) -> None:
    """Red may not begin in Yokohama and then lay a rail there."""
    cells, yokohama = (TOKYO, "H2") if board == "tokyo" else ({}, "YO")
    if board == "small":
        request.getfixturevalue("on_small_map")
    state = seated(yokohama, cells)
    for number, line in enumerate(LINES[:3]):
        state = after(played(state, line, cells), Ended(line.seat), CardsDrawn(line.seat, LINES[number + 4].hand))
    state = after(state, Played(RED, NORMAL), Played(RED, RAILS))
    assert why(state, RailLaid(RED, CellName(yokohama))) == ("R-15", "already_yours", None)


def test_no_city_touches_yokohama() -> None:
    """No city touches Yokohama and the river beside Mizonokuchi is too far away, so no other city fits Red's builds."""
    board = RULES.boards[0]
    labels = {cell.name: cell.label for cell in board.cells}
    assert (labels["H2"], labels["F3"]) == ("Yokohama", "Mizonokuchi")
    assert "city" not in {board.by_name[near].kind for near in board.neighbours("H2")}
    assert "F2" not in board.neighbours("H2") and "F2" in board.neighbours("F3")
