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
    """Each of these seats chooses once, in any order, and may choose anew until the last one has chosen.

    A seat's own page shows its choice, and nobody else's: `PlainGame` keeps the events' fields secret until all choices
    open together. A choice stays offered once it is made, so that offers do not tell it.
    """

    seats: tuple[Seat, ...]
    chosen: tuple[S | None, ...] = ()
    """The seats' choices so far, in the same order."""

    @abstractmethod
    def choices(self, table: T, seat: Seat) -> Offer:
        """Return what a seat may choose: a `Choice` of cards, `Amounts` for a sealed bid."""
        raise NotImplementedError

    @abstractmethod
    def opened(self, table: T, chosen: tuple[S, ...]) -> Turn[T]:
        """Return what follows when all choices open together, in the order of the seats."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer every seat its choices."""
        return tuple([self.choices(table, seat) for seat in self.seats])

    def awaits(self, table: T) -> tuple[Seat, ...]:
        """Return who has not chosen yet."""
        return tuple([seat for seat in self.seats if seat not in self.sealed])

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats that have chosen."""
        return tuple([each.seat for each in self.chosen if each is not None])

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return all that the event says but whose it is."""
        return tuple([name for name in event.__struct_fields__ if name != "seat"])

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Keep the choice; the last one opens all."""
        assert isinstance(event, SeatEvent)
        none: tuple[S | None, ...] = (None,) * len(self.seats)
        chosen = with_value(self.chosen or none, self.seats.index(event.seat), event)
        if None in chosen:
            return table, (type(self)(self.seats, chosen),), ()  # type: ignore[arg-type]
        after, steps, effects = self.opened(table, chosen)  # type: ignore[arg-type]
        return after, steps, (ChoicesOpened(self.seats), *effects)


class OpenTogether(Step[T], frozen=True):
    """Chance: real cards that were laid face down are turned over, and each is entered as it is seen."""

    seats: tuple[Seat, ...]
    """The seats whose card has not been entered yet."""
    needs: ClassVar[Needs] = {"kind": (SeatEvent, ("card",))}
    kind: ClassVar[type[SeatEvent]]
    """A seat's card was seen: an event with the seat and the card."""

    @abstractmethod
    def cards(self, table: T, seat: Seat) -> Sequence[str]:
        """Return the cards that a seat can have laid."""
        raise NotImplementedError

    @abstractmethod
    def seen(self, table: T, event: SeatEvent) -> T:
        """Return the table after a card was seen."""
        raise NotImplementedError

    @abstractmethod
    def opened(self, table: T) -> Turn[T]:
        """Return what follows when all cards have been seen."""
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
        """Note the card; the last one opens all."""
        assert isinstance(event, SeatEvent)
        table = self.seen(table, event)
        left = tuple([seat for seat in self.seats if seat != event.seat])
        return (table, (type(self)(left),), ()) if left else self.opened(table)
