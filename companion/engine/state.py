"""State: a table and the pending steps, as one frozen value."""

from __future__ import annotations

import hashlib
from typing import Generic, TypeVar, get_args, get_origin

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

    @property
    def head(self) -> Step[T] | None:
        """The waiting step; None once the game is over."""
        return self.agenda[0] if self.agenda else None


def state_hash(state: State[T]) -> str:
    """Return a hash of the state, identical on every machine: 16 hex digits of the SHA-256 of its JSON."""
    body = msgspec.json.encode((state.table, state.agenda), order="deterministic")
    return hashlib.sha256(body).hexdigest()[:16]


def state_shape(state: State[T]) -> str:
    """Return a hash of the record types in the state's table and steps: their names and fields.

    Hashes of states are comparable only between versions in which this hash is the same.
    """
    found: dict[str, tuple[str, ...]] = {}
    kinds: list[object] = [type(state.table), *map(type, state.agenda)]
    while kinds:
        kind = kinds.pop()
        kinds += get_args(kind)
        record = get_origin(kind) or kind
        if isinstance(record, type) and issubclass(record, msgspec.Struct) and record.__name__ not in found:
            found[record.__name__] = record.__struct_fields__
            kinds += [field.type for field in msgspec.structs.fields(record)]
    return hashlib.sha256(msgspec.json.encode(found, order="sorted")).hexdigest()[:16]
