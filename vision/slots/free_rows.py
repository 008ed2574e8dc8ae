"""Frames for rows on a table without printed places. They start at a card's pose and run away from its owner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.engine import Place
from vision.mat import Mat, Slot
from vision.mat.mat import SHOWING
from vision.slots.slot_frame import ASIDE, Points, SlotFrame
from vision.slots.tracks import Track

REACH = 150.0
"""Millimetres from a seat's edge within which the first card of its owner's row has its middle."""
DOUBTFUL = 45.0
"""Millimetres beyond REACH in which a card is neither clearly before its owner nor in the middle."""
SLANT = 30.0
"""The maximum angle in degrees between a row and its owner's straight-ahead direction. Players are asked about cards
beyond it."""
LAID_FAR = 1.9
"""The maximum distance between the far ends of neighbours in a row, relative to a tucked card's strip."""


class Owner:
    """One seat's edge of the table. Seats go clockwise from the right end of the lower side, as on a mat."""

    def __init__(self, mat: Mat, seat: int) -> None:
        near = (mat.players + 1) // 2
        self.lower = seat < near
        there = near if self.lower else mat.players - near
        nth = near - 1 - seat if self.lower else seat - near
        self.left, self.right = mat.size[0] * nth / there, mat.size[0] * (nth + 1) / there
        self.edge = mat.size[1] if self.lower else 0.0

    def distance(self, middle: Points) -> float:
        """Return a point's distance in millimetres from this seat's edge, or infinity before another seat."""
        if not self.left <= middle[0] < self.right:
            return np.inf
        return float(self.edge - middle[1] if self.lower else middle[1] - self.edge)

    def away(self, corners: Points) -> tuple[Points, float]:
        """Return the unit vector along a card's long side away from the owner, and its deviation in degrees."""
        one, two = corners[3] - corners[0], corners[1] - corners[0]
        axis = one if np.linalg.norm(one) > np.linalg.norm(two) else two
        axis = axis / np.linalg.norm(axis)
        straight = np.array([0.0, -1.0 if self.lower else 1.0])
        if axis @ straight < 0:
            axis = -axis
        return axis, float(np.degrees(np.arccos(np.clip(axis @ straight, -1, 1))))

    def left_to_right(self, middle: Points) -> float:
        """Return a key that sorts points from the owner's left to the right."""
        return float(middle[0] if self.lower else -middle[0])


def row_frame(place: Place, card: tuple[float, float], corners: Points, away: Points) -> SlotFrame:
    """Return the frame of a place whose first card has these corners.

    away: the direction in which a row continues.
    """
    down = -away
    right = np.array([down[1], -down[0]])
    width, height = card
    middle = corners.mean(axis=0)
    first = middle - right * width / 2 - down * height / 2
    step = away * height * SHOWING
    beyond = (place.most - 1) * height * SHOWING
    corner = first - right * ASIDE - down * (ASIDE + beyond)
    to_mat = np.array([[right[0], down[0], corner[0]], [right[1], down[1], corner[1]], [0, 0, 1]])
    seat = None if place.seat is None else int(place.seat)
    tucked = (float(step[0]), float(step[1])) if place.kind == "row" else (0.0, 0.0)
    slot = Slot(place.name, place.kind, float(first[0]), float(first[1]), 0, place.most, tucked, seat=seat)
    return SlotFrame(slot, (width + 2 * ASIDE, height + beyond + 2 * ASIDE), to_mat, 0, card)


def chained(frame: SlotFrame, tracks: Sequence[Track]) -> list[Track]:
    """Return the connected cards of a row from its first one on, each tucked behind the one before it."""
    step = frame.card[1] * SHOWING
    far = {id(track): float(frame.from_mat(track.corners)[:, 1].min()) for track in tracks}
    row: list[Track] = []
    last = float(frame.home(0)[:, 1].min())
    for track in sorted(tracks, key=lambda each: -far[id(each)]):
        if last - far[id(track)] > step * LAID_FAR:
            break
        row.append(track)
        last = far[id(track)]
    return row


def covered_area(frame: SlotFrame, row: Sequence[Track]) -> Points:
    """Return the rectangle, in the frame's millimetres, of a row and the strip where its next card would show."""
    step = frame.card[1] * SHOWING if len(row) < frame.slot.most and frame.slot.kind == "row" else 6 / LAID_FAR
    corners = np.vstack([frame.home(0), *[frame.from_mat(track.corners) for track in row]])
    (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
    left, top, right, low = left - 6, top - step * LAID_FAR, right + 6, low + 6
    return np.array([[left, top], [right, top], [right, low], [left, low]])
