"""The frozen table of Take a Train: everybody's property, and the position of every card and dollar.

The order of a shuffled deck is unknown: a pool lists the cards that the deck may contain, and a count gives its size.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec.structs import replace

from companion.engine import Effect, Moved, Seat
from companion.games.take_a_train.catalogue import MONEY, Book, Loco, wagon_parts
from companion.games.take_a_train.options import Options
from companion.mechanics.pool import Pool
from companion.mechanics.seating import with_value

START_CASH = 5000
"""Each player's money at the start (both rulebooks; R-09)."""
BANK_TOTAL = sum(value * count for value, count in MONEY.items())
"""All the money in the box: 106,000 (R-04)."""
TRAINS = 3
"""The number of everyone's locomotives at the end of stage one (both rulebooks; R-13)."""
ROUNDS = 3
"""The number of rounds in a game (both rulebooks; R-80)."""
LIMIT, LONGER_LIMIT = 5, 6
"""The number of wagons on a train that ends the round, without and with Longer stock (both rulebooks; R-65)."""
MARKET_SIZE = {2: 3, 3: 3, 4: 4, 5: 4, 6: 5}
"""Face-up wagon cards by number of players (both rulebooks; R-59)."""


class Wagon(msgspec.Struct, frozen=True, gc=False):
    """A wagon on a train. `twin` marks the Twin wagon, whose type and value are its copy's (R-67e)."""

    type: str
    value: int
    twin: bool = False


class Train(msgspec.Struct, frozen=True):
    """An owned locomotive with its wagons, the nearest first.

    `loco` is empty for a replacement drawn unseen. `multiplier` is the printed one (0: replacement); `boosted` says
    that Multiplier +1 lies beside it. `cargo` is fixed by the first wagon.
    """

    loco: str
    face_up: bool
    power: int = 0
    speed: int = -1
    multiplier: int = 0
    drive: str = ""
    cargo: str | None = None
    wagons: tuple[Wagon, ...] = ()
    boosted: bool = False
    chosen: int | None = None
    """The wagon of a replacement that pays, once its owner has chosen it (`replacement_wagon = "ask"`)."""


class Fixed(msgspec.Struct, frozen=True):
    """The fixed part of a match, which changes only when figures are read off the owner's cards."""

    players: int
    options: Options
    book: Book
    dealt: bool
    """Whether the companion deals the cards, and so knows the face-down ones."""


class Table(msgspec.Struct, frozen=True):
    """Everything on the table and behind the screens."""

    fixed: Fixed
    cash: tuple[int, ...]
    bank: int
    trains: tuple[tuple[Train, ...], ...]
    # the round
    round: int = 0
    starter: Seat = Seat(0)
    kind: str = ""
    used: tuple[str, ...] = ()
    # stage one: locomotives
    pool: Pool = ()
    """The cards that the locomotive deck may contain."""
    deck: int = 0
    """The number of cards in the locomotive deck."""
    aside: Pool = ()
    revealed: Pool = ()
    in_hands: int = 0
    """Cards dealt for Twist and not yet revealed."""
    offered: tuple[str, ...] = ()
    """Locomotives offered in vain since the last sale or claim (R-19)."""
    # stage two: wagons
    order: tuple[Seat, ...] = ()
    """Seats by sequence token, token 1 first."""
    market: tuple[str | None, ...] = ()
    wagons: Pool = ()
    """The cards in the wagon deck."""
    discard: Pool = ()
    longer: bool = False
    """Whether Longer stock was revealed this round."""
    boxed: tuple[str, ...] = ()
    """Bin and Longer stock once used: out of the game."""
    # purposes, as bit masks over `PURPOSES`
    held: tuple[int, ...] = ()
    """The tokens that each seat holds or held; all 18 if the companion does not know."""
    known: tuple[bool, ...] = ()
    """Whether the companion knows a seat's three tokens."""
    met: tuple[int, ...] = ()
    """Purposes whose condition each seat has ever fulfilled."""
    fresh: tuple[int, ...] = ()
    """Purposes fulfilled since the last decision; empty if there are none (only under `claim_window = "immediate"`)."""
    claimed: tuple[int, ...] = ()
    ripe: bool = False
    """Whether any seat has a claim, so that other events can skip the search."""
    ended: bool = False


@lru_cache(maxsize=1024)
def wagon(card: str) -> Wagon:
    """Return the wagon of a card's name."""
    cargo, value = wagon_parts(card)
    return Wagon(cargo, value)


def train_of(loco: Loco) -> Train:
    """Return a new train behind a face-up locomotive."""
    assert loco.power is not None and loco.speed is not None and loco.multiplier is not None
    return Train(loco.id, True, loco.power, loco.speed, loco.multiplier, loco.drive)


def replacement(card: str = "") -> Train:
    """Return a replacement locomotive: a card turned face down (R-22)."""
    return Train(card, False)


def power(table: Table, card: str) -> int:
    """Return a locomotive's power, which is its minimum price (R-17)."""
    found = table.fixed.book.locos[card].power
    assert found is not None
    return found


def short_seats(table: Table) -> list[Seat]:
    """Return the seats with fewer than three locomotives (R-14)."""
    return [s for s, trains in enumerate(table.trains) if len(trains) < TRAINS]  # type: ignore[misc]


def unsold(table: Table) -> int:
    """Return the number of this round's locomotive cards without an owner (U in R-13)."""
    return table.deck + len(table.aside) + len(table.revealed) + table.in_hands


def limit(table: Table) -> int:
    """Return the number of wagons on one train that ends the round (R-65)."""
    return LONGER_LIMIT if table.longer else LIMIT


def with_train(table: Table, seat: int, at: int, train: Train) -> tuple[tuple[Train, ...], ...]:
    """Return everyone's trains with one of a seat's replaced."""
    return with_value(table.trains, seat, with_value(table.trains[seat], at, train))


def with_new_train(table: Table, seat: int, train: Train) -> tuple[tuple[Train, ...], ...]:
    """Return everyone's trains with one more for a seat."""
    return with_value(table.trains, seat, (*table.trains[seat], train))


def paid(table: Table, seat: Seat, amount: int, why: str) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after the bank paid a seat (negative: the seat paid the bank).

    Under `bank_limit = "strict"` the bank pays no more than it has (R-05).
    """
    if amount > table.bank and table.fixed.options.bank_limit == "strict":
        amount = max(0, table.bank)
    after = replace(table, cash=with_value(table.cash, seat, table.cash[seat] + amount), bank=table.bank - amount)
    return after, (Moved(seat, amount, why),)


def profit(train: Train) -> int:
    """Return the pay of a train (R-66): the sum of its wagons times its multiplier, or one wagon's value."""
    wagons = train.wagons
    if not wagons:
        return 0
    if train.face_up:
        return sum([w.value for w in wagons]) * (train.multiplier + train.boosted)
    if train.chosen is not None:
        return wagons[train.chosen].value
    return max([w.value for w in wagons])
