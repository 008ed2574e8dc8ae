"""Money in tokens: how an amount can be paid with the tokens that lie there. Knows no game.

Amounts are exact and authoritative, tokens are a suggestion: players make change with the bank unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

Tokens = tuple[tuple[int, int], ...]
"""How many tokens of each value, greatest value first: ((5000, 10), (1000, 35), ...)."""


def total(tokens: Tokens) -> int:
    """Return what the tokens are worth, in dollars."""
    return sum(value * count for value, count in tokens)


def form(amount: int, held: Tokens) -> Tokens | None:
    """Return tokens out of `held` worth exactly `amount`, as few large ones as possible, or None."""
    paid = nearest(amount, held)
    return paid if total(paid) == amount else None


def nearest(amount: int, held: Tokens) -> Tokens:
    """Return tokens out of `held` worth as much of `amount` as can be, as few large ones as possible.

    Each value must be a multiple of the next smaller one, as 50, 100, 500, 1000 and 5000 are; then
    taking the greatest first never misses a way.
    """
    paid: list[tuple[int, int]] = []
    left = amount
    for value, count in held:
        use = max(0, min(count, left // value))
        left -= use * value
        paid.append((value, use))
    return tuple(paid)


def add(held: Tokens, more: Tokens) -> Tokens:
    """Return both together."""
    return tuple((value, count + extra) for (value, count), (_, extra) in zip(held, more, strict=True))


def take(held: Tokens, less: Tokens) -> Tokens:
    """Return what is left; raise `ValueError` when a token is not there."""
    left = tuple((value, count - fewer) for (value, count), (_, fewer) in zip(held, less, strict=True))
    if any(count < 0 for _, count in left):
        raise ValueError(f"cannot take {less} out of {held}")
    return left


class Ledger(msgspec.Struct, frozen=True):
    """Where every token lies "if paid as shown": the bank's, then each seat's, and what the bank owes each seat.

    A seat's tokens and what it is owed always make up its money; the bank's tokens less all its debts make up its own.
    """

    bank: Tokens
    seats: tuple[Tokens, ...]
    debts: tuple[int, ...] = ()
    """Dollars that the bank owes each seat; empty where it owes nobody."""

    def owed(self, seat: int) -> int:
        """Return what the bank owes a seat, in dollars."""
        return self.debts[seat] if self.debts else 0

    def pay(self, seat: int, amount: int) -> tuple[Ledger, Payment]:
        """Return the ledger after the bank paid `amount` to the seat (negative: the seat paid), and how.

        When the payer cannot form the amount, both pool their tokens and part them anew ("make change"); what the bank
        lacks it owes. A bank that has money again pays its debts at once.
        """
        own = self.seats[seat]
        payer, payee = (self.bank, own) if amount >= 0 else (own, self.bank)
        handed = None if self.owed(seat) else form(abs(amount), payer)
        if handed is not None:
            payer, payee = take(payer, handed), add(payee, handed)
            bank, own = (payer, payee) if amount >= 0 else (payee, payer)
            after, payment = self.laid(seat, bank, own, 0), Payment(amount, handed)
        else:
            after = self.parted(seat, total(own) + self.owed(seat) + amount)
            payment = Payment(amount, (), change=True, owed=after.owed(seat))
        for other in range(len(after.debts)):
            if other != seat and after.owed(other):
                after = after.parted(other, total(after.seats[other]) + after.owed(other))
        return after, payment

    def parted(self, seat: int, money: int) -> Ledger:
        """Return the ledger in which a seat holds as much of its `money` as the bank and it can form, and is owed the
        rest."""
        pooled = add(self.bank, self.seats[seat])
        own = nearest(money, pooled)
        return self.laid(seat, take(pooled, own), own, money - total(own))

    def laid(self, seat: int, bank: Tokens, own: Tokens, owed: int) -> Ledger:
        """Return the ledger with other tokens of the bank and a seat, and another debt to it."""
        debts = self.debts or (0,) * len(self.seats)
        debts = (*debts[:seat], owed, *debts[seat + 1 :])
        seats = (*self.seats[:seat], own, *self.seats[seat + 1 :])
        return Ledger(bank, seats, debts if any(debts) else ())


class Payment(msgspec.Struct, frozen=True):
    """How an amount is handed over: as tokens, or by making change with the bank.

    `owed` is what the bank still owes the seat after it, in dollars.
    """

    amount: int
    tokens: Tokens
    change: bool = False
    owed: int = 0

    def __str__(self) -> str:
        return " + ".join(f"{count}×{value}" for value, count in self.tokens if count)


def divides(values: Sequence[int]) -> bool:
    """Whether each value is a multiple of the next smaller one, which `form` needs."""
    return all(big % small == 0 for big, small in pairwise(values))


def tokens(counts: Mapping[int, int]) -> Tokens:
    """Return counts by value as tokens, greatest value first."""
    return tuple(sorted(counts.items(), reverse=True))
