"""The events of Game of Trains, as the journal keeps them, and their effects. Positions are 1 (left) to 7."""

from __future__ import annotations

from companion.engine import Effect, Event, EventFacts, SeatEffect, SeatEvent
from companion.games.game_of_trains.catalogue import Ability

# --- the set-up -----------------------------------------------------------------------------------


class LineDealt(SeatEvent, frozen=True):
    """Chance: a seat was dealt seven wagons and lined them up, falling from left to right (R-03, R-04)."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    cards: tuple[int, ...]
    """Seven wagons, falling from left to right."""


class FirstNamed(SeatEvent, frozen=True):
    """Chance: this seat was drawn to be the first player (R-05)."""

    facts = EventFacts(entered=True, observed=True, amendable=True)


class HandsDrawn(Event, frozen=True):
    """Chance: each seat's cards for its exchange, in seat order, if the companion deals (R-05). Secret."""

    facts = EventFacts(dealt_only=True, kept=True)

    hands: tuple[tuple[int, ...], ...]
    """Cards in seat order, one for the first player, two for the next."""


class Kept(SeatEvent, frozen=True):
    """A seat kept one of the cards that it drew, put it at a position of its line and discarded the rest (R-06)."""

    facts = EventFacts(hosts=True, amendable=True, by_cards=True)

    card: int
    position: int


# --- a turn ---------------------------------------------------------------------------------------


class Drew(SeatEvent, frozen=True):
    """Action 1: a seat took the top card of the pile (R-08)."""

    facts = EventFacts(hosts=True)


class CardDrawn(Event, frozen=True):
    """Chance: the card that it took (R-08). Secret until it is placed."""

    facts = EventFacts(observed=True, amendable=True)

    card: int


class Placed(SeatEvent, frozen=True):
    """A seat replaced the wagon at a position with the card it drew (R-08)."""

    facts = EventFacts(hosts=True, amendable=True, by_cards=True)

    position: int


class Use(SeatEvent, frozen=True):
    """Action 2: a seat used a card of the pool (R-09)."""

    facts = EventFacts(hosts=True, by_cards=True)

    card: int


class Swapped(Use, frozen=True):
    """Action 2: a seat used a pool card to swap two of its wagons, the left one named first (B-1, B-2)."""

    left: int
    """The left one's position."""
    right: int
    """The right one's position."""


class Shifted(Use, frozen=True):
    """Action 2: a seat used a pool card to move the wagon at a position by two, in the card's direction (B-3, B-4)."""

    position: int


class Removed(Use, frozen=True):
    """Action 2: a seat used a pool card that removes a wagon from everybody's line (B-5, B-6, B-7)."""


class Protected(Use, frozen=True):
    """Action 2: a seat put a pool card with the padlock under its wagon at position 1, 4 or 7 (B-8)."""

    position: int


class Refilled(SeatEvent, frozen=True):
    """Chance: the card that a seat drew into the gap in its line (R-15)."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    position: int
    card: int


# --- pool, pile and box ---------------------------------------------------------------------------


class Reshuffled(Event, frozen=True):
    """The discard was shuffled into the new pile (R-13)."""

    facts = EventFacts(observed=True)


class OddKept(Event, frozen=True):
    """From an odd number of pool cards with one ability, people kept this one (R-11). Only with real cards."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    card: int


class AbilityRead(Event, frozen=True):
    """A person read the ability off an owner's card that came to the pool for the first time (R-01)."""

    facts = EventFacts(entered=True, observed=True, amendable=True)

    card: int
    ability: Ability


# --- effects (never journalled) -------------------------------------------------------------------


class Replaced(SeatEffect, frozen=True):
    """A wagon left a seat's line for the pool (R-06, R-08)."""

    position: int
    card: int
    by: int
    """The new card there."""


class Rejected(SeatEffect, frozen=True):
    """A seat discarded the cards that it did not keep, face down (R-06)."""

    count: int


class PairsDiscarded(Effect, frozen=True):
    """Pool cards with equal abilities were discarded in pairs (R-11)."""

    cards: tuple[int, ...]


class LockLost(SeatEffect, frozen=True):
    """A wagon lost its protection; the padlock card was discarded (R-16)."""

    position: int
    card: int


class Cleared(Effect, frozen=True):
    """The wagons at a position went to the pool: by seat, 0 for a protected one (R-15)."""

    position: int
    cards: tuple[int, ...]


class PileMade(Effect, frozen=True):
    """The discard became a new pile (R-13)."""

    cards: int


class Won(SeatEffect, frozen=True):
    """A seat's wagons rise from left to right: the game is over (R-14)."""
