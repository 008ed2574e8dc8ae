"""The options of Express: figures, variant, sides and the readings of the scoring."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine import PER_PLAYER

IDLE_ROUND, SUM_OF_CARS, PARTNER_ON_TURN = RULINGS = ("idle_round", "sum_of_cars", "partner_on_turn")
"""Rulings made since the first journals: when a hand ends that nobody ends (R-06), which scoring holds unless people
choose (S-02), and which partner gets a lone locomotive (R-25)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    profile: Literal["ours", "reconstruction", "owner"] = "ours"
    variant: Literal["full", "family"] = "full"
    partners: Literal["usual", "alone", "sides"] = "usual"
    """Usual: pairs with four or six players, else everybody alone (R-01)."""
    side: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...], PER_PLAYER] = ()
    """The number of each player's side; empty for sides that alternate around the table."""
    scoring: Literal["sum", "set_of_three"] = "sum"
    """Whether each of the first three cars counts its printed value, or they count it together (S-02)."""
    partners_see: Literal["trains", "hands"] = "trains"
    hands: Annotated[int, msgspec.Meta(ge=1, le=50)] = 12
    """The most hands of a match."""
