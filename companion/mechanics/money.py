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
    """Return tokens out of `held` worth exactly `amount`, as few large ones as possible, or None.

    Each value must be a multiple of the next smaller one, as 50, 100, 500, 1000 and 5000 are; then
    taking the greatest first never misses a way.
    """
    if amount < 0:
        return None
    paid: list[tuple[int, int]] = []
    left = amount
    for value, count in held:
        use = min(count, left // value)
        left -= use * value
        paid.append((value, use))
    return tuple(paid) if left == 0 else None


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
    """Where every token lies "if paid as shown": the bank's, then each seat's."""

    bank: Tokens
    seats: tuple[Tokens, ...]

    def pay(self, seat: int, amount: int) -> tuple[Ledger, Payment]:
        """Return the ledger after the bank paid `amount` to the seat (negative: the seat paid), and how.

        When the payer cannot form the amount, both pool their tokens and part them anew ("make change").
        """
        payer, payee = (self.bank, self.seats[seat]) if amount >= 0 else (self.seats[seat], self.bank)
        handed = form(abs(amount), payer)
        if handed is not None:
            payer, payee = take(payer, handed), add(payee, handed)
            payment = Payment(amount, handed)
        else:
            pooled = add(payer, payee)
            kept = form(total(payer) - abs(amount), pooled)
            if kept is None:
                return self, Payment(amount, (), owed=True)
            payer, payee = kept, take(pooled, kept)
            payment = Payment(amount, (), change=True)
        bank, own = (payer, payee) if amount >= 0 else (payee, payer)
        return Ledger(bank, (*self.seats[:seat], own, *self.seats[seat + 1 :])), payment


class Payment(msgspec.Struct, frozen=True):
    """How an amount is handed over: as tokens, by making change with the bank, or owed by the bank."""

    amount: int
    tokens: Tokens
    change: bool = False
    owed: bool = False

    def __str__(self) -> str:
        return " + ".join(f"{count}×{value}" for value, count in self.tokens if count)


def divides(values: Sequence[int]) -> bool:
    """Whether each value is a multiple of the next smaller one, which `form` needs."""
    return all(big % small == 0 for big, small in pairwise(values))


def tokens(counts: Mapping[int, int]) -> Tokens:
    """Return counts by value as tokens, greatest value first."""
    return tuple(sorted(counts.items(), reverse=True))
