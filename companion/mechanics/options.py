"""Options of a match: from plain JSON to a game's own record of options, or a sentence that says what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, get_type_hints

import msgspec
import msgspec.inspect

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
        raise _bad(misfit(kind, given) or f"the options do not fit: {error}") from None
    for name, hint in get_type_hints(kind, include_extras=True).items():
        value, marks = getattr(options, name), getattr(hint, "__metadata__", ())
        if PER_PLAYER in marks and len(value) not in (0, players):
            raise _bad(f"{name} needs a value for each player")
        if marks and PER_PLAYER not in marks and isinstance(value, tuple) and len(set(value)) < len(value):
            raise _bad(f"{name} has a value twice")
    amounts = {name: by[players] for name, by in (by_players or {}).items() if getattr(options, name) is None}
    return msgspec.structs.replace(options, **amounts)


def misfit(kind: type[msgspec.Struct], given: JsonObject) -> str:
    """Return which option does not fit, and what it may be; empty where no single one is to blame."""
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in given.items():
        if name not in fields:
            return f"there is no option {name}; there are {', '.join(fields)}"
        try:
            msgspec.convert(value, fields[name], strict=False)
        except msgspec.ValidationError as error:
            values = _values(fields[name])
            return f"{name} may be {' or '.join(values)}, not {value}" if values else f"{name} does not fit: {error}"
    return ""


def _values(kind: object) -> tuple[str, ...]:
    """Return the values that an option may have where they are listed."""
    info = msgspec.inspect.type_info(kind)
    info = info.type if isinstance(info, msgspec.inspect.Metadata) else info
    return tuple(map(str, info.values)) if isinstance(info, msgspec.inspect.LiteralType) else ()


def _bad(why: str) -> BadSetup:
    return BadSetup("R-00", "bad_option", why, option=why)
