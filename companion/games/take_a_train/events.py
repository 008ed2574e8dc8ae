"""The events of Take a Train, as the journal keeps them, and their effects. Names follow the rulebooks."""

from __future__ import annotations

from typing import Literal

from companion.engine import Effect, Event, EventFacts, Seat, SeatEffect, SeatEvent
from companion.mechanics.seals import SealedAmount

Kind = Literal["pass", "blind", "double_blind", "preemption", "open", "twist"]
KINDS: tuple[Kind, ...] = ("pass", "blind", "double_blind", "preemption", "open", "twist")


class AmountEvent(SeatEvent, frozen=True):
    """An event of one seat and an amount, in dollars."""

    amount: int


# --- the set-up and the round ---------------------------------------------------------------------


class StarterNamed(SeatEvent, frozen=True):
    """This seat, whose player was most recently on a train, starts the first round (R-11)."""

    facts = EventFacts(entered=True, observed=True, amendable=True)


class PurposesDealt(Event, frozen=True):
    """Chance: the companion dealt three purpose tokens to each seat (R-10). Secret."""

    facts = EventFacts(dealt_only=True, kept=True)

    purposes: tuple[tuple[str, ...], ...]


class PurposesEntered(SeatEvent, frozen=True):
    """A seat entered its three drawn tokens, to get hints (R-10). Secret."""

    purposes: tuple[str, ...]


class TokenDrawn(Event, frozen=True):
    """Chance: the round starter drew this auction token (R-12)."""

    facts = EventFacts(observed=True, amendable=True, by_tokens=True)

    kind: Kind


class LocosRevealed(Event, frozen=True):
    """Chance: these locomotive cards were revealed, those of a reshuffled pile last (R-24, R-43, R-46)."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    cards: tuple[str, ...]


class FigureRead(Event, frozen=True):
    """A person read a locomotive's figures off the owner's card, seen for the first time (R-01)."""

    facts = EventFacts(entered=True, observed=True, amendable=True)

    card: str
    power: int
    """The locomotive's power in dollars."""
    speed: int
    """The locomotive's speed in km/h."""
    multiplier: int
    """The number behind the ×."""


class CostRead(Event, frozen=True):
    """A person read the exchange price off a sequence token, seen for the first time (R-58)."""

    facts = EventFacts(entered=True, observed=True, amendable=True)

    token: int
    """The number of the sequence token, 1 to 6."""
    amount: int


# --- stage one: auctions --------------------------------------------------------------------------


class Nominated(SeatEvent, frozen=True):
    """The beginner chose the revealed locomotive on sale in this lot (R-26)."""

    card: str


class Opened(AmountEvent, frozen=True):
    """A seat named the first price, at least the locomotive's power (R-27, R-46)."""

    facts = EventFacts(binding=True, spoken=True)


class OpeningDeclined(SeatEvent, frozen=True):
    """A seat declined to open in place of a beginner who cannot afford it (R-18)."""

    facts = EventFacts(binding=True)


class Bid(AmountEvent, frozen=True):
    """Pass auction: a seat bid more than the price (R-28)."""

    facts = EventFacts(binding=True, spoken=True)


class Passed(SeatEvent, frozen=True):
    """Pass auction: a seat left this lot for good (R-28)."""

    facts = EventFacts(binding=True)


class Committed(SealedAmount, frozen=True, omit_defaults=True):
    """A seat closed a sealed amount in its fist (R-30, R-33, R-41). Secret until all have done so."""


class BidsRevealed(Event, frozen=True):
    """All fists opened (R-32)."""

    facts = EventFacts(observed=True)

    amounts: tuple[int | None, ...]
    """One a seat; null for a seat that takes no part."""


class RevealSignalled(Event, frozen=True):
    """The companion gave the signal, or the host without waiting: all closed fists open together (R-32)."""

    facts = EventFacts(hosts=True)


class FistCounted(AmountEvent, frozen=True):
    """The amount in a seat's open hand, as the camera first saw it after the signal (R-32a).

    In the second fist of Double Blind: the added amount.
    """

    facts = EventFacts(kept=True, by_tokens=True)


class FistConfirmed(AmountEvent, frozen=True):
    """A seat stated the amount in its hand: the counted one, or another (R-32a)."""

    facts = EventFacts(binding=True)


class FistCorrected(AmountEvent, frozen=True):
    """A seat asked to change its confirmed amount, if all others agree (R-32b)."""

    facts = EventFacts(binding=True)


class CorrectionAnswered(SeatEvent, frozen=True):
    """Another seat agreed to the change of a confirmed amount, or refused it (R-32b)."""

    facts = EventFacts(binding=True)

    yes: bool
    """Whether it agreed; one no decides."""


class TieBroken(SeatEvent, frozen=True):
    """The beginner named the winner among the tied seats (R-23)."""

    winner: Seat
    """The chosen seat, one of the tied ones."""


class TieOrdered(SeatEvent, frozen=True):
    """The beginner put tied seats in order (R-42)."""

    order: tuple[Seat, ...]
    """The tied seats; the first one chooses first."""


class LocoChosen(SeatEvent, frozen=True):
    """Preemption: a seat took a locomotive in its turn (R-43)."""

    facts = EventFacts(by_cards=True)

    card: str


class Bought(SeatEvent, frozen=True):
    """The lone bidder bought a revealed locomotive for its power (R-20)."""

    facts = EventFacts(by_cards=True)

    card: str
    price: int
    """The locomotive's power, in dollars."""


class ReplacementTaken(SeatEvent, frozen=True):
    """The lone bidder turned an unsold card face down as a replacement locomotive (R-20)."""

    facts = EventFacts(by_cards=True)

    card: str


class Raised(AmountEvent, frozen=True):
    """Open auction: a seat named a higher amount (R-47)."""

    facts = EventFacts(spoken=True)


class RaisedTogether(Event, frozen=True):
    """Open auction: several seats raised to the same amount at the same instant (R-49)."""

    facts = EventFacts(kept=True)

    seats: tuple[Seat, ...]
    """The seats that raised."""
    amount: int


class RaiseGrown(AmountEvent, frozen=True):
    """Open auction: the leader held the button and increased its own raise (R-49)."""

    facts = EventFacts(kept=True)


class Counted(SeatEvent, frozen=True):
    """Open auction: the leader counted one, two or three (R-48)."""

    count: int
    """The number, 1 to 3; at 3 the lot is sold."""


class CountBroken(Event, frozen=True):
    """Open auction: a pause, a restart or lost buttons broke the count; the price stays (R-48)."""

    facts = EventFacts(hosts=True)

    cause: str
    """`pause`, `restart` or `buttons`."""


class TwistDealt(Event, frozen=True):
    """Chance: three locomotives in each hand, dealt by the companion (R-51). Secret."""

    facts = EventFacts(dealt_only=True, kept=True)

    hands: tuple[tuple[str, ...], ...]
    """Three cards for each seat."""


class TwistPicked(SeatEvent, frozen=True):
    """A seat placed one card of its hand face down; null if the companion cannot see it (R-52, R-53)."""

    card: str | None = None


class TwistRevealed(Event, frozen=True):
    """Chance: all placed cards were revealed together, three for each seat (R-55)."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    trains: tuple[tuple[str, ...], ...]
    """Three cards for each seat."""


class Flipped(SeatEvent, frozen=True):
    """A seat that cannot pay turned some of its three cards face down (R-56)."""

    facts = EventFacts(by_cards=True)

    cards: tuple[str, ...]


# --- stage two: wagons ----------------------------------------------------------------------------


class CardsRevealed(Event, frozen=True):
    """Chance: these cards were revealed from the wagon deck, in this order (R-59, R-67)."""

    facts = EventFacts(observed=True, amendable=True, by_cards=True)

    cards: tuple[str, ...]


class Exchanged(SeatEvent, frozen=True):
    """A seat paid to have the cards of these market slots replaced (R-61)."""

    facts = EventFacts(by_cards=True, numbers={"slots": "market"})

    slots: tuple[int, ...]
    """The slots of the market."""


class Took(SeatEvent, frozen=True):
    """A seat took the card of a market slot onto its train 0, 1 or 2; null for the bonus (R-62, R-67)."""

    facts = EventFacts(amendable=True, by_cards=True, numbers={"slot": "market"})

    slot: int
    """The slot of the market."""
    train: int | None = None
    """0, 1 or 2 in the order of buying; null for the bonus."""


class TurnPassed(SeatEvent, frozen=True):
    """Stage two: a seat took nothing this turn (R-64)."""

    facts = EventFacts(binding=True)


class WagonChosen(SeatEvent, frozen=True):
    """The owner of a replacement locomotive chose the wagon that pays (R-66)."""

    facts = EventFacts(amendable=True)

    train: int
    """The replacement's train."""
    wagon: int
    """The position of the wagon in the train."""


# --- at any moment --------------------------------------------------------------------------------


class Claimed(SeatEvent, frozen=True):
    """A seat showed a fulfilled purpose token and received its prize (R-73)."""

    purpose: str
    """The token."""


class ClaimsDone(SeatEvent, frozen=True):
    """After the last profits a seat has no more claims (R-75)."""

    facts = EventFacts(binding=True)


class CashCorrected(SeatEvent, frozen=True):
    """A seat's money was set to the amount it really holds; the bank takes the difference (R-05). Secret."""

    facts = EventFacts(kept=True)

    to: int
    """The amount that the seat really holds, in dollars."""


# --- effects (never journalled) -------------------------------------------------------------------


class RoundBegan(Effect, frozen=True):
    """A round began; its starter draws the auction token."""

    round: int
    starter: Seat


class LotBegan(Effect, frozen=True):
    """The next lot of a sequential auction began."""

    beginner: Seat
    lone: bool


class Reshuffled(Effect, frozen=True):
    """The set-aside locomotives (`deck="locos"`) or the discarded wagons (`"wagons"`) became a new deck."""

    deck: str
    cards: int


class FistsOpened(Effect, frozen=True):
    """Sealed bids became public."""

    amounts: tuple[int | None, ...]


class Tied(Effect, frozen=True):
    """These seats bid the same; the beginner decides."""

    seats: tuple[Seat, ...]
    amount: int


class Sold(SeatEffect, frozen=True):
    """A locomotive found its owner."""

    card: str
    price: int


class NoSale(Effect, frozen=True):
    """Nobody reached the power; the revealed cards were set aside."""

    cards: tuple[str, ...]


class Stalled(Effect, frozen=True):
    """Every unsold card was offered in vain, so bidding ended (R-19)."""


class Replaced(SeatEffect, frozen=True):
    """A seat got a replacement locomotive, face down."""

    count: int


class OrderSet(Effect, frozen=True):
    """Sequence tokens 1, 2, ... went to these seats."""

    order: tuple[Seat, ...]


class Taken(SeatEffect, frozen=True):
    """A card left the market for a seat: to its train 0, 1 or 2, or nowhere (the bonus)."""

    card: str
    train: int | None = None


class BinCleared(Effect, frozen=True):
    """The Bin was revealed: the market was discarded."""

    cards: tuple[str, ...]


class StockLengthened(Effect, frozen=True):
    """Longer stock was revealed: six wagons now end this round."""

    limit: int


class RoundEnded(Effect, frozen=True):
    """Stage two ended: a train is full (`full`), or all passed in a row (`passed`)."""

    reason: str
    seat: Seat | None


class Profited(SeatEffect, frozen=True):
    """A train paid its owner."""

    train: int
    amount: int


class Ended(Effect, frozen=True):
    """The game ended; every seat's money is public."""

    cash: tuple[int, ...]
    winners: tuple[Seat, ...]
