"""Events with one card replaced by another, for correcting misread cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.engine import Event, fields_of


def replace_card(event: Event, fields: Iterable[str], card: object, other: object) -> Iterator[Event]:
    """Yield the event with one occurrence of a card in the given fields replaced, for each occurrence."""
    values = fields_of(event)
    for field in fields:
        value = values[field]
        if type(value) is type(card) and value == card:
            yield replace(event, **{field: other})
        elif isinstance(value, tuple):
            for at, each in enumerate(value):
                if type(each) is type(card) and each == card:
                    yield replace(event, **{field: (*value[:at], other, *value[at + 1 :])})
