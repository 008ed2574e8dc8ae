"""The actions of a hand on a table, step by step: it comes, takes or brings something, puts it down, and leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from companion.engine import Piece
from vision.simulate.camera_geometry import Points
from vision.simulate.gesture import Reach, leg, reach
from vision.simulate.hands import CLOTHS, SKINS

SWAY = 6.0
"""The maximum rotation of a card in a hand, in degrees."""


class HandMove(NamedTuple):
    """A hand's action: it takes or brings a card or a piece, and puts it down or carries it off."""

    stops: Sequence[Points]
    home: Points
    take: Callable[[], object] | None
    """Takes the object, or None if it comes from off the table."""
    put: Callable[[], object] | None
    """Puts the object down, or None if it is carried off the table."""
    card: str = ""
    piece: Piece | None = None


class HandStep(NamedTuple):
    """A hand at one picture."""

    reach: Reach
    carried: Piece | None
    changed: bool
    """Whether something was taken or put down since the last step."""


def hand_steps(move: HandMove, card: tuple[float, float], frames: int, luck: Random) -> Iterator[HandStep]:
    """Yield a hand's steps from its start, from stop to stop, and back.

    card: the size of a card.
    """
    looks = (luck.choice(SKINS), luck.choice(CLOTHS))
    way = [move.home, *move.stops, move.home]
    first = 0 if move.take is None else 1  # from here on something is in the hand
    last = len(way) - 2 if move.put is not None else len(way) - 1
    changed = False
    for nth, (start, end) in enumerate(pairwise(way)):
        if nth == 1 and move.take is not None:
            move.take()
            changed = True
        carries = first <= nth < last
        for step in leg(start, end, max(1, frames // (len(way) - 1))):
            at = reach(move.home, step, move.card if carries else "", card, looks, luck.uniform(-SWAY, SWAY))
            yield HandStep(at, move.piece if carries else None, changed)
            changed = False
        if nth == last - 1 and move.put is not None:
            move.put()
            changed = True
