"""Test the order of stage two: sequence tokens and exchange prices (R-57, R-58)."""

from __future__ import annotations

import pytest

from companion.engine import State
from companion.games.take_a_train.events import CardsRevealed, Exchanged, OrderSet
from companion.games.take_a_train.table import Table
from tests.games.take_a_train.build import REST, A, B, C, D, after, at, payments, table, turn
from tests.games.take_a_train.proofs import proves

TOM, JANE, BILL = A, B, C
FR_LOUIS, FR_CELINE, FR_BRICE = A, B, C


def ordered(*owned: tuple[str, ...], starter: int = 0, **options: str) -> State[Table]:
    """Return the state after the sequence tokens were assigned."""
    return at(table(len(owned), owned=owned, starter=starter, options=options), *REST)


@proves("R-57", "X-1")
def test_the_rulebooks_order_example() -> None:
    """The highest power comes first, and between equal powers the highest speed, wherever the seats are."""
    toms = ("e700x4@160", "s300", "s400")
    janes = ("s300@194", "s300@60", "s300@70")
    bills = ("d300@150", "d300@140", "d300@145")
    assert ordered(toms, janes, bills).table.order == (TOM, JANE, BILL)
    assert ordered(bills, janes, toms).table.order == (C, B, A), "wherever they sit"
    state = ordered(toms, janes, bills)
    assert OrderSet((FR_LOUIS, FR_CELINE, FR_BRICE)) in state.effects


@proves("R-57", "T-37")
def test_a_full_tie_goes_clockwise_from_the_starter() -> None:
    """Between equal powers and speeds, the seat that is next clockwise from the starter comes first."""
    tied = ("s300@150", "s300@60", "-")
    state = ordered(("s900", "-", "-"), tied, ("s100", "-", "-"), ("s300@150", "d300@90", "-"), starter=2)
    assert state.table.order == (A, D, B, C)


@proves("R-57", "R-22")
def test_a_replacement_adds_neither_power_nor_speed() -> None:
    """A slow face-up locomotive beats three replacements."""
    assert ordered(("-", "-", "-"), ("-", "-", "-"), starter=1).table.order == (B, A)
    assert ordered(("-", "-", "-"), ("s50@20", "-", "-"), starter=0).table.order == (B, A)


@proves("R-58", "X-6", "T-41")
@pytest.mark.parametrize(("players", "price"), [(2, 300), (3, 500), (6, 500)])
def test_the_second_of_two_pays_less(players: int, price: int) -> None:
    """Token 2 costs 300 with two players and 500 otherwise, for any number of cards."""
    market = ("food-50", "coal-200", "oil-150", "food-100", "food-100")[: 5 if players == 6 else 3]
    state = turn(*market, players=players, position=1)
    state = after(state, Exchanged(B, (0, 1, 2)))
    assert payments(state) == [(B, -price, "exchange")]


@proves("R-58", "sequence_costs")
def test_the_prices_of_the_tokens_may_be_given() -> None:
    """The option replaces the catalogue's prices, but the second of two players still pays 300."""
    from tests.games.take_a_train.build import GAME, new

    costs = [1000, 900, 800, 700, 600, None]
    state = new(3, sequence_costs=costs)
    assert GAME.view(state, None).exchange_prices == (1000, 900, 800)
    assert GAME.view(new(2, sequence_costs=costs), None).exchange_prices == (1000, 300)
    assert GAME.view(new(3), None).exchange_prices == (600, 500, 400)
    state = after(turn("food-50", sequence=(1000, None, None, None, None, None)), Exchanged(A, (0,)))
    assert after(state, CardsRevealed(("food-50",))).table.cash[A] == 4000
