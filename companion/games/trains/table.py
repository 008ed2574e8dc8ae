"""The frozen table of Trains: decks, supply, map, and what the turn has brought so far.

Each seat has three zones, `deck.0`, `hand.0` and `discard.0`; the cards in play and the gained ones are those of the
seat whose turn it is. Cards that leave a player's possession leave the zones.
"""

from __future__ import annotations

from functools import cache, cached_property

import msgspec
from msgspec.structs import replace

from companion.engine import Board, Effect, Seat
from companion.games.trains.boards import shipped
from companion.games.trains.catalogue import STARTING, WASTE, Card
from companion.games.trains.events import Gained
from companion.games.trains.options import RULINGS, Options
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only

PLAYERS = range(2, 5)
"""The possible numbers of players (R-01)."""
CUBES = 20
"""Cubes of each player (R-01)."""
MARKERS = 30
"""Station markers (R-01)."""
HAND = 5
"""Cards drawn at the end of a turn (R-13)."""
STARTING_CARDS = tuple([card for card, count in sorted(STARTING.items()) for _ in range(count)])
PLAY, GAINED, REVEALED = "play", "gained", "revealed"


DECKS, HANDS, DISCARDS = [
    tuple([f"{zone}.{seat}" for seat in range(PLAYERS[-1])]) for zone in ("deck", "hand", "discard")
]
"""The zones of the seats' own cards."""
deck_of, hand_of, discard_of = DECKS.__getitem__, HANDS.__getitem__, DISCARDS.__getitem__


class Fixed(msgspec.Struct, frozen=True, dict=True):
    """The fixed part of a match."""

    players: int
    options: Options
    book: dict[str, Card]
    """The cards by their ids."""
    dealt: bool
    """Whether the companion deals; otherwise it knows of real cards what was seen."""
    rulings: tuple[str, ...] = RULINGS
    """The rulings by which the match is played."""

    @cached_property
    def prices(self) -> dict[str, int]:
        """What the kinds cost that can be bought at all (R-10)."""
        return {card: kind.cost for card, kind in self.book.items() if kind.cost is not None and card != WASTE}

    @cached_property
    def cheapest(self) -> int:
        """The least that a card costs."""
        return min(self.prices.values())


class InPlay(msgspec.Struct, frozen=True):
    """What a card in play does, beside its name in the zone `play`."""

    copied: str = ""
    """The card whose text this office has copied, perhaps through another office (K22)."""
    active: str = ""
    """The card whose lasting effect holds as long as this card is in play (R-20)."""


class Table(msgspec.Struct, frozen=True):
    """Everything on the table, with what is known of cards face down."""

    fixed: Fixed
    zones: Zones[str]
    supply: dict[str, int]
    """The cards left in each pile."""
    owned: tuple[dict[str, int], ...]
    """What each seat possesses, wherever it is: everybody can follow that."""
    rails: tuple[tuple[str, ...], ...]
    """The cells with a cube of each seat, in the order laid."""
    stations: dict[str, int] = {}
    markers: int = MARKERS
    track: tuple[int, ...] = ()
    """Victory points of the track, by seat (K26)."""
    first: Seat = Seat(0)
    turn: Seat = Seat(0)
    coins: int = 0
    acted: bool = False
    """Whether a card was played or bought in this turn (R-12)."""
    in_play: tuple[InPlay, ...] = ()
    """One for each card in the zone `play`, in its order."""

    @property
    def board(self) -> Board:
        """The map."""
        return boards()[self.fixed.options.board]

    def card(self, name: str) -> Card:
        """Return a kind of card."""
        return self.fixed.book[name]

    def cubes_left(self, seat: int) -> int:
        """Return how many cubes a seat has not laid yet."""
        return CUBES - len(self.rails[seat])

    def on(self, cell: str) -> tuple[Seat, ...]:
        """Return the seats with a cube on a cell."""
        return tuple([Seat(seat) for seat, own in enumerate(self.rails) if cell in own])

    def holds(self, effect: str) -> int:
        """Return how many cards in play keep up a lasting effect, named by the card that has it."""
        return [each.active for each in self.in_play].count(effect)

    @property
    def played(self) -> tuple[str, ...]:
        """The cards in play, in the order played."""
        return self.zones.named(PLAY)


@cache
def boards() -> dict[str, Board]:
    """Return the boards by name."""
    return {board.name: board for board in shipped()}


def new_table(fixed: Fixed, supply: dict[str, int]) -> Table:
    """Return the table before anybody has drawn a card (R-02, R-03)."""
    seats = range(fixed.players)
    audiences = {PLAY: OPEN, GAINED: OPEN, REVEALED: OPEN}
    for seat in seats:
        audiences |= {deck_of(seat): HIDDEN, hand_of(seat): only(seat), discard_of(seat): only(seat)}
    zones = Zones.of(audiences, {deck_of(seat): STARTING_CARDS for seat in seats})
    return Table(
        fixed, zones, supply, (dict(STARTING),) * fixed.players, ((),) * fixed.players, track=(0,) * fixed.players
    )


# --- small changes --------------------------------------------------------------------------------


def changed(counts: dict[str, int], card: str, by: int) -> dict[str, int]:
    """Return counts with one of them changed; one that is nothing is left out."""
    after = counts | {card: counts.get(card, 0) + by}
    return after if after[card] else {name: count for name, count in after.items() if count}


def own(table: Table, seat: int, card: str, by: int) -> Table:
    """Return the table after a seat came to own more or fewer of a card."""
    owned = list(table.owned)
    owned[seat] = changed(owned[seat], card, by)
    return replace(table, owned=tuple(owned))


def gain(table: Table, seat: Seat, card: str, to: str = GAINED) -> Table:
    """Return the table after a seat took a card from the supply; an empty pile gives none."""
    if not table.supply.get(card):
        return table
    supply = table.supply | {card: table.supply[card] - 1}
    return own(replace(table, zones=table.zones.put(to, card), supply=supply), seat, card, 1)


def gain_waste(table: Table, seat: Seat, count: int = 1) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a seat took Waste, as much as there is, unless a dump site stops it (R-09, R-18, K15)."""
    if table.holds("dump_site"):
        return table, ()
    taken = min(count, table.supply[WASTE])
    for _ in range(taken):
        table = gain(table, seat, WASTE)
    return table, (Gained(seat, WASTE, taken),) if taken else ()


def return_waste(table: Table, seat: Seat, count: int) -> Table:
    """Return the table after Waste of a seat's hand went back to the supply."""
    zones = table.zones
    for _ in range(count):
        zones = zones.move(hand_of(seat), None, WASTE)
    supply = table.supply | {WASTE: table.supply[WASTE] + count}
    return own(replace(table, zones=zones, supply=supply), seat, WASTE, -count)


def trash(table: Table, seat: Seat, card: str, zone: str) -> Table:
    """Return the table after a card left the game; Waste goes back to the supply (R-19)."""
    supply = table.supply if card != WASTE else table.supply | {WASTE: table.supply[WASTE] + 1}
    return own(replace(table, zones=table.zones.move(zone, None, card), supply=supply), seat, card, -1)


def pay(table: Table, coins: int) -> Table:
    """Return the table after the seat on turn gained coins, or paid them."""
    return replace(table, coins=table.coins + coins) if coins else table


def show(table: Table, seat: Seat, card: str) -> Table:
    """Return the table after a seat showed a card of its hand to everybody; one that all have seen needs no showing."""
    hand = hand_of(seat)
    shown = card in table.zones.view_of(hand, None)
    return table if shown else replace(table, zones=table.zones.reveal(hand, card))


def activate(table: Table, at: int, effect: str) -> Table:
    """Return the table with a lasting effect that holds while the card at that place is in play (R-20)."""
    entry = replace(table.in_play[at], active=effect)
    return replace(table, in_play=(*table.in_play[:at], entry, *table.in_play[at + 1 :]))


def take_from_play(table: Table, at: int) -> tuple[InPlay, ...]:
    """Return what the cards in play do once the one at that place has left."""
    return table.in_play[:at] + table.in_play[at + 1 :]
