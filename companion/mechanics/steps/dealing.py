"""Deals hands, turns up cards, refills a market, begins another hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from msgspec.structs import astuple

from companion.engine import UNKNOWN_SEAT, Choice, Event, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.engine.step import Needs
from companion.mechanics.hands import SeveralHands
from companion.mechanics.pool import NextCard
from companion.mechanics.zones_game import Zoned, ZonesTable, with_zones

T = TypeVar("T")
Z = TypeVar("Z", bound=Zoned)
D = TypeVar("D", bound=ZonesTable)


class SeveralDeals(Protocol):
    """A table of a match of several hands."""

    @property
    def match(self) -> SeveralHands:
        """The hands of the match; their dealer begins the next one."""
        ...


H = TypeVar("H", bound=SeveralDeals)


class Deal(Step[Z], frozen=True):
    """Chance: cards of the pile go to hands, which only their owners see."""

    needs: ClassVar[Needs] = {"kind": (Event, ("cards",))}
    kind: ClassVar[type[Event]]
    """The deal: an event with one field, `cards`, which nobody may read."""
    pile: ClassVar[str] = "pile"

    @abstractmethod
    def counts(self, table: Z) -> Mapping[str, int]:
        """Return the number of cards for each zone, in the order of the deal."""
        raise NotImplementedError

    def begin(self: Deal[D], table: D) -> tuple[D, tuple[Step[D], ...]]:
        """Return the table and this step if the companion deals; otherwise the table after people have dealt unseen."""
        return (table, (self,)) if table.dealt else (self.dealt(table), ())

    def legal(self, table: Z) -> tuple[Offer, ...]:
        """Offer every deal."""
        return (table.zones.plan(self.pile, sum(self.counts(table).values())).offer(self.kind),)

    def apply(self, table: Z, event: Event) -> Turn[Z]:
        """Put the cards into the hands."""
        (cards,) = astuple(event)
        return self.dealt(table, cards), (), ()

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return the cards: nobody may read a deal."""
        return event.__struct_fields__

    def dealt(self, table: Z, cards: tuple[Any, ...] = ()) -> Z:
        """Return the table with these cards in the hands; real cards have no names."""
        return with_zones(table, table.zones.deal(self.pile, self.counts(table), cards))


class TurnUp(Step[T], frozen=True):
    """Chance: the next card of a pile turns up."""

    needs: ClassVar[Needs] = {"kind": (Event, ())}
    kind: ClassVar[type[Event]]
    """The event, whose last field is the card."""

    @abstractmethod
    def cards(self, table: T) -> tuple[Any, ...]:
        """Return the cards that can be next."""
        raise NotImplementedError

    @abstractmethod
    def turned(self, table: T, card: Any) -> Turn[T]:
        """Return the turn after the card."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer every card that can be next."""
        return (NextCard(self.kind, self.cards(table)),)

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Let the game continue with the card."""
        *_, card = astuple(event)
        return self.turned(table, card)


class Refill(TurnUp[T], frozen=True):
    """Chance: cards turn up one by one for the empty places of a market, while any are left."""

    @abstractmethod
    def empty(self, table: T) -> Sequence[Any]:
        """Return the empty places, in the order of filling."""
        raise NotImplementedError

    @abstractmethod
    def filled(self, table: T, place: Any, card: Any) -> T:
        """Return the table after a card filled a place."""
        raise NotImplementedError

    def begin(self, table: T) -> tuple[Step[T], ...]:
        """Return this step if a place is empty and a card left; insert it before the steps that follow a taken card."""
        return (self,) if self.empty(table) and self.cards(table) else ()

    def turned(self, table: T, card: Any) -> Turn[T]:
        """Fill the first place, and continue."""
        after = self.filled(table, self.empty(table)[0], card)
        return after, self.begin(after), ()


class FirstPlayer(Step[T], frozen=True):
    """Chance: the first player, by lot or by common knowledge."""

    triggered: ClassVar[bool] = True
    needs: ClassVar[Needs] = {"kind": (Event, ("seat",))}
    kind: ClassVar[type[Event]]
    """A seat begins: an event with one field, the seat."""

    @abstractmethod
    def players(self, table: T) -> int:
        """Return the number of players."""
        raise NotImplementedError

    @abstractmethod
    def named(self, table: T, seat: Seat) -> Turn[T]:
        """Return the turn after a seat was named."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer every seat."""
        make: Callable[[int], Event] = self.kind
        return (Choice(None, tuple([make(seat) for seat in range(self.players(table))]), chance=True),)

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Let the game continue with the seat."""
        (seat,) = astuple(event)
        return self.named(table, seat)

    def explain(self, table: T, event: Event) -> Refusal | None:
        """Return the refusal of a seat that nobody occupies."""
        return UNKNOWN_SEAT(players=self.players(table)) if isinstance(event, self.kind) else None


class NextHand(Step[H], frozen=True):
    """The dealer begins another hand, once all have read the result of the last one."""

    needs: ClassVar[Needs] = {"kind": (SeatEvent, ())}
    kind: ClassVar[type[SeatEvent]]

    @abstractmethod
    def begun(self, table: H) -> Turn[H]:
        """Return the table before the next hand, and its first steps."""
        raise NotImplementedError

    def legal(self, table: H) -> tuple[Offer, ...]:
        """Offer the dealer the next hand."""
        dealer = table.match.dealer
        return (Choice(dealer, (self.kind(dealer),)),)

    def apply(self, table: H, event: Event) -> Turn[H]:
        """Begin it."""
        return self.begun(table)
