"""The journalled events of Trains: chance and decisions. The rules derive everything else."""

from __future__ import annotations

from typing import Literal

from companion.engine import CellName, Effect, Event, EventFacts, Seat, SeatEffect, SeatEvent


class CardEvent(SeatEvent, frozen=True):
    """An event of one seat and one card."""

    card: str


# --- chance ---------------------------------------------------------------------------------------


class KingdomDrawn(Event, frozen=True):
    """Chance: these eight of the thirty kinds are for sale, with the option `draw_kingdom` (R-02)."""

    facts = EventFacts(entered=True)

    cards: tuple[str, ...]


class FirstNamed(Event, frozen=True):
    """The seat whose player was on a train most recently begins (R-04)."""

    facts = EventFacts(entered=True)

    seat: Seat


class CardsDrawn(SeatEvent, frozen=True):
    """Chance: a seat draws these cards off its deck, in this order (R-13, R-14). Secret. Cards known to lie on the
    deck are not named again.
    """

    facts = EventFacts(dealt_only=True)

    cards: tuple[str, ...]


class Reshuffled(SeatEvent, frozen=True):
    """People shuffled a seat's discard pile into a new deck because a card was needed (R-14). Only with real cards."""


class TopSeen(CardEvent, frozen=True):
    """Chance: the seat looks at the top card of its deck (K04, K20). Secret."""

    facts = EventFacts(dealt_only=True)


class CardRevealed(CardEvent, frozen=True):
    """Chance: the top card of a seat's deck is shown to everybody (K06, K25)."""


# --- the start and the turn -----------------------------------------------------------------------


class StartPlaced(SeatEvent, frozen=True):
    """A seat's first cube (R-05)."""

    cell: CellName


class Played(CardEvent, frozen=True):
    """A seat plays a card from its hand (R-07)."""


class Bought(CardEvent, frozen=True):
    """A seat buys a card (R-10)."""


class BoughtOnDeck(CardEvent, frozen=True):
    """A seat buys a card and puts it onto its deck (K07)."""

    facts = EventFacts(declared=True)


class Ended(SeatEvent, frozen=True):
    """A seat ends its turn and tidies up (R-06, R-13)."""

    facts = EventFacts(binding=True)


class TurnPassed(SeatEvent, frozen=True):
    """A seat only returns all Waste of its hand, perhaps none, in its turn (R-12)."""

    facts = EventFacts(binding=True, declared=True)

    waste: int = 0
    """The number of Waste cards returned."""


# --- decisions about a card's text --------------------------------------------------------------------


class Declined(SeatEvent, frozen=True):
    """A seat declines the effect of the card that it has just played (R-08)."""


class Applied(SeatEvent, frozen=True):
    """A seat applies an effect without a first choice (R-08)."""


class RailLaid(SeatEvent, frozen=True):
    """A seat lays rails (R-15, R-16)."""

    cell: CellName


class StationBuilt(SeatEvent, frozen=True):
    """A seat builds a station (R-17)."""

    cell: CellName


class CardChosen(CardEvent, frozen=True):
    """A seat chooses a card in play (K01, K22, K24), in its hand (K14) or in its discard pile (K17)."""


class CardsDiscarded(SeatEvent, frozen=True):
    """A seat discards cards of its hand, or none (K03, K09, K13)."""

    cards: tuple[str, ...]


class WasteReturned(SeatEvent, frozen=True):
    """A seat returns Waste of its hand to the supply (K08, K12)."""

    count: int
    """The number of Waste cards returned."""


class CrewSent(SeatEvent, frozen=True):
    """A seat chooses the station crew's work (K21)."""

    does: Literal["draw", "coin", "waste"]


class CardNamed(CardEvent, frozen=True):
    """A seat guesses the top card of its deck (K04)."""

    facts = EventFacts(binding=True)


class GuessedRight(SeatEvent, frozen=True):
    """The named card is the top one, and is shown (K04)."""

    facts = EventFacts(binding=True)


class GuessedWrong(SeatEvent, frozen=True):
    """The top card is a different one (K04)."""

    facts = EventFacts(binding=True)


class TopKept(SeatEvent, frozen=True):
    """A seat leaves the card that it looked at on its deck (K20)."""


class TopDiscarded(CardEvent, frozen=True):
    """A seat discards the card that it looked at (K20)."""


class RevealedTaken(SeatEvent, frozen=True):
    """A seat takes one of the revealed cards or none, which is null, and puts the rest back (K06)."""

    card: str | None
    back: tuple[str, ...]
    """The others, the last one on top."""


class Rebuilt(SeatEvent, frozen=True):
    """A seat trashes a card of its hand and gains a Train that costs three more (K30)."""

    card: str
    gained: str
    """The Train."""


# --- effects --------------------------------------------------------------------------------------


class Gained(SeatEffect, frozen=True):
    """A seat gained cards that it did not buy (R-18)."""

    card: str
    count: int = 1


class NotApplied(SeatEffect, frozen=True):
    """The text of a card had no effect, because a part of it is impossible (R-08)."""

    card: str


class MustShuffle(SeatEffect, frozen=True):
    """A seat's deck is empty, and it needs cards: its discard pile becomes the deck (R-14)."""


class TurnBegan(SeatEffect, frozen=True):
    """A seat's turn began (R-04)."""


class GameEnded(Effect, frozen=True):
    """The game ended (R-21)."""

    why: Literal["piles", "cubes", "stations"]
