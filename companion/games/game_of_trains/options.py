"""The options of Game of Trains. The rulebook has no variants; the options concern the companion itself."""

from __future__ import annotations

from typing import Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    training: Literal["no", "yes"] = "no"
    """Whether pages show the closed discard, for learners (R-12)."""
