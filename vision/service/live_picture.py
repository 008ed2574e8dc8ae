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
"""Pixels along the longer side of the live picture."""
EVERY = 200 * MILLISECOND
"""Nanoseconds between two live pictures, at least: five a second look live."""
SHARE = 4
"""Making live pictures takes at most one part in so many of the time: reading comes first."""
QUALITY = 75
"""Of the JPEG, from 0 to 100: small enough for five a second over a weak radio."""
LONGEST = 60.0
"""Seconds of pictures that one request may ask for: a page that is left open asks again."""
CIRCLE = 24
"""Corners with which the circle around a token is drawn."""
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""OpenCV's turns, by degrees clockwise."""


class OpenPlaces(msgspec.Struct, frozen=True):
    """What of the places for tokens may be seen."""

    readable: frozenset[str] = frozenset()
    """Their names; all others are black."""
    known: tuple[Polygon, ...] = ()
    """Outlines in millimetres that stay visible in the others."""


class LiveOverlay(msgspec.Struct, frozen=True):
    """What pages draw over the live picture, as of the last reading."""

    sightings: Sequence[Sighting] = ()
    covered: Sequence[str] = ()
    """Places that something covers."""
    moving: bool = False
    tokens: Sequence[TokenSighting] = ()
    open_places: OpenPlaces = OpenPlaces()


NOTHING_READ = LiveOverlay()


class LivePicture:
    """Puts pictures into the frames folder. Moments are nanoseconds of CLOCK_MONOTONIC, handed in."""

    def __init__(self, frames: Path, rotate: int = 0) -> None:
        self._frames, self._rotate = frames, rotate
        self._until = self._whole_until = 0
        self._next = 0

    def watch(self, seconds: float, now: int, whole: bool = False) -> None:
        """Put pictures into the frames folder for some seconds from now; `whole`: also of what is beside the places."""
        self._until = now + int(min(max(seconds, 0.0), LONGEST) * SECOND)
        if whole:
            self._whole_until = self._until

    def watched(self, now: int) -> bool:
        """Whether somebody watches."""
        return now < self._until

    def due(self, now: int) -> bool:
        """Whether somebody waits for a picture."""
        return self._next <= now and self.watched(now)

    def note_duration(self, began: int, now: int) -> None:
        """Note how long a picture took, so that pictures leave time for reading."""
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
        """Put a full picture into the frames folder, with the outlines of cards and of the places that are read.

        Without mat and pose the picture is shown whole, as while somebody asks for that. `board` lies beside the mat.
        """
        factor = min(1.0, WIDEST / max(picture.shape[:2]))
        size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
        small: Image = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        cards: tuple[CardOutline, ...] = ()
        tokens: tuple[TokenOutline, ...] = ()
        places: dict[str, Outline] = {}
        if mat is not None and pose is not None:
            here = pose.resize(size)
            if mat.outline:  # nothing is printed: only a card that was found is surely nobody's secret
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
        """Return corners in millimetres as parts of the shown picture."""
        parts = (pose.project(corners) + 0.5) / pose.picture
        return tuple([rotate_point(float(x), float(y), self._rotate) for x, y in np.round(parts, 4)])

    def rotate(self, points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """Return points of the camera's own picture as parts of the live picture."""
        return [rotate_point(float(x), float(y), self._rotate) for x, y in points]

    def unrotate(self, taps: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """Return points of the live picture as parts of the camera's own picture."""
        return [rotate_point(float(x), float(y), -self._rotate % 360) for x, y in taps]


def _circle(token: TokenSighting) -> Points:
    turns = np.linspace(0, 2 * np.pi, CIRCLE, endpoint=False)
    return np.array(token.middle) + token.radius * np.column_stack([np.cos(turns), np.sin(turns)])


def rotate_point(x: float, y: float, degrees: int) -> tuple[float, float]:
    """Return where a point of a picture is after the picture was turned clockwise; parts of the picture, 0 to 1."""
    for _ in range(degrees // 90):
        x, y = 1 - y, x
    return x, y
