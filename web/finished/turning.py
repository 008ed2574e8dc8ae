"""Looks for the turning points of finished matches in a process of its own, one match at a time, and keeps them."""

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
"""Under which key the journal keeps them; the match's id follows."""
COMMAND = (sys.executable, "-m", "web.finished.turning_search")
Points = tuple[TurningPoint, ...]


class PointStore(Protocol):
    """A store that survives a restart."""

    def keep_all(self, values: Mapping[str, bytes | None], /) -> None:
        """Keep values durably."""

    def read_value(self, key: str, /) -> bytes | None:
        """Return a value."""


class KeptPoints(msgspec.Struct, frozen=True):
    """What is kept of a match: its number of records, since a resumed match is looked at anew, and what was found."""

    records: int
    points: Points


class TurningPoints:
    """The turning points of finished matches. Any thread may call it; the search begins with `start`."""

    def __init__(self, store: PointStore, journal: Path, command: Sequence[str] = COMMAND) -> None:
        self._store, self._journal, self._command = store, journal, tuple(command)
        self._known: dict[str, KeptPoints] = {}
        self._failed: set[tuple[str, int]] = set()
        """The matches, with their numbers of records, whose search failed since the start."""
        self._wanted: Summary | None = None
        """The match to look at next: the one asked for last, so that nobody can pile up work."""
        self._process: subprocess.Popen[bytes] | None = None
        self._news = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="turning points", daemon=True)

    def start(self) -> None:
        """Begin to look for what is asked."""
        self._thread.start()

    def close(self) -> None:
        """End the search."""
        with self._news:
            self._closed = True
            if self._process is not None:
                self._process.kill()
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def of(self, line: Summary) -> Points | None:
        """Return a finished match's turning points; None if they are not known: then they are looked for, once."""
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
        """Whether a match's turning points were looked for in vain: its game's program failed."""
        return (line.id, line.records) in self._failed

    def _read(self, match: str) -> KeptPoints | None:
        """Return what the journal keeps of a match."""
        try:
            return msgspec.json.decode(self._store.read_value(f"{KEY}{match}") or b"null", type=KeptPoints | None)
        except msgspec.DecodeError:
            return None

    # --- the search -------------------------------------------------------------------------------

    def _work(self) -> None:
        """Look at one match after another."""
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
        """Wait for the process and keep what it found; if it failed, remember that until a restart."""
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
        except Exception:  # also a journal that cannot be written
            LOG.exception("the turning points of match %s were not found", line.id)
            self._failed.add((line.id, line.records))


def has_turning_points(name: str) -> bool:
    """Whether a game's program gives the reasons that turning points need."""
    return name in GAMES and can_advise(GAMES[name])
