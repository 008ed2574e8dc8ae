"""Evidence and rulings: a press with its moment, and the referee's decision about it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.engine import Event, Refusal, Seat
from companion.messages import MICROSECOND, Contact, Cue, Press, Refused
from companion.referee.verdict import Judged, Kind, Outcome, PressMark

OWN = Seat(-1)
"""The seat number of the companion's own counts and signal."""

Rule = Callable[[Event], Refusal | None]
"""Returns why the rules refuse an event now, or None."""


class PressEvidence(msgspec.Struct, frozen=True):
    """A press, a typed or spoken statement (`event`), or a tick of the companion's own count. Moments are in
    nanoseconds.
    """

    seat: Seat
    at: int
    """The moment of contact."""
    heard: int
    """The moment of delivery."""
    contact: Contact = "closed"
    since: int = 0
    source: str = "pin"
    within: int = 0
    event: Event | None = None
    """The typed or spoken event; None for a press."""
    ticket: int = 0
    """The number of the proposal that waits for an answer; 0 for none."""
    number: int = 0
    """The number of one of the companion's own counts; of a silence, its seat."""
    held: str = ""
    """The hash of all seals that a phone holds when its seat is ready; empty for any other press."""


class Ruling(msgspec.Struct, frozen=True):
    """The decision about one press: an event to journal, a refusal, or nothing; with its verdict and cues."""

    heard: PressEvidence
    event: Event | None = None
    refusal: Refusal | None = None
    judged: Judged | None = None
    cues: tuple[Cue, ...] = ()


def evidence_of(press: Press, now: int, held: str = "") -> PressEvidence:
    """Return a press as evidence, with a moment no later than `now`."""
    at, seat = min(press.at, now), Seat(press.seat)
    return PressEvidence(seat, at, now, press.contact, press.since or at, press.source, press.within, held=held)


def is_duplicate(one: PressEvidence, other: PressEvidence) -> bool:
    """Return whether both are the same press, delivered twice."""
    if one.event is not None or other.event is not None:
        return False
    return (one.seat, one.at, one.contact, one.source) == (other.seat, other.at, other.contact, other.source)


def accept(evidence: PressEvidence, mark: PressMark, judged: tuple[Kind, str], event: Event | None) -> Ruling:
    """Return a ruling that accepts an event. `judged` is the kind of verdict and the lot."""
    kind, lot = judged
    return Ruling(evidence, event, judged=Judged(kind, lot, (mark,)))


def miss(evidence: PressEvidence, mark: PressMark, lot: str, refusal: Refusal) -> Ruling:
    """Return a ruling without effect, and the reason. The verdict is public."""
    judged = Judged("missed", lot, (mark,))
    return Ruling(evidence, refusal=refusal, judged=judged, cues=(Refused(seat=evidence.seat),))


def refuse(evidence: PressEvidence, lot: str, refusal: Refusal) -> Ruling:
    """Return a ruling for a press that the rules refuse. Others see only that it was refused."""
    return miss(evidence, mark_press(evidence, evidence.at, "not_accepted"), lot, refusal)


def mark_press(evidence: PressEvidence, moment: int, outcome: Outcome, number: int = 0) -> PressMark:
    """Return a press for its verdict, relative to the decisive moment."""
    return PressMark(
        seat=evidence.seat,
        at=to_microseconds(evidence.at - moment),
        outcome=outcome,
        number=number,
        source=evidence.source if evidence.event is None else "said",
        within=to_microseconds(evidence.within),
        late=to_microseconds(max(0, evidence.heard - evidence.at)),
        held=evidence.held or msgspec.UNSET,
    )


def to_microseconds(nanoseconds: int) -> int:
    """Return whole microseconds, rounded away from zero, so that a press just after a moment never shows as 0."""
    return nanoseconds // MICROSECOND if nanoseconds < 0 else -(-nanoseconds // MICROSECOND)


def name_of_lot(lot: object) -> str:
    """Return a lot's name in verdicts."""
    return " ".join(map(str, lot)) if isinstance(lot, tuple) else str(lot)
