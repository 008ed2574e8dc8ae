"""How the referee judges seats that are asked at once, each from a moment of its own, and what silence means then."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.engine import Confirming, Event, Seat
from companion.messages import MILLISECOND, Cue
from companion.referee import refusals
from companion.referee.press_rulings import OWN, PressEvidence, Rule, Ruling, accept, mark_press, miss, refuse

GUARD = 300 * MILLISECOND
"""A press this soon after a seat was asked was meant for the moment before."""


class AskedSeat(msgspec.Struct, frozen=True):
    """What a seat is asked, and since when."""

    event: Event
    since: int


class Confirmations:
    """The seats that are asked now."""

    def __init__(self, timing: Confirming, now: int) -> None:
        self.timing = timing
        self.asked: dict[Seat, AskedSeat] = {}
        self.unsettled: Collection[Seat] = ()
        """Seats in front of which something else lies than was counted: their silence means nothing."""
        self.follow(timing, now)

    def follow(self, timing: Confirming, now: int) -> list[PressEvidence]:
        """Follow what is asked now; return the ticks at which silence ends."""
        old, self.timing = self.asked, timing
        self.asked = {
            seat: old[seat] if seat in old and old[seat].event == event else AskedSeat(event, now)
            for seat, event in timing.events
        }
        if not timing.silence_ms:
            return []
        ends = [(seat, asked.since + timing.silence_ms * MILLISECOND) for seat, asked in self.asked.items()]
        return [PressEvidence(OWN, end, end, source="companion", number=seat) for seat, end in ends]

    def judge(self, evidence: PressEvidence, nothing: Ruling, rule: Rule) -> Ruling:
        """Return the ruling on a press, or on a silence; `nothing` is what a press that means nothing now leads to."""
        silent = evidence.seat == OWN
        seat = Seat(evidence.number) if silent else evidence.seat
        asked = self.asked.get(seat)
        if silent and seat in self.unsettled:
            return nothing
        if asked is None or evidence.contact != "closed" or evidence.event is not None:
            return nothing
        if evidence.at < asked.since + GUARD and not silent:
            mark = mark_press(evidence, asked.since, "not_open")
            return nothing if nothing.judged else miss(evidence, mark, "", refusals.NOT_OPEN())
        forbidden = rule(asked.event)
        if forbidden is not None:
            return nothing if silent else refuse(evidence, "", forbidden)
        mark = msgspec.structs.replace(mark_press(evidence, evidence.at, "decided"), seat=seat)
        return accept(evidence, mark, ("pass", ""), asked.event)

    def stop(self) -> tuple[Cue, ...]:
        """Return nothing: no count runs."""
        return ()
