"""The seats that may ask for advice: the host's choice for the match on the table, kept across restarts."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Protocol

import msgspec

from companion.engine import Seat, seat_of
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot

KEY = "web.advice"
"""The journal's key for the permissions."""
OFF, ONCE, ALWAYS = "off", "once", "always"
CHOICES = (OFF, ONCE, ALWAYS)
"""The host's choices for a seat: no advice, advice once a turn, or as often as it likes."""


class Store(Protocol):
    """A store that survives a restart."""

    def keep_all(self, values: Mapping[str, bytes | None], /) -> None:
        """Store values durably."""

    def read_value(self, key: str, /) -> bytes | None:
        """Return the value of a key."""


class Kept(msgspec.Struct, frozen=True):
    """The stored permissions: a match, and the choice for each seat that may ask."""

    match: str = ""
    seats: dict[int, str] = {}


class Permissions:
    """The permissions of seats. Any thread may call it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        try:
            self._kept = msgspec.json.decode(store.read_value(KEY) or b"{}", type=Kept)
        except msgspec.DecodeError:
            self._kept = Kept()

    def of(self, match: str) -> dict[int, str]:
        """Return the permissions of the seats that may ask in a match."""
        kept = self._kept
        found = kept.seats if kept.match == match else {}
        return {seat: each for seat, each in found.items() if each in (ONCE, ALWAYS)}

    def allow(self, match: str, seat: int, choice: str) -> None:
        """Set a seat's permission to one of `CHOICES`; raise `JournalError` if it cannot be stored."""
        with self._lock:
            seats = self.of(match) | {seat: choice}
            kept = Kept(match, {each: may for each, may in seats.items() if may != OFF})
            self._store.keep_all({KEY: msgspec.json.encode(kept)})
            self._kept = kept


def has_asked(snapshot: Snapshot, seat: Seat) -> bool:
    """Whether a seat has asked in its present turn, that is since anybody else last acted."""
    asked = max((seq for seq, each in snapshot.advised if each == seat), default=0)
    if not asked:
        return False
    for entry in reversed(snapshot.entries):
        if entry.by != Actor.DEALER and seat_of(entry.event) not in (None, seat):
            return entry.seq < asked
    return True
