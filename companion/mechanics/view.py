"""The common part of most games' views, and the standing facts in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar

import msgspec

from companion.engine import JsonObject, Offer, Seat

T = TypeVar("T")
V = TypeVar("V")


def shared(find: Callable[[T], V]) -> Callable[[T], V]:
    """Return the function with a cache for its last state or table.

    Use it only for public information, independent of the viewer: all views of one moment share it.
    """
    latest: tuple[object, Any] = (None, None)

    @wraps(find)
    def found(of: T) -> V:
        nonlocal latest
        known, kept = latest
        if known is not of:
            kept = find(of)
            latest = (of, kept)
        return kept  # type: ignore[no-any-return]

    return found


class Fact(msgspec.Struct, frozen=True):
    """A lasting public fact, such as trumps or the dealer: the sentence `fact.<key>` with its fields.

    Sentences show `seat` and `seats` as names, and cards as people say them.
    """

    key: str
    fields: JsonObject = {}


class PlainView(msgspec.Struct, frozen=True, kw_only=True):
    """The part of every view that shared pages read; `PlainGame.basics` fills it in. A game adds its own fields."""

    moment: str
    """The name of the waiting step, `over` at the end."""
    awaited: tuple[Seat, ...]
    chance: bool
    """Whether chance decides, or people report what they saw."""
    scores: tuple[int, ...]
    offers: tuple[Offer, ...]
    """The options of the viewer's own seat."""
    facts: tuple[Fact, ...] = ()
    """Lasting facts; a seat's own view includes those that only the seat may know."""


class OpenView(PlainView, Generic[T], frozen=True, kw_only=True):
    """The view in a game without secrets: the whole table."""

    table: T
