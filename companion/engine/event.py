"""Events and effects: what happened at the table, and what followed from it. Knows no game."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

Seat = NewType("Seat", int)
"""A place at the table, 0 to n-1 clockwise."""


def _snake(name: str) -> str:
    """Return the journal's name of a class: `CardsRevealed` becomes `cards_revealed`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="event",
    tag=_snake,
    forbid_unknown_fields=True,
):
    """A frozen past-tense fact that the journal keeps. Effects are derived from it, never kept."""


class Effect(msgspec.Struct, frozen=True, gc=False, tag_field="effect", tag=_snake):
    """What followed from an event by the rules alone: a sale, a payment, a shuffle. Never journalled."""


class Moved(Effect, frozen=True):
    """Money moved between a seat and the bank; `amount` is what the seat gained, in dollars (negative: paid)."""

    seat: Seat
    amount: int
    why: str


def name_of(event: Event | Effect) -> str:
    """Return the name under which an event or effect is journalled, for example `cards_revealed`."""
    return str(event.__struct_config__.tag)


def fields_of(event: Event | Effect) -> dict[str, Any]:
    """Return an event's fields as a dictionary, in the order of their definition."""
    return msgspec.structs.asdict(event)
