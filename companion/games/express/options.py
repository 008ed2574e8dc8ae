"""The options of Express: figures, variant, sides and the readings of the scoring."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine import PER_PLAYER


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    profile: Literal["ours", "reconstruction", "owner"] = "ours"
    variant: Literal["full", "family"] = "full"
    partners: Literal["usual", "alone", "sides"] = "usual"
    """Usual: pairs with four or six players, else everybody alone (R-01)."""
    side: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...], PER_PLAYER] = ()
    """The number of each player's side; empty for sides that alternate around the table."""
    scoring: Literal["set_of_three", "sum"] = "set_of_three"
    """Whether the first three cars count the printed value together, or each of them (S-02)."""
    partners_see: Literal["trains", "hands"] = "trains"
    hands: Annotated[int, msgspec.Meta(ge=1, le=50)] = 12
    """The most hands of a match."""
