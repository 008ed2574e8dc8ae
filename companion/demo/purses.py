"""The money tokens of a table: each seat's, the bank's, and those that a seat lays down for an amount."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.engine import PlayedTokenGame
from companion.match.history import starting_ledger
from companion.mechanics.money import Ledger, Tokens, add, form, nearest, take, total

MOST = 14
"""The maximum number of tokens for an amount, limited by the room at a payment place."""


class Purses:
    """All players' tokens. A seat still owns the tokens that it has laid down until it has paid with them."""

    def __init__(self, game: PlayedTokenGame[object], players: int) -> None:
        self.names = {kind.value: kind.name for kind in game.token_kinds if kind.value}
        self.ledger = starting_ledger(game, players)
        self._out: list[Tokens] = [self.tokens(())] * players
        """The tokens in front of each seat, or about to be; nobody else can have them."""

    def pick(self, seat: int, amount: int, lying: Iterable[str] = ()) -> tuple[str, ...]:
        """Return tokens of a seat worth an amount, and keep those that already lie there if possible.

        If the seat cannot form the amount with its own tokens, or only with very many, it first changes some with the
        bank or another seat. It lays down less if it has less, or if nobody has change.
        """
        found = self._form(seat, amount, self.tokens(lying)) or self._change(seat, amount)
        self._out[seat] = found or nearest(amount, self.ledger.seats[seat])
        return self._named(self._out[seat])

    def _form(self, seat: int, amount: int, laid: Tokens) -> Tokens | None:
        """Return some of a seat's tokens that add up to an amount, or None if no combination does."""
        own, found = self.ledger.seats[seat], None
        if total(laid) <= amount and all(have >= there for (_, have), (_, there) in zip(own, laid, strict=True)):
            more = form(amount - total(laid), take(own, laid))
            found = add(laid, more) if more is not None else None
        found = found if found is not None and _number(found) <= MOST else form(amount, own)
        return found if found is not None and _number(found) <= MOST else None

    def leave(self, seat: int, lying: Iterable[str]) -> None:
        """Record that tokens wrongly lie in front of a seat."""
        self._out[seat] = self.tokens(lying)

    def held(self, seat: int, lying: Iterable[str]) -> tuple[str, ...]:
        """Return the tokens of a seat that do not lie in front of it, the most valuable first."""
        return self._named(take(self.ledger.seats[seat], self.tokens(lying)))

    def hand_over(self, seat: int, lying: Iterable[str]) -> None:
        """Give the tokens in front of a seat to the bank, which makes change when `follow` gets the seat's new cash."""
        laid, ledger = self.tokens(lying), self.ledger
        own = take(ledger.seats[seat], laid)
        seats = (*ledger.seats[:seat], own, *ledger.seats[seat + 1 :])
        self.ledger = Ledger(add(ledger.bank, laid), seats, ledger.debts)

    def money(self, seat: int) -> int:
        """Return a seat's money including the bank's debt, in dollars."""
        return total(self.ledger.seats[seat]) + self.ledger.owed(seat)

    def follow(self, cash: Sequence[int]) -> None:
        """Have the bank and the seats pay one another until each seat has its cash."""
        for seat, money in enumerate(cash):
            if money != self.money(seat):
                self.ledger, _ = self.ledger.pay(seat, money - self.money(seat))

    def tokens(self, names: Iterable[str]) -> Tokens:
        """Return tokens by value, highest value first."""
        lying = Counter(names)
        return tuple(sorted([(value, lying[name]) for value, name in self.names.items()], reverse=True))

    def _named(self, tokens: Tokens) -> tuple[str, ...]:
        return tuple([self.names[value] for value, count in tokens for _ in range(count)])

    def _change(self, seat: int, amount: int) -> Tokens | None:
        """Change a seat's tokens so that it can lay an amount down; return the tokens, or None if nobody has change."""
        ledger = self.ledger
        for other in (None, *[each for each in range(len(ledger.seats)) if each != seat]):
            theirs = ledger.bank if other is None else take(ledger.seats[other], self._out[other])
            swapped = _swap(ledger.seats[seat], theirs, amount)
            if swapped is None:
                continue
            laid, rest, left = swapped
            seats, bank = list(ledger.seats), ledger.bank
            seats[seat] = add(laid, rest)
            if other is None:
                bank = left
            else:
                seats[other] = add(left, self._out[other])
            self.ledger = Ledger(bank, tuple(seats), ledger.debts)
            return laid
        return None


def _swap(own: Tokens, theirs: Tokens, amount: int) -> tuple[Tokens, Tokens, Tokens] | None:
    """Split all these tokens into an amount, the rest of `own`, and the others' remaining tokens, without a loss for
    anybody; return None if that is impossible."""
    pooled, money = add(own, theirs), total(own)
    laid = nearest(amount, pooled)
    rest = nearest(money - amount, take(pooled, laid))
    if total(laid) != amount or total(rest) != money - amount or _number(laid) > MOST:
        return None
    return laid, rest, take(pooled, add(laid, rest))


def _number(tokens: Tokens) -> int:
    """Return the number of tokens."""
    return sum([count for _, count in tokens])
