"""The frozen table of Trains: decks, supply, map, and the progress of the turn.

Each seat has three zones, `deck.0`, `hand.0` and `discard.0`; the cards in play and the gained ones belong to the seat
on turn. Cards that leave a player's possession leave the zones.
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
from companion.mechanics.seating import with_value
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

deck_of, hand_of, discard_of = [
    tuple([f"{zone}.{seat}" for seat in range(PLAYERS[-1])]).__getitem__ for zone in ("deck", "hand", "discard")
]
"""The zones of a seat's own cards."""


class Fixed(msgspec.Struct, frozen=True, dict=True):
    """The fixed part of a match."""

    players: int
    options: Options
    book: dict[str, Card]
    """The cards by their ids."""
    dealt: bool
    """Whether the companion deals; otherwise it knows only the real cards that were seen."""
    rulings: tuple[str, ...] = RULINGS
    """The rulings that apply to the match."""

    @cached_property
    def prices(self) -> dict[str, int]:
        """The costs of the kinds that can be bought (R-10)."""
        return {card: kind.cost for card, kind in self.book.items() if kind.cost is not None and card != WASTE}

    @cached_property
    def cheapest(self) -> int:
        """The lowest cost of a card."""
        return min(self.prices.values())


class InPlay(msgspec.Struct, frozen=True):
    """The state of a card in play, besides its name in the zone `play`."""

    copied: str = ""
    """The card whose text this office has copied, perhaps through another office (K22)."""
    active: str = ""
    """The card whose lasting effect applies while this card is in play (R-20)."""


class Table(msgspec.Struct, frozen=True):
    """The whole table, including the knowledge about face-down cards."""

    fixed: Fixed
    zones: Zones[str]
    supply: dict[str, int]
    """The cards left in each pile."""
    owned: tuple[dict[str, int], ...]
    """Each seat's possessions, wherever they are: everybody can keep track of them."""
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
        """Return how many cubes a seat has left."""
        return CUBES - len(self.rails[seat])

    def on(self, cell: str) -> tuple[Seat, ...]:
        """Return the seats with a cube on a cell."""
        return tuple([Seat(seat) for seat, own in enumerate(self.rails) if cell in own])

    def holds(self, effect: str) -> int:
        """Return how many cards in play have a lasting effect, named after its card."""
        return [each.active for each in self.in_play].count(effect)

    @property
    def played(self) -> tuple[str, ...]:
        """The cards in play, in the order played."""
        return self.zones.named(PLAY)

    # --- small changes ----------------------------------------------------------------------------

    def _owning(self, seat: int, card: str, by: int) -> tuple[dict[str, int], ...]:
        """Return the seats' possessions after one gained or lost copies of a card, without cards at zero."""
        counts = self.owned[seat] | {card: self.owned[seat].get(card, 0) + by}
        left = counts if counts[card] else {name: count for name, count in counts.items() if count}
        return with_value(self.owned, seat, left)

    def gain(self, seat: Seat, card: str, to: str = GAINED) -> Table:
        """Return the table after a seat took a card from the supply; nothing changes if the pile is empty."""
        if not self.supply.get(card):
            return self
        supply = self.supply | {card: self.supply[card] - 1}
        return replace(self, zones=self.zones.put(to, card), supply=supply, owned=self._owning(seat, card, 1))

    def gain_waste(self, seat: Seat, count: int = 1) -> tuple[Table, tuple[Effect, ...]]:
        """Return the table after a seat took Waste, as much as is left, unless a dump site stops it (R-18, K15)."""
        taken, table = 0 if self.holds("dump_site") else min(count, self.supply[WASTE]), self
        for _ in range(taken):
            table = table.gain(seat, WASTE)
        return table, (Gained(seat, WASTE, taken),) if taken else ()

    def return_waste(self, seat: Seat, count: int) -> Table:
        """Return the table after Waste of a seat's hand went back to the supply."""
        table = self
        for _ in range(count):
            table = table.trash(seat, WASTE, hand_of(seat))
        return table

    def trash(self, seat: Seat, card: str, zone: str) -> Table:
        """Return the table after a card left the game; Waste goes back to the supply (R-19)."""
        supply = self.supply if card != WASTE else self.supply | {WASTE: self.supply[WASTE] + 1}
        zones = self.zones.move(zone, None, card)
        return replace(self, zones=zones, supply=supply, owned=self._owning(seat, card, -1))

    def pay(self, coins: int) -> Table:
        """Return the table after the seat on turn gained or paid coins."""
        return replace(self, coins=self.coins + coins) if coins else self

    def show(self, seat: Seat, card: str) -> Table:
        """Return the table after a seat showed a card of its hand, unless everybody has already seen it."""
        hand = hand_of(seat)
        shown = card in self.zones.view_of(hand, None)
        return self if shown else replace(self, zones=self.zones.reveal(hand, card))

    def activate(self, at: int, effect: str) -> Table:
        """Return the table with a lasting effect that applies while the card at that place is in play (R-20)."""
        return replace(self, in_play=with_value(self.in_play, at, replace(self.in_play[at], active=effect)))

    def leave_play(self, at: int, to: str) -> Table:
        """Return the table after the card in play at a place went to a zone."""
        zones = self.zones.move_numbers(PLAY, to, at)
        return replace(self, zones=zones, in_play=self.in_play[:at] + self.in_play[at + 1 :])

    def turn_top(self, seat: Seat, card: str, to: str) -> Table:
        """Return the table after the top card of a seat's deck was shown and moved to a zone."""
        deck = deck_of(seat)
        top = self.zones.count(deck) - 1
        return replace(self, zones=self.zones.reveal(deck, card, at=top).move_numbers(deck, to, top))


@cache
def boards() -> dict[str, Board]:
    """Return the boards by name."""
    return {board.name: board for board in shipped()}


def new_table(fixed: Fixed, supply: dict[str, int]) -> Table:
    """Return the table before the first draw (R-02, R-03)."""
    players, seats = fixed.players, range(fixed.players)
    audiences = {PLAY: OPEN, GAINED: OPEN, REVEALED: OPEN}
    for seat in seats:
        audiences |= {deck_of(seat): HIDDEN, hand_of(seat): only(seat), discard_of(seat): only(seat)}
    zones = Zones.of(audiences, {deck_of(seat): STARTING_CARDS for seat in seats})
    return Table(fixed, zones, supply, (dict(STARTING),) * players, ((),) * players, track=(0,) * players)
