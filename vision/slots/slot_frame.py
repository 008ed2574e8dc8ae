"""A slot's own coordinates in millimetres, with its cards upright or its row running upwards.

A *frame* is a rectangle of the mat around all the cards of a slot. It is rotated so that searches have one orientation:
in a spread the cards' top is up, and in a row the visible end of tucked cards is up.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image, Matrix
from vision.mat import Mat, MatPose, Slot

Points = npt.NDArray[np.float64]
ASIDE = 14.0
"""Margin in millimetres of a frame around its slot's cards, because players lay cards imprecisely."""
GRID = 16
"""Grid step in pixels for undistorting a lens, between whose points the map is linear."""


class SlotFrame(msgspec.Struct, frozen=True, eq=False):
    """A rectangle of the mat around a slot."""

    slot: Slot
    size: tuple[float, float]
    """Width and height in millimetres."""
    to_mat: Matrix
    """The transform from the frame's millimetres to the mat's."""
    lie: int
    """The clockwise quarter turns of cards in the frame."""
    card: tuple[float, float]
    """Width and height in millimetres of a correctly laid card in the frame."""

    def home(self, nth: int = 0) -> Points:
        """Return the corners of the slot's nth card in the frame, clockwise from the frame's upper left."""
        slot = self.slot
        back = _inverse(self.to_mat)
        origin = _through(back, np.array([[slot.x + nth * slot.step[0], slot.y + nth * slot.step[1]]]))[0]
        # In a rotated frame, the card's top left is another corner.
        width, height = self.card
        left = origin[0] - (width if self.lie in (1, 2) else 0.0)
        top = origin[1] - (height if self.lie in (2, 3) else 0.0)
        return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])

    def on_mat(self, points: Points) -> Points:
        """Return points of the frame in the mat's millimetres, n × 2."""
        return _through(self.to_mat, points)

    def from_mat(self, points: Points) -> Points:
        """Return points of the mat in the frame's millimetres, n × 2."""
        return _through(_inverse(self.to_mat), points)

    def view(self, picture: Image, pose: MatPose, px_per_mm: float) -> Image:
        """Return the frame's view from straight above, at a scale in pixels per millimetre."""
        shape = (max(1, round(self.size[0] * px_per_mm)), max(1, round(self.size[1] * px_per_mm)))
        # Pixel coordinates refer to pixel centres.
        to_frame = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, px_per_mm]]) / px_per_mm
        if not pose.bend:
            down = pose.homography @ self.to_mat @ to_frame
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return cv2.warpPerspective(picture, down, shape, flags=flags)
        columns, rows = np.arange(0, shape[0] + GRID, GRID), np.arange(0, shape[1] + GRID, GRID)
        x, y = np.meshgrid(columns, rows)
        seen = pose.project(self.on_mat(_through(to_frame, np.column_stack([x.ravel(), y.ravel()]))))
        coarse = seen.reshape(*x.shape, 2).astype(np.float32)
        # Interpolate linearly between the grid points at multiples of GRID.
        matrix = np.array([[1 / GRID, 0, 0], [0, 1 / GRID, 0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        full = cv2.warpAffine(coarse, matrix, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return cv2.remap(picture, full[:, :, 0], full[:, :, 1], cv2.INTER_LINEAR)


def frame_of(mat: Mat, slot: Slot) -> SlotFrame:
    """Return the frame of a slot."""
    if slot.kind == "row" and slot.step != (0.0, 0.0):
        x, y = slot.step
        turn = (0 if y < 0 else 2) if abs(y) >= abs(x) else (1 if x > 0 else 3)
    else:
        turn = slot.turn
    hull = mat.hull(slot, ASIDE)
    left, top = hull[0]
    width, height = hull[2] - hull[0]
    corner = {0: (left, top), 1: (left + width, top), 2: (left + width, top + height), 3: (left, top + height)}[turn]
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    to_mat = np.array([[cosine, -sine, corner[0]], [sine, cosine, corner[1]], [0, 0, 1]], np.float64)
    size = (width, height) if turn % 2 == 0 else (height, width)
    lie = (slot.turn - turn) % 4
    card = mat.card if lie % 2 == 0 else (mat.card[1], mat.card[0])
    return SlotFrame(slot, (float(size[0]), float(size[1])), to_mat, lie, card)


def card_box(card: tuple[float, float], x: float, y: float, degrees: float) -> Points:
    """Return a card's corners from its upper left corner at x, y and its clockwise rotation in degrees."""
    angle = np.deg2rad(degrees)
    right = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-right[1], right[0]])
    start = np.array([x, y])
    return np.array([start, start + right * card[0], start + right * card[0] + down * card[1], start + down * card[1]])


def area(one: Points) -> float:
    """Return the area of a convex polygon."""
    return float(abs(cv2.contourArea(one.astype(np.float32))))


def shared_area(one: Points, two: Points) -> float:
    """Return the area of the intersection of two convex polygons."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), two.astype(np.float32))[0])


def polygon_mask(shape: tuple[int, ...], polygon: Points, px_per_mm: float) -> Image:
    """Return a mask (height × width) with a filled polygon, which is given in millimetres."""
    mask = np.zeros(shape, np.uint8)
    fill_polygon(mask, polygon, px_per_mm)
    return mask


def fill_polygon(mask: Image, polygon: Points, px_per_mm: float, value: int = 255) -> None:
    """Fill a polygon, given in millimetres, in a mask."""
    cv2.fillConvexPoly(mask, np.round(polygon * px_per_mm * 8 - 4).astype(np.int32), value, cv2.LINE_8, 3)


def _inverse(matrix: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _through(matrix: Matrix, points: Points) -> Points:
    spread = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    found: Points = spread[:, :2] / spread[:, 2:]
    return found
