"""The options of Game of Trains. The rulebook has no variants; what is asked is how this table uses its companion."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.engine import BadSetup


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    training: Literal["no", "yes"] = "no"
    """Whether pages show what lies in the closed discard, for learners (R-12)."""


def resolve(given: dict[str, Any]) -> Options:
    """Return the options; raise `BadSetup` for a wrong one."""
    try:
        return msgspec.convert(given, Options, strict=False)
    except msgspec.ValidationError as error:
        raise BadSetup("R-00", "bad_option", f"the options do not fit: {error}", option=str(error)) from None
