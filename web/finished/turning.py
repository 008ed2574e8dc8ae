"""Finds the turning points of finished matches in a separate process, one match at a time, and stores them."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from companion.bots.advice import can_advise
from companion.bots.turning_points import TurningPoint
from companion.games import GAMES
from companion.journal.journal import Summary

LOG = logging.getLogger(__name__)
KEY = "web.turning."
"""The prefix of the journal's keys for turning points; the match's id follows."""
COMMAND = (sys.executable, "-m", "web.finished.turning_search")
Points = tuple[TurningPoint, ...]


class PointStore(Protocol):
    """A store that survives a restart."""

    def keep_all(self, values: Mapping[str, bytes | None], /) -> None:
        """Store values durably."""

    def read_value(self, key: str, /) -> bytes | None:
        """Return the value of a key."""


class KeptPoints(msgspec.Struct, frozen=True):
    """A match's stored turning points. `records` is its number of records: a resumed match is searched again."""

    records: int
    points: Points


class TurningPoints:
    """Searches finished matches for turning points. Any thread may call it; the search begins with `start`."""

    def __init__(self, store: PointStore, journal: Path, command: Sequence[str] = COMMAND) -> None:
        self._store, self._journal, self._command = store, journal, tuple(command)
        self._known: dict[str, KeptPoints] = {}
        self._failed: set[tuple[str, int]] = set()
        """The matches whose search has failed since the start, with their numbers of records."""
        self._wanted: Summary | None = None
        """The match to search next. It is the last one requested, so that requests cannot pile up."""
        self._process: subprocess.Popen[bytes] | None = None
        self._news = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="turning points", daemon=True)

    def start(self) -> None:
        """Start the thread that searches requested matches."""
        self._thread.start()

    def close(self) -> None:
        """Stop the search."""
        with self._news:
            self._closed = True
            if self._process is not None:
                self._process.kill()
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def of(self, line: Summary) -> Points | None:
        """Return a finished match's turning points. If they are not known, request a search, unless one has failed,
        and return None.
        """
        found = self._known.get(line.id) or self._read(line.id)
        if found is not None and found.records == line.records:
            self._known[line.id] = found
            return found.points
        with self._news:
            if not self.failed(line):
                self._wanted = line
                self._news.notify_all()
        return None

    def failed(self, line: Summary) -> bool:
        """Whether the search of this match has failed."""
        return (line.id, line.records) in self._failed

    def _read(self, match: str) -> KeptPoints | None:
        """Return a match's turning points as stored in the journal; None if there are none."""
        try:
            return msgspec.json.decode(self._store.read_value(f"{KEY}{match}") or b"null", type=KeptPoints | None)
        except msgspec.DecodeError:
            return None

    # --- the search -------------------------------------------------------------------------------

    def _work(self) -> None:
        """Search one requested match after another."""
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or self._wanted is not None)
                line, self._wanted = self._wanted, None
                if self._closed or line is None:
                    return
                if self._known.get(line.id, KeptPoints(0, ())).records == line.records:
                    continue
                command = (*self._command, str(self._journal), line.id)
                try:
                    self._process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
                except OSError:
                    LOG.exception("the turning points of match %s cannot be looked for", line.id)
                    continue
            self._finish(line, self._process)

    def _finish(self, line: Summary, process: subprocess.Popen[bytes]) -> None:
        """Wait for the process and store its result. Do not repeat a failed search before a restart."""
        written, _ = process.communicate()
        with self._news:
            self._process = None
            if self._closed:
                return
        try:
            if process.returncode:
                raise ValueError(f"the process ended with {process.returncode}")
            found = KeptPoints(line.records, msgspec.json.decode(written, type=Points))
            self._store.keep_all({f"{KEY}{line.id}": msgspec.json.encode(found)})
            self._known[line.id] = found
        except Exception:  # the journal may refuse to store the result, too
            LOG.exception("the turning points of match %s were not found", line.id)
            self._failed.add((line.id, line.records))


def has_turning_points(name: str) -> bool:
    """Whether a game's bot gives the reasons that turning points need."""
    return name in GAMES and can_advise(GAMES[name])
