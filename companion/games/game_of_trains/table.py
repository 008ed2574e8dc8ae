"""The frozen table of Game of Trains: lines, padlocks and pool in the open, face-down cards in zones."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from companion.engine import Event, Seat
from companion.games.game_of_trains.catalogue import Book
from companion.mechanics.zones import HIDDEN, Zones, only

Line = tuple[int, ...]
"""Seven numbers from left to right; 0 is a gap before its refill (R-15)."""
Locks = tuple[int, int, int]
"""The padlock cards under positions 1, 4 and 7; 0 for none (B-8)."""
Cards = tuple[int, ...]

PLAYERS = range(2, 5)
"""The possible numbers of players (rulebook, title page; R-01)."""
LENGTH = 7
"""Wagons in a line (rulebook; R-03)."""
GAP = 0
"""Marks the place of a removed wagon in a line."""
LOCKABLE = (1, 4, 7)
"""Positions that can be protected: left end, centre, right end (rulebook; B-8)."""
LOCK = {position: at for at, position in enumerate(LOCKABLE)}
"""The index in `Locks` of a position's padlock."""
UNLOCKED: Locks = (0, 0, 0)
PILE, DISCARD = "pile", "discard"
"""The zones of the pile and of the closed discard (R-12)."""
HANDS = tuple([f"hand.{seat}" for seat in range(PLAYERS[-1])])
"""The zones of each seat's drawn cards, known to that seat alone (R-05, R-08)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default. The rulebook has no variants: they concern the companion itself."""

    training: Literal["no", "yes"] = "no"
    """Whether pages show the closed discard, for learners (R-12)."""


class Fixed(msgspec.Struct, frozen=True, dict=True):
    """The fixed part of a match, which changes only when abilities are read off the owner's cards."""

    players: int
    options: Options
    book: Book
    dealt: bool
    """Whether the companion deals the cards, and so knows the face-down ones."""

    @cached_property
    def known_uses(self) -> dict[tuple[int, int], tuple[Event, ...]]:
        """A cache of the uses of cards in this match, by seat and card; `steps.uses` fills it."""
        return {}


class Table(msgspec.Struct, frozen=True, gc=False):
    """The whole table, including the knowledge about face-down cards."""

    fixed: Fixed
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    zones: Zones[int]
    """The face-down cards: pile, discard and hands."""
    pool: Cards = ()
    """The face-up cards beside the pile, the latest last."""
    first: Seat = Seat(0)
    winner: Seat | None = None

    @property
    def pile(self) -> int:
        """The number of cards in the pile."""
        return self.zones.count(PILE)

    @property
    def discarded(self) -> int:
        """The number of cards in the discard."""
        return self.zones.count(DISCARD)

    @property
    def discard(self) -> Cards:
        """The cards that went to the discard in the open, so none rejected in the set-up."""
        return tuple([card for card in self.zones.view_of(DISCARD, None) if card is not None])

    def locked(self, seat: int) -> Cards:
        """Return the positions of a seat's line that have a padlock (B-8)."""
        return tuple([at for at, lock in zip(LOCKABLE, self.locks[seat], strict=True) if lock])

    def hand(self, seat: int) -> Cards:
        """Return the cards that a seat has drawn but not placed, if the companion dealt them or was told."""
        return tuple([card for card in self.zones.view_of(HANDS[seat], seat) if card is not None])


def new_table(fixed: Fixed) -> Table:
    """Return the table before the deal: all wagons are in the pile."""
    audiences = {PILE: HIDDEN, DISCARD: HIDDEN} | {HANDS[seat]: only(seat) for seat in range(fixed.players)}
    zones = Zones.of(audiences, {PILE: fixed.book.numbers})
    return Table(fixed, ((),) * fixed.players, (UNLOCKED,) * fixed.players, zones)
