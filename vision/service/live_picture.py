"""The live picture: what the camera sees, small, black outside the places, while somebody watches. Knows no pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.devices.frames import CardOutline, LiveFrame, Outline, show
from companion.messages import Sighting
from vision.image import Image
from vision.mat import Mat, MatPose, black_out
from vision.mat.mat import Points

WIDEST = 1280
"""Pixels along the longer side of the live picture."""
EVERY = 200_000_000
"""Nanoseconds between two live pictures, at least."""
SHARE = 4
"""Making them takes at most one part in so many of the time: reading comes first."""
QUALITY = 75
SECOND = 1_000_000_000
LONGEST = 60.0
"""Seconds for which one question may have pictures put on the shelf."""
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


class LivePicture:
    """Puts pictures on the shelf. Moments are nanoseconds of CLOCK_MONOTONIC, handed in."""

    def __init__(self, shelf: Path, rotate: int = 0) -> None:
        self._shelf, self._rotate = shelf, rotate
        self._until = 0
        self._next = 0

    def watch(self, seconds: float, now: int) -> None:
        """Put pictures on the shelf for so long."""
        self._until = now + int(min(max(seconds, 0.0), LONGEST) * SECOND)

    def due(self, now: int) -> bool:
        """Whether somebody waits for a picture."""
        return self._next <= now < self._until

    def made(self, began: int, now: int) -> None:
        """Note how long a picture took, so that pictures leave time for reading."""
        self._next = max(began + EVERY, now + (now - began) * (SHARE - 1))

    def show(
        self,
        picture: Image,
        at: int,
        mat: Mat | None = None,
        pose: MatPose | None = None,
        seen: Sequence[Sighting] = (),
        covered: Sequence[str] = (),
        moving: bool = False,
    ) -> None:
        """Put a full picture on the shelf, and what is drawn over it: cards, and the places that are read.

        Without places it is shown whole.
        """
        factor = min(1.0, WIDEST / max(picture.shape[:2]))
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        cards: tuple[CardOutline, ...] = ()
        places: dict[str, Outline] = {}
        if mat is not None and pose is not None:
            here = pose.resized(size)
            small = black_out(small, here, mat)
            cards = tuple(
                [CardOutline(each, self._outline(np.array(each.corners), here)) for each in seen if each.corners]
            )
            places = {slot.place: self._outline(mat.hull(slot), here) for slot in mat.read()}
        if self._rotate:
            small = np.asarray(cv2.rotate(small, TURNS[self._rotate]), dtype=np.uint8)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        show(self._shelf, data, LiveFrame(at, cards, places, tuple(covered), moving))

    def _outline(self, corners: Points, pose: MatPose) -> Outline:
        """Return corners in millimetres as parts of the picture as it is shown."""
        parts = (pose.project(corners) + 0.5) / pose.picture
        return tuple([_turned(float(x), float(y), self._rotate) for x, y in np.round(parts, 4)])

    def tapped(self, taps: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """Return taps on the live picture as parts of the camera's own picture."""
        return [_turned(float(x), float(y), -self._rotate % 360) for x, y in taps]


def _turned(x: float, y: float, degrees: int) -> tuple[float, float]:
    """Return a part of a picture after the picture was turned clockwise."""
    for _ in range(degrees // 90):
        x, y = 1 - y, x
    return x, y
