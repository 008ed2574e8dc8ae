"""Verdicts: the referee's decisions, and who pressed when. Verdicts are public, so a refused press gives no reason.

Moments are in microseconds relative to the verdict's own moment (the third count, the raise, the signal); negative
means before it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import Event

Kind = Literal["raise", "count", "sold", "missed", "reveal", "pass"]
"""The decision: a raise or count was accepted, a lot was closed, a press had no effect, the fists opened, or a seat
pressed its button in its own turn (`pass`: pass in Take a Train, draw in Game of Trains). A broken count is an event of
the game, `count_broken`.
"""
Outcome = Literal[
    "leads",  # raised and now leads
    "grown",  # held the button to increase its raise
    "tied",  # raised at the same instant as another seat; the rules decide who leads
    "same_moment",  # raised to the same amount almost at once; the earlier contact leads
    "outbid",  # counted just after being outbid
    "counted",  # one, two or three
    "too_soon",  # counted too soon after the last count, or after its own raise (a second tap)
    "too_late",  # after the third count
    "undelivered",  # before the third count, but delivered after the grace period
    "not_open",  # just after its turn began, so meant for the previous moment
    "not_accepted",  # refused by the rules; only the seat learns why
    "ready",
    "passed",  # pressed on its own turn
    "decided",  # the same if the press is not a pass but draws or asks
]


class PressMark(msgspec.Struct, frozen=True):
    """One press as the referee judged it."""

    seat: int
    """The seat, from 0; -1 for the companion's own count."""
    at: int
    """Microseconds after the verdict's moment; negative for before."""
    outcome: Outcome
    number: int = 0
    """The number of a count, or the amount of a raise in dollars."""
    source: str = "pin"
    """`pin`, `screen`, `radio`, `bot`; `said` for typed or spoken; `companion` for its own count."""
    within: int = 0
    """The accuracy of the moment: plus or minus this many microseconds."""
    late: int = 0
    """Microseconds from contact to delivery."""
    held: str | msgspec.UnsetType = msgspec.UNSET
    """The hash of all seals of the lot that the seat's phone held when it was ready; absent for any other press."""


class Judged(Event, frozen=True):
    """The referee's verdict on button presses. It does not change the line of play."""

    kind: Kind
    lot: str
    marks: tuple[PressMark, ...]
