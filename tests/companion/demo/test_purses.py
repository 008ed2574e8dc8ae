"""Money tokens: players form, change, pay and return amounts."""

from __future__ import annotations

import pytest

from companion.demo.purses import MOST, Purses
from companion.engine import worth
from companion.games.take_a_train.rules import RULES
from companion.mechanics.money import total

KINDS = RULES.token_kinds


@pytest.fixture
def purses() -> Purses:
    """Return the initial purses of two players: 3 × 1,000, 3 × 500, 4 × 100 and 2 × 50 dollars each."""
    return Purses(RULES, 2)  # type: ignore[arg-type]


def test_an_amount_is_formed_with_the_largest_tokens(purses: Purses) -> None:
    """An amount is formed with the largest tokens, and tokens on the table stay if they fit."""
    assert purses.pick(0, 1650) == ("money-1000", "money-500", "money-100", "money-50")
    assert purses.pick(0, 1650, ["money-500", "money-50"]) == ("money-1000", "money-500", "money-100", "money-50")
    assert purses.pick(0, 400, ["money-50", "money-50"]) == ("money-100",) * 3 + ("money-50",) * 2


@pytest.mark.parametrize("amount", range(0, 5050, 50))
def test_every_amount_can_be_laid_down(purses: Purses, amount: int) -> None:
    """Every amount can be formed with change from the bank or another seat, and nobody gains or loses money."""
    tokens = purses.pick(1, amount)
    assert worth(KINDS, tokens) == amount and len(tokens) <= MOST
    assert [purses.money(seat) for seat in (0, 1)] == [5000, 5000]


def test_the_bank_gives_change(purses: Purses) -> None:
    """A seat that pays 700 with a token of 1,000 gets change and has 4,300 left."""
    purses.hand_over(0, ["money-1000"])
    purses.follow((4300, 5000))
    assert [purses.money(seat) for seat in (0, 1)] == [4300, 5000]
    assert total(purses.ledger.bank) == 106_000 - 9_300


def test_other_seats_keep_what_they_have_laid_down(purses: Purses) -> None:
    """Tokens that a seat has laid down are not used as change for others."""
    small = ("money-100",) * 4 + ("money-50",) * 2
    laid = purses.tokens(small)
    purses.leave(0, small)
    for amount in range(50, 5000, 50):
        purses.pick(1, amount)
        own = purses.ledger.seats[0]
        assert all(have >= there for (_, have), (_, there) in zip(own, laid, strict=True))
