"""What most games' views have in common, and the standing facts in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar

import msgspec

from companion.engine import JsonObject, Offer, Seat

T = TypeVar("T")
V = TypeVar("V")


def shared(find: Callable[[T], V]) -> Callable[[T], V]:
    """Return the function, made to keep what it found for the very state or table that it was asked for last.

    It is for what everybody may know: the views of one moment share it, and it knows no viewer.
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
    """Something public that holds for a while, such as trumps or the dealer: the sentence `fact.<key>` with its fields.

    `seat` and `seats` are written as names, cards as people say them.
    """

    key: str
    fields: JsonObject = {}


class PlainView(msgspec.Struct, frozen=True, kw_only=True):
    """What the house's pages read of every view; `PlainGame.basics` fills it in. A game's own fields come besides."""

    moment: str
    """The name of the step that waits, `over` at the end."""
    awaited: tuple[Seat, ...]
    chance: bool
    """Whether chance decides, or people tell what was seen."""
    scores: tuple[int, ...]
    offers: tuple[Offer, ...]
    """What the viewer's own seat may do."""
    facts: tuple[Fact, ...] = ()
    """What holds for a while; in a seat's own view also what that seat alone may know."""


class OpenView(PlainView, Generic[T], frozen=True, kw_only=True):
    """What a viewer may know where nothing is secret: the whole table."""

    table: T
