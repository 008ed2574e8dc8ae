"""A seat draws cards from a pile into its hand; if the pile runs out, the discard is shuffled into a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, TypeVar

from companion.engine import Choice, Effect, Event, Offer, Seat, SeatEvent, Step, Turn
from companion.engine.step import Needs
from companion.mechanics.zones_game import Zoned, hand_of, with_zones

Z = TypeVar("Z", bound=Zoned)


class Piles(NamedTuple):
    """The zones of a seat that draws. Several seats can share them."""

    pile: Callable[[Seat], str] = lambda seat: "pile"
    discard: Callable[[Seat], str] = lambda seat: "discard"
    hand: Callable[[Seat], str] = hand_of


class DealCards(Step[Z], frozen=True):
    """Chance: the cards that a seat draws if the companion deals; only their owner may read them."""

    seat: Seat
    count: int
    needs: ClassVar[Needs] = {"kind": (SeatEvent, ("cards",))}
    kind: ClassVar[type[SeatEvent]]
    """The draw: an event with the seat and its cards."""
    piles: ClassVar[Piles] = Piles()

    def shuffled(self, table: Z) -> tuple[Effect, ...]:
        """Return the announcement of a shuffle of the discard, from the table before; none by default."""
        return ()

    def legal(self, table: Z) -> tuple[Offer, ...]:
        """Offer every possible draw from the pile and then the discard."""
        pile, discard = self.piles.pile(self.seat), self.piles.discard(self.seat)
        return (table.zones.plan(pile, self.count, discard).offer(self.kind, self.seat),)

    def apply(self, table: Z, event: Event) -> Turn[Z]:
        """Take them into the hand."""
        pile, discard, hand = [zone(self.seat) for zone in self.piles]
        effects = self.shuffled(table) if table.zones.count(pile) < self.count else ()
        zones = table.zones.draw(pile, hand, self.count, event.cards, discard)  # type: ignore[attr-defined]
        return with_zones(table, zones), (), effects

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return the cards."""
        return ("cards",)


class Shuffle(Step[Z], frozen=True):
    """People shuffle the real discard into a new pile because a card is due."""

    seat: Seat
    needs: ClassVar[Needs] = {"kind": (SeatEvent, ())}
    kind: ClassVar[type[SeatEvent]]
    """The shuffle is done: an event with the seat."""
    piles: ClassVar[Piles] = Piles()

    def shuffled(self, table: Z) -> tuple[Effect, ...]:
        """Return the announcement, from the table before; none by default."""
        return ()

    def legal(self, table: Z) -> tuple[Offer, ...]:
        """Offer the event that reports the shuffle."""
        return (Choice(self.seat, (self.kind(self.seat),)),)

    def apply(self, table: Z, event: Event) -> Turn[Z]:
        """Turn the discard into the pile."""
        zones = table.zones.shuffle(self.piles.discard(self.seat), self.piles.pile(self.seat))
        return with_zones(table, zones), (), self.shuffled(table)


class DrawFromPile(Step[Z], frozen=True):
    """A seat draws cards, as many as are left. If real cards run out during the draw, people shuffle.

    Nobody names a real card that goes to a hand. Cards that the companion already knows need no chance either.
    """

    automatic: ClassVar[bool] = True
    seat: Seat
    count: int
    deal: ClassVar[type[DealCards[Any]]]
    shuffle: ClassVar[type[Shuffle[Any]]]
    """The game's own steps."""

    def dealt(self, table: Z) -> bool:
        """Return whether the companion deals."""
        return bool(table.dealt)  # type: ignore[attr-defined]

    def due(self, table: Z) -> tuple[Effect, ...]:
        """Return the announcement that people must shuffle; none by default."""
        return ()

    def run(self, table: Z) -> Turn[Z]:
        """Draw at once if no chance is needed; otherwise wait for the dealer, or for people to shuffle."""
        pile, discard, hand = [zone(self.seat) for zone in self.deal.piles]
        zones = table.zones
        lying = zones.count(pile)
        count = min(self.count, lying + zones.count(discard))
        unseen = count > lying or None in [card.name for card in zones.zones[pile].cards[lying - count :]]
        if count and unseen and self.dealt(table):
            return table, (self.deal(self.seat, count),), ()
        table = with_zones(table, zones.draw(pile, hand, min(count, lying)))
        if count <= lying:
            return table, (), ()
        return table, (self.shuffle(self.seat), type(self)(self.seat, count - lying)), self.due(table)
