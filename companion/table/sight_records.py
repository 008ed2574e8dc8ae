"""The camera's additions to the table: accepted events, questions and mismatched places. All are frozen."""

from __future__ import annotations

import msgspec

from companion.engine import Event, Fault, Refusal, Seat, Spot

Explanation = tuple[Event, ...]
"""Events that together explain the camera's view."""


class AcceptedEvents(msgspec.Struct, frozen=True):
    """Events just accepted from the camera. They are shown for a few seconds, with an undo."""

    events: tuple[Event, ...]
    undo_to: int
    """The record to go back to if the events did not happen."""


class MisreadCorrection(msgspec.Struct, frozen=True):
    """How to correct a misread card: replace the event of record `seq`."""

    seq: int
    event: Event


class LayoutMismatch(msgspec.Struct, frozen=True):
    """A place where seen and expected cards differ; `name` is the rules' name for the real `place`."""

    place: str
    name: str
    seen: Spot
    expected: Spot
    extra: tuple[str, ...] = ()
    """Cards seen there that should not be."""
    missing: tuple[str, ...] = ()
    """Missing cards."""
    corners: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The corners of the cards seen there, in millimetres on the mat."""
    correction: MisreadCorrection | None = None
    """The correction to offer if the camera, or a person, misread a card before."""
    fault: Fault | None = None
    """The game's explanation if no rule allows the mismatch; nothing is accepted until people fix it."""


class TokenNotice(msgspec.Struct, frozen=True):
    """One sentence about tokens, public like the table itself: `tokens.<key>` in the words."""

    key: str
    place: str = ""
    seat: Seat | None = None
    """The sentence's `name`."""
    amount: int = 0
    """The sentence's `amount` in dollars."""
    due: int = 0
    """The sentence's `due` in dollars."""


class SightState(msgspec.Struct, frozen=True):
    """The camera's view compared with the rules. By default the camera is not used."""

    active: bool = False
    """Whether the camera takes part: it works, the cards are real, and a match is on the table."""
    waits: bool = False
    """Whether nothing is accepted until the table matches again, after an undo or an amendment."""
    accepted: AcceptedEvents | None = None
    choices: tuple[Explanation, ...] = ()
    """Explanations from which a person must choose: there are several, or one depends on an unreadable card."""
    mismatches: tuple[LayoutMismatch, ...] = ()
    """Places that have not matched for a while."""
    tokens: bool = False
    """Whether the camera reads places for tokens, so that nobody need type their contents."""
    notices: tuple[TokenNotice, ...] = ()
    """Notices for people about the tokens on the table."""
    claims: tuple[Event, ...] = ()
    """Claims that tokens suggest; each needs its seat's confirmation, and only that seat's page shows it."""
    reasons: tuple[tuple[Seat, Refusal], ...] = ()
    """Why a seat's tokens were not accepted, each only for that seat's own page."""
