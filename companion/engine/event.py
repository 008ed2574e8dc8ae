"""Events and effects: what happened at the table, and what followed from it."""

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
    """Facts about a class of events, independent of values and state. `None` is derived."""

    entered: bool = False
    """Chance that people enter, even where the companion deals (who starts)."""
    dealt_only: bool = False
    """Only a dealing companion can cause it: a text that contains one was dealt by the companion."""
    binding: bool = False
    """A seat cannot take it back by itself, though it reveals nothing: a pass, a bid, an answer."""
    observed: bool | None = None
    """Everybody at the table sees it, so anybody may enter it. Where a game says so of no event: what has no seat."""
    hosts: bool = False
    """The host and the shared tablet may enter it, too."""
    kept: bool = False
    """Nobody may send it: the companion makes it, or it has a route of its own."""
    amendable: bool | None = None
    """It may be amended. Where a game says so of no event: what is observed, or names a cell of a board."""
    by_cards: bool = False
    """People carry it out with cards and nobody enters it. Where none does, it is what changes the layout."""
    by_tokens: bool = False
    """People carry it out with tokens and nobody enters it."""
    drawing: bool = False
    """It brings cards into a hand and nobody enters it: what is done with the cards tells of it."""
    spoken: bool = False
    """Its amount is said aloud, and no token shows it."""
    declared: bool = False
    """People enter it at once, as no picture shows it whole."""
    declared_unseen: bool = False
    """People enter it where the table looks as before: a card was laid on one of its own kind."""
    numbers: Mapping[str, str] = {}
    """Fields that number the cards in a field of the public view, by name: people point at the card."""


class Event(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="event",
    tag=_snake,
    forbid_unknown_fields=True,
):
    """A frozen past-tense fact. The journal keeps events; effects are derived from them and never kept."""

    facts: ClassVar[EventFacts] = EventFacts()


class SeatEvent(Event, frozen=True):
    """An event of one seat: the seat that acted, or to which chance or the host did something."""

    seat: Seat


class Effect(msgspec.Struct, frozen=True, gc=False, tag_field="effect", tag=_snake):
    """A consequence of an event under the rules alone: a sale, a payment, a shuffle. Never journalled."""


class SeatEffect(Effect, frozen=True):
    """What followed for one seat."""

    seat: Seat


class Moved(SeatEffect, frozen=True):
    """Money moved between a seat and the bank; `amount` is what the seat gained, in dollars (negative: paid)."""

    amount: int
    why: str


def events_in(module: ModuleType) -> UnionType:
    """Return the union of all events that a module defines, for decoding; a class that others extend is none itself."""
    own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    bases = {base for each in own for base in each.__bases__}
    union = reduce(or_, [each for each in own if issubclass(each, Event) and each not in bases])
    assert isinstance(union, UnionType), f"{module.__name__} defines only one event"
    return union


def event_kinds(events: UnionType | type[Event]) -> dict[str, type[Event]]:
    """Return the classes of a union of events, by their names in the journal."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(events) or (events,)}


def tags_with(events: UnionType | type[Event], holds: Callable[[EventFacts], bool | None]) -> frozenset[str]:
    """Return the names of those classes of a union of events of which something holds."""
    return frozenset([name for name, kind in event_kinds(events).items() if holds(kind.facts)])


def name_of(event: Event | Effect) -> str:
    """Return the tag of an event or effect, such as `cards_revealed`."""
    return str(event.__struct_config__.tag)


def fields_of(event: Event | Effect) -> JsonObject:
    """Return an event's fields as a dictionary, in the order of their definition."""
    return msgspec.structs.asdict(event)


def seat_of(event: Event) -> Seat | None:
    """Return the seat that an event belongs to, or None for an event of no single seat."""
    return event.seat if isinstance(event, SeatEvent) else None


def amount_of(event: Event) -> int | None:
    """Return an event's amount in dollars, or None for an event that has none."""
    return fields_of(event).get("amount")
