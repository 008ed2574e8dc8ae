"""Paint cards and other flat objects into a picture through a camera's view, without aliasing, with their shadows.

A camera's pixel averages the light on it. Cards are therefore first reduced by averaging (levels as in a mip map), and
only then transformed by the homography. Nothing flickers, and nothing is sharper than the camera could see it.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image, Matrix, Pixels
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.things import FOREIGN_NAMES, foreign_card

STEP = 2**0.25
"""The ratio between the sizes of two levels."""
FINER = 1.1
"""The minimum number of a level's pixels per pixel of the picture."""
CORNER = 2.6
"""The radius of a card's corners in millimetres."""
BORDER = 3
"""The margin in pixels around a painted object."""


class Faces:
    """Pictures of cards as printed in one session, each loaded when first needed, once per size."""

    def __init__(self, pictures: Mapping[str, Image], gamma: float, ink: tuple[float, float, float]) -> None:
        self._pictures = pictures
        tones = (np.arange(256, dtype=np.float32)[:, None] / 255) ** gamma * np.array(ink, np.float32)
        self._table = np.clip(tones * 255, 0, 255).astype(np.uint8)[None]
        self._widths: dict[str, int] = {}
        self._levels: dict[tuple[str, int], Image] = {}
        self._shapes: dict[tuple[int, int], npt.NDArray[np.float32]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._pictures or name in FOREIGN_NAMES

    def level(self, name: str, width: float) -> Image:
        """Return a card's picture with at least this width in pixels, but never larger than its source."""
        nth = max(0, int(np.floor(np.log(self._wide(name) / (width * FINER)) / np.log(STEP))))
        if (name, nth) not in self._levels:
            full = self._full(name)
            factor = STEP**-nth
            size = (max(4, round(full.shape[1] * factor)), max(4, round(full.shape[0] * factor)))
            small = cv2.resize(full, size, interpolation=cv2.INTER_AREA)
            self._levels[name, nth] = self.inked(small)
        return self._levels[name, nth]

    def inked(self, picture: Image) -> Image:
        """Return a picture in the inks and tones of this session."""
        return np.asarray(cv2.LUT(picture, self._table), np.uint8)

    def _full(self, name: str) -> Image:
        return foreign_card(name) if name in FOREIGN_NAMES else self._pictures[name]

    def _wide(self, name: str) -> int:
        if name not in self._widths:
            self._widths[name] = self._full(name).shape[1]
        return self._widths[name]

    def shape(self, size: tuple[int, int], width: float) -> npt.NDArray[np.float32]:
        """Return a card's shape as float32 from 0 to 1, for a picture of this size.

        width: of the card in millimetres.
        """
        if size not in self._shapes:
            self._shapes[size] = rounded_rectangle(size, CORNER * size[0] / width)
        return self._shapes[size]


def rounded_rectangle(size: tuple[int, int], radius: float) -> npt.NDArray[np.float32]:
    """Return a rectangle with round corners as float32 from 0 to 1."""
    wide, high = size
    x = np.maximum(np.abs(np.arange(wide) - (wide - 1) / 2) - (wide / 2 - radius), 0)[None, :]
    y = np.maximum(np.abs(np.arange(high) - (high - 1) / 2) - (high / 2 - radius), 0)[:, None]
    found: npt.NDArray[np.float32] = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return found


def picture_homography(view: CameraGeometry, corners: Points, size: tuple[int, int]) -> Matrix:
    """Return the homography from the pixels of an object's picture to undistorted pixels.

    corners: the object's, in mm.
    """
    wide, high = size
    source = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, view.project(corners).astype(np.float32)), np.float64)


def pixel_box(view: CameraGeometry, points: Points, more: int = BORDER) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of the pixels around points in mm, or None if they lie outside the picture."""
    seen = view.project(points)
    (left, top), (right, low) = np.floor(seen.min(axis=0)) - more, np.ceil(seen.max(axis=0)) + more + 1
    x0, y0, x1, y1 = max(0, int(left)), max(0, int(top)), min(view.size[0], int(right)), min(view.size[1], int(low))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def paint_flat(
    picture: Image,
    view: CameraGeometry,
    corners: Points,
    thing: Image,
    shape: Pixels,
    aside: Points | float = 0.0,
) -> None:
    """Paint a flat object with corners in mm, clockwise from its own top left.

    shape: 0 outside the object. aside: the misalignment of its picture from its edges, in millimetres.
    """
    around = pixel_box(view, corners)
    if around is None:
        return
    x0, y0, x1, y1 = around
    back, size, shown = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]), (x1 - x0, y1 - y0), thing.shape[1::-1]
    art, edges = (
        back @ picture_homography(view, corners + aside, shown),
        back @ picture_homography(view, corners, shape.shape[1::-1]),
    )
    colours = cv2.warpPerspective(thing, art, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    covers = cv2.warpPerspective(shape, edges, size, flags=cv2.INTER_LINEAR)
    part = picture[y0:y1, x0:x1]
    part[:] = cv2.blendLinear(colours, part, covers, 1 - covers)


SLEEVE = 1.6
"""The width in millimetres by which a sleeve exceeds its card at each edge."""
HAZE, FILM = 0.045, 0.3
"""The share of white that a sleeve adds over the card, and over the ground below its rim."""


def paint_sleeve(picture: Image, view: CameraGeometry, corners: Points) -> None:
    """Paint a sleeve over a painted card."""
    out = corners - corners.mean(axis=0)
    sides = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[3] - corners[0]))
    around = corners + out * (2 * SLEEVE / min(sides))
    film = np.full((96, 68, 3), 236, np.uint8)
    cover = np.full(film.shape[:2], FILM, np.float32)
    rim = [max(1, round(n * SLEEVE / side)) for n, side in zip((96, 68), sides[::-1], strict=True)]
    cover[rim[0] : -rim[0], rim[1] : -rim[1]] = HAZE
    paint_flat(picture, view, around, film, cover)


def paint_shadow(
    picture: Image, view: CameraGeometry, outline: Points, deep: float, soft: float, shift: tuple[float, float]
) -> None:
    """Darken the ground under an object by up to `deep`.

    soft: the width of the shadow's edge in mm. shift: its offset in mm.
    """
    shadow = outline + np.array(shift)
    scale = view.scale(*shadow.mean(axis=0))
    around = pixel_box(view, shadow, BORDER + int(3 * soft * scale))
    if around is None:
        return
    x0, y0, x1, y1 = around
    mask: Image = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(
        mask,
        [np.rint((view.project(shadow) - (x0, y0)) * 16).astype(np.int32)],
        (round(255 * deep),),
        cv2.LINE_AA,
        4,
    )
    mask = cv2.blur(mask, (max(1, round(2 * soft * scale)),) * 2)
    part = picture[y0:y1, x0:x1]
    part[:] = cv2.multiply(part, cv2.merge([255 - mask] * 3), scale=1 / 255)


def paint_gleam(
    picture: Image, view: CameraGeometry, corners: Points, bright: float, luck: np.random.Generator
) -> None:
    """Paint a highlight over a card: a bright streak across it, as on sleeves and varnish under a lamp."""
    around = pixel_box(view, corners)
    if around is None:
        return
    x0, y0, x1, y1 = around
    quad = view.project(corners) - (x0, y0)
    a, b = luck.uniform(0.1, 0.7), luck.uniform(0.12, 0.3)
    lean = luck.uniform(-0.25, 0.25)
    share = np.array([[0, a], [1, a + lean], [1, a + b + lean], [0, a + b]]).clip(0, 1)
    points = quad[0] + share[:, :1] * (quad[1] - quad[0]) + share[:, 1:] * (quad[3] - quad[0])
    light = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(light, [np.rint(points * 16).astype(np.int32)], (round(255 * bright),), cv2.LINE_AA, 4)
    within = np.zeros_like(light)
    cv2.fillPoly(within, [np.rint(quad * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    light = np.minimum(cv2.blur(light, (max(1, (x1 - x0) // 7),) * 2), within)
    part = picture[y0:y1, x0:x1]
    part[:] = cv2.add(part, cv2.merge([light] * 3))
