"""How a hand moves over the table: from beyond an edge to a card, with it to its place, and away."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from vision.simulate.camera_geometry import Area, Points
from vision.simulate.clutter import rectangle
from vision.simulate.hands import Hand

SHUTTER = 0.5
"""How long the shutter is open while a hand moves, as a part of the time between two pictures."""
HOME = 140.0
"""Millimetres beyond the mat's edge at which a hand's fingertips begin and end: outside most pictures."""
STRETCHED = 60.0
"""Millimetres from home from which on the arm's direction shows."""


class Reach(msgspec.Struct, frozen=True, eq=False):
    """A hand over the table at one moment."""

    hand: Hand
    card: str
    """The name of what shows of the card that it carries; empty: none."""
    corners: Points | None
    """The carried card's, in millimetres."""
    moved: tuple[float, float]
    """Millimetres by which it moves while the picture is taken."""


def home_of(target: Points, area: Area) -> Points:
    """Return whence a hand reaches for a point: from beyond the upper or lower edge of this area, the nearer one."""
    top, low = area[1], area[3]
    beyond = top - HOME if target[1] < (top + low) / 2 else low + HOME
    found: Points = np.array([target[0], beyond])
    return found


def leg(start: Points, end: Points, frames: int) -> Iterator[tuple[Points, Points]]:
    """Yield where the fingertips are at each picture between two stops, and how far they move while it is taken."""
    for n in range(frames):
        share = (n + 0.5) / frames
        at = start + (end - start) * (3 - 2 * share) * share * share
        yield at, (end - start) * 6 * share * (1 - share) / frames * SHUTTER


def reach(
    home: Points, step: tuple[Points, Points], card: str, size: tuple[float, float], looks: tuple[str, str], sway: float
) -> Reach:
    """Return a hand that reaches from home; a card of this size lies `sway` degrees askew in it.

    `step`: where the fingertips are, and how far they move (see `leg`); `looks`: colours of skin and cloth.
    """
    at, moved = step
    way = at - home
    stretched = np.hypot(*way) > STRETCHED
    toward = float(np.degrees(np.arctan2(way[1], way[0]))) if stretched else (90.0 if home[1] < 0 else -90.0)
    corners = rectangle(size, toward + 90 + sway) + at if card else None
    return Reach(Hand(float(at[0]), float(at[1]), toward, *looks), card, corners, (float(moved[0]), float(moved[1])))
