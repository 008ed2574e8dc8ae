"""How the end of a match is told: until all places are told, nothing shows what the last event brought.

First its seat may take the last move back (`closing`), then the places are told (`telling`), then everything shows them
(`told`). Only what is shown waits: the journal has the event at once, and after a restart all is told.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Step
from companion.match.history import HistoryNode
from companion.match.match import Match
from companion.messages import MILLISECOND

BEGIN_MS, PLACE_MS, WINNER_MS, PODIUM_MS = 2000, 2000, 4500, 3500
"""How long the game's end, each place but the first, the winner and the podium are shown."""


class Over(Step[Any], frozen=True):
    """What a table waits for behind the curtain: nothing and nobody. It stands for an end that is not told yet."""


class Telling(msgspec.Struct, frozen=True):
    """When the end is told, in nanoseconds of CLOCK_MONOTONIC. While an undo is asked for, that is open: both are 0."""

    begins: int
    ends: int

    def phase(self, now: int) -> str:
        """Return `closing`, `telling` or `told`."""
        if not self.ends or now < self.begins:
            return "closing"
        return "telling" if now < self.ends else "told"


class Curtain:
    """When the match on the table is told. Used by the writer's thread alone.

    `longest_ms` is the most that it may last; 0: every end is told at once.
    """

    def __init__(self, longest_ms: int) -> None:
        self.longest_ms = longest_ms
        self.telling: Telling | None = None
        self._of: tuple[HistoryNode, bool] | None = None
        """The line of play that is told, and whether its undo is asked for."""

    def look(self, match: Match, running: bool, now: int, closes: int | None, undoing: bool) -> Telling | None:
        """Return when the match is told; None while it is played, and once it is told.

        It is told only if it was `running` when last shown, or is being told; another line of play from its beginning.
        `closes` is until when its seat may take the last move back.
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
        """Return how long telling lasts, by how many sides there are."""
        others = len(match.game.sides(match.setup)) - 1
        return MILLISECOND * min(self.longest_ms, BEGIN_MS + others * PLACE_MS + WINNER_MS + PODIUM_MS)

    def due(self, now: int) -> int | None:
        """Return the next moment at which something else is to be shown; None for none."""
        telling = self.telling
        if telling is None or not telling.ends:
            return None
        return telling.begins if now < telling.begins else telling.ends
