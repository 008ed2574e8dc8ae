"""Cards that leave a deck: drawn into the hand, looked at, or shown to everybody (R-13, R-14)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Automatic, Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.table import REVEALED, Table, deck_of, discard_of, hand_of
from companion.mechanics import steps
from companion.mechanics.zones import only

FOUR = 4
"""Number of cards that the information central reveals (K06)."""
TRAINS = 2
"""The number of Trains at which the temporary timetable stops (K25)."""


def drawable(table: Table, seat: Seat) -> int:
    """Return how many cards a seat can draw from its deck and its discard pile."""
    return table.zones.count(deck_of(seat)) + table.zones.count(discard_of(seat))


def draw(table: Table, seat: Seat, count: int, *after: Step[Table]) -> Turn[Table]:
    """Return the result of a seat drawing `count` cards, or as many as are left (R-14), followed by the steps
    `after`.
    """
    count = min(count, drawable(table, seat))
    return table, ((DrawCards(seat, count), *after) if count else after), ()


PILES = steps.Piles(deck_of, discard_of, hand_of)


class DealCards(steps.DealCards[Table], frozen=True):
    """Chance: the cards that a seat draws if the companion deals (R-13, R-14)."""

    kind, piles = ev.CardsDrawn, PILES

    def shuffled(self, table: Table) -> tuple[Effect, ...]:
        """Return the announcement that the discard pile was shuffled."""
        return (ev.MustShuffle(self.seat),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.NOT_IN_DECK() if isinstance(event, ev.CardsDrawn) else None


class Shuffle(steps.Shuffle[Table], frozen=True):
    """People shuffle a discard pile into a new deck because a card is needed (R-14)."""

    kind, piles = ev.Reshuffled, PILES

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.SHUFFLE_FIRST(seat=self.seat)


class DrawCards(steps.DrawFromPile[Table], frozen=True):
    """A seat draws cards; if real ones run out during the draw, people shuffle the discard pile (R-14)."""

    deal, shuffle = DealCards, Shuffle

    def dealt(self, table: Table) -> bool:
        return table.fixed.dealt

    def due(self, table: Table) -> tuple[Effect, ...]:
        """Ask the seat to shuffle."""
        return (ev.MustShuffle(self.seat),)


# --- looking and revealing ------------------------------------------------------------------------


def with_top(table: Table, seat: Seat) -> Turn[Table]:
    """Return the table with a card on the deck if possible: an empty deck is refilled first (R-14, A-06)."""
    deck, discard = deck_of(seat), discard_of(seat)
    if table.zones.count(deck) or not table.zones.count(discard):
        return table, (), ()
    if not table.fixed.dealt:
        return table, (Shuffle(seat),), (ev.MustShuffle(seat),)
    return replace(table, zones=table.zones.shuffle(discard, deck)), (), (ev.MustShuffle(seat),)


def top_cards(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the candidates for the top card of a seat's deck, each kind once; none for an empty deck."""
    return tuple(dict.fromkeys(table.zones.next_candidates(deck_of(seat))))


class TopCard(Step[Table], frozen=True):
    """Chance: the top card of a seat's deck."""

    seat: Seat
    kind: ClassVar[type[ev.CardRevealed | ev.TopSeen]]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        cards = top_cards(table, self.seat)
        return (Choice(None, tuple([self.kind(self.seat, card) for card in cards]), chance=True),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.NOT_IN_DECK() if isinstance(event, self.kind) else None


class TurnUpCard(TopCard, frozen=True):
    """Chance: the top card of a deck is shown to everybody (K06, K25)."""

    kind: ClassVar = ev.CardRevealed

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.CardRevealed)
        return table.turn_top(self.seat, event.card, REVEALED), (), ()


class LookAtTop(TopCard, frozen=True):
    """Chance: a seat alone looks at its deck's top card, if the companion deals (K04, K20)."""

    kind: ClassVar = ev.TopSeen

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.TopSeen)
        deck = deck_of(self.seat)
        top = table.zones.count(deck) - 1
        return replace(table, zones=table.zones.reveal(deck, event.card, at=top, to=only(self.seat))), (), ()

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return the card: only the seat itself may read it."""
        return ("card",)


class Reveal(Automatic[Table], frozen=True):
    """Top cards of a deck are revealed one by one: four, or until there are two Trains (K06, K25)."""

    seat: Seat
    until: str
    """`four` or `trains`."""

    def run(self, table: Table) -> Turn[Table]:
        """Turn up the next card until there are enough."""
        shown = table.zones.named(REVEALED)
        trains = sum(table.card(card).is_train for card in shown)
        enough = trains == TRAINS if self.until == "trains" else len(shown) == FOUR
        if enough or not drawable(table, self.seat):
            return table, (), ()
        table, first, effects = with_top(table, self.seat)
        return table, (*first, TurnUpCard(self.seat), self), effects
