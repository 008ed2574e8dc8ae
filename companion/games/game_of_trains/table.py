"""The frozen table of Game of Trains: every line, padlock, pool and discard.

The order of the pile is unknown: `unseen` holds the cards it may contain, `pile` how many cards it has.
"""

from __future__ import annotations

import msgspec

from companion.engine import Seat
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.options import Options

Line = tuple[int, ...]
"""Seven numbers from left to right; 0 is a gap that waits for its refill (R-15)."""
Locks = tuple[int, int, int]
"""The padlock cards under positions 1, 4 and 7; 0 for none (B-8)."""
Cards = tuple[int, ...]

PLAYERS = range(2, 5)
"""The possible numbers of players (rulebook, title page; R-01)."""
LENGTH = 7
"""Wagons in a line (rulebook; R-03)."""
GAP = 0
"""Stands in a line for a removed wagon."""
LOCKABLE = (1, 4, 7)
"""Positions that can be protected: left end, centre, right end (rulebook; B-8)."""
LOCK = {position: at for at, position in enumerate(LOCKABLE)}
"""The index in `Locks` of a position's padlock."""
UNLOCKED: Locks = (0, 0, 0)


class Fixed(msgspec.Struct, frozen=True):
    """The fixed part of a match, which changes only when abilities are read off the owner's cards."""

    players: int
    options: Options
    book: Book
    dealt: bool
    """Whether the companion deals the cards, and so knows what lies face down."""


class Table(msgspec.Struct, frozen=True):
    """Everything on the table, with what is known about cards face down."""

    fixed: Fixed
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    unseen: Cards
    """The cards that the pile may contain; with real cards, also those rejected in the set-up, which nobody entered."""
    pile: int
    """How many cards the pile has."""
    pool: Cards = ()
    """Face-up cards beside the pile, the latest last."""
    discard: Cards = ()
    """Cards that were discarded openly."""
    rejected: Cards = ()
    """Cards discarded unseen in the set-up; 0 for one that the companion does not know either."""
    first: Seat = Seat(0)
    winner: Seat | None = None

    @property
    def discarded(self) -> int:
        """How many cards the discard has."""
        return len(self.discard) + len(self.rejected)
