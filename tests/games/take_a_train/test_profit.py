"""Test profits (R-66) and the end of the game (R-75, R-80 to R-82)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Setup, State
from companion.games.take_a_train.events import (
    Claimed,
    ClaimsDone,
    Ended,
    Profited,
    RoundEnded,
    Took,
    TurnPassed,
    WagonChosen,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps.round import ChooseWagon, LastClaims, NextRound
from companion.games.take_a_train.table import Table, profit
from tests.games.take_a_train.build import A, B, C, after, at, head, payments, table, train, turn, why
from tests.games.take_a_train.proofs import proves

TOM = A
MIXED = ("-: oil-200 oil-150 oil-50", "-", "s300")


@proves("R-66", "R-65", "X-2")
def test_the_rulebooks_profit_example() -> None:
    """In the rulebooks' example, five coal wagons worth 850 on x3 pay 2,550 and end the round."""
    owned = (("s300x3: coal-200 coal-200 coal-150 coal-150", "d300", "e700"),) + (("s300", "d300", "-"),) * 2
    state = after(turn("coal-150", "food-50", "oil-150", owned=owned), Took(TOM, 0, 0))
    assert RoundEnded("full", TOM) in state.effects
    assert Profited(TOM, 0, 2550) in state.effects
    assert payments(state)[0] == (TOM, 2550, "profit")
    assert state.table.cash[TOM] == 7550


@proves("R-66")
def test_every_train_pays_by_itself() -> None:
    """Each locomotive multiplies its own wagons only, and a locomotive without wagons pays nothing."""
    owned = (("s300x3: coal-200", "d300x2: food-50 food-100", "e700x4"), ("-", "-", "-"))
    state = after(turn("bonus", players=2, owned=owned, passes=1), TurnPassed(A))
    assert [e for e in state.effects if isinstance(e, Profited) and e.seat == A] == [
        Profited(A, 0, 600),
        Profited(A, 1, 300),
        Profited(A, 2, 0),
    ]
    assert state.table.cash[A] == 5900


@proves("R-66", "R-22", "T-54", "replacement_wagon=auto_max")
def test_a_replacement_pays_one_wagon() -> None:
    """A replacement pays its best wagon once, or nothing without wagons."""
    assert profit(train("-: oil-200 oil-150 oil-50")) == 200
    assert profit(train("-")) == 0


@proves("R-66", "replacement_wagon=ask")
def test_the_owner_may_choose_the_wagon() -> None:
    """Under `ask`, the owner chooses which wagon of a replacement pays."""
    options = {"replacement_wagon": "ask"}
    state = turn("bonus", players=2, owned=(MIXED, ("-: food-50 food-50", "-", "-")), passes=1, options=options)
    state = after(state, TurnPassed(A))
    assert head(state) == ChooseWagon(A, 0)
    assert why(state, WagonChosen(A, 0, 3)) == ("R-66", "wagon_not_on_loco", None)
    assert why(state, WagonChosen(B, 0, 0)) == ("R-00", "not_your_turn", None)
    state = after(state, WagonChosen(A, 0, 1))
    assert payments(state) == [(A, 150, "profit"), (B, 50, "profit")], "equal wagons need no question"


def ended(cash: tuple[int, ...], claimed: tuple[int, ...]) -> State[Table]:
    """Return a game after all seats said that they claim nothing more."""
    players = len(cash)
    state = at(table(players, cash=cash, claimed=claimed, round=3), NextRound())
    return after(state, *[ClaimsDone(seat) for seat in (A, B, C)[:players]])


@proves("R-75", "R-73")
def test_the_last_window_for_claims() -> None:
    """A seat may claim after the last profits, even if it had said it was done, until all seats are done."""
    state = at(table(2, round=3, met=(bit("P-4"), 0), ripe=True), NextRound())
    assert head(state) == LastClaims((A, B))
    state = after(state, ClaimsDone(A), Claimed(A, "P-4"))
    assert state.table.cash == (5300, 5000)
    state = after(state, ClaimsDone(B))
    assert state.over
    assert why(state, Claimed(B, "P-5")) == ("R-00", "game_over", None)


@proves("R-75")
def test_nothing_more_is_said_once() -> None:
    """A seat can say only once that it is done."""
    state = after(at(table(2, round=3), NextRound()), ClaimsDone(A))
    assert why(state, ClaimsDone(A)) == ("R-75", "already_done", None)


@proves("R-80")
def test_the_richest_wins() -> None:
    """The largest cash wins, and everybody sees all cash only at the end."""
    state = ended((4000, 9000, 9050), (0, 0b11, 0))
    assert RULES.winners(state) == (C,)
    assert state.effects == (Ended((4000, 9000, 9050), (C,)),)
    assert RULES.view(state, None).cash == (4000, 9000, 9050)
    assert RULES.ranking(state) == ((C,), (B,), (A,))
    assert RULES.ranking(at(table(3), NextRound())) == ()  # cash is secret until the game is over
    assert RULES.sides(Setup(RULES.name, 3)) == ((A,), (B,), (C,))


@proves("R-81", "R-82", "T-63")
@pytest.mark.parametrize(
    ("claimed", "winners"), [((0b11, 0b1, 0), (A,)), ((0b11, 0b110000, 0), (A, B)), ((0, 0, 0b111), (A, B))]
)
def test_ties_at_the_end(claimed: tuple[int, ...], winners: tuple[Any, ...]) -> None:
    """Equal cash is decided by the number of claims, and equal claims share the victory."""
    if claimed[2]:
        claimed = (0, 0, claimed[2])
    state = ended((9000, 9000, 100), claimed)
    assert RULES.winners(state) == RULES.ranking(state)[0] == winners
