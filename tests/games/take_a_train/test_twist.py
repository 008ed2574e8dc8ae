"""Test Twist: placing, passing left, revealing, paying and turning face down (R-51 to R-56)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import State
from companion.games.take_a_train.events import (
    Claimed,
    Flipped,
    StarterNamed,
    TokenDrawn,
    TwistDealt,
    TwistPicked,
    TwistRevealed,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.steps.market import RevealCards
from companion.games.take_a_train.steps.round import auction
from companion.games.take_a_train.steps.twist import Deal, Flips, Pick, TurnUp
from companion.games.take_a_train.table import Table, unsold
from tests.games.take_a_train.build import (
    REST,
    A,
    B,
    C,
    accepted,
    after,
    at,
    head,
    names,
    new,
    offered,
    payments,
    table,
    why,
)
from tests.games.take_a_train.proofs import proves

JANES = ("s100x1", "e700x4", "d300x2")
"""The three locomotives of the rulebooks' example."""
OTHERS = ("s100a", "s100b", "s100c")


def turned_up(cash: int, mine: tuple[str, ...] = JANES, **fields: Any) -> State[Table]:
    """Return the state after A revealed its three cards with this cash. B can pay for its own."""
    given = table(2, kind="twist", cash=(cash, 5000), deck=mine + OTHERS, used=("twist",), **fields)
    return after(at(given, TurnUp(), *REST), TwistRevealed((mine, OTHERS)))


def dealt(*hands: tuple[str, ...]) -> State[Table]:
    """Return the state after the companion dealt these hands."""
    every = tuple(card for hand in hands for card in hand)
    given = table(len(hands), kind="twist", deck=every, dealt=True)
    return after(at(given, Deal(), *REST), TwistDealt(hands))


@proves("R-51")
def test_three_cards_for_every_seat() -> None:
    """The deal gives three of all 3n locomotives to each hand."""
    state = at(table(2, kind="twist", dealt=True), Deal(), *REST)
    pool = state.table.pool
    assert not accepted(state, TwistDealt((pool[:2], pool[2:6])))
    assert not accepted(state, TwistDealt((pool[:3], pool[:3])))
    state = after(state, TwistDealt((pool[:3], pool[3:6])))
    assert (state.table.deck, state.table.in_hands, unsold(state.table)) == (0, 6, 6)


@proves("R-52", "R-53", "R-54", "F-5")
def test_two_and_then_one_are_passed_left() -> None:
    """Each seat places a card and passes two left, places one and passes one, and the last is placed automatically."""
    state = dealt(("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f"), ("s100g", "s100h", "s100i"))
    state = after(state, TwistPicked(A, "s100a"), TwistPicked(B, "s100d"))
    assert head(state).hands[A] == ("s100b", "s100c"), "nobody sees new cards before all have placed"  # type: ignore[attr-defined]
    state = after(state, TwistPicked(C, "s100g"))
    assert head(state).hands == (("s100h", "s100i"), ("s100b", "s100c"), ("s100e", "s100f"))  # type: ignore[attr-defined]
    state = after(state, TwistPicked(C, "s100e"), TwistPicked(B, "s100b"), TwistPicked(A, "s100h"))
    assert names(state, A) == ("s100a", "s100h", "s100f")
    assert names(state, B) == ("s100d", "s100b", "s100i")
    assert names(state, C) == ("s100g", "s100e", "s100c")


@proves("R-52")
def test_one_card_of_the_own_hand_is_placed() -> None:
    """A seat may place only one card, from its own hand, and only that seat learns why another is refused."""
    state = dealt(("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f"))
    assert why(state, TwistPicked(A, "s100d")) == ("R-52", "not_in_hand", A)
    assert why(state, TwistPicked(A)) == ("R-52", "not_in_hand", A)
    state = after(state, TwistPicked(A, "s100a"))
    assert why(state, TwistPicked(A, "s100b")) == ("R-52", "already_picked", A)


@proves("R-54", "T-36")
def test_two_players_pass_to_and_fro() -> None:
    """With two players, cards go to and fro, and each player ends up with three different ones."""
    state = dealt(("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f"))
    state = after(state, TwistPicked(A, "s100a"), TwistPicked(B, "s100d"))
    state = after(state, TwistPicked(A, "s100e"), TwistPicked(B, "s100b"))
    assert names(state, A) == ("s100a", "s100e", "s100c")
    assert names(state, B) == ("s100d", "s100b", "s100f")


@proves("R-52", "R-53", "R-54", "R-55")
def test_with_real_cards_only_flags_are_known() -> None:
    """With real cards, the companion knows only who has placed a card until all are revealed."""
    state = after(new(2), StarterNamed(A), TokenDrawn("twist"))
    assert (state.table.deck, state.table.in_hands) == (0, 6), "people have dealt them"
    assert offered(state, A) == [TwistPicked(A, None)]
    state = after(state, TwistPicked(A), TwistPicked(B), TwistPicked(B), TwistPicked(A))
    assert head(state) == TurnUp()
    pool = state.table.pool
    assert why(state, TwistRevealed((pool[:3], pool[:3]))) == ("R-24", "card_already_in_play", None)
    assert auction(state.table) == (Pick(((), ()), ((), ()), (False, False)),)


@proves("R-55", "X-5", "T-35", "twist_payment=sum_times_highest")
def test_the_rulebooks_twist_example() -> None:
    """Powers of 100, 700 and 300 with a highest multiplier of 4 cost 4,400."""
    state = turned_up(5000)
    assert payments(state)[0] == (A, -4400, "locomotives")
    assert state.table.cash[A] == 600
    assert turned_up(4400).table.cash[A] == 0


@proves("R-55", "X-5", "twist_payment=sum_only")
def test_the_sum_of_powers_may_be_the_price() -> None:
    """Under `sum_only`, the price is the sum of the powers."""
    assert turned_up(5000, options={"twist_payment": "sum_only"}).table.cash[A] == 3900


@proves("R-55")
def test_all_turn_up_together() -> None:
    """Seats that can pay have paid before another seat must turn a card down."""
    state = turned_up(50)
    assert state.table.cash[B] == 4400
    assert names(state, A) == ()
    assert len(state.table.trains[B]) == 3


@proves("R-56", "T-31", "twist_flips=minimal")
@pytest.mark.parametrize(("down", "price"), [("s100x1", 4000), ("d300x2", 3200), ("e700x4", 800)])
def test_any_single_card_may_do(down: str, price: int) -> None:
    """With cash of 4,350, the seat may turn down any one card, and the price follows from the others."""
    state = turned_up(4350)
    assert len(offered(state, A)) == 3
    state = after(state, Flipped(A, (down,)))
    assert state.table.cash[A] == 4350 - price
    assert sorted(names(state, A)) == sorted(["-", *[c for c in JANES if c != down]])


@proves("R-56", "T-32")
def test_only_one_of_the_cards_may_do() -> None:
    """With cash of 3,000, only turning 700 down is enough, and only the seat learns why another is refused."""
    state = turned_up(3000)
    assert why(state, Flipped(A, ("s100x1",))) == ("R-56", "flip_insufficient", A)
    assert offered(state, A) == [Flipped(A, ("e700x4",))]
    assert after(state, Flipped(A, ("e700x4",))).table.cash[A] == 2200


@proves("R-56", "T-33")
@pytest.mark.parametrize(("down", "price"), [(("e700x4", "d300x2"), 100), (("s100x1", "e700x4"), 600)])
def test_two_cards_may_be_needed(down: tuple[str, ...], price: int) -> None:
    """With cash of 700, the seat must turn two cards down."""
    state = turned_up(700)
    assert len(offered(state, A)) == 2
    assert after(state, Flipped(A, down)).table.cash[A] == 700 - price


@proves("R-56", "R-22", "T-34")
def test_all_three_may_be_needed() -> None:
    """With cash of 50, the seat turns all three cards down, pays nothing and has no power."""
    state = turned_up(50)
    assert offered(state, A) == [Flipped(A, JANES)]
    state = after(state, Flipped(A, JANES))
    assert state.table.cash[A] == 50
    assert sum(t.power for t in state.table.trains[A]) == 0
    assert state.table.order == (B, A)


@proves("R-56", "T-35", "E-12")
def test_nobody_turns_down_more_than_needed() -> None:
    """A seat may not turn down more cards than needed, or another seat's cards."""
    assert why(turned_up(4400), Flipped(A, ("s100x1",))) == ("R-56", "flip_not_needed", A)
    state = turned_up(4350)
    assert why(state, Flipped(A, ("s100x1", "d300x2"))) == ("R-56", "flip_not_needed", A)
    assert why(state, Flipped(B, ("s100a",))) == ("R-56", "flip_not_needed", B)
    assert why(state, Flipped(A, ("s100a",))) == ("R-52", "not_in_hand", A)


@proves("R-56", "R-73")
def test_a_claim_may_pay_the_debt() -> None:
    """A claim may supply the missing money, so that the seat need not turn a card down."""
    state = turned_up(4350, met=(bit("P-4"), 0), ripe=True)
    state = after(state, Claimed(A, "P-4"))
    assert offered(state, A) == [Flipped(A, ())]
    state = after(state, Flipped(A, ()))
    assert (names(state, A), state.table.cash[A]) == (JANES, 250)


@proves("twist_flips=free_choice", "R-56")
def test_cards_to_turn_down_may_be_chosen_freely() -> None:
    """Under `free_choice`, a seat may turn down any sufficient set, or none after a claim has paid the debt."""
    options = {"twist_flips": "free_choice"}
    state = turned_up(4350, options=options)
    assert len(offered(state, A)) == 7
    assert after(state, Flipped(A, JANES)).table.cash[A] == 4350
    claimed = turned_up(4350, options=options, met=(bit("P-4"), 0), ripe=True)
    assert accepted(after(claimed, Claimed(A, "P-4")), Flipped(A, ()))


@proves("R-56")
def test_several_seats_turn_down_independently() -> None:
    """Seats that cannot pay choose in any order, and the stage continues after all have chosen."""
    given = table(2, kind="twist", cash=50, deck=JANES + OTHERS)
    state = after(at(given, TurnUp(), *REST), TwistRevealed((JANES, OTHERS)))
    assert head(state) == Flips((JANES, OTHERS), (A, B))
    state = after(state, Flipped(B, OTHERS))
    assert head(state) == Flips((JANES, OTHERS), (A,))
    assert isinstance(head(after(state, Flipped(A, JANES))), RevealCards)
