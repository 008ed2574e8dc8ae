"""Money in tokens: how an amount can be paid with the available tokens.

Amounts are exact and authoritative; tokens are a suggestion, because players also make change with the bank on their
own.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

Tokens = tuple[tuple[int, int], ...]
"""The number of tokens of each value, highest value first: ((5000, 10), (1000, 35), ...)."""


def total(tokens: Tokens) -> int:
    """Return the value of the tokens, in dollars."""
    return sum(value * count for value, count in tokens)


def form(amount: int, held: Tokens) -> Tokens | None:
    """Return tokens out of `held` with exactly the value `amount`, highest values first, or None."""
    paid = nearest(amount, held)
    return paid if total(paid) == amount else None


def nearest(amount: int, held: Tokens) -> Tokens:
    """Return tokens out of `held` with the highest value up to `amount`, highest values first.

    Each value must be a multiple of the next smaller one, as in 50, 100, 500, 1000 and 5000; then the greedy choice is
    optimal.
    """
    paid: list[tuple[int, int]] = []
    left = amount
    for value, count in held:
        use = max(0, min(count, left // value))
        left -= use * value
        paid.append((value, use))
    return tuple(paid)


def add(held: Tokens, more: Tokens) -> Tokens:
    """Return the sum of both."""
    return tuple((value, count + extra) for (value, count), (_, extra) in zip(held, more, strict=True))


def take(held: Tokens, less: Tokens) -> Tokens:
    """Return `held` without the tokens of `less`; raise `ValueError` if one of them is missing."""
    left = tuple((value, count - fewer) for (value, count), (_, fewer) in zip(held, less, strict=True))
    if any(count < 0 for _, count in left):
        raise ValueError(f"cannot take {less} out of {held}")
    return left


class Ledger(msgspec.Struct, frozen=True):
    """The position of every token if all payments were made as shown, and the bank's debt to each seat.

    A seat's money is its tokens plus the bank's debt to it; the bank's money is its tokens minus its debts.
    """

    bank: Tokens
    seats: tuple[Tokens, ...]
    debts: tuple[int, ...] = ()
    """The dollars that the bank owes each seat; empty if it owes nobody."""

    def owed(self, seat: int) -> int:
        """Return the bank's debt to a seat, in dollars."""
        return self.debts[seat] if self.debts else 0

    def pay(self, seat: int, amount: int) -> tuple[Ledger, Payment]:
        """Return the ledger after the bank paid `amount` to the seat (negative: the seat paid), and the payment.

        If the payer cannot form the amount, both pool and redistribute their tokens ("make change"); the bank owes the
        missing amount. A bank that has money again pays its debts at once.
        """
        own = self.seats[seat]
        payer, payee = (self.bank, own) if amount >= 0 else (own, self.bank)
        handed = None if self.owed(seat) else form(abs(amount), payer)
        if handed is not None:
            payer, payee = take(payer, handed), add(payee, handed)
            bank, own = (payer, payee) if amount >= 0 else (payee, payer)
            after, payment = self._with_tokens(seat, bank, own, 0), Payment(amount, handed)
        else:
            after = self._make_change(seat, total(own) + self.owed(seat) + amount)
            payment = Payment(amount, (), change=True, owed=after.owed(seat))
        for other in range(len(after.debts)):
            if other != seat and after.owed(other):
                after = after._make_change(other, total(after.seats[other]) + after.owed(other))
        return after, payment

    def _make_change(self, seat: int, money: int) -> Ledger:
        """Return the ledger after the seat and the bank redistribute their tokens to give the seat `money`.

        The bank owes the part that their tokens cannot form.
        """
        pooled = add(self.bank, self.seats[seat])
        own = nearest(money, pooled)
        return self._with_tokens(seat, take(pooled, own), own, money - total(own))

    def _with_tokens(self, seat: int, bank: Tokens, own: Tokens, owed: int) -> Ledger:
        """Return the ledger with new tokens of the bank and a seat, and a new debt to the seat."""
        debts = self.debts or (0,) * len(self.seats)
        debts = (*debts[:seat], owed, *debts[seat + 1 :])
        seats = (*self.seats[:seat], own, *self.seats[seat + 1 :])
        return Ledger(bank, seats, debts if any(debts) else ())


class Payment(msgspec.Struct, frozen=True):
    """How an amount is paid: in tokens, or by making change with the bank.

    `owed` is the bank's remaining debt to the seat, in dollars.
    """

    amount: int
    tokens: Tokens
    change: bool = False
    owed: int = 0

    def __str__(self) -> str:
        return " + ".join(f"{count}×{value}" for value, count in self.tokens if count)


def tokens(counts: Mapping[int, int]) -> Tokens:
    """Return counts by value as tokens, highest value first."""
    return tuple(sorted(counts.items(), reverse=True))
