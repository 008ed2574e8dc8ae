"""State: a table and what it waits for, one frozen value. Knows no clock, luck, file or thread."""

from __future__ import annotations

import hashlib
from typing import Generic, TypeVar

import msgspec

from companion.engine.event import Effect
from companion.engine.step import Step

T = TypeVar("T")


class State(msgspec.Struct, Generic[T], frozen=True, gc=False):
    """A game's table, the rest of the round as readable steps, and what followed from the last event."""

    table: T
    agenda: tuple[Step[T], ...]
    effects: tuple[Effect, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen."""
        return not self.agenda


def state_hash(state: State[T]) -> str:
    """Return a hash of the whole state, the same on every machine (SHA-256 of its JSON, 16 hex digits)."""
    body = msgspec.json.encode((state.table, state.agenda), order="deterministic")
    return hashlib.sha256(body).hexdigest()[:16]
