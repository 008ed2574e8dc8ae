"""The options of Take a Train: differences between the two editions, and rulings where both are silent.

Every option names its row in the tables of the rule document (D-1 ... D-18, G-1 ... G-28).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import BadSetup, JsonObject
from companion.games.take_a_train.catalogue import FIGURES, UNIT, can_be
from companion.mechanics.options import misfit

Edition = Literal["en", "fr"]
YesNo = Literal["yes", "no"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with the English edition's value as default."""

    edition: Edition = "en"
    # where the editions differ
    preemption_payment: Literal["bid_plus_power", "bid_only"] = "bid_plus_power"  # D-1
    twist_payment: Literal["sum_times_highest", "sum_only"] = "sum_times_highest"  # D-2
    twin_copy: Literal["last", "first"] = "last"  # D-3
    exchanges_per_turn: Literal["1", "unlimited"] = "1"  # D-4
    lone_bidder: Literal["per_lot", "en_literal"] = "per_lot"  # D-6
    preemption_zero: Literal["any", "one_only"] = "any"  # D-8
    extreme_timing: Literal["all_have_three", "any_time"] = "all_have_three"  # D-9
    purpose_swap: Literal["none", "steam_electric", "last_steam", "first_last"] = "none"  # D-10
    ten_wagons: Literal["same_round", "cumulative"] = "same_round"  # D-11, G-22
    first_player_means: Literal["sequence", "starter"] = "sequence"  # D-15
    # rulings where the books are silent
    beginner_broke: Literal["pass_on", "skip_lot"] = "pass_on"  # G-1
    stall: Literal["exhaustive", "k_lots"] = "exhaustive"  # G-2
    short_reveal: Literal["complete", "fewer"] = "complete"  # G-3
    lone_may_decline: YesNo = "yes"  # G-4
    double_min_on: Literal["first", "sum"] = "first"  # G-5
    preempt_fail_bid: Literal["returned", "forfeited"] = "returned"  # G-6
    preempt_tie: Literal["before", "after"] = "before"  # G-7
    open_reoffer: YesNo = "yes"  # G-8
    min_raise: int = 50  # G-9
    twist_flips: Literal["minimal", "free_choice"] = "minimal"  # G-10
    order_tie: Literal["clockwise", "next_fastest"] = "clockwise"  # G-11
    sequence_costs: tuple[int | None, ...] | None = None  # G-12; None: the catalogue's
    exchange_breaks_pass_chain: YesNo = "no"  # G-13
    bin_spares_specials: YesNo = "no"  # G-14
    longer_refill: YesNo = "yes"  # G-15
    mult_on_replacement: Literal["no_effect", "forbidden", "as_x2"] = "no_effect"  # G-16
    twin_counts: YesNo = "yes"  # G-17
    wagon_reshuffle: YesNo = "yes"  # G-18
    claim_window: Literal["ever", "while_true", "immediate"] = "ever"  # G-19
    purpose_timing: Literal["any", "after_all_have_three"] = "any"  # G-20
    extreme_tie: Literal["yes", "sole_only"] = "yes"  # G-21
    bank_limit: Literal["iou", "strict"] = "iou"  # G-23
    replacement_wagon: Literal["auto_max", "ask"] = "auto_max"  # G-24
    claim_in_lot: YesNo = "yes"  # G-25
    show_bank: Literal["auto", "yes", "no"] = "auto"  # G-26; auto: yes for three or more players
    public_log: Literal["round", "all"] = "round"  # G-27
    # how this table plays
    bid_channel: Literal["device", "hand"] = "device"
    reveal: Literal["last_fist", "signal"] = "last_fist"
    counting: Literal["leader", "companion"] = "leader"
    open_step: int = 50
    open_leap: int = 200
    open_grace_ms: int = 150
    same_moment_ms: int = 150
    count_gap_ms: int = 1000
    double_tap_ms: int = 600
    silence_s: int = 0


SEQUENCE_TOKENS = 6
"""Sequence tokens in the box (both rulebooks, contents; R-03)."""

LONGEST_MS = 10_000
"""The longest pause between counts, in milliseconds."""

LONGEST_TAP_MS = 2_000
"""The longest time in which a second press can be ignored, in milliseconds."""

LONGEST_SILENCE = 600
"""The longest silence after which an amount that was counted stands, in seconds: nobody waits ten minutes."""

TIMES = {
    "open_grace_ms": LONGEST_MS,
    "same_moment_ms": LONGEST_MS,
    "count_gap_ms": LONGEST_MS,
    "double_tap_ms": LONGEST_TAP_MS,
}
"""Options that are times, each with its maximum in milliseconds."""

PRESETS: dict[str, JsonObject] = {
    "en": {},
    "fr": {"preemption_payment": "bid_only", "twin_copy": "first"},
}
"""What each edition sets differently from the defaults (table (a) of the rule document)."""


def resolve(given: JsonObject) -> Options:
    """Return the edition's preset overridden by the given options; raise `BadSetup` for an invalid one."""
    edition = given.get("edition", "en")
    if edition not in PRESETS:
        raise BadSetup("R-00", "bad_option", f"edition must be en or fr, not {edition!r}", option="edition")
    try:
        options = msgspec.convert(PRESETS[edition] | given, Options, strict=False)
    except msgspec.ValidationError as error:
        why = misfit(Options, given) or f"the options do not fit: {error}"
        raise BadSetup("R-00", "bad_option", why, option=why) from None
    for name in ("min_raise", "open_step", "open_leap"):
        amount = getattr(options, name)
        if amount <= 0 or amount % UNIT:
            raise BadSetup("R-04", "not_multiple_of_50", f"{name} must be a multiple of 50", amount=amount)
        if not can_be("price", amount):
            why = f"{name} must be at most {FIGURES['price'][-1]}, not {amount}"
            raise BadSetup("R-00", "bad_option", why, option=name)
    for name, longest in TIMES.items():
        length = getattr(options, name)
        if not 0 <= length <= longest:
            why = f"{name} must be from 0 to {longest} milliseconds, not {length}"
            raise BadSetup("R-00", "bad_option", why, option=name)
    if not 0 <= options.silence_s <= LONGEST_SILENCE:
        why = f"silence_s must be from 0 to {LONGEST_SILENCE} seconds, not {options.silence_s}"
        raise BadSetup("R-00", "bad_option", why, option="silence_s")
    costs = options.sequence_costs
    if costs is not None and len(costs) != SEQUENCE_TOKENS:
        raise BadSetup("R-00", "bad_option", "sequence_costs must name 6 prices, null where unread", option=str(costs))
    for cost in costs or ():
        if cost is not None and cost % UNIT:
            raise BadSetup("R-04", "not_multiple_of_50", "sequence_costs must be multiples of 50", amount=cost)
        if cost is not None and not can_be("price", cost):
            why = f"sequence_costs must be from 0 to {FIGURES['price'][-1]}, not {cost}"
            raise BadSetup("R-00", "bad_option", why, option="sequence_costs")
    return options
