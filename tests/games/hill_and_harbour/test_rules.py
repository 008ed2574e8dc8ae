"""Test the rules of Hill and Harbour with positions worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import BadSetup, CostItem, Setup
from companion.games.examples.hill_and_harbour.options import FIRST_TRIP, LONG_HAUL
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import (
    CityReached,
    ContractTurned,
    Delivered,
    Ended,
    Expired,
    Laid,
    PassagePaid,
    Waited,
)
from tests.games.hill_and_harbour.build import OPEN, PLAYING, A, B, begun, built, lay, opened
from tests.games.proofs import proves

why, offered, after, accepted = PLAYING.why, PLAYING.offered, PLAYING.after, PLAYING.accepted


def bad(players: int, **options: Any) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, players, options))
    return caught.value.refusal.rule, caught.value.refusal.key


@proves("R-00")
def test_a_move_at_the_wrong_moment_is_refused() -> None:
    """A seat cannot build before the contracts are open, or end a turn without an action."""
    assert why(begun(), lay(A, "A1")) == ("R-00", "wrong_phase", None)
    assert why(opened(), ContractTurned("wine-8")) == ("R-00", "wrong_phase", None)
    assert why(opened(), Ended(A)) == ("R-00", "wrong_phase", None)


@proves("R-01")
def test_coins_cubes_and_contracts() -> None:
    """Later seats start with more coins, the deck has twelve contracts, and each seat has fifteen cubes."""
    assert [begun(players).table.coins for players in (2, 3, 4)] == [(12, 15), (11, 14, 17), (10, 13, 16, 19)]
    assert begun(coins=20, goods=LONG_HAUL).table.coins == (20, 23, 26)
    assert begun(goods=LONG_HAUL).table.deck == LONG_HAUL
    assert [bad(players) for players in (1, 5)] == [("R-00", "bad_player_count")] * 2
    twice = (*FIRST_TRIP[:-1], FIRST_TRIP[0])
    for options in ({"goods": FIRST_TRIP[:5]}, {"goods": twice}, {"coins": 99}, {"wages": 4}):
        assert bad(3, **options) == ("R-00", "bad_option")
    state = begun()
    assert why(state, ContractTurned("tea-14")) == ("R-00", "card_not_offered", None)
    assert (opened().table.open, len(opened().table.deck), opened().agenda[0].awaits(opened().table)) == (OPEN, 9, (A,))
    fifteen = "A2 A3 B2 C1 D1 C2 D2 E1 E2 F1 G1 G2 G3 F2 F3"
    assert why(built(fifteen, ""), lay(A, "F4")) == ("R-01", "no_cubes", None)


@proves("R-02")
def test_three_cubes_a_turn() -> None:
    """A turn ends after three cubes, unless the seat can deliver a contract."""
    state = after(built("A1", ""), lay(A, "A2"), lay(A, "B1"))
    assert why(state, lay(B, "G7")) == ("R-00", "not_your_turn", None)
    assert after(state, lay(A, "A3")).agenda[0].awaits(state.table) == (B,)
    assert after(state, Ended(A)).agenda[0].awaits(state.table) == (B,)
    state = after(built("C2 D5", "", laid=2, acted=True), lay(A, "D4"))
    assert why(state, lay(A, "B2")) == ("R-02", "enough", None)
    assert offered(state, A) == [Delivered(A, "tin-8"), Ended(A)]


@proves("R-03")
def test_track_grows_from_a_city() -> None:
    """The first cube must be in a city, and each further one next to an own cube, not across a gorge or in the sea."""
    state = opened()
    assert len(offered(state, A)) == 10 + 1
    assert why(state, lay(A, "A2")) == ("R-03", "begin_in_a_city", None)
    state = built("C3 A7", "")
    assert why(state, lay(A, "C3")) == ("R-03", "not_in_reach", None)
    assert why(state, lay(A, "A5")) == ("R-03", "not_in_reach", None)
    assert why(state, lay(A, "D3")) == ("R-03", "not_in_reach", None)
    assert why(state, lay(A, "A8")) == ("R-03", "not_in_reach", None)
    assert accepted(state, lay(A, "D2"))


@proves("R-04")
def test_what_a_cube_costs() -> None:
    """A cube costs the price of its ground, and 1 more if it crosses a river."""
    state = built("A4", "")
    prices = {event.cell: RULES.cost(state, event) for event in offered(state, A) if isinstance(event, Laid)}
    assert prices == {
        "A3": (CostItem("field", 1),),
        "A5": (CostItem("field", 1), CostItem("river", 1)),
        "B3": (CostItem("mountain", 4),),
        "B4": (CostItem("mountain", 4),),
    }
    assert RULES.cost(built("A4 A6", ""), lay(A, "A5")) == (CostItem("field", 1),)
    assert RULES.cost(state, Waited(A)) == ()
    assert after(state, lay(A, "A5")).table.coins == (18, 20)
    assert why(built("A4", "", coins=3), lay(A, "B4")) == ("R-04", "too_dear", None)


@proves("R-05")
def test_room_and_passage() -> None:
    """A mountain holds one cube, a field or forest two, a city all. A seat pays the owner for passage."""
    assert why(built("A4", "B4"), lay(A, "B4")) == ("R-05", "full", None)
    assert why(built("A1", "A2", "A2"), lay(A, "A2")) == ("R-05", "full", None)
    state = after(built("A1", "A2"), lay(A, "A2"))
    assert (state.table.coins, state.effects) == ((18, 21), (PassagePaid(A, B),))
    assert after(built("B1", "A1", "A1"), lay(A, "A1")).table.coins == (19, 20, 20)


@proves("R-06")
def test_the_first_railway_in_a_city_gets_its_figure() -> None:
    """Only the first railway in a city gets the city's bonus, and nobody gets it for a first cube."""
    state = after(built("C7", ""), lay(A, "C8"))
    assert (state.table.coins, state.effects) == ((24, 20), (CityReached(A, "Halport", 5),))
    assert after(built("C7", "C8"), lay(A, "C8")).table.coins == (19, 20)
    assert after(built("", ""), lay(A, "C8")).table.coins == (19, 20)


@proves("R-07")
def test_a_contract_is_delivered() -> None:
    """A delivered contract pays and goes to its owner, and a new one is revealed before the turn continues."""
    state = built("C2 D5", "")
    assert why(state, Delivered(A, "salt-7")) == ("R-07", "not_linked", None)
    assert why(state, Delivered(A, "wine-8")) == ("R-07", "not_open", None)
    state = after(state, Delivered(A, "tin-8"))
    assert (state.table.coins, state.table.won, state.table.open) == ((28, 20), (("tin-8",), ()), ("salt-7", "coal-10"))
    state = after(state, ContractTurned("wine-8"))
    assert state.table.open == ("salt-7", "coal-10", "wine-8")
    assert Ended(A) in offered(state, A) and Waited(A) not in offered(state, A)


@proves("R-08")
def test_waiting_costs_the_oldest_contract() -> None:
    """A seat that has done nothing else may wait: it gains 3 coins, and the oldest contract expires."""
    state = after(built("A1", ""), Waited(A))
    assert (state.table.coins, state.table.open, state.effects) == ((23, 20), OPEN[1:], (Expired("tin-8"),))
    assert after(state, ContractTurned("wine-8")).agenda[0].awaits(state.table) == (B,)
    assert why(built("A1", "", acted=True), Waited(A)) == ("R-08", "has_acted", None)


@proves("R-09")
def test_the_richest_wins_when_no_contract_is_left() -> None:
    """The richest seat wins, then the one with more contracts. Otherwise seats share a rank."""
    state = after(built("A1", "", "", deck=(), open=("tin-8",)), Waited(A))
    assert (state.over, RULES.ranking(state), RULES.winners(state)) == (True, ((0,), (1, 2)), (0,))
    last: dict[str, Any] = {"deck": (), "open": ("wine-8",)}
    state = after(built("A7 G7", "", "", coins=3, won=((), ("tin-8",), ()), **last), Delivered(A, "wine-8"))
    assert (state.over, RULES.ranking(state)) == (True, ((0,), (1,), (2,)))
    assert not after(built("A1", "", deck=(), open=OPEN), Waited(A)).over
