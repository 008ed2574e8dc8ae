"""The events of Express, and their effects."""

from __future__ import annotations

from companion.engine import Effect, Event, EventFacts, Seat, SeatEffect, SeatEvent

# --- kinds ----------------------------------------------------------------------------------------


class CardMoved(SeatEvent, frozen=True):
    """A seat moved a card, visibly."""

    facts = EventFacts(by_cards=True)

    card: str


class PutDown(CardMoved, frozen=True):
    """A seat put a card on others, visibly unless the card below was of the same kind."""

    facts = EventFacts(by_cards=True, declared_unseen=True)


class Told(SeatEvent, frozen=True):
    """A binding statement of a seat, which no picture shows."""

    facts = EventFacts(binding=True, declared=True)


# --- dealing and drawing -----------------------------------------------------------------------------


class DealerCardDrawn(CardMoved, frozen=True):
    """Chance: a seat drew this card; the highest number deals (R-02)."""


class HandsDealt(Event, frozen=True):
    """Chance: the companion dealt all hands one after another, from the dealer's left on (R-03). Secret."""

    facts = EventFacts(dealt_only=True)

    cards: tuple[str, ...]


class PileDrawn(SeatEvent, frozen=True):
    """A seat draws two cards from the pile (R-05)."""

    facts = EventFacts(drawing=True)


class CardsDrawn(SeatEvent, frozen=True):
    """Chance: the companion dealt these cards from the pile to a seat (R-05, R-06). Secret."""

    facts = EventFacts(dealt_only=True)

    cards: tuple[str, ...]


class Reshuffled(SeatEvent, frozen=True):
    """A seat shuffled the real discard into a new pile because a card was due (R-06)."""

    facts = EventFacts(by_cards=True)


class DiscardTaken(CardMoved, frozen=True):
    """A seat took the top card of the discard (R-05)."""


# --- laying ---------------------------------------------------------------------------------------


class TrainBegun(SeatEvent, frozen=True):
    """A seat laid a locomotive and a train's first car, `card` (R-07, R-08). The train gets its side's lowest free
    number.
    """

    facts = EventFacts(by_cards=True)

    card: str
    locomotive: str
    """Secret; empty for a real card, which nobody names."""


class CarLaid(SeatEvent, frozen=True):
    """A seat added a car, a Wild, a Caboose or a Diesel to a train of its side (R-09 to R-13)."""

    facts = EventFacts(by_cards=True)

    train: int
    card: str


class MaintenanceLaid(CardMoved, frozen=True):
    """A seat laid a maintenance card (R-15)."""


class LaidTakenBack(SeatEvent, frozen=True):
    """A seat took back a card of this turn, and the locomotive of a train without cars (R-17).

    `train` is 0 for a maintenance card.
    """

    facts = EventFacts(declared=True)

    train: int
    card: str


class LocomotiveExchanged(SeatEvent, frozen=True):
    """A seat laid a card of its hand as a train's locomotive, in secret, and took the old one into its hand (R-16).

    Only with dealt cards.
    """

    train: int
    card: str


# --- the end of a turn ----------------------------------------------------------------------------


class Discarded(PutDown, frozen=True):
    """A seat discarded a card: its turn is over (R-18)."""


class DiscardedUnused(PutDown, frozen=True):
    """A seat discarded a disaster or turntable and announced it without effect (R-21)."""


class WentOut(CardMoved, frozen=True):
    """A seat discarded its last card and went out (R-26)."""


class TurntablePlayed(SeatEvent, frozen=True):
    """A seat played a turntable into the slot: it has another turn, and the order of play is reversed (R-20)."""

    facts = EventFacts(by_cards=True, declared_unseen=True)


class DisasterPlayed(SeatEvent, frozen=True):
    """A seat played a disaster into the slot, against another side or a seat of it (R-20, R-24).

    Whether it strikes follows from maintenance cards or from the answers. `train` is 0 for a derailment.
    """

    facts = EventFacts(declared=True)

    card: str
    target: Seat
    """The seat that loses a turn; otherwise the first seat of the side."""
    train: int = 0
    car: int = 0
    """The number of the car in its train, from 1: always the last one (R-24)."""
    own_train: int = 0
    """The seat's own train that swaps locomotives."""


class ProtectionPlayed(PutDown, frozen=True):
    """A seat played a maintenance card from its hand against the disaster (R-23)."""


class ProtectionDeclined(Told, frozen=True):
    """A seat did not play a maintenance card against the disaster (R-23)."""


# --- partners, misdeals and hands -----------------------------------------------------------------


class PartnerAsked(Told, frozen=True):
    """A seat asked: Partner, may I go out? (R-27)."""


class PartnerAgreed(Told, frozen=True):
    """A partner said yes (R-27)."""


class PartnerForbade(Told, frozen=True):
    """A partner said no (R-27)."""


class QuestionWithdrawn(Told, frozen=True):
    """A seat withdrew its question before it was answered (R-27)."""


class MisdealCalled(Told, frozen=True):
    """A seat declared that its hand cannot get down to the limit (R-19, A-05)."""


class MisdealAccepted(Told, frozen=True):
    """Another seat agreed (R-19, A-05)."""


class MisdealRejected(Told, frozen=True):
    """Another seat disagreed (R-19, A-05)."""


class HandShown(SeatEvent, frozen=True):
    """A seat showed the real cards left in its hand for counting (S-08)."""

    facts = EventFacts(by_cards=True)

    cards: tuple[str, ...]


class HandCalled(Told, frozen=True):
    """The dealer started the next hand (R-28)."""


Laying = TrainBegun | CarLaid | MaintenanceLaid | LaidTakenBack | LocomotiveExchanged
"""A seat's events while it lays."""
Ending = Discarded | DiscardedUnused | WentOut | TurntablePlayed | DisasterPlayed
"""Events that end a turn."""


# --- effects ----------------------------------------------------------------------------------------


class SideEffect(Effect, frozen=True):
    """An effect on several seats, such as a side."""

    seats: tuple[Seat, ...]


class DealersTied(SideEffect, frozen=True):
    """These seats drew the same highest number and draw again (R-02)."""


class DealerChosen(SeatEffect, frozen=True):
    """This seat deals the first hand (R-02)."""


class PileShuffled(Effect, frozen=True):
    """The discard became the new pile (R-06)."""

    count: int


class DisasterAverted(SideEffect, frozen=True):
    """A maintenance card was spent, and the disaster has no effect (R-23)."""

    card: str


class CarBroken(SideEffect, frozen=True):
    """The last car of a train went into the slot (R-24)."""

    card: str


class CarStolen(SeatEffect, frozen=True):
    """The last car of a train went into the thief's hand (R-24, A-04)."""

    card: str


class LocomotiveReturned(SeatEffect, frozen=True):
    """A lone locomotive went back into a hand (R-25)."""


class LocomotivesSwapped(SideEffect, frozen=True):
    """Two trains swapped their locomotives."""


class TrainWrecked(SideEffect, frozen=True):
    """A whole train was destroyed."""

    train: int


class TurnLost(SeatEffect, frozen=True):
    """A seat misses a turn."""


class Misdealt(Effect, frozen=True):
    """All agreed to a misdeal: the hand is dealt again (A-05)."""


class LimitWaived(SeatEffect, frozen=True):
    """The seat may keep more cards than the limit this turn (A-05)."""


class LastRoundAnnounced(Effect, frozen=True):
    """The pile is empty: the hand ends once every seat in turn has laid nothing (R-06)."""


class HandStopped(Effect, frozen=True):
    """The hand ended without anybody going out (R-06)."""


class HandScored(SideEffect, frozen=True):
    """A side's score in this hand (R-28): its points, and their parts, of which the last is subtracted."""

    count: int
    trains: int = 0
    maintenance: int = 0
    bonus: int = 0
    """The points for going out."""
    left: int = 0
    """The cost of cards left in hand."""
