"""The base of bots: a bot asks who may act, looks at a seat's view, and ranks the options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from companion.engine import AnyGame, Event, Luck, Seat, State, offers_of

T = TypeVar("T")


class PlainPolicy(Generic[T]):
    """A player of a plain game; derive from it and implement `choose`. It never sees a state."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def asked(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now; nobody chooses draws and sightings."""
        head = state.agenda[0]
        chosen = any(not offer.chance for offer in offers_of(head, state.table))
        return head.awaits(state.table) if chosen else ()

    def look(self, state: State[T], seat: Seat) -> Any:
        """Return the seat's view."""
        return self.game.view(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the seat's choice, or None when it waits. Each game overrides this."""
        raise NotImplementedError(f"{self.game.name} has no player")

    def together(self, state: State[T], luck: Luck) -> Event | None:
        """Return None: all seats do nothing together by hand."""
        return None


# --- ranking a seat's options ------------------------------------------------------------------------


class Term(msgspec.Struct, frozen=True):
    """One part of an event's value: a key of words and its fields, from the seat's own knowledge alone.

    `amount` is the part itself, in the unit of the value.
    """

    key: str
    amount: float
    fields: tuple[tuple[str, int | float | str], ...] = ()


class Ranked(msgspec.Struct, frozen=True):
    """An event that a seat may choose, with its value and the reasons. Only values of one ranking are comparable."""

    event: Event
    value: float
    terms: tuple[Term, ...] = ()


def term(key: str, amount: float, /, **fields: int | float | str) -> Term:
    """Return a term with named fields."""
    return Term(key, amount, tuple(sorted(fields.items())))


def best_first(found: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Return events by value, best first; equal ones keep their order."""
    return tuple(sorted(found, key=lambda each: -each.value))


class Ranking:
    """The part of a policy that can list its alternatives: it chooses the first of its ranking."""

    def ranked(self, known: Any, luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, best first; nothing when it waits. Each game overrides this."""
        raise NotImplementedError(f"{type(self).__name__} ranks nothing")

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the best option."""
        found = self.ranked(known, luck)
        return found[0].event if found else None
