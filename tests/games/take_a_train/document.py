"""Generate the rules, purposes and option choices in companion/games/take_a_train/rules.md.

`python -m tests.games.take_a_train.document` writes them between their marks; a test checks that they are current.
"""

from __future__ import annotations

from companion.games.take_a_train.options import PRESETS, Options
from companion.games.take_a_train.purposes import PURPOSES
from tests.games.generated import RuleDocument

CONDITIONS = {
    "P-1": "claimed both other own tokens",
    "P-2": "took Multiplier +1, Bonus or Twin",
    "P-3": "three wagons on each of three locomotives",
    "P-4": "been first player",
    "P-5": "been last player",
    "P-6": "ten wagons on own locomotives together",
    "P-7": "four food wagons on one locomotive",
    "P-8": "four cattle wagons on one locomotive",
    "P-9": "three coal wagons on one locomotive",
    "P-10": "three heating oil wagons on one locomotive",
    "P-11": "two luxury wagons on one locomotive",
    "P-12": "two passenger wagons on one locomotive",
    "P-13": "three diesel locomotives",
    "P-14": "three steam locomotives",
    "P-15": "three electric locomotives",
    "P-16": "one locomotive of each drive",
    "P-17": "the fastest locomotive of all",
    "P-18": "the slowest locomotive of all",
}
"""Condition of each purpose token, in our own words."""


REASONS = {
    "twin_copy": "each edition says where the Twin stands",
    "preemption_zero": "fists close in secret: nobody can know of another empty one",
    "extreme_timing": "before, the fastest or slowest may still be for sale; the translator says so too",
    "ten_wagons": "wagons lie on the table for one round, and people count what lies there",
    "first_player_means": "only the sequence tokens say who is first and who is last",
    "stall": "every card gets its chance, and the stage still ends",
    "short_reveal": "every lot has its three cards to choose from",
    "lone_may_decline": "nobody is made to spend money on a train that he does not want",
    "double_min_on": "the rulebooks' example refuses a first fist below the power",
    "preempt_fail_bid": "a seat that gets nothing pays nothing",
    "preempt_tie": "both rulebooks say so",
    "open_reoffer": "an unsold card comes again, as in every other auction",
    "order_tie": "everybody sees it at a glance",
    "exchange_breaks_pass_chain": "a seat that takes no card has passed",
    "bin_spares_specials": "the card clears the whole market",
    "longer_refill": "the market stays full",
    "mult_on_replacement": "a replacement has no multiplier to raise; taking the card still fulfils P-2",
    "twin_counts": "the card is called a wagon",
    "wagon_reshuffle": "a round ends by a full train or by passing, not by an empty deck",
    "purpose_timing": "both rulebooks say: at any moment",
    "extreme_tie": "neither is slower than the other",
    "claim_in_lot": "both rulebooks say: at any moment; a claim opens no fist",
    "public_log": "people at a table remember about as much",
}
"""Reason for each former option that now has a fixed value. Times are settings of the table instead."""
SETTING = "a setting of the table, under the same name in `[presses]`"


def purposes() -> str:
    """Return a table of the 18 purpose tokens."""
    rows = [f"| {p.id} | {CONDITIONS[p.id]} | {p.prize:,} |" for p in PURPOSES]
    return "\n".join(["| token | asks for | prize |", "|---|---|---|", *rows])


def options() -> str:
    """Return a table of all options with their choices, their defaults in both editions and their rules."""
    lines = ["| option | choices | English | French | rules |", "|---|---|---|---|---|"]
    table = OWN.table()
    for name in Options.__struct_fields__:
        rules_of = ", ".join(number for number, entry in table.items() if name in entry["options"])
        english = getattr(Options(), name)
        french = "fr" if name == "edition" else PRESETS["fr"].get(name, english)
        shown = " / ".join(OWN.choices(name)) or "number" + ("s" if name == "sequence_costs" else "")
        default = [f"{'the catalogue' if value is None else value}" for value in (english, french)]
        lines.append(f"| `{name}` | {shown} | {default[0]} | {default[1]} | {rules_of} |")
    return "\n".join(lines)


def decided() -> str:
    """Return a table of all former options with their fixed value, rule and reason."""
    lines = ["| option | always | rule | why |", "|---|---|---|---|"]
    for name, ruled in Options.RULED.items():
        values = list(dict.fromkeys([ruled.value_in({"edition": edition}) or "any" for edition in PRESETS]))
        always = values[0] if len(values) == 1 else " / ".join(values) + " (English / French)"
        lines.append(f"| `{name}` | {always} | {ruled.rule} | {REASONS.get(name, SETTING)} |")
    return "\n".join(lines)


OWN = RuleDocument(
    "take_a_train",
    Options,
    (
        *(f"R-{n:02}" for n in range(33)),
        *("R-32a", "R-32b", "R-33", "R-34", "R-35"),
        *(f"R-{n}" for n in range(40, 66)),
        *("R-65a", "R-66"),
        *(f"R-67{letter}" for letter in "abcdef"),
        *("R-68", *(f"R-{n}" for n in range(70, 76)), *(f"R-{n}" for n in range(80, 83))),
    ),
    lambda: {"purposes": purposes(), "options": options(), "decided": decided()},
    ("EN", "FR", "ruling", "décision"),
    rows={"D-{}": 18, "G-{}": 28, "E-{}": 14},
    proofs={"X-{}": 7, "T-{}": 65, "F-{}": 20},
    unproved=("D-{}", "G-{}"),
    unlisted=("T-{}",),
)

if __name__ == "__main__":
    OWN.write()
