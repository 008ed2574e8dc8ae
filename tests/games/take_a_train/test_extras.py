"""Test the extra facts for pages: possible places of a taken card, and its gain."""

from __future__ import annotations

from companion.engine import Seat, Setup, State, apply, follow
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.extras import extras, places
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table, profit
from tests.support.matches import MARKET, TO_WAGONS


def market() -> State[Table]:
    """Return a game of two with their locomotives, before a market of three."""
    state = RULES.begin(Setup("take-a-train", 2, deck="ours"))
    for event in (*TO_WAGONS, MARKET):
        state = apply(RULES, state, event)
    return state


def test_a_card_taken_could_come_from_any_slot_and_go_to_any_train() -> None:
    """Every slot and every train is a possible place, named by its card. Other events and fields have none."""
    took = ev.Took(Seat(0), 0, 1)
    assert places(market(), took, "slot") == ((0, 1, "coal-200"), (1, 2, "food-50"), (2, 3, "oil-150"))
    assert places(market(), took, "train") == ((0, 1, "steam-1"), (1, 2, "steam-2"), (2, 3, "steam-3"))
    assert places(market(), took, "wagon") == ()
    assert places(market(), MARKET, "slot") == ()


def test_what_a_card_would_add_is_what_it_adds() -> None:
    """The gain of each card matches the profit it adds to a train, and outside turns there are no gains."""
    state = market()
    table, gains = state.table, extras(state)["gains"]
    seat = table.order[0]
    own = table.trains[seat]
    assert {key.split("-")[0] for key in gains} == {"0", "1", "2"}
    for key, gain in gains.items():
        slot, at = map(int, key.split("-"))
        after = follow(RULES, state, ev.Took(seat, slot, at)).table.trains[seat][at]
        assert gain == profit(after) - profit(own[at]) > 0
    assert extras(RULES.begin(Setup("take-a-train", 2, deck="ours")))["gains"] == {}
