"""Finished matches, read from the journal without disturbing its writer; the most recently used stay in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from companion.engine import AnyState
from companion.journal.journal import Journal, Summary
from companion.match.match import Match
from companion.mechanics.report import ReportStep
from web.finished.replay import Replay
from web.live.rendering import SceneRenderer

KEPT = 4
"""The number of matches kept in memory."""


class FinishedMatch:
    """A finished match with the results that its pages need, each computed once."""

    def __init__(self, match: Match, ended: str, renderer: Callable[[], SceneRenderer]) -> None:
        self.match = match
        self.ended = ended
        self._renderer = renderer

    @cached_property
    def states(self) -> tuple[AnyState, ...]:
        """The state at the beginning and after each event."""
        return (self.match.game.begin(self.match.setup), *[entry.after for entry in self.match.entries])

    @cached_property
    def steps(self) -> tuple[ReportStep, ...]:
        """Every event with the states before and after."""
        pairs = zip(self.states, self.match.entries, strict=False)
        return tuple([ReportStep(before, entry.event, entry.after) for before, entry in pairs])

    @cached_property
    def replay(self) -> Replay:
        """The match step by step, as public pages showed it."""
        return Replay(self.match, self._renderer())


class FinishedMatches:
    """Opens finished matches. Any thread may call it."""

    def __init__(self, path: Path, renderer: Callable[[], SceneRenderer]) -> None:
        self.path = path
        self._renderer = renderer
        self._kept: OrderedDict[tuple[str, str, int], FinishedMatch] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, line: Summary) -> FinishedMatch:
        """Return the finished match of a line in the list. Read a match again if it was resumed in the meantime."""
        key = line.id, line.ended or "", line.records
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        found = self.read(line)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def read(self, line: Summary) -> FinishedMatch:
        """Return a match read from the journal, without caching it."""
        with Journal(self.path, read_only=True) as journal:
            return FinishedMatch(Match.open(journal, line.id), line.ended or "", self._renderer)
