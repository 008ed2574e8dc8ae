"""Seats choose at once, each in secret: cards of their hands, or sealed bids."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from companion.engine import Choice, Event, Offer, Seat, SeatEvent, Step, Turn
from companion.engine.step import Needs
from companion.mechanics.sealed import ChoicesOpened
from companion.mechanics.seating import with_value

T = TypeVar("T")
S = TypeVar("S", bound=SeatEvent)


class SecretChoice(Step[T], Generic[T, S], frozen=True):
    """Each of these seats chooses once, in any order, and may change its choice until the last seat has chosen.

    Only the seat's own page shows its choice: `PlainGame` keeps the events' fields secret until all choices open
    together. A chosen option stays on offer, so that offers do not give it away.
    """

    seats: tuple[Seat, ...]
    chosen: tuple[S | None, ...] = ()
    """The seats' choices so far, in the same order."""

    @abstractmethod
    def choices(self, table: T, seat: Seat) -> Offer:
        """Return a seat's options: a `Choice` of cards, or `Amounts` for a sealed bid."""
        raise NotImplementedError

    @abstractmethod
    def opened(self, table: T, chosen: tuple[S, ...]) -> Turn[T]:
        """Return the turn after all choices opened together, in the order of the seats."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer every seat its options."""
        return tuple([self.choices(table, seat) for seat in self.seats])

    def awaits(self, table: T) -> tuple[Seat, ...]:
        """Return the seats that have not chosen yet."""
        return tuple([seat for seat in self.seats if seat not in self.sealed])

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats that have chosen."""
        return tuple([each.seat for each in self.chosen if each is not None])

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return all of the event's fields except the seat."""
        return tuple([name for name in event.__struct_fields__ if name != "seat"])

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Store the choice; the last one opens all."""
        assert isinstance(event, SeatEvent)
        none: tuple[S | None, ...] = (None,) * len(self.seats)
        chosen = with_value(self.chosen or none, self.seats.index(event.seat), event)
        if None in chosen:
            return table, (type(self)(self.seats, chosen),), ()  # type: ignore[arg-type]
        after, steps, effects = self.opened(table, chosen)  # type: ignore[arg-type]
        return after, steps, (ChoicesOpened(self.seats), *effects)


class OpenTogether(Step[T], frozen=True):
    """Chance: people turn over real face-down cards, and enter each as they see it."""

    seats: tuple[Seat, ...]
    """The seats whose cards are still to be entered."""
    needs: ClassVar[Needs] = {"kind": (SeatEvent, ("card",))}
    kind: ClassVar[type[SeatEvent]]
    """A seat's card was seen: an event with the seat and the card."""

    @abstractmethod
    def cards(self, table: T, seat: Seat) -> Sequence[str]:
        """Return the cards that a seat may have laid."""
        raise NotImplementedError

    @abstractmethod
    def seen(self, table: T, event: SeatEvent) -> T:
        """Return the table after a card was seen."""
        raise NotImplementedError

    @abstractmethod
    def opened(self, table: T) -> Turn[T]:
        """Return the turn after all cards were seen."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer the cards of each seat."""
        seen = {s: tuple([self.kind(s, card) for card in self.cards(table, s)]) for s in self.seats}  # type: ignore[call-arg]
        return tuple([Choice(seat, events, chance=True) for seat, events in seen.items()])

    def resting_table(self, table: T, event: Event) -> T | None:
        """Return the table with the last card beside the others."""
        assert isinstance(event, SeatEvent)
        return None if self.seats[1:] else self.seen(table, event)

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Record the card; the last one opens all."""
        assert isinstance(event, SeatEvent)
        table = self.seen(table, event)
        left = tuple([seat for seat in self.seats if seat != event.seat])
        return (table, (type(self)(left),), ()) if left else self.opened(table)
