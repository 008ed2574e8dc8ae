"""The base of a program that fills a seat: it asks who may act and what a seat knows, and ranks what it may do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from companion.engine import AnyGame, Event, Luck, Seat, State, offers_of

T = TypeVar("T")


class PlainPolicy(Generic[T]):
    """A player of a plain game; derive from it and say what the seat does (`choose`). It never sees a state."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def asked(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now; what is drawn or seen, nobody chooses."""
        head = state.agenda[0]
        chosen = any(not offer.chance for offer in offers_of(head, state.table))
        return head.awaits(state.table) if chosen else ()

    def look(self, state: State[T], seat: Seat) -> Any:
        """Return what the seat may know."""
        return self.game.view(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what the seat does, or None when it waits. Each game overrides this."""
        raise NotImplementedError(f"{self.game.name} has no player")

    def together(self, state: State[T], luck: Luck) -> Event | None:
        """Return None: nothing is done by all seats at once by hand."""
        return None


# --- ranking what a seat may do -------------------------------------------------------------------


class Term(msgspec.Struct, frozen=True):
    """One part of what an event is worth: a key of words, and what fills its gaps; from what the seat may know alone.

    `amount` is the part itself, in the unit of the value.
    """

    key: str
    amount: float
    fields: tuple[tuple[str, int | float | str], ...] = ()


class Ranked(msgspec.Struct, frozen=True):
    """An event that a seat may choose, what it is worth, and why. Only values of one ranking compare."""

    event: Event
    value: float
    terms: tuple[Term, ...] = ()


def term(key: str, amount: float, /, **fields: int | float | str) -> Term:
    """Return a term, its fields by name."""
    return Term(key, amount, tuple(sorted(fields.items())))


def best_first(found: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Return events in order of their values; equal ones stay in the order in which they came."""
    return tuple(sorted(found, key=lambda each: -each.value))


class Ranking:
    """The part of a policy that can say what else it thought of: it does the first of what it ranks."""

    def ranked(self, known: Any, luck: Luck) -> Sequence[Ranked]:
        """Return what the seat may do, best first; nothing when it waits. Each game overrides this."""
        raise NotImplementedError(f"{type(self).__name__} ranks nothing")

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what is best."""
        found = self.ranked(known, luck)
        return found[0].event if found else None
