"""The options of Market Town: one for every kind of control on the set-up page."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine import PER_PLAYER

Stall = Literal[
    "apples", "bread", "cheese", "candles", "carpets", "clocks", "cloth", "dyes", "eggs", "fish",
    "flowers", "flour", "glass", "grain", "hats", "honey", "ink", "kettles", "knives", "lamps",
    "leather", "mirrors", "nails", "oil", "paper", "pots", "salt", "shoes", "tea", "wine",
]  # fmt: skip
FIRST_DAY: tuple[Stall, ...] = ("apples", "bread", "cheese", "eggs", "fish", "flour", "salt", "shoes")
FAIR: tuple[Stall, ...] = ("candles", "carpets", "clocks", "dyes", "glass", "lamps", "mirrors", "wine")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option with its default."""

    stalls: Annotated[tuple[Stall, ...], msgspec.Meta(min_length=8, max_length=8)] = FIRST_DAY
    weather: Annotated[tuple[Literal["sun", "rain", "fog"], ...], msgspec.Meta(min_length=1, max_length=2)] = ("sun",)
    money: int | None = None
    """The starting money; None uses the value in `BY_PLAYERS`."""
    handicaps: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=20)], ...], PER_PLAYER] = ()
    sides: Annotated[tuple[Literal["town", "country"], ...], PER_PLAYER] = ()
    days: Annotated[int, msgspec.Meta(ge=1, le=9)] = 3
    market_tax: bool = False
    pace: Literal["slow", "fast"] = "slow"


HARVEST: tuple[Stall, ...] = ("apples", "grain")
"""Two of the stalls; the game draws the others."""
SETS = {"stalls": {"first_day": FIRST_DAY, "fair": FAIR, "harvest": HARVEST}}
WITH_SETS = {"stalls": {"harvest": {"pace": "fast"}}}
BY_PLAYERS = {"money": {2: 120, 3: 100, 4: 90, 5: 80, 6: 70, 7: 60, 8: 50}}
