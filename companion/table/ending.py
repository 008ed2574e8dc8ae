"""Tell the end of a match: until all places are told, nothing shows the result of the last event.

First its seat may take the last move back (`closing`), then the places are told (`telling`), then everything shows them
(`told`). Only the display waits: the journal has the event at once, and a restart ends the wait.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Step
from companion.match.history import HistoryNode
from companion.match.match import Match
from companion.messages import MILLISECOND

BEGIN_MS, PLACE_MS, WINNER_MS, PODIUM_MS = 2000, 2000, 4500, 3500
"""How long to show the game's end, each place but the first, the winner and the podium."""


class Over(Step[Any], frozen=True):
    """The table's step behind the curtain, which awaits nobody. It stands for an end that is not told yet."""


class Telling(msgspec.Struct, frozen=True):
    """The times of telling, in nanoseconds of CLOCK_MONOTONIC; both are 0 while an undo is requested."""

    begins: int
    ends: int

    def phase(self, now: int) -> str:
        """Return `closing`, `telling` or `told`."""
        if not self.ends or now < self.begins:
            return "closing"
        return "telling" if now < self.ends else "told"


class Curtain:
    """Decides when to tell the end of the match on the table. Only the writer's thread uses it.

    `longest_ms` limits the telling; 0: every end is told at once.
    """

    def __init__(self, longest_ms: int) -> None:
        self.longest_ms = longest_ms
        self.telling: Telling | None = None
        self._of: tuple[HistoryNode, bool] | None = None
        """The history being told, and whether its undo is requested."""

    def look(self, match: Match, running: bool, now: int, closes: int | None, undoing: bool) -> Telling | None:
        """Return the times of telling; None during play and after the end was told.

        Only a match that was `running` when last shown, or is being told, gets them; another history restarts the
        telling. `closes` is the deadline for taking the last move back.
        """
        if not match.state.over or not self.longest_ms or not running:
            self.telling = self._of = None
            return None
        if self._of is None or self._of[0] is not match.line.node or self._of[1] != undoing:
            self._of = match.line.node, undoing
            begins = max(now, closes or 0)
            self.telling = Telling(0, 0) if undoing else Telling(begins, begins + self._lasts(match))
        if self.telling is not None and self.telling.phase(now) == "told":
            self.telling = None
        return self.telling

    def _lasts(self, match: Match) -> int:
        """Return the duration of telling, which depends on the number of sides."""
        others = len(match.game.sides(match.setup)) - 1
        return MILLISECOND * min(self.longest_ms, BEGIN_MS + others * PLACE_MS + WINNER_MS + PODIUM_MS)

    def due(self, now: int) -> int | None:
        """Return the next moment at which the display changes; None if there is none."""
        telling = self.telling
        if telling is None or not telling.ends:
            return None
        return telling.begins if now < telling.begins else telling.ends
