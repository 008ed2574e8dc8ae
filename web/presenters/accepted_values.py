"""The values that the rules would have accepted in an old event, so that an amendment offers no others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from companion.engine import AnyGame, AnyState, Event, fields_of, legal, rule

MOST = 150
"""The most values in a list; beyond that, people type one."""
Place = tuple[int, ...]
"""A value's position in a field: () for the field itself, else indexes into its rows."""


def replaced(event: Event, field: str, place: Place, value: object) -> Event:
    """Return an event with another value at one position of a field."""

    def put(old: Any, at: Place) -> object:
        if not at:
            return value
        return tuple([put(item, at[1:]) if n == at[0] else item for n, item in enumerate(old)])

    return msgspec.structs.replace(event, **{field: put(fields_of(event)[field], place)})


def is_accepted(game: AnyGame, before: AnyState, event: Event, field: str, place: Place, value: object) -> bool:
    """Whether the rules accept an event with another value at one position, or refuse it for reasons that one seat
    knows.

    If the field already holds the value, the two are swapped: of two confused cards, one is corrected first.
    """
    changed = replaced(event, field, place, value)
    was = fields_of(event)[field]
    if len(place) == 1 and value in was:
        changed = replaced(changed, field, (was.index(value),), was[place[0]])
    refusal = rule(game, before, changed)
    return refusal is None or refusal.audience is not None


def offered_values(game: AnyGame, before: AnyState, event: Event, field: str) -> tuple[Any, ...]:
    """Return the values that a field of an observed event could have had, all else unchanged.

    Return () for too many to list, and for a seat's choices, which may reveal its hand.
    """
    found: list[object] = []
    for each in islice(alike_events(game, before, event, field, chance=True), MOST + 1):
        value = fields_of(each)[field]
        if value not in found:
            found.append(value)
    return tuple(found) if len(found) <= MOST else ()


def alike_events(game: AnyGame, before: AnyState, event: Event, field: str, *, chance: bool) -> Iterator[Event]:
    """Yield the legal events, of chance or of people, that differ from an event in one field only."""
    rest = {**fields_of(event), field: None}
    for offer in [each for each in legal(game, before) if each.chance == chance]:
        for each in islice(offer, 10 * MOST):
            if type(each) is type(event) and {**fields_of(each), field: None} == rest:
                yield each
