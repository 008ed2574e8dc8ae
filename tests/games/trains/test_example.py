"""The rulebook's example: two turns of four players, every card, cube, coin and Waste, in both repaired readings."""

from __future__ import annotations

import pytest

from companion.engine import CellName, Event, Seat, State
from companion.games.trains.catalogue import EXPRESS, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.events import (
    Bought,
    CardsDrawn,
    Ended,
    FirstNamed,
    Played,
    RailLaid,
    StartPlaced,
    StationBuilt,
)
from companion.games.trains.rails import score
from companion.games.trains.steps.turn import Act
from companion.games.trains.table import GAINED, Table, deck_of, discard_of, hand_of
from tests.games.trains.build import KINGDOM, A, B, C, D, after, begun, held, on_small_map, why

__all__ = ["on_small_map"]

VIOLET, YELLOW, GREY, RED = A, B, C, D
HANDS = {
    VIOLET: [RAILS, RAILS, NORMAL, NORMAL, STATION],
    YELLOW: [NORMAL] * 4 + [STATION],
    GREY: [NORMAL] * 4 + [STATION],
    RED: [NORMAL] * 3 + [RAILS, STATION],
}
"""What everybody holds in the first turn; the second hand is the rest of the ten cards."""
SECOND = {
    VIOLET: [NORMAL] * 5,
    YELLOW: [NORMAL] * 3 + [RAILS] * 2,
    GREY: [NORMAL] * 3 + [RAILS] * 2,
    RED: [NORMAL] * 4 + [RAILS],
}
THIRD = [NORMAL] * 5
"""What everybody draws after the second turn; chance decides it, and nothing depends on it."""


def draw(state: State[Table], seat: Seat, cards: list[str]) -> State[Table]:
    """Return the state after these cards were dealt to a seat."""
    return after(state, CardsDrawn(seat, tuple(cards)))


def seated(starts: dict[Seat, str], board: str = "tokyo") -> State[Table]:
    """Return the first turn: hands and first cubes."""
    state = after(begun(4, kingdom=KINGDOM, board=board), FirstNamed(VIOLET))
    for seat in (VIOLET, YELLOW, GREY, RED):
        state = draw(state, seat, HANDS[seat])
    return after(state, *[StartPlaced(seat, CellName(cell)) for seat, cell in starts.items()])


def normal(seat: Seat, count: int) -> list[Event]:
    """Return a seat playing Normal Trains."""
    return [Played(seat, NORMAL)] * count


def rail(seat: Seat, cell: str) -> list[Event]:
    """Return a seat laying rails with the card for it."""
    return [Played(seat, RAILS), RailLaid(seat, CellName(cell))]


def station(seat: Seat, cell: str) -> list[Event]:
    """Return a seat building a station."""
    return [Played(seat, STATION), StationBuilt(seat, CellName(cell))]


def end(state: State[Table], seat: Seat, hand: list[str]) -> State[Table]:
    """Return the state after a seat ended its turn and drew its next hand."""
    return draw(after(state, Ended(seat)), seat, hand)


def counts(state: State[Table], seat: Seat) -> tuple[int, int, int]:
    """Return how many cards a seat has in deck, hand and discard pile."""
    return tuple(state.table.zones.count(zone(seat)) for zone in (deck_of, hand_of, discard_of))  # type: ignore[return-value]


def stock(state: State[Table]) -> tuple[int, int]:
    """Return Waste and station markers left."""
    return state.table.supply[WASTE], state.table.markers


@pytest.mark.usefixtures("on_small_map")
def test_the_example_on_its_own_map() -> None:
    """Red builds on a river above Yokohama: all totals are those that the book prints."""
    state = seated({VIOLET: "SM", YELLOW: "IU", GREY: "TA", RED: "YO"})
    supply = state.table.supply
    assert (supply[WASTE], supply[RAILS], supply[STATION], supply[EXPRESS]) == (70, 12, 16, 20)
    # the first turns
    state = after(state, *rail(VIOLET, "F1"), *normal(VIOLET, 1), *rail(VIOLET, "SS"), *station(VIOLET, "SS"))
    assert (state.table.coins, stock(state), held(state, VIOLET)) == (0, (67, 29), [NORMAL])
    state = end(state, VIOLET, SECOND[VIOLET])
    assert counts(state, VIOLET) == (0, 5, 8)
    state = after(state, *station(YELLOW, "IU"), *normal(YELLOW, 4), Bought(YELLOW, "amusement_park"))
    assert (state.table.coins, stock(state)) == (0, (66, 28))
    state = end(state, YELLOW, SECOND[YELLOW])
    assert counts(state, YELLOW) == (0, 5, 7) and state.table.supply["amusement_park"] == 9
    state = after(state, *station(GREY, "TA"), *normal(GREY, 4), Bought(GREY, "amusement_park"))
    state = end(state, GREY, SECOND[GREY])
    assert (stock(state), counts(state, GREY), state.table.supply["amusement_park"]) == ((65, 27), (0, 5, 7), 8)
    state = after(
        state, *normal(RED, 1), *rail(RED, "V1"), *station(RED, "YO"), *normal(RED, 2), Bought(RED, "landfill")
    )
    assert (state.table.coins, stock(state)) == (0, (63, 26))
    state = end(state, RED, SECOND[RED])
    assert counts(state, RED) == (0, 5, 8) and state.table.supply["landfill"] == 9
    # the second turns
    state = end(after(state, *normal(VIOLET, 5), Bought(VIOLET, "dump_site")), VIOLET, THIRD)
    assert (stock(state), counts(state, VIOLET)) == ((63, 26), (9, 5, 0))
    state = after(state, *rail(YELLOW, "F2"), *normal(YELLOW, 1), *rail(YELLOW, "KJ"), *normal(YELLOW, 2))
    state = end(after(state, Bought(YELLOW, "conductors_station")), YELLOW, THIRD)
    assert (stock(state), counts(state, YELLOW)) == ((61, 26), (10, 5, 0))
    state = after(state, *rail(GREY, "F3"), *rail(GREY, "F4"), *normal(GREY, 3), Bought(GREY, EXPRESS))
    state = end(state, GREY, THIRD)
    assert (stock(state), counts(state, GREY), state.table.supply[EXPRESS]) == ((59, 26), (10, 5, 0), 19)
    state = after(state, *normal(RED, 1), *rail(RED, "V2"), *normal(RED, 3), Bought(RED, EXPRESS))
    assert (state.table.coins, state.table.zones.named(GAINED)) == (0, (WASTE, EXPRESS))
    state = end(state, RED, THIRD)
    assert (stock(state), counts(state, RED), state.table.supply[EXPRESS]) == ((58, 26), (10, 5, 0), 18)
    # everything
    common = {NORMAL: 7, RAILS: 2, STATION: 1, WASTE: 3}
    assert state.table.owned == (
        common | {"dump_site": 1},
        common | {"amusement_park": 1, "conductors_station": 1},
        common | {"amusement_park": 1, EXPRESS: 1},
        common | {"landfill": 1, EXPRESS: 1},
    )
    assert [state.table.cubes_left(seat) for seat in (VIOLET, YELLOW, GREY, RED)] == [17] * 4
    assert [score(state.table, seat) for seat in (VIOLET, YELLOW, GREY, RED)] == [2] * 4
    assert state.agenda == (Act(VIOLET),)


@pytest.mark.usefixtures("on_small_map")
def test_the_example_as_printed_is_refused() -> None:
    """Red cannot begin on Yokohama and then build there."""
    state = seated({VIOLET: "SM", YELLOW: "IU", GREY: "TA", RED: "YO"})
    for seat in (VIOLET, YELLOW, GREY):
        state = end(after(state, *normal(seat, 1)), seat, SECOND[seat])
    state = after(state, *normal(RED, 1), Played(RED, RAILS))
    assert why(state, RailLaid(RED, CellName("YO"))) == ("R-15", "already_yours", None)


def test_red_may_have_begun_on_the_mountain_above_yokohama() -> None:
    """On the map of Tokyo it then builds Yokohama for a coin, and in its second turn the river beyond."""
    start = {VIOLET: "E7", YELLOW: "C7", GREY: "C1", RED: "G2"}
    state = seated(start)
    assert state.table.board.by_name["H2"].label == "Yokohama"
    for seat in (VIOLET, YELLOW, GREY):
        state = end(after(state, *normal(seat, 1)), seat, SECOND[seat])
    state = after(state, *normal(RED, 1), *rail(RED, "H2"))
    assert (state.table.coins, state.table.rails[RED]) == (0, ("G2", "H2"))
    state = after(state, *station(RED, "H2"), *normal(RED, 2), Bought(RED, "landfill"))
    state = end(state, RED, SECOND[RED])
    for seat in (VIOLET, YELLOW, GREY):
        state = after(state, Played(seat, NORMAL), Ended(seat))
        state = draw(state, seat, THIRD)
    state = after(state, *normal(RED, 1), *rail(RED, "G3"))
    assert (state.table.coins, state.table.rails[RED]) == (0, ("G2", "H2", "G3"))
