"""What people choose before a game of Hill and Harbour."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Goods = Literal[
    "bricks-12", "cheese-11", "clocks-8", "cloth-12", "coal-10", "copper-14", "fish-9", "grain-10",
    "marble-13", "salt-7", "slate-8", "tea-14", "timber-12", "tin-8", "wine-8",
]  # fmt: skip
"""The contracts, each with what it pays (R-07)."""
FIRST_TRIP: tuple[Goods, ...] = (
    "bricks-12", "cheese-11", "clocks-8", "cloth-12", "coal-10", "fish-9",
    "grain-10", "marble-13", "salt-7", "slate-8", "tin-8", "wine-8",
)  # fmt: skip
LONG_HAUL: tuple[Goods, ...] = (
    "bricks-12", "cheese-11", "cloth-12", "coal-10", "copper-14", "fish-9",
    "grain-10", "marble-13", "slate-8", "tea-14", "timber-12", "wine-8",
)  # fmt: skip


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option with its default."""

    goods: Annotated[tuple[Goods, ...], msgspec.Meta(min_length=12, max_length=12)] = FIRST_TRIP
    coins: Annotated[int, msgspec.Meta(ge=4, le=30)] | None = None


SETS = {"goods": {"first_trip": FIRST_TRIP, "long_haul": LONG_HAUL}}
BY_PLAYERS = {"coins": {2: 12, 3: 11, 4: 10}}
