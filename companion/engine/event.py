"""Events and effects: what happens at the table, and its consequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from types import ModuleType, UnionType
from typing import Any, ClassVar, NamedTuple, NewType, get_args

import msgspec

Seat = NewType("Seat", int)
"""A place at the table, 0 to n-1 clockwise."""
JsonObject = dict[str, Any]
"""Fields by name, as decoded from JSON or TOML."""


def _snake(name: str) -> str:
    """Return the journal's name for a class: `CardsRevealed` becomes `cards_revealed`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class EventFacts(NamedTuple):
    """Facts about a class of events, independent of values and state. `None` means that the fact is derived."""

    entered: bool = False
    """Whether people enter this outcome of chance even if the companion deals (such as who starts)."""
    dealt_only: bool = False
    """Whether only a dealing companion can cause it, so that a text with such an event comes from a dealt match."""
    binding: bool = False
    """Whether a seat cannot take it back itself although it reveals nothing: a pass, a bid, an answer."""
    observed: bool | None = None
    """Whether everybody at the table sees it, so that anybody may enter it. Default if a game marks no event: events
    without a seat."""
    hosts: bool = False
    """Whether the host and the shared tablet may also enter it."""
    kept: bool = False
    """Whether nobody may send it, because the companion creates it or it has its own route."""
    amendable: bool | None = None
    """Whether people can amend it. Default if a game marks no event: observed events and those that name a cell."""
    by_cards: bool = False
    """Whether people make it happen with cards and nobody enters it. Default if a game marks no event: those that
    change the layout."""
    by_tokens: bool = False
    """Whether people make it happen with tokens and nobody enters it."""
    drawing: bool = False
    """Whether it brings cards into a hand and nobody enters it, because the cards' later moves reveal it."""
    spoken: bool = False
    """Whether people say its amount aloud, and no token shows it."""
    declared: bool = False
    """Whether people always enter it, because no picture shows all of it."""
    declared_unseen: bool = False
    """Whether people enter it when the table looks unchanged, because a card was laid on another of its kind."""
    numbers: Mapping[str, str] = {}
    """The fields that contain the position of a card, each with the field of the public view: people point at the
    card."""


class Event(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="event",
    tag=_snake,
    forbid_unknown_fields=True,
):
    """A frozen past-tense fact. The journal stores events; effects are derived from them and never stored."""

    facts: ClassVar[EventFacts] = EventFacts()


class SeatEvent(Event, frozen=True):
    """An event of one seat: the seat acted, or chance or the host acted on it."""

    seat: Seat


class Effect(msgspec.Struct, frozen=True, gc=False, tag_field="effect", tag=_snake):
    """A consequence of an event under the rules alone: a sale, a payment, a shuffle. Never journalled."""


class SeatEffect(Effect, frozen=True):
    """An effect on one seat."""

    seat: Seat


class Moved(SeatEffect, frozen=True):
    """Money moved between a seat and the bank; `amount` is what the seat gained, in dollars (negative: paid)."""

    amount: int
    why: str


def events_in(module: ModuleType) -> UnionType:
    """Return the union of all events that a module defines, for decoding, without base classes."""
    own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    bases = {base for each in own for base in each.__bases__}
    union = reduce(or_, [each for each in own if issubclass(each, Event) and each not in bases])
    assert isinstance(union, UnionType), f"{module.__name__} defines only one event"
    return union


def event_kinds(events: UnionType | type[Event]) -> dict[str, type[Event]]:
    """Return the classes of a union of events, by their names in the journal."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(events) or (events,)}


def tags_with(events: UnionType | type[Event], holds: Callable[[EventFacts], bool | None]) -> frozenset[str]:
    """Return the names of the event classes in a union that satisfy a condition."""
    return frozenset([name for name, kind in event_kinds(events).items() if holds(kind.facts)])


def name_of(event: Event | Effect) -> str:
    """Return the tag of an event or effect, such as `cards_revealed`."""
    return str(event.__struct_config__.tag)


def fields_of(event: Event | Effect) -> JsonObject:
    """Return an event's fields as a dictionary, in the order of their definition."""
    return msgspec.structs.asdict(event)


def seat_of(event: Event) -> Seat | None:
    """Return the seat that an event belongs to, or None if it belongs to no single seat."""
    return event.seat if isinstance(event, SeatEvent) else None


def amount_of(event: Event) -> int | None:
    """Return an event's amount in dollars, or None if it has none."""
    return fields_of(event).get("amount")
