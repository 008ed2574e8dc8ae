"""The options of Hill and Harbour."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from companion.mechanics.pool import without

Goods = Literal[
    "bricks-12", "cheese-11", "clocks-8", "cloth-12", "coal-10", "copper-14", "fish-9", "grain-10",
    "marble-13", "salt-7", "slate-8", "tea-14", "timber-12", "tin-8", "wine-8",
]  # fmt: skip
"""The contracts, each with its pay (R-07)."""
GOODS: tuple[Goods, ...] = get_args(Goods)
FIRST_TRIP = without(GOODS, ("copper-14", "tea-14", "timber-12"))
LONG_HAUL = without(GOODS, ("clocks-8", "salt-7", "tin-8"))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option with its default."""

    goods: Annotated[tuple[Goods, ...], msgspec.Meta(min_length=12, max_length=12)] = FIRST_TRIP
    coins: Annotated[int, msgspec.Meta(ge=4, le=30)] | None = None


SETS = {"goods": {"first_trip": FIRST_TRIP, "long_haul": LONG_HAUL}}
BY_PLAYERS = {"coins": {2: 12, 3: 11, 4: 10}}
