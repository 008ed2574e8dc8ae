"""The movement of a hand over the table: from beyond an edge to a card, with it to its place, and away."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from vision.simulate.camera_geometry import Area, Points
from vision.simulate.clutter import rectangle
from vision.simulate.hands import Hand

SHUTTER = 0.5
"""The share of the time between two pictures during which the shutter is open."""
HOME = 140.0
"""The distance in millimetres beyond the mat's edge at which a hand starts and ends, outside most pictures."""
STRETCHED = 60.0
"""The distance in millimetres from its start from which the arm's direction is visible."""


class Reach(msgspec.Struct, frozen=True, eq=False):
    """A hand over the table at one moment."""

    hand: Hand
    card: str
    """The name of the visible side of the carried card, or ""."""
    corners: Points | None
    """The carried card's corners in millimetres."""
    moved: tuple[float, float]
    """The movement in millimetres during the exposure."""


def home_of(target: Points, area: Area) -> Points:
    """Return the start of a hand for a point: beyond the nearer of the area's upper and lower edges."""
    top, low = area[1], area[3]
    beyond = top - HOME if target[1] < (top + low) / 2 else low + HOME
    found: Points = np.array([target[0], beyond])
    return found


def leg(start: Points, end: Points, frames: int) -> Iterator[tuple[Points, Points]]:
    """Yield the fingertips' position at each picture between two stops, and their movement during the exposure."""
    for n in range(frames):
        share = (n + 0.5) / frames
        at = start + (end - start) * (3 - 2 * share) * share * share
        yield at, (end - start) * 6 * share * (1 - share) / frames * SHUTTER


def reach(
    home: Points, step: tuple[Points, Points], card: str, size: tuple[float, float], looks: tuple[str, str], sway: float
) -> Reach:
    """Return a hand that reaches from its start, with a card of this size at an angle of `sway` degrees.

    step: the fingertips' position and movement (see `leg`). looks: colours of skin and cloth.
    """
    at, moved = step
    way = at - home
    stretched = np.hypot(*way) > STRETCHED
    toward = float(np.degrees(np.arctan2(way[1], way[0]))) if stretched else (90.0 if home[1] < 0 else -90.0)
    corners = rectangle(size, toward + 90 + sway) + at if card else None
    return Reach(Hand(float(at[0]), float(at[1]), toward, *looks), card, corners, (float(moved[0]), float(moved[1])))
