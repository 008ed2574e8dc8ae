"""The frozen record of a game of Game of Trains: every line, padlock, pool and discard.

It knows no order of the pile: `unseen` holds what the pile can contain, `pile` says how many cards it has.
"""

from __future__ import annotations

import msgspec

from companion.engine import Seat
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.options import Options

Line = tuple[int, ...]
"""Seven numbers from left to right; 0 is a gap that waits for its refill (R-15)."""
Locks = tuple[int, int, int]
"""The padlock cards under positions 1, 4 and 7; 0 where there is none (B-8)."""
Cards = tuple[int, ...]

PLAYERS = range(2, 5)
"""How many may play (rulebook, title page; R-01)."""
LENGTH = 7
"""Wagons in a line (rulebook; R-03)."""
GAP = 0
"""What stands in a line where a wagon was removed."""
LOCKABLE = (1, 4, 7)
"""Positions that can be protected: left end, centre, right end (rulebook; B-8)."""
LOCK = {position: at for at, position in enumerate(LOCKABLE)}
"""Where the padlock of a position stands in `Locks`."""
UNLOCKED: Locks = (0, 0, 0)


class Fixed(msgspec.Struct, frozen=True):
    """What a match was set up with and does not change, save for abilities read off the owner's cards."""

    players: int
    options: Options
    book: Book
    dealt: bool
    """True when the companion deals the cards itself and so knows what lies face down."""


class Table(msgspec.Struct, frozen=True):
    """Everything on the table, and what is known of what lies face down."""

    fixed: Fixed
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    unseen: Cards
    """What the pile can hold. With real cards the rejected ones of the set-up are among them, for nobody told which."""
    pile: int
    """How many cards the pile has."""
    pool: Cards = ()
    """Face-up cards beside the pile, the latest last."""
    discard: Cards = ()
    """Discarded cards that everybody saw going there."""
    rejected: Cards = ()
    """Cards discarded in the set-up before anybody saw them; 0 for one that the companion does not know either."""
    first: Seat = Seat(0)
    winner: Seat | None = None

    @property
    def discarded(self) -> int:
        """How many cards the discard has."""
        return len(self.discard) + len(self.rejected)
