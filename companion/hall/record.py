"""The hall's record: its entries and the state computed from them. It contains nothing that the database lacks."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence

from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.state import HallState, fold, last_undoable, with_numbers
from companion.hall.store import AnyStore, StoreError
from companion.hall.striking import strike

ATTEMPTS = 20
"""How often to decide on an entry again while other servers of the same hall write."""
Decision = Callable[[], Sequence[e.Body]]
"""Returns the entries to write in the current state; it may be called again."""


class HallRecord:
    """Entries in a database, and the state in memory. Any thread may call it. `clock` returns seconds since 1970."""

    def __init__(self, store: AnyStore, clock: Callable[[], float]) -> None:
        self.store, self._clock = store, clock
        self.lock = threading.RLock()
        """Held while an entry is decided on and written."""
        self._entries: list[e.Entry] = []
        self._state = HallState()
        self.refresh()

    @property
    def state(self) -> HallState:
        """The state after the last entry."""
        return self._state

    def entries(self) -> tuple[e.Entry, ...]:
        """Return all entries, in order."""
        with self.lock:
            return tuple(self._entries)

    def add(self, by: str, bodies: Sequence[e.Body]) -> None:
        """Write all entries or none; raise `HallError` if one is impossible, or `StoreError`."""

        def decide() -> Sequence[e.Body]:
            state, numbered = self._state, []
            for body in bodies:
                check(state, body)
                found = with_numbers([e.Entry(state.number + 1, 0.0, by, body)], state)
                state = fold(found, state)
                numbered.append(found[0].body)
            return numbered

        self.write(by, decide)

    def undo(self, by: str, entry: int | None = None) -> None:
        """Undo an entry or the latest possible one; raise `HallError` if there is none or others depend on it."""

        def decide() -> Sequence[e.Body]:
            last = last_undoable(self._entries) if entry is None else None
            found = strike(self._entries, last.number if last is not None else entry or 0)
            if found.needed or found.lost:
                raise HallError("undo_needed")
            return (e.Undone(found.entry.number),)

        self.write(by, decide)

    def forget(self, by: str) -> None:
        """Delete everything but the hall and its tables for good; raise `StoreError`."""
        with self.lock:
            state = self._state
            kept: list[e.Body] = [
                e.HallOpened(state.hall, state.name, secrets.token_hex(16)),
                e.NamesShown(state.names),
            ]
            kept += [table.admitted() for table in state.present]
            self._entries = self.store.replace_all(self._clock(), by, kept)
            self._state = fold(self._entries)

    def write(self, by: str, decide: Decision) -> bool:
        """Write the entries that `decide` returns, again if another server was first; return whether there were any.

        Raises the errors of `decide`, or `StoreError`; then nothing was written.
        """
        with self.lock:
            for _ in range(ATTEMPTS):
                bodies = decide()
                if not bodies:
                    return False
                written = self.store.append(self._state.number, self._clock(), by, bodies)
                if written is not None:
                    self._take(written)
                    return True
                self.refresh()
            raise StoreError("other servers of this hall write all the time")

    def refresh(self) -> bool:
        """Read the entries of other servers; return whether there were any. Raises `StoreError`."""
        with self.lock:
            if self._entries and self.store.first() != self._entries[0].number:
                # Another server has deleted all personal data.
                self._entries, self._state = [], HallState()
            found = self.store.read(self._state.number)
            if found:
                self._take(found)
            return bool(found)

    def _take(self, written: Sequence[e.Entry]) -> None:
        """Add entries from the database to the state."""
        self._entries.extend(written)
        undoing = any(isinstance(entry.body, e.Undone) for entry in written)
        self._state = fold(self._entries) if undoing else fold(written, self._state)
