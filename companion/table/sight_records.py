"""What the camera's eye adds to the table: what it took, asks, and cannot explain. Records that any thread may read."""

from __future__ import annotations

import msgspec

from companion.engine import Event, Fault, Spot

Explanation = tuple[Event, ...]
"""Events that together explain what is seen."""


class TakenBySight(msgspec.Struct, frozen=True):
    """What was just taken from the table by sight. It is shown for a few seconds, with a way back."""

    events: tuple[Event, ...]
    undo_to: int
    """The record to go back to where it was not so."""


class MisreadCorrection(msgspec.Struct, frozen=True):
    """How a misread is put right: the event of record `seq` becomes another one."""

    seq: int
    event: Event


class LayoutMismatch(msgspec.Struct, frozen=True):
    """What does not fit at one place of the table.

    `place` is where it really lies, `name` what the rules call that place (a seat may lay its trains in another order).
    """

    place: str
    name: str
    seen: Spot
    said: Spot
    extra: tuple[str, ...] = ()
    """Cards that are seen and should not lie there."""
    missing: tuple[str, ...] = ()
    """Cards that should lie there and are not seen."""
    corners: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The corners of the cards that are seen there, in millimetres of the mat."""
    right: MisreadCorrection | None = None
    """What puts it right with one tap, where the camera, or a person, misread a card before."""
    fault: Fault | None = None
    """What the game says of it, where no rule allows it: nothing is taken until it is mended."""


class SightState(msgspec.Struct, frozen=True):
    """What is seen, compared with the rules. The default: nothing is looked at."""

    active: bool = False
    """Whether the camera's eye takes part: it sees, the cards are real, and a match lies on the table."""
    waits: bool = False
    """After an undo or an amendment: nothing is taken until the table matches again."""
    taken: TakenBySight | None = None
    choices: tuple[Explanation, ...] = ()
    """Several things may have happened, or one that rests on a card that could not be named: somebody says which."""
    odd: tuple[LayoutMismatch, ...] = ()
    """What does not fit, when it has not fitted for a while."""
