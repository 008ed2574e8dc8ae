"""Evidence and rulings: a press with its moment, and what became of it. Knows no clock and no single game."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.engine import Event, Refusal, Seat
from companion.match.history import Judged
from companion.match.verdict import Kind, Outcome, PressMark
from companion.messages import MICROSECOND, Contact, Cue, Press, Refused

OWN = Seat(-1)
"""The companion's own counts and its signal stand under this seat."""

Rule = Callable[[Event], Refusal | None]
"""What the rules say of an event now: why it is refused, or None."""


class PressEvidence(msgspec.Struct, frozen=True):
    """A press, something said (`event`), or a tick of the companion's own count, with its moment in nanoseconds."""

    seat: Seat
    at: int
    """The moment of contact."""
    heard: int
    """When it was delivered."""
    contact: Contact = "closed"
    since: int = 0
    source: str = "pin"
    within: int = 0
    event: Event | None = None
    """What was typed or spoken; None for a press."""
    ticket: int = 0
    """Who waits for an answer; 0: nobody."""
    number: int = 0
    """Which of the companion's own counts this is."""


class Ruling(msgspec.Struct, frozen=True):
    """What became of one press: an event to be journalled, a refusal, or nothing; with its verdict and cues."""

    heard: PressEvidence
    event: Event | None = None
    refusal: Refusal | None = None
    judged: Judged | None = None
    cues: tuple[Cue, ...] = ()


def heard(press: Press, now: int) -> PressEvidence:
    """Return a press as evidence: never later than now, for nobody presses in the future."""
    at = min(press.at, now)
    return PressEvidence(Seat(press.seat), at, now, press.contact, press.since or at, press.source, press.within)


def same(one: PressEvidence, other: PressEvidence) -> bool:
    """Whether one press was delivered twice."""
    if one.event is not None or other.event is not None:
        return False
    return (one.seat, one.at, one.contact, one.source) == (other.seat, other.at, other.contact, other.source)


def taken(
    kind: Kind, lot: str, evidence: PressEvidence, event: Event | None, outcome: Outcome, number: int = 0
) -> Ruling:
    """Return the ruling that a press leads to an event; its own moment is the decisive one."""
    return Ruling(evidence, event, judged=Judged(kind, lot, (mark(evidence, evidence.at, outcome, number),)))


def missed(
    evidence: PressEvidence, lot: str, outcome: Outcome, moment: int, refusal: Refusal, number: int = 0
) -> Ruling:
    """Return the ruling that a press came to nothing, and why; everybody may know that."""
    judged = Judged("missed", lot, (mark(evidence, moment, outcome, number),))
    return Ruling(evidence, refusal=refusal, judged=judged, cues=(Refused(seat=evidence.seat),))


def refused(evidence: PressEvidence, lot: str, refusal: Refusal) -> Ruling:
    """Return the ruling that the rules refuse it; all that everybody may know is that."""
    return missed(evidence, lot, "not_accepted", evidence.at, refusal)


def mark(evidence: PressEvidence, moment: int, outcome: Outcome, number: int = 0) -> PressMark:
    """Return a press as its verdict shows it, relative to the decisive moment."""
    return PressMark(
        seat=evidence.seat,
        at=micro(evidence.at - moment),
        outcome=outcome,
        number=number,
        source=evidence.source if evidence.event is None else "said",
        within=micro(evidence.within),
        late=micro(max(0, evidence.heard - evidence.at)),
    )


def micro(nanoseconds: int) -> int:
    """Return whole microseconds, away from zero: a press just after three is never shown at the very moment."""
    return nanoseconds // MICROSECOND if nanoseconds < 0 else -(-nanoseconds // MICROSECOND)


def name_of_lot(lot: object) -> str:
    """Return what a verdict calls a lot: the game's own words for it."""
    return " ".join(map(str, lot)) if isinstance(lot, tuple) else str(lot)
