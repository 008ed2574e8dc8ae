"""The fields of views for pages and bots: the public part and each seat's own part (secrecy table of the rules)."""

from __future__ import annotations

import msgspec

from companion.engine import Offer, Seat
from companion.games.take_a_train.table import Wagon

Prices = tuple[tuple[tuple[str, ...], int], ...]
"""Each choice of a seat, named by its cards, and its total price."""


class LocoView(msgspec.Struct, frozen=True, gc=False):
    """A locomotive card lying face up. Money in dollars, speed in km/h."""

    id: str
    drive: str
    power: int
    speed: int
    multiplier: int


class CorrectionView(msgspec.Struct, frozen=True):
    """A confirmed amount that its seat wants to change, and the seats still to answer (R-32b)."""

    seat: Seat
    old: int
    new: int
    waiting: tuple[Seat, ...]


class LotView(msgspec.Struct, frozen=True):
    """The lot in progress. `stage` of sealed bids: only, first, second, preemption. `count` 0 to 3 (Open)."""

    beginner: Seat
    cards: tuple[LocoView, ...]
    nominated: str | None = None
    price: int | None = None
    leader: Seat | None = None
    count: int = 0
    stage: str = ""
    tied: tuple[Seat, ...] = ()
    lone: bool = False
    backs: int = 0
    """Cards lying face down in the middle (Preemption)."""
    correction: CorrectionView | None = None


class TrainView(msgspec.Struct, frozen=True):
    """An owned train; `loco` is None for a replacement, whose face stays secret. `profit` is its present pay."""

    loco: LocoView | None
    cargo: str | None
    wagons: tuple[Wagon, ...]
    boosted: bool
    profit: int


class SeatPublic(msgspec.Struct, frozen=True):
    """The public part of a seat.

    `token` is its sequence token (1 is first) or None. `bid` is its stated or shown amount in this lot. For an open
    hand, `counted` is the camera's count and `confirmed` the seat's statement. `committed` is a closed fist; `passed`
    means that it left the lot; `awaited` that the table waits for it.
    """

    seat: Seat
    trains: tuple[TrainView, ...]
    token: int | None
    purposes_left: int
    claimed: tuple[str, ...]
    awaited: bool
    bid: int | None = None
    committed: bool = False
    passed: bool = False
    placed: bool = False
    counted: int | None = None
    confirmed: int | None = None


class TableView(msgspec.Struct, frozen=True):
    """The public table. `moment` is the name of the waiting step, such as `bidding` or `act`.

    `bank` and everything derived from it is None when `show_bank` is off. `winners` and `cash` are set only at the end.
    """

    round: int
    rounds: int
    kind: str
    used: tuple[str, ...]
    starter: Seat
    moment: str
    awaited: tuple[Seat, ...]
    chance: bool
    """Whether the table waits for cards or a token to be revealed, not for a decision."""
    seats: tuple[SeatPublic, ...]
    lot: LotView | None
    market: tuple[str | None, ...]
    order: tuple[Seat, ...]
    limit: int
    wagon_deck: int
    wagon_discard: int
    loco_deck: int
    aside: int
    bank: int | None
    exchange_prices: tuple[int | None, ...]
    reveal: int = 0
    """The number of cards to be revealed now."""
    winners: tuple[Seat, ...] = ()
    cash: tuple[int, ...] = ()


class SeatView(msgspec.Struct, frozen=True):
    """One seat's own part, for that seat alone: money, fists, hand, purposes and offers."""

    table: TableView
    seat: Seat
    cash: int
    bid: int | None
    """The amount in its own closed fist."""
    hand: tuple[LocoView, ...]
    """Its current Twist hand, if the companion dealt it."""
    picked: tuple[LocoView, ...]
    """The cards that it has placed face down in Twist."""
    purposes: tuple[str, ...] | None
    """Its tokens not yet claimed; None if the companion does not know them."""
    claimable: tuple[str, ...]
    exchange_price: int | None
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    prices: Prices = ()
    """The total cost of each of its choices, unless printed on the card."""
    least: int = 0
    """The minimum value of its open hand (R-31)."""
    veiled: bool = False
    """Whether sealed bids and cards are hidden, because another device sealed them before the seat was freed."""
