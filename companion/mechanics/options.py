"""Options of a match: converts plain JSON to a game's own record of options, or explains the misfit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar, get_type_hints

import msgspec
import msgspec.inspect

from companion.engine import PER_PLAYER, BadSetup, JsonObject, Reason, Refusal

T = TypeVar("T", bound=msgspec.Struct)
LONGEST = 40
"""The most characters of a value that a refusal repeats."""
BAD_OPTION = Reason("R-00", "bad_option", "option")
"""`option` is an option's name, perhaps with its value, in no language: the words supply the sentence."""
ByPlayers = Mapping[str, Mapping[int, int]]
"""Amounts by option and number of players."""


class Ruled(msgspec.Struct, frozen=True):
    """A game's decision on a former option: the number of the rule, and the option's value now.

    The value may be a function of a match's other options. Without one every value is ignored: the choice no longer
    affects a match.
    """

    rule: str
    value: str | Callable[[JsonObject], str] | None = None

    def value_in(self, given: JsonObject) -> str | None:
        """Return the option's value, given the other options."""
        return self.value(given) if callable(self.value) else self.value


def ruled(kind: type[msgspec.Struct]) -> Mapping[str, Ruled]:
    """Return the former options that a game has decided since: `RULED` of its record of options, by name."""
    found: Mapping[str, Ruled] = getattr(kind, "RULED", {})
    return found


def still_open(kind: type[msgspec.Struct], given: JsonObject) -> JsonObject:
    """Return the given options without those decided since.

    Raise `BadSetup` if one has another value than the decided one.
    """
    decided = ruled(kind)
    for name, choice in given.items():
        value = decided[name].value_in(given) if name in decided else None
        if value is not None and str(choice) != value:
            rule, said = decided[name].rule, str(choice)[:LONGEST]
            why = f"this was decided: {name} is always {value} now, not {said}"
            refusal = Refusal(rule, "option_ruled", {"option": name, "ruled": value, "ruling": rule, "said": said})
            raise BadSetup(refusal, why)
    return {name: choice for name, choice in given.items() if name not in decided}


@cache
def marks_of(kind: type[msgspec.Struct]) -> Mapping[str, tuple[object, ...]]:
    """Return the annotations of a record's options, by option, cached because type hints are slow to read."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}


def resolve(kind: type[T], given: JsonObject, players: int, by_players: ByPlayers | None = None) -> T:
    """Return a match's options; `by_players` supplies amounts for omitted options.

    Raise `BadSetup` for an unknown option, one decided otherwise since, an invalid value, a value chosen twice, and a
    list by player without exactly one value for each player.
    """
    given = still_open(kind, given)
    try:
        options = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise misfit(kind, given) or _bad(given, *given, why=f"the options do not fit: {error}") from None
    for name, marks in marks_of(kind).items():
        value = getattr(options, name)
        if PER_PLAYER in marks and len(value) not in (0, players):
            raise _bad(given, name, why=f"{name} needs a value for each player")
        if marks and PER_PLAYER not in marks and isinstance(value, tuple) and len(set(value)) < len(value):
            raise _bad(given, name, why=f"{name} has a value twice")
    amounts = {name: by[players] for name, by in (by_players or {}).items() if getattr(options, name) is None}
    return msgspec.structs.replace(options, **amounts)


def misfit(kind: type[msgspec.Struct], given: JsonObject) -> BadSetup | None:
    """Return the invalid option with its possible values; None if no single option is to blame."""
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in given.items():
        if name not in fields:
            return _bad(given, name, why=f"there is no option {name}; there are {', '.join(fields)}")
        try:
            msgspec.convert(value, fields[name], strict=False)
        except msgspec.ValidationError as error:
            values = values_of(fields[name])
            why = f"{name} may be {' or '.join(values)}, not {value}" if values else f"{name} does not fit: {error}"
            return _bad(given, name, why=why)
    return None


def values_of(kind: object) -> tuple[str, ...]:
    """Return the possible values of an option whose values are listed."""
    info = msgspec.inspect.type_info(kind)
    info = info.type if isinstance(info, msgspec.inspect.Metadata) else info
    return tuple(map(str, info.values)) if isinstance(info, msgspec.inspect.LiteralType) else ()


def _bad(given: JsonObject, *names: str, why: str) -> BadSetup:
    said = [f"{name} = {str(given[name])[:LONGEST]}" for name in names if name in given]
    return BadSetup(BAD_OPTION(option=", ".join(said)), why)
