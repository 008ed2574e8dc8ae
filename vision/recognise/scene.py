"""A picture during recognition: its smaller copies, its readable area, and views of cards at a pose."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from threading import Lock
from typing import Any, TypeVar

import cv2
import numpy as np

from vision.features.edge_step import edge_step
from vision.features.pixels import WHITE, Floats, colour_of, corners_of, darkest, lab, project, scaling_matrix
from vision.image import Image, Matrix

T = TypeVar("T")

SMALLEST = 64
"""The minimum side in pixels of a smaller copy."""
SHRINK = 1.5
"""The maximum reduction when sampling a copy. Beyond it the next smaller copy is used, to avoid aliasing."""
MASK = 0.25
"""The scale of the mask of covered areas, in which one pixel stands for four."""
RIM = 0.12
"""The width of a rim, such as a sleeve's, beyond a card's edge, as a share of its shorter side."""
NEAR = 16
"""The margin in pixels around a card within which another may cover it, because the mask is coarse."""
EDGE = 0.06
"""The margin around a quadrangle for measuring its edge, as a share of its length."""
AROUND = np.array([[-NEAR, -NEAR], [NEAR, -NEAR], [NEAR, NEAR], [-NEAR, NEAR]], np.float32)
"""Offsets of the corners of a square with that margin around a point."""


class PictureScene:
    """A picture and its state during recognition. Several threads may take views, but only one may call `cover`."""

    def __init__(self, picture: Image, mask: Image | None = None) -> None:
        self.picture = colour_of(picture)
        self.height, self.width = self.picture.shape[:2]
        self._copies = [self.picture]
        size = (max(1, round(self.width * MASK)), max(1, round(self.height * MASK)))
        self.all_known = mask is None
        if mask is None:
            self.known = np.full((size[1], size[0]), 255, np.uint8)
        else:
            self.known = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST)
        self.free = self.known.copy()
        """255 where cards can still be read: known, and not covered by an accepted card."""
        self._shrinking = Lock()
        self._covers: list[Floats] = []
        self._small: tuple[float, Image] | None = None
        self._kept: dict[Hashable, Any] | None = None

    def keeping(self) -> PictureScene:
        """Return a copy that caches views, for one thread that compares one card while no other is accepted."""
        other = copy(self)
        other._kept = {}
        return other

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value for a key, or make it. Only a copy from `keeping` caches."""
        if self._kept is None:
            return make()
        if key not in self._kept:
            self._kept[key] = make()
        value: T = self._kept[key]
        return value

    def smaller(self, scale: float) -> Image:
        """Return the picture scaled by a factor of at most 1. The last one is cached."""
        if scale >= 1:
            return self.picture
        with self._shrinking:
            if self._small is None or self._small[0] != scale:
                size = (max(1, round(self.width * scale)), max(1, round(self.height * scale)))
                self._small = (scale, cv2.resize(self.picture, size, interpolation=cv2.INTER_AREA))
            return self._small[1]

    def cover(self, corners: Floats) -> None:
        """Mark an accepted card's area as covered."""
        self._covers.append(corners)
        cv2.fillConvexPoly(self.free, np.rint(corners * MASK).astype(np.int32), 0)

    @property
    def covered(self) -> int:
        """The number of accepted cards so far."""
        return len(self._covers)

    def same(self, covered: int, corners: Floats) -> bool:
        """Whether none of the cards accepted since a count comes near these corners."""
        return not any(come_near(corners, other) for other in self._covers[covered:])

    def without(self, pose: Matrix, frame: tuple[int, int], hidden: Image) -> PictureScene:
        """Return a copy without the hidden parts (255) of a card's view at a pose."""
        other = self.keeping()
        to_mask = (
            scaling_matrix(MASK, MASK) @ pose @ scaling_matrix(frame[0] / hidden.shape[1], frame[1] / hidden.shape[0])
        )
        size = (self.free.shape[1], self.free.shape[0])
        covers = cv2.warpPerspective(hidden, to_mask, size, flags=cv2.INTER_LINEAR)
        other.free = np.where(covers > 0, 0, self.free).astype(np.uint8)
        return other

    def uncovered(self, corners: Floats) -> PictureScene:
        """Return a copy without the cover of the accepted card at these corners."""
        other = self.keeping()
        other.free = self.known.copy()
        for cover in self._covers:
            if not np.allclose(cover, corners, atol=1 / MASK):
                cv2.fillConvexPoly(other.free, np.rint(cover * MASK).astype(np.int32), 0)
        return other

    def with_rims(self) -> PictureScene | None:
        """Return a copy in which each accepted card also has a rim, such as a sleeve's, or None without accepted
        cards."""
        if not self._covers:
            return None
        other = self.keeping()
        other.free = self.free.copy()
        for cover in self._covers:
            rim = RIM * float(np.linalg.norm(np.roll(cover, -1, axis=0) - cover, axis=1).min())
            line = max(1, round(2 * rim * MASK))
            cv2.polylines(other.free, [np.rint(cover * MASK).astype(np.int32)], True, 0, line)
        return other

    def over(self, corners: Floats) -> float:
        """Return the largest share of this quadrangle that one accepted card covers."""
        whole = max(1.0, abs(cv2.contourArea(corners)))
        return max((float(cv2.intersectConvexConvex(corners, other)[0]) / whole for other in self._covers), default=0.0)

    def view(
        self, pose: Matrix, frame: tuple[int, int], size: tuple[int, int], padding: int = 0
    ) -> tuple[Image, Floats]:
        """Return a card's view at a pose in BGR with padding, and its visibility mask without padding.

        pose: the homography from the card's frame to the picture. size: width and height of the view in pixels.
        """
        to_picture = pose @ scaling_matrix(frame[0] / size[0], frame[1] / size[1])
        return self.picture_at(pose, frame, size, padding), self.visible(to_picture, size)

    def picture_at(self, pose: Matrix, frame: tuple[int, int], size: tuple[int, int], padding: int = 0) -> Image:
        """Return a card's view at a pose in BGR, with padding on all sides. For the arguments see `view`."""
        to_picture = pose @ scaling_matrix(frame[0] / size[0], frame[1] / size[1])
        level, copy = self._copy(to_picture, size)
        to_copy = scaling_matrix(1 / level, 1 / level) @ to_picture
        shifted = to_copy.copy()
        if padding:
            shifted = to_copy @ np.array([[1, 0, -padding], [0, 1, -padding], [0, 0, 1]], np.float64)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        whole = (size[0] + 2 * padding, size[1] + 2 * padding)
        return cv2.warpPerspective(copy, shifted, whole, flags=flags, borderMode=cv2.BORDER_REPLICATE)

    def visible(self, to_picture: Matrix, size: tuple[int, int]) -> Floats:
        """Return a view's visibility mask: 1 where it can be seen, else 0."""
        to_mask = scaling_matrix(MASK, MASK) @ to_picture
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(self.free, to_mask, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
        return (seen > 0).astype(np.float32)

    def edge_step(self, corners: Floats) -> float:
        """Return the colour step across a quadrangle's sides (`vision.features.edge_step`)."""
        beside = EDGE * float(np.ptp(corners, axis=0).max())
        low = np.floor(corners.min(axis=0) - beside).clip(0).astype(int)
        high = np.ceil(corners.max(axis=0) + beside).astype(int)
        part = self.picture[low[1] : high[1], low[0] : high[0]]
        if not part.size:
            return 0.0
        return edge_step((corners - low).astype(np.float32), lab(cv2.GaussianBlur(part, (5, 5), 0)))

    def _copy(self, to_picture: Matrix, size: tuple[int, int]) -> tuple[int, Image]:
        """Return the factor by which the best copy for a view is smaller, and the copy itself."""
        corners = project(to_picture, corners_of(size))
        shrink = float(np.sqrt(max(1.0, abs(cv2.contourArea(corners))) / (size[0] * size[1])))
        level, at = 1, 0
        while shrink / level > SHRINK and min(self._copies[at].shape[:2]) >= 2 * SMALLEST:
            at, level = at + 1, level * 2
            with self._shrinking:
                if at == len(self._copies):
                    last = self._copies[-1]
                    half = (last.shape[1] // 2, last.shape[0] // 2)
                    self._copies.append(cv2.resize(last, half, interpolation=cv2.INTER_AREA))
        return level, self._copies[at]


def come_near(corners: Floats, other: Floats) -> bool:
    """Whether two cards lie so close in the picture that one may cover a part of the other."""
    if (other.max(axis=0) <= corners.min(axis=0) - NEAR).any() or (
        other.min(axis=0) >= corners.max(axis=0) + NEAR
    ).any():
        return False
    around = cv2.convexHull((corners[:, None] + AROUND).reshape(-1, 2))
    return float(cv2.intersectConvexConvex(around, cv2.convexHull(other))[0]) > 0


def in_lab(view: Image) -> Floats:
    """Return a view in Lab."""
    return lab(view)


def burnt_out(view: Image) -> Floats:
    """Return 1 where all channels of a pixel are burnt out, else 0."""
    return (darkest(view) >= WHITE).astype(np.float32)
