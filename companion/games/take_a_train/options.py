"""The options of Take a Train: differences between the two editions, a table's rulings, and its way of playing.

The rule document has a row in its tables for each of the options D-1 to D-18 and G-1 to G-28.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from companion.engine import BadSetup, JsonObject
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import FIGURES, UNIT, can_be
from companion.mechanics import options as mechanics
from companion.mechanics.options import Ruled

Edition = Literal["en", "fr"]
FRENCH: Edition = "fr"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, defaulting to the English edition."""

    edition: Edition = "en"
    # differences between the editions
    preemption_payment: Literal["bid_plus_power", "bid_only"] = "bid_plus_power"  # D-1
    twist_payment: Literal["sum_times_highest", "sum_only"] = "sum_times_highest"  # D-2
    exchanges_per_turn: Literal["1", "unlimited"] = "1"  # D-4
    lone_bidder: Literal["per_lot", "en_literal"] = "per_lot"  # D-6
    purpose_swap: Literal["none", "steam_electric", "last_steam", "first_last"] = "none"  # D-10
    # rulings on gaps in the books
    beginner_broke: Literal["pass_on", "skip_lot"] = "pass_on"  # G-1
    min_raise: int = 50  # G-9
    twist_flips: Literal["minimal", "free_choice"] = "minimal"  # G-10
    sequence_costs: tuple[int | None, ...] | None = None  # G-12; None: the catalogue's
    claim_window: Literal["ever", "while_true", "immediate"] = "ever"  # G-19
    bank_limit: Literal["iou", "strict"] = "iou"  # G-23
    replacement_wagon: Literal["auto_max", "ask"] = "auto_max"  # G-24
    show_bank: Literal["auto", "yes", "no"] = "auto"  # G-26; auto: yes for three or more players
    # this table's way of playing
    bid_channel: Literal["device", "hand"] = "device"
    reveal: Literal["last_fist", "signal"] = "last_fist"
    counting: Literal["leader", "companion"] = "leader"
    count_pace: Literal["normal", "slow"] = "normal"
    open_step: int = 50
    open_leap: int = 200
    silence_s: int = 0

    RULED: ClassVar[Mapping[str, Ruled]] = {
        "twin_copy": Ruled("R-67e", lambda given: "first" if given.get("edition") == FRENCH else "last"),  # D-3
        "preemption_zero": Ruled("R-41", "any"),  # D-8
        "extreme_timing": Ruled("R-72", "all_have_three"),  # D-9
        "ten_wagons": Ruled("R-72", "same_round"),  # D-11, G-22
        "first_player_means": Ruled("R-72", "sequence"),  # D-15
        "stall": Ruled("R-19", "exhaustive"),  # G-2
        "short_reveal": Ruled("R-24", "complete"),  # G-3
        "lone_may_decline": Ruled("R-20", "yes"),  # G-4
        "double_min_on": Ruled("R-34", "first"),  # G-5
        "preempt_fail_bid": Ruled("R-45", "returned"),  # G-6
        "preempt_tie": Ruled("R-42", "before"),  # G-7
        "open_reoffer": Ruled("R-24", "yes"),  # G-8
        "order_tie": Ruled("R-57", "clockwise"),  # G-11
        "exchange_breaks_pass_chain": Ruled("R-64", "no"),  # G-13
        "bin_spares_specials": Ruled("R-67a", "no"),  # G-14
        "longer_refill": Ruled("R-67b", "yes"),  # G-15
        "mult_on_replacement": Ruled("R-67c", "no_effect"),  # G-16
        "twin_counts": Ruled("R-67e", "yes"),  # G-17
        "wagon_reshuffle": Ruled("R-65a", "yes"),  # G-18
        "purpose_timing": Ruled("R-73", "any"),  # G-20
        "extreme_tie": Ruled("R-72", "yes"),  # G-21
        "claim_in_lot": Ruled("R-73", "yes"),  # G-25
        "public_log": Ruled("R-25", "round"),  # G-27
        **dict.fromkeys(("open_grace_ms", "same_moment_ms", "count_gap_ms", "double_tap_ms"), Ruled("R-49")),
    }
    """Former choices of matches that the rules now decide. The referee's waiting times are settings of the table."""

    @property
    def twin_first(self) -> bool:
        """Whether the Twin stands behind the locomotive and copies the first wagon (French edition; R-67e)."""
        return self.edition == FRENCH


SEQUENCE_TOKENS = 6
"""Sequence tokens in the box (both rulebooks, contents; R-03)."""

LONGEST_SILENCE = 600
"""The longest silence, in seconds, that confirms a counted amount: nobody waits ten minutes."""

PRESETS: dict[str, JsonObject] = {"en": {}, "fr": {"preemption_payment": "bid_only"}}
"""Each edition's differences from the defaults (table (a) of the rule document)."""


def bad(option: str, why: str) -> BadSetup:
    """Return the error for an invalid option."""
    return BadSetup(refusals.BAD_OPTION(option=option), why)


def resolve(given: JsonObject) -> Options:
    """Return the edition's preset overridden by the given options; raise `BadSetup` for an invalid one."""
    edition = given.get("edition", "en")
    if not isinstance(edition, str) or edition not in PRESETS:
        raise bad("edition", f"edition must be en or fr, not {edition!r}")
    options = mechanics.resolve(Options, PRESETS[edition] | given, 0)
    most = FIGURES["price"][-1]
    for name in ("min_raise", "open_step", "open_leap"):
        amount = getattr(options, name)
        if amount <= 0 or amount % UNIT:
            raise BadSetup(refusals.NOT_MULTIPLE_OF_50(amount=amount), f"{name} must be a multiple of 50")
        if not can_be("price", amount):
            raise bad(name, f"{name} must be at most {most}, not {amount}")
    if not 0 <= options.silence_s <= LONGEST_SILENCE:
        raise bad("silence_s", f"silence_s must be from 0 to {LONGEST_SILENCE} seconds, not {options.silence_s}")
    costs = options.sequence_costs
    if costs is not None and len(costs) != SEQUENCE_TOKENS:
        raise bad(str(costs), "sequence_costs must name 6 prices, null where unread")
    for cost in [cost for cost in costs or () if cost is not None]:
        if cost % UNIT:
            raise BadSetup(refusals.NOT_MULTIPLE_OF_50(amount=cost), "sequence_costs must be multiples of 50")
        if not can_be("price", cost):
            raise bad("sequence_costs", f"sequence_costs must be from 0 to {most}, not {cost}")
    return options
