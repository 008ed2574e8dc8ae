"""Small mechanics: shared values, sealed bids, seating, and money in tokens."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from companion.mechanics.money import Ledger, Payment, add, form, take, tokens, total
from companion.mechanics.sealed import leaders, ranked
from companion.mechanics.seating import clockwise, left_of
from companion.mechanics.view import shared

BOX = tokens({50: 20, 100: 25, 500: 35, 1000: 35, 5000: 10})


def test_what_everybody_may_know_is_found_once_for_a_moment() -> None:
    """A shared function runs once for the same object, and again for another one, even if equal."""
    asked: list[list[int]] = []

    @shared
    def doubled(of: list[int]) -> int:
        """Return twice the number."""
        asked.append(of)
        return 2 * of[0]

    first, like = [4], [4]
    assert [doubled(first), doubled(first), doubled(like), doubled(first)] == [8] * 4
    assert [each is first for each in asked] == [True, False, True]
    assert doubled.__doc__ == "Return twice the number."


def test_who_leads_when_fists_are_open() -> None:
    """The leaders are all seats with the highest amount, if it reaches the minimum."""
    assert leaders((300, None, 700)) == (2,)
    assert leaders((700, 300, 700)) == (0, 2)
    assert leaders((700, 300), at_least=750) == ()
    assert leaders((None, None)) == ()


def test_ranking_groups_equals_from_the_beginner() -> None:
    """Seats are ranked by amount, and equal ones clockwise from the first seat."""
    assert ranked((500, 0, 500), 1) == ((2, 0), (1,))
    assert ranked((0, 0, 0), 2) == ((2, 0, 1),)


def test_clockwise() -> None:
    """`clockwise` lists every seat once from the first one, and `left_of` returns the next."""
    assert list(clockwise(2, 4)) == [2, 3, 0, 1]
    assert [left_of(3, 4), left_of(0, 2)] == [0, 1]


def test_money_in_tokens() -> None:
    """An amount is formed with the largest tokens, or not at all."""
    assert total(BOX) == 106_000
    assert form(2550, BOX) == ((5000, 0), (1000, 2), (500, 1), (100, 0), (50, 1))
    assert form(50, tokens({100: 3, 50: 0})) is None
    assert all(big % small == 0 for (big, _), (small, _) in pairwise(BOX)), "`form` needs values that divide"


def test_tokens_are_added_and_taken() -> None:
    """Tokens are added and taken by value, and missing ones cannot be taken."""
    some = tokens({100: 1, 50: 2})
    assert add(some, some) == ((100, 2), (50, 4))
    assert take(some, tokens({100: 1, 50: 1})) == ((100, 0), (50, 1))
    with pytest.raises(ValueError, match="cannot take"):
        take(some, tokens({100: 2, 50: 0}))


def test_paying_with_change() -> None:
    """A seat that cannot form an amount gets change, and no token is lost."""
    ledger = Ledger(tokens({1000: 0, 100: 10, 50: 0}), (tokens({1000: 1, 100: 0, 50: 2}),))
    after, payment = ledger.pay(0, -300)
    assert payment == Payment(-300, (), change=True)
    assert (total(after.bank), total(after.seats[0])) == (1300, 800)
    assert add(after.bank, after.seats[0]) == add(ledger.bank, ledger.seats[0])


def test_paying_as_shown() -> None:
    """An amount that can be formed is paid in tokens, which the payment lists."""
    ledger = Ledger(BOX, (tokens({5000: 0, 1000: 0, 500: 0, 100: 0, 50: 0}),))
    after, payment = ledger.pay(0, 2550)
    assert str(payment) == "2×1000 + 1×500 + 1×50"
    assert (total(after.bank), total(after.seats[0])) == (103_450, 2550)


def test_a_bank_without_money_owes() -> None:
    """A bank without enough money pays what it has and owes the rest."""
    ledger = Ledger(tokens({100: 1, 50: 0}), (tokens({100: 0, 50: 1}),))
    after, payment = ledger.pay(0, 500)
    assert payment == Payment(500, (), change=True, owed=400)
    assert (total(after.bank), total(after.seats[0]), after.owed(0)) == (0, 150, 400)


def test_a_bank_pays_its_debts_as_soon_as_it_can() -> None:
    """A payment to the bank first reduces the payer's own claim and then pays others' claims."""
    seats = (tokens({100: 0, 50: 1}), tokens({100: 9, 50: 0}))
    ledger, _ = Ledger(tokens({100: 1, 50: 0}), seats).pay(0, 500)
    some, _ = ledger.pay(1, -300)
    assert [(total(some.seats[s]), some.owed(s)) for s in (0, 1)] == [(450, 100), (600, 0)]
    own, _ = some.pay(0, -50)
    assert [(total(own.seats[0]), own.owed(0))] == [(450, 50)]
    after, payment = own.pay(1, -200)
    assert (total(after.bank), after.debts, payment.owed) == (150, (), 0)


def test_a_ledger_is_always_in_step() -> None:
    """After random payments the tokens and debts equal everybody's money, and no token is lost."""
    luck = random.Random(3)
    purse = tokens({500: 1, 100: 2, 50: 2})
    for _ in range(300):
        ledger = Ledger(tokens({500: 1, 100: 1, 50: 1}), (purse,) * 3)
        every = add(ledger.bank, add(purse, add(purse, purse)))
        cash, bank = [800] * 3, 650
        for _ in range(20):
            seat = luck.randrange(3)
            amount = 50 * luck.randrange(-cash[seat] // 50, 40)
            cash[seat], bank = cash[seat] + amount, bank - amount
            ledger, payment = ledger.pay(seat, amount)
            assert [total(ledger.seats[s]) + ledger.owed(s) for s in range(3)] == cash
            assert total(ledger.bank) - sum(ledger.owed(s) for s in range(3)) == bank
            assert add(ledger.bank, add(ledger.seats[0], add(ledger.seats[1], ledger.seats[2]))) == every
            assert min(count for held in (ledger.bank, *ledger.seats) for _, count in held) >= 0
            assert payment.tokens == () or total(payment.tokens) == abs(amount)
