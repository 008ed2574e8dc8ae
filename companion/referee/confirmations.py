"""Judges seats that are asked at once, each from its own moment, and the meaning of silence."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.engine import Confirming, Event, Seat
from companion.messages import MILLISECOND, Cue
from companion.referee import refusals
from companion.referee.press_rulings import OWN, PressEvidence, Rule, Ruling, accept, mark_press, miss, refuse

GUARD = 300 * MILLISECOND
"""Nanoseconds after a question within which a seat's press was meant for the previous one and is ignored."""


class AskedSeat(msgspec.Struct, frozen=True):
    """The question to a seat, and its start."""

    event: Event
    since: int


class Confirmations:
    """The seats with an open question."""

    def __init__(self, timing: Confirming, now: int) -> None:
        self.timing = timing
        self.asked: dict[Seat, AskedSeat] = {}
        self.unsettled: Collection[Seat] = ()
        """Seats whose tokens no longer match the count: their silence means nothing."""
        self.follow(timing, now)

    def follow(self, timing: Confirming, now: int) -> list[PressEvidence]:
        """Follow the current questions; return the ticks at which silence ends."""
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
        """Return the ruling on a press or a silence; `nothing` handles a press that has no meaning now."""
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
