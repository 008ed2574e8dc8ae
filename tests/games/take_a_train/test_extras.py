"""What the pages know besides the view: where a card taken could have come from and gone to."""

from __future__ import annotations

from companion.engine import Seat, Setup, State, apply
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.extras import places
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from tests.support.matches import MARKET, TO_WAGONS


def market() -> State[Table]:
    """Return two seats with their locomotives before a market of three."""
    state = RULES.begin(Setup("take-a-train", 2, deck="ours"))
    for event in (*TO_WAGONS, MARKET):
        state = apply(RULES, state, event)
    return state


def test_a_card_taken_could_come_from_any_slot_and_go_to_any_train() -> None:
    """Slots and locomotives are named by the cards that lay there; other events and fields have no places."""
    took = ev.Took(Seat(0), 0, 1)
    assert places(market(), took, "slot") == ((0, 1, "coal-200"), (1, 2, "food-50"), (2, 3, "oil-150"))
    assert places(market(), took, "train") == ((0, 1, "steam-1"), (1, 2, "steam-2"), (2, 3, "steam-3"))
    assert places(market(), took, "wagon") == ()
    assert places(market(), MARKET, "slot") == ()
