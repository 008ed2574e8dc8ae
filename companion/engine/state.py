"""State: a table and the steps it waits for, as one frozen value."""

from __future__ import annotations

import hashlib
from typing import Generic, TypeVar

import msgspec

from companion.engine.event import Effect
from companion.engine.step import Step

T = TypeVar("T")


class State(msgspec.Struct, Generic[T], frozen=True, gc=False):
    """A game's table, the steps still to come, and the effects of the last event."""

    table: T
    agenda: tuple[Step[T], ...]
    effects: tuple[Effect, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.agenda


def state_hash(state: State[T]) -> str:
    """Return a hash of the state, identical on every machine: 16 hex digits of the SHA-256 of its JSON."""
    body = msgspec.json.encode((state.table, state.agenda), order="deterministic")
    return hashlib.sha256(body).hexdigest()[:16]
