"""The options of Game of Trains. The rulebook has no variants; the options concern the companion itself."""

from __future__ import annotations

from typing import Literal, get_args, get_type_hints

import msgspec

from companion.engine import BadSetup, JsonObject


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    training: Literal["no", "yes"] = "no"
    """Whether pages show the closed discard, for learners (R-12)."""


def resolve(given: JsonObject) -> Options:
    """Return the options; raise `BadSetup` for an invalid one."""
    kinds = get_type_hints(Options)
    for name, value in given.items():
        if name not in kinds:
            why = f"Game of Trains has no option {name!r}: there is {', '.join(kinds)}"
            raise BadSetup("R-00", "bad_option", why, option=why)
        choices = get_args(kinds[name])
        if value not in choices:
            why = f"{name} must be {' or '.join(choices)}, not {value!r}"
            raise BadSetup("R-00", "bad_option", why, option=why)
    return msgspec.convert(given, Options)
