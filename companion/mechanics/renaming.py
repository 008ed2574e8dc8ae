"""Events read otherwise: the same event with another card in it. Knows no game and no names of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.engine import Event


def renamed(event: Event, fields: Iterable[str], card: object, other: object) -> Iterator[Event]:
    """Yield the event with another card where one stands in one of its fields, one place at a time."""
    for field in fields:
        value = getattr(event, field)
        if type(value) is type(card) and value == card:
            yield replace(event, **{field: other})
        elif isinstance(value, tuple):
            for at, each in enumerate(value):
                if type(each) is type(card) and each == card:
                    yield replace(event, **{field: (*value[:at], other, *value[at + 1 :])})
