"""What pages and bots may read of a table: the public part and each seat's own part (secrecy table of the rules)."""

from __future__ import annotations

import msgspec

from companion.engine import Offer, Seat
from companion.games.take_a_train.table import Wagon

Prices = tuple[tuple[tuple[str, ...], int], ...]
"""Each choice of a seat, named by its cards, and what the seat then pays in all."""


class LocoView(msgspec.Struct, frozen=True, gc=False):
    """A locomotive card lying face up. Money in dollars, speed in km/h."""

    id: str
    drive: str
    power: int
    speed: int
    multiplier: int


class CorrectionView(msgspec.Struct, frozen=True):
    """A confirmed amount that its seat wants changed, and the seats that have still to answer (R-32b)."""

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
    """An owned train; `loco` is None for a replacement, whose face stays secret. `profit` is what it would pay now."""

    loco: LocoView | None
    cargo: str | None
    wagons: tuple[Wagon, ...]
    boosted: bool
    profit: int


class SeatPublic(msgspec.Struct, frozen=True):
    """What everybody may know of a seat.

    `token` is its sequence token (1 is first) or None. `bid` is what it said or showed in this lot. Of an open hand
    `counted` is what the camera saw, `confirmed` what the seat said it held.
    `committed` is a closed fist; `passed` has left the lot; `awaited`: the table waits for this seat.
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
    """The public table. `moment` is the name of what is waited for, such as `bidding` or `act`.

    `bank` and everything derived from it is None when `show_bank` is off. `winners` and `cash` only at the end.
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
    """How many cards are to be revealed now."""
    winners: tuple[Seat, ...] = ()
    cash: tuple[int, ...] = ()


class SeatView(msgspec.Struct, frozen=True):
    """One seat's own part, for that seat alone: money, fists, hand, purposes and what it may do."""

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
    """What each of its choices costs it in all, where that is not printed on the card."""
    least: int = 0
    """What its open hand counts for at least (R-31)."""
    veiled: bool = False
    """Whether sealed bids and cards are left out, as another device sealed them before the seat was freed."""
