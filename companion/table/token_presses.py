"""The effect of tokens on presses: seats that cannot be ready, and claims that a press takes."""

from __future__ import annotations

from companion.engine import Confirming, Deciding, Event, Refusal, Seat, Timing, Unveiling, seat_of
from companion.messages import Press
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot

WITHHOLDING = {"open_hand": "hand_open", "take_back": "money_first"}
"""Notices about a seat's money that keep it from being ready, each with the refusal of its press."""


def withheld_seats(sight: SightState) -> dict[Seat, Refusal]:
    """Return the seats that cannot be ready for their fists to open, each with the refusal of its press."""
    found: dict[Seat, Refusal] = {}
    for notice in sight.notices:
        if notice.seat is not None and notice.key in WITHHOLDING:
            found.setdefault(notice.seat, Refusal("R-00", WITHHOLDING[notice.key], {}))
    return found


def unsettled_seats(sight: SightState) -> frozenset[Seat]:
    """Return the seats that can agree only by a press: their tokens differ from the count, or some are covered."""
    return frozenset([each.seat for each in sight.notices if each.seat is not None and each.key in ("moved", "spread")])


def pressed_claim(snapshot: Snapshot, press: Press) -> Event | None:
    """Return the claim that a press takes: its seat's first one, if the press has no other meaning."""
    if press.contact != "closed" or snapshot.paused or _means_something(snapshot.timing, press.seat):
        return None
    return next((claim for claim in snapshot.sight.claims if seat_of(claim) == press.seat), None)


def _means_something(timing: Timing | None, seat: int) -> bool:
    """Whether a seat's press has its own meaning now."""
    match timing:
        case None:
            return False
        case Deciding():
            return timing.seat == seat
        case Unveiling():
            return seat in timing.seats
        case Confirming():
            return any(seat == asked for asked, _ in timing.events)
    return True
