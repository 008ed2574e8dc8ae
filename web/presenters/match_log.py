"""The current match in words: its players, and a log of public events."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache

import msgspec

from companion.engine import AnyGame, AnyState, Player, Setup, View, name_of
from companion.games import teller_of
from companion.match.actor import Actor
from companion.match.history import HistoryEntry
from companion.table.table import Snapshot
from web.game_pages import pages_of
from web.names import as_shown
from web.words import package, words

Hides = Callable[[AnyState, AnyState], bool]
"""Whether the log now hides the amounts of an event that happened in an earlier state."""
LOG = 40
"""The last entries, which the host can correct on the page itself."""


class LogLine(msgspec.Struct, frozen=True, dict=True):
    """The public text of one entry, `at` by the wall clock.

    `number` counts public entries from 1: a record's own number would reveal secret events in between.
    """

    number: int
    at: str
    amendable: bool
    sentences: tuple[str, ...]


class Teller:
    """Words for the current match's entries, cached. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._match = ""
        self._public: dict[int, tuple[HistoryEntry, bool]] = {}
        """Whether an entry is public, by record."""
        self._lines: dict[tuple[int, str, bool], tuple[HistoryEntry, LogLine]] = {}
        self._entries: tuple[HistoryEntry, ...] = ()
        """The line of play at the last request."""
        self._places: list[int] = []
        """The positions of public entries in that line of play."""
        self._view: tuple[object, View] = (None, None)

    def view(self, snapshot: Snapshot) -> View:
        """Return the public view of a snapshot's state, made once."""
        assert snapshot.state is not None
        return self._public_view(snapshot.game, snapshot.state)

    def _public_view(self, game: AnyGame, state: AnyState) -> View:
        """Return the public view of a state; the last one is remembered."""
        with self._lock:
            if self._view[0] is not state:
                self._view = (state, game.view(state, None))
            return self._view[1]

    def log(self, snapshot: Snapshot, lang: str, most: int = LOG) -> tuple[LogLine, ...]:
        """Return the last entries, the latest first."""
        found: list[LogLine] = []
        with self._lock:
            self._read(snapshot)
            hides = pages_of(snapshot.game).hides
            for number in range(len(self._places), 0, -1):
                if len(found) == most:
                    break
                line = self._line(snapshot, self._places[number - 1], number, lang, hides)
                if line.sentences:
                    found.append(line)
        return tuple(found)

    def after(self, snapshot: Snapshot, seq: int, lang: str) -> tuple[LogLine, ...]:
        """Return the entries after a record, the latest first, leaving out those that no sentence describes."""
        places = self.places(snapshot)
        count = sum(snapshot.entries[at].seq > seq for at in places)
        first = len(places) - count
        return tuple([line for line in self.log(snapshot, lang, count) if line.number > first]) if count else ()

    def places(self, snapshot: Snapshot) -> tuple[int, ...]:
        """Return the positions of public entries in the line of play."""
        with self._lock:
            self._read(snapshot)
            return tuple(self._places)

    def _read(self, snapshot: Snapshot) -> None:
        """Bring the positions of public entries up to date; used under the lock."""
        if snapshot.shown_as != self._match:
            self._match = snapshot.shown_as
            self._public.clear()
            self._lines.clear()
            self._entries = ()
            self._places = []
        entries, old = snapshot.entries, self._entries
        if old and not (len(old) <= len(entries) and entries[len(old) - 1] is old[-1]):
            old = ()  # after an undo or correction, surviving entries keep their predecessors
            self._places.clear()
        self._places += [at for at in range(len(old), len(entries)) if self._is_public(snapshot, at)]
        self._entries = entries

    def _is_public(self, snapshot: Snapshot, at: int) -> bool:
        """Whether an entry is public. Of a secret one even the existence is secret, such as a fist closed again."""
        entries = snapshot.entries
        entry = entries[at]
        known = self._public.get(entry.seq)
        if known is None or known[0] is not entry:
            game = snapshot.game
            assert snapshot.setup is not None
            before = entries[at - 1].after if at else game.begin(snapshot.setup)
            shown = self._public_view(game, before)  # already made as the view after the previous entry
            known = self._public[entry.seq] = (entry, shown != self._public_view(game, entry.after))
        return known[1]

    def line(self, snapshot: Snapshot, at: int, number: int, lang: str) -> LogLine:
        """Return an entry's line, reworded only when its amounts are to be hidden."""
        with self._lock:
            return self._line(snapshot, at, number, lang, pages_of(snapshot.game).hides)

    def _line(self, snapshot: Snapshot, at: int, number: int, lang: str, hides: Hides) -> LogLine:
        entry = snapshot.entries[at]
        assert snapshot.state is not None
        hide = hides(snapshot.state, snapshot.entries[at - 1 if at else 0].after)
        key = (entry.seq, lang, hide)
        known = self._lines.get(key)
        if known is None or known[0] is not entry or known[1].number != number:
            text = tuple(entry_sentences(snapshot, entry, lang, hide))
            line = LogLine(number, entry.at, is_amendable(snapshot, entry), text)
            known = self._lines[key] = (entry, line)
        return known[1]


def is_amendable(snapshot: Snapshot, entry: HistoryEntry) -> bool:
    """Whether a log event can be amended: the game lists it, and the dealer did not draw it."""
    return name_of(entry.event) in pages_of(snapshot.game).amendable and entry.by != Actor.DEALER


def entry_sentences(snapshot: Snapshot, entry: HistoryEntry, lang: str, hide: bool = False) -> list[str]:
    """Return the public text of an entry."""
    return teller_of(snapshot.game).tell(
        entry.event,
        entry.effects,
        players_of(snapshot),
        words(lang, package(snapshot.game)),
        hide,
        table_of(snapshot),
    )


def players_of(snapshot: Snapshot) -> tuple[Player, ...]:
    """Return the players in seat order, with their names prepared for sentences."""
    assert snapshot.setup is not None
    return _shown_players(snapshot.setup.players)


@lru_cache(maxsize=8)
def _shown_players(given: int | tuple[str | Player, ...]) -> tuple[Player, ...]:
    """Return a set-up's players, completed for display."""
    return as_shown(Setup("", given).seated())


def table_of(snapshot: Snapshot) -> object:
    """Return the game's own record of the table; names of cards may depend on it."""
    assert snapshot.state is not None
    return snapshot.state.table
