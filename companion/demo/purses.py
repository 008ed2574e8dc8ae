"""The money tokens of a table: which of them each seat and the bank have, and with which a seat lays an amount down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.engine import PlayedTokenGame
from companion.match.history import starting_ledger
from companion.mechanics.money import Ledger, Tokens, add, form, nearest, take, total

MOST = 14
"""The most tokens with which people lay an amount down: a payment place has room for so many."""


class Purses:
    """The tokens of everybody. Those that a seat has laid down are its own until it has paid with them."""

    def __init__(self, game: PlayedTokenGame[object], players: int) -> None:
        self.names = {kind.value: kind.name for kind in game.token_kinds if kind.value}
        self.ledger = starting_ledger(game, players)

    def pick(self, seat: int, amount: int, lying: Iterable[str] = ()) -> tuple[str, ...]:
        """Return tokens of a seat worth an amount, if it can be those that lie there already and some more.

        Where the seat's own tokens cannot form the amount, or only very many can, it changes some with the bank first.
        It lays down less where it has less, or where even the bank has no change.
        """
        laid, own = self.tokens(lying), self.ledger.seats[seat]
        if all(have >= there for (_, have), (_, there) in zip(own, laid, strict=True)) and total(laid) <= amount:
            more = form(amount - total(laid), take(own, laid))
            if more is not None and _number(laid) + _number(more) <= MOST:
                return self._named(add(laid, more))
        found = form(amount, own)
        if found is None or _number(found) > MOST:
            found = self._change(seat, amount) or nearest(amount, own)
        return self._named(found)

    def held(self, seat: int, lying: Iterable[str]) -> tuple[str, ...]:
        """Return the tokens of a seat that do not lie in front of it, the most valuable first."""
        return self._named(take(self.ledger.seats[seat], self.tokens(lying)))

    def hand_over(self, seat: int, lying: Iterable[str]) -> None:
        """Have the bank take what lies in front of a seat; it gives change when `follow` tells the seat's new cash."""
        laid, ledger = self.tokens(lying), self.ledger
        own = take(ledger.seats[seat], laid)
        seats = (*ledger.seats[:seat], own, *ledger.seats[seat + 1 :])
        self.ledger = Ledger(add(ledger.bank, laid), seats, ledger.debts)

    def money(self, seat: int) -> int:
        """Return what a seat has, with what the bank owes it, in dollars."""
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
        """Change a seat's tokens with the bank so that it can lay an amount down; return these, None if that fails."""
        ledger = self.ledger
        pooled, money = add(ledger.bank, ledger.seats[seat]), total(ledger.seats[seat])
        laid = nearest(amount, pooled)
        rest = nearest(money - amount, take(pooled, laid)) if amount <= money else laid
        if total(laid) != amount or total(laid) + total(rest) != money:
            return None
        own = add(laid, rest)
        seats = (*ledger.seats[:seat], own, *ledger.seats[seat + 1 :])
        self.ledger = Ledger(take(pooled, own), seats, ledger.debts)
        return laid


def _number(tokens: Tokens) -> int:
    """Return how many tokens there are."""
    return sum([count for _, count in tokens])
