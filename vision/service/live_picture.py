"""The live picture for pages: small, black outside the places, and made only while somebody watches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.frames import CardOutline, LiveFrame, Outline, TokenOutline, write_frame
from companion.messages import MILLISECOND, SECOND, Sighting, TokenSighting
from vision.image import Image
from vision.mat import Mat, MatPose, black_out, show_only
from vision.mat.mat import Points
from vision.mat.pose import Polygon

WIDEST = 1280
"""The longer side of the live picture in pixels."""
EVERY = 200 * MILLISECOND
"""The minimum interval between two live pictures in nanoseconds. Five a second look live."""
SHARE = 4
"""The divisor that limits the share of time for live pictures, because reading has priority."""
QUALITY = 75
"""The JPEG quality from 0 to 100, low enough for five pictures a second over a weak radio."""
LONGEST = 60.0
"""The maximum duration of one request in seconds. An open page asks again."""
CIRCLE = 24
"""The number of corners of the circle around a token."""
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""OpenCV's rotation codes by degrees clockwise."""


class OpenPlaces(msgspec.Struct, frozen=True):
    """The visible parts of the places for tokens."""

    readable: frozenset[str] = frozenset()
    """The names of the visible places. All others are black."""
    known: tuple[Polygon, ...] = ()
    """Outlines in millimetres that stay visible in the others."""


class LiveOverlay(msgspec.Struct, frozen=True):
    """The data that pages draw over the live picture, from the last reading."""

    sightings: Sequence[Sighting] = ()
    covered: Sequence[str] = ()
    """The covered places."""
    moving: bool = False
    tokens: Sequence[TokenSighting] = ()
    open_places: OpenPlaces = OpenPlaces()


NOTHING_READ = LiveOverlay()


class LivePicture:
    """Writes pictures to the frames folder. Callers pass times in nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, frames: Path, rotate: int = 0) -> None:
        self._frames, self._rotate = frames, rotate
        self._until = self._whole_until = 0
        self._next = 0

    def watch(self, seconds: float, now: int, whole: bool = False) -> None:
        """Write pictures to the frames folder for some seconds.

        whole: whether to show the surroundings of the places too.
        """
        self._until = now + int(min(max(seconds, 0.0), LONGEST) * SECOND)
        if whole:
            self._whole_until = self._until

    def watched(self, now: int) -> bool:
        """Whether somebody is watching."""
        return now < self._until

    def due(self, now: int) -> bool:
        """Whether it is time for the next picture."""
        return self._next <= now and self.watched(now)

    def note_duration(self, began: int, now: int) -> None:
        """Record how long a picture took, so that enough time is left for reading."""
        self._next = max(began + EVERY, now + (now - began) * (SHARE - 1))

    def show(
        self,
        picture: Image,
        at: int,
        mat: Mat | None = None,
        pose: MatPose | None = None,
        overlay: LiveOverlay = NOTHING_READ,
        board: tuple[Mat, MatPose] | None = None,
    ) -> None:
        """Write a full picture to the frames folder, with the outlines of cards and readable places.

        Without mat and pose, or while a page asks for it, the whole picture is shown. board: a board beside the mat.
        """
        factor = min(1.0, WIDEST / max(picture.shape[:2]))
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        small: Image = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        cards: tuple[CardOutline, ...] = ()
        tokens: tuple[TokenOutline, ...] = ()
        places: dict[str, Outline] = {}
        if mat is not None and pose is not None:
            here = pose.resize(size)
            if mat.outline:  # nothing is printed there, so only found cards are certain not to be secret
                small = show_only(small, here, [np.array(each.corners) for each in overlay.sightings if each.card])
            elif at >= self._whole_until:
                beside, shown = None if board is None else (board[0], board[1].resize(size)), overlay.open_places
                small = black_out(small, here, mat, beside, shown.readable, shown.known)
            seen = [each for each in overlay.sightings if each.corners]
            cards = tuple([CardOutline(each, self._outline(np.array(each.corners), here)) for each in seen])
            tokens = tuple([TokenOutline(each, self._outline(_circle(each), here)) for each in overlay.tokens])
            places = {slot.place: self._outline(mat.hull(slot), here) for slot in mat.read()}
            places |= {slot.place: self._outline(slot.corners(), here) for slot in mat.token_slots}
        if self._rotate:
            small = np.asarray(cv2.rotate(small, TURNS[self._rotate]), dtype=np.uint8)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        frame = LiveFrame(at, cards, places, tuple(overlay.covered), overlay.moving, tokens)
        write_frame(self._frames, data, frame)

    def _outline(self, corners: Points, pose: MatPose) -> Outline:
        """Return corners in millimetres as fractions of the live picture."""
        parts = (pose.project(corners) + 0.5) / pose.picture
        return tuple([rotate_point(float(x), float(y), self._rotate) for x, y in np.round(parts, 4)])

    def rotate(self, points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """Return points of the camera's picture as fractions of the live picture."""
        return [rotate_point(float(x), float(y), self._rotate) for x, y in points]

    def unrotate(self, taps: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """Return points of the live picture as fractions of the camera's picture."""
        return [rotate_point(float(x), float(y), -self._rotate % 360) for x, y in taps]


def _circle(token: TokenSighting) -> Points:
    turns = np.linspace(0, 2 * np.pi, CIRCLE, endpoint=False)
    return np.array(token.middle) + token.radius * np.column_stack([np.cos(turns), np.sin(turns)])


def rotate_point(x: float, y: float, degrees: int) -> tuple[float, float]:
    """Return a point's place after rotating the picture clockwise, in fractions of the picture from 0 to 1."""
    for _ in range(degrees // 90):
        x, y = 1 - y, x
    return x, y
