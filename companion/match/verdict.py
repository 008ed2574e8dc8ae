"""Verdicts: what the referee decided, who pressed when. Public: a press that was refused says not why.

Moments are microseconds relative to the verdict's own (the third count, the raise, the signal): negative is before.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["raise", "count", "sold", "missed", "reveal", "pass"]
"""What was decided: a raise or count was taken, a lot was closed, a press came to nothing, the fists opened, or a seat
said by its button what a press says on its turn (`pass`: to pass in Take a Train, to draw in Game of Trains). A count
that is broken is an event of the game, `count_broken`."""
Outcome = Literal[
    "leads",  # raised, and leads
    "grown",  # held, so that its raise became bigger
    "tied",  # raised at the very same instant as another: the rules say who leads
    "same_moment",  # the same amount said at once: the earlier contact leads
    "outbid",  # a count by one who had just been outbid
    "counted",  # one, two or three
    "too_soon",  # a count too soon after the last, or after the seat's own raise (a second tap)
    "too_late",  # after the third count
    "undelivered",  # before the third count, but delivered after the grace
    "not_open",  # so shortly after it had become the seat's turn that the press was meant for what was before
    "not_accepted",  # refused by the rules; why is for the seat alone
    "ready",
    "passed",  # said on its turn what a press says then
]


class PressMark(msgspec.Struct, frozen=True):
    """One press as the referee saw it."""

    seat: int
    """From 0; -1: the companion's own count."""
    at: int
    """Microseconds after the verdict's moment; negative: before."""
    outcome: Outcome
    number: int = 0
    """Which count; or the amount of a raise, in dollars."""
    source: str = "pin"
    """`pin`, `screen`, `radio`, `bot`; `said`: typed or spoken; `companion`: its own count."""
    within: int = 0
    """The true moment may lie so many microseconds to either side."""
    late: int = 0
    """Microseconds from contact to delivery."""
