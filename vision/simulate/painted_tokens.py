"""Paint tokens into a picture: cardboard discs and tiles with a wall, a shadow and a printed face."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image
from vision.print.token_pictures import pictures_of, token_designs, token_faces
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.clutter import rectangle
from vision.simulate.painting import FINER, paint_flat, paint_shadow
from vision.simulate.standing import camera_at, lifted, paint_polygon, paint_sides

PX_PER_MM = 8.0
"""Pixels per millimetre of drawn tokens, more than any camera has on a mat."""
THICK = 2.0
"""The thickness of usual punched cardboard in millimetres."""
CARDBOARD = np.array([150.0, 176.0, 190.0])
"""Blue, green and red of a token's cut edge: the grey core of cardboard."""
COARSE = 0.15
"""The tolerance in millimetres of a wall's outline, half a pixel of the best cameras."""
DEEP, SOFT = 0.42, 0.7
"""The darkness of a token's shadow as a share, and the width of its edge per millimetre of height."""


class PrintedToken(msgspec.Struct, frozen=True, eq=False):
    """One face of a printed and cut token, centred in the picture."""

    picture: Image
    """The picture in BGR."""
    mask: npt.NDArray[np.float32]
    """The mask at the picture's size: 1 on the token, 0 beside it."""
    px_per_mm: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture in millimetres."""
        return self.picture.shape[1] / self.px_per_mm, self.picture.shape[0] / self.px_per_mm

    def outline(self) -> Points:
        """Return the token's outline in millimetres from its middle, clockwise, n × 2."""
        found, _ = cv2.findContours((self.mask > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        longest = cv2.approxPolyDP(max(found, key=cv2.contourArea), COARSE * self.px_per_mm, True)
        points = longest[:, 0].astype(np.float64)
        if cv2.contourArea(longest, oriented=True) < 0:
            points = points[::-1]
        middle = (np.array(self.picture.shape[1::-1], np.float64) - 1) / 2
        outline: Points = (points - middle) / self.px_per_mm
        return outline


class TokenPose(msgspec.Struct, frozen=True):
    """The pose of a token on the table."""

    x: float
    y: float
    """Its middle in millimetres of the mat."""
    turn: float = 0.0
    """Degrees clockwise."""
    low: float = 0.0
    """The height of its lower side in millimetres, above 0 if it lies over another token."""
    aside: tuple[float, float] = (0.0, 0.0)
    """The misalignment of its print from its cut edges in millimetres."""


def token_outline(face: PrintedToken, pose: TokenPose) -> Points:
    """Return a token's outline on the mat in millimetres, clockwise, n × 2."""
    a = np.radians(pose.turn)
    turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    found: Points = face.outline() @ turned.T + (pose.x, pose.y)
    return found


def paint_token(
    picture: Image, view: CameraGeometry, face: PrintedToken, pose: TokenPose, thick: float = THICK
) -> None:
    """Paint a token of this thickness in millimetres: its shadow, its wall in the camera's view, and its upper face.

    Tokens must be painted from the lowest to the highest. The tilt of a token on another's edge is neglected.
    """
    outline, eye, high = token_outline(face, pose), camera_at(view), pose.low + thick
    paint_shadow(picture, view, outline, DEEP, SOFT * high, (0.35 * high, 0.45 * high))
    low, top = lifted(outline, eye, pose.low), lifted(outline, eye, high)
    paint_polygon(picture, view, low, CARDBOARD * 0.6)
    paint_sides(picture, view, (low, top), outline, CARDBOARD)
    corners = lifted(rectangle(face.size, pose.turn) + (pose.x, pose.y), eye, high)
    small = _seen_face(face, view.scale(pose.x, pose.y))
    paint_flat(picture, view, corners, small.picture, small.mask, np.array(pose.aside))


def _seen_face(face: PrintedToken, scale: float) -> PrintedToken:
    """Return a face at a camera's resolution in pixels per millimetre, with averaging as in a pixel."""
    factor = scale * FINER / face.px_per_mm
    if factor >= 1:
        return face
    size = (max(4, round(face.picture.shape[1] * factor)), max(4, round(face.picture.shape[0] * factor)))
    picture = np.asarray(cv2.resize(face.picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    mask = np.asarray(cv2.resize(face.mask, size, interpolation=cv2.INTER_AREA), np.float32)
    return PrintedToken(picture, mask, face.px_per_mm * factor)


class DrawnTokens(Mapping[str, PrintedToken]):
    """A game's printed tokens, every face by its name, drawn when first needed. Raise `DrawError` if there are none."""

    def __init__(self, game: str) -> None:
        self._designs = {name: design for design in token_designs(game) for name in token_faces(design)}
        self._drawn: dict[str, PrintedToken] = {}

    def __getitem__(self, name: str) -> PrintedToken:
        if name not in self._drawn:
            for face, (picture, mask) in pictures_of((self._designs[name],), PX_PER_MM).items():
                shape = np.asarray(mask / 255, np.float32)
                self._drawn.setdefault(face, PrintedToken(picture, shape, PX_PER_MM))
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._designs)

    def __len__(self) -> int:
        return len(self._designs)


def gleaming(face: PrintedToken, bright: float, luck: np.random.Generator) -> PrintedToken:
    """Return a face with a bright streak across it, like varnish under a lamp.

    bright: a share of white.
    """
    high, wide = face.picture.shape[:2]
    toward, at, broad = luck.uniform(0, np.pi), luck.uniform(-0.25, 0.25), luck.uniform(0.1, 0.25)
    y, x = np.mgrid[0:high, 0:wide] / max(high, wide) - 0.5
    away = (x * np.cos(toward) + y * np.sin(toward) - at) / broad
    light = np.asarray(255 * bright * np.exp(-(away**2)), np.uint8)
    picture = np.asarray(cv2.add(face.picture, cv2.merge([light] * 3)), np.uint8)
    return msgspec.structs.replace(face, picture=picture)
