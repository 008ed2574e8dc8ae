"""Events and effects: what happened at the table, and what followed from it."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

Seat = NewType("Seat", int)
"""A place at the table, 0 to n-1 clockwise."""
JsonObject = dict[str, Any]
"""Fields by name, as decoded from JSON or TOML."""


def _snake(name: str) -> str:
    """Return the journal's name for a class: `CardsRevealed` becomes `cards_revealed`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="event",
    tag=_snake,
    forbid_unknown_fields=True,
):
    """A frozen past-tense fact. The journal keeps events; effects are derived from them and never kept."""


class SeatEvent(Event, frozen=True):
    """An event of one seat: the seat that acted, or to which chance or the host did something."""

    seat: Seat


class Effect(msgspec.Struct, frozen=True, gc=False, tag_field="effect", tag=_snake):
    """A consequence of an event under the rules alone: a sale, a payment, a shuffle. Never journalled."""


class Moved(Effect, frozen=True):
    """Money moved between a seat and the bank; `amount` is what the seat gained, in dollars (negative: paid)."""

    seat: Seat
    amount: int
    why: str


def name_of(event: Event | Effect) -> str:
    """Return the tag of an event or effect, such as `cards_revealed`."""
    return str(event.__struct_config__.tag)


def fields_of(event: Event | Effect) -> JsonObject:
    """Return an event's fields as a dictionary, in the order of their definition."""
    return msgspec.structs.asdict(event)


def seat_of(event: Event) -> Seat | None:
    """Return the seat that an event belongs to, or None for an event of no single seat."""
    return event.seat if isinstance(event, SeatEvent) else None
