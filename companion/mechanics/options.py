"""Options of a match: from plain JSON to a game's own record of options, or a sentence that says what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, get_type_hints

import msgspec

from companion.engine import PER_PLAYER, BadSetup, JsonObject

T = TypeVar("T", bound=msgspec.Struct)
ByPlayers = Mapping[str, Mapping[int, int]]
"""Amounts by option and number of players."""


def resolve(kind: type[T], given: JsonObject, players: int, by_players: ByPlayers | None = None) -> T:
    """Return a match's options; `by_players` has the amounts of options that were left open.

    Raise `BadSetup` for an unknown option, a value that does not fit, a value chosen twice, and a list by player that
    has not one value for each player.
    """
    try:
        options = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _bad(f"the options do not fit: {error}") from None
    for name, hint in get_type_hints(kind, include_extras=True).items():
        value, marks = getattr(options, name), getattr(hint, "__metadata__", ())
        if PER_PLAYER in marks and len(value) not in (0, players):
            raise _bad(f"{name} needs a value for each player")
        if marks and PER_PLAYER not in marks and isinstance(value, tuple) and len(set(value)) < len(value):
            raise _bad(f"{name} has a value twice")
    amounts = {name: by[players] for name, by in (by_players or {}).items() if getattr(options, name) is None}
    return msgspec.structs.replace(options, **amounts)


def _bad(why: str) -> BadSetup:
    return BadSetup("R-00", "bad_option", why, option=why)
