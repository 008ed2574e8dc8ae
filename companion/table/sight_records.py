"""What the camera adds to the table: events it accepted, questions, and places that do not fit. All are frozen."""

from __future__ import annotations

import msgspec

from companion.engine import Event, Fault, Refusal, Seat, Spot

Explanation = tuple[Event, ...]
"""Events that together explain what the camera sees."""


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
    """A place where the cards seen differ from those expected; `name` is the rules' name for the real `place`."""

    place: str
    name: str
    seen: Spot
    expected: Spot
    extra: tuple[str, ...] = ()
    """Cards that are seen there but should not be."""
    missing: tuple[str, ...] = ()
    """Cards that should be there but are not seen."""
    corners: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The corners of the cards seen there, in millimetres on the mat."""
    correction: MisreadCorrection | None = None
    """The correction to offer if the camera, or a person, misread a card before."""
    fault: Fault | None = None
    """The game's explanation if no rule allows it; nothing is accepted until people fix it."""


class TokenNotice(msgspec.Struct, frozen=True):
    """One sentence about tokens, public as the table lies: `tokens.<key>` in the words."""

    key: str
    place: str = ""
    seat: Seat | None = None
    """`name` in the sentence."""
    amount: int = 0
    """Dollars in the sentence: `amount`."""
    due: int = 0
    """Dollars in the sentence: `due`."""


class SightState(msgspec.Struct, frozen=True):
    """What the camera sees, compared with the rules. By default the camera is not used."""

    active: bool = False
    """Whether the camera takes part: it works, the cards are real, and a match is on the table."""
    waits: bool = False
    """Whether nothing is accepted until the table matches again, after an undo or an amendment."""
    accepted: AcceptedEvents | None = None
    choices: tuple[Explanation, ...] = ()
    """Explanations among which a person must choose: there are several, or one depends on an unreadable card."""
    mismatches: tuple[LayoutMismatch, ...] = ()
    """Places that have not fitted for a while."""
    tokens: bool = False
    """Whether the camera reads places for tokens: nobody need type what lies there."""
    notices: tuple[TokenNotice, ...] = ()
    """What people should know of the tokens on the table, or do with them."""
    claims: tuple[Event, ...] = ()
    """What tokens suggest; each happens only once its seat says so, and only that seat's page shows it."""
    reasons: tuple[tuple[Seat, Refusal], ...] = ()
    """Why a seat's tokens were not accepted, each for that seat's own page alone."""
