"""A hand that reaches over the table: arm, sleeve, palm and fingers, painted into a picture."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.painting import pixel_box
from vision.simulate.sensor import streak

SKINS = ("#f3d3bd", "#e3b08c", "#c98d63", "#9c6642", "#6f452c", "#4a2e20")
"""Colours of hands, from light to dark."""
CLOTHS = ("#2d4a73", "#7a2e2e", "#e6e2d8", "#3a3a40", "#4f6b3f", "#c79a3b", "#6f4a80")
"""Colours of sleeves."""
LONGEST = 60.0
"""The longest motion blur in pixels. Beyond it a hand would be a mere veil."""
LENGTH = 900.0
"""The length of an arm in millimetres, which always extends beyond the picture."""


class Hand(msgspec.Struct, frozen=True):
    """A hand over the table, with its fingertips at (x, y) in millimetres."""

    x: float
    y: float
    toward: float
    """The direction of the fingers in degrees clockwise, 0 to the right."""
    skin: str = SKINS[1]
    cloth: str = CLOTHS[0]
    spread: float = 1.0
    """The spread of the fingers: 0 together, 1 as when taking a card."""

    def to_table(self, points: list[tuple[float, float]]) -> Points:
        """Return points of the hand in millimetres. Their x runs along the fingers from the tips, negative towards
        the arm."""
        a = np.radians(self.toward)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        found: Points = np.array(points) @ turn.T + (self.x, self.y)
        return found

    def limbs(self) -> list[tuple[Points, float, str]]:
        """Return lines with their widths in millimetres and their kinds, `cloth` or `skin`."""
        s = self.spread
        fingers = [
            ((-92, -30), (-46, -33 - 5 * s), (-14, -26 - 9 * s), 17.5),
            ((-90, -10), (-40, -11 - 2 * s), (0, -8 - 4 * s), 18.5),
            ((-90, 10), (-42, 11 + 1 * s), (-6, 9 + 2 * s), 18.0),
            ((-92, 29), (-56, 31 + 3 * s), (-28, 28 + 6 * s), 15.5),
        ]
        made = [
            (self.to_table([(-LENGTH, 14), (-212, 4)]), 90.0, "cloth"),
            (self.to_table([(-215, 5), (-150, 0)]), 62.0, "skin"),
        ]
        made.append((self.to_table([(-140, -6), (-112, 0), (-96, 2)]), 78.0, "skin"))
        made += [(self.to_table([a, b, c]), wide, "skin") for a, b, c, wide in fingers]
        made.append((self.to_table([(-138, -30), (-92, -58), (-48, -50 - 8 * s), (-26, -38 - 8 * s)]), 20.0, "skin"))
        return made

    def outline(self) -> list[tuple[Points, float]]:
        """Return the area of the hand as lines with their widths in millimetres."""
        return [(points, wide) for points, wide, _ in self.limbs()]


def paint_hand(picture: Image, view: CameraGeometry, hand: Hand, moved: tuple[float, float] = (0.0, 0.0)) -> None:
    """Paint a hand over a picture, with its shadow, blurred along its movement in millimetres."""
    limbs = hand.limbs()
    around = pixel_box(view, np.vstack([points for points, _, _ in limbs]), 140)
    if around is None:
        return
    x0, y0, x1, y1 = around
    part = picture[y0:y1, x0:x1]
    scale = view.scale(hand.x, hand.y)
    mask = np.zeros(part.shape[:2], np.uint8)

    def lines(target: Image, value: tuple[int, ...], narrower: float = 0.0, shift: float = 0.0, what: str = "") -> None:
        for points, wide, kind in limbs:
            if what in ("", kind) and wide > narrower:
                at = np.rint((view.project(points + shift) - (x0, y0)) * 16).astype(np.int32)
                cv2.polylines(target, [at], False, value, max(1, round((wide - narrower) * scale)), cv2.LINE_AA, 4)

    lines(mask, (110,), shift=9.0)
    shadow = cv2.blur(mask, (max(3, round(16 * scale)),) * 2)
    part[:] = cv2.multiply(part, cv2.merge([255 - shadow] * 3), scale=1 / 255)

    colours = part.copy()
    for what, colour in (("skin", hand.skin), ("cloth", hand.cloth)):
        base = np.array(list(bytes.fromhex(colour[1:])))[::-1].astype(float)
        for narrower, bright in ((0.0, 0.62), (2.5, 0.86), (7.0, 1.0), (12.5, 1.07)):
            lines(colours, tuple(int(v) for v in np.clip(base * bright, 0, 255)), narrower, -0.12 * narrower, what)
    _details(colours, view, hand, scale, (x0, y0))
    colours = cv2.blur(colours, (max(1, round(2.2 * scale)),) * 2)
    mask[:] = 0
    lines(mask, (255,))
    if np.hypot(*moved) * scale > 2:
        kernel = motion_kernel(view, (hand.x, hand.y), moved)
        colours = np.asarray(cv2.filter2D(colours, -1, kernel), np.uint8)
        mask = np.asarray(cv2.filter2D(mask, -1, kernel), np.uint8)
    covers = mask.astype(np.float32) / 255
    part[:] = cv2.blendLinear(colours, part, covers, 1 - covers)


def motion_kernel(view: CameraGeometry, at: tuple[float, float], moved: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Return the blur kernel of a movement in millimetres at a point of the table."""
    a, b = view.project(np.array([at, (at[0] + moved[0], at[1] + moved[1])]))
    return streak(min(float(np.hypot(*(b - a))), LONGEST), float(np.arctan2(*(b - a)[::-1])))


def _details(colours: Image, view: CameraGeometry, hand: Hand, scale: float, corner: tuple[int, int]) -> None:
    """Paint nails, knuckles and the sleeve's cuff."""

    def at(points: list[tuple[float, float]]) -> npt.NDArray[np.int32]:
        return np.rint((view.project(hand.to_table(points)) - corner) * 16).astype(np.int32)

    base = np.array(list(bytes.fromhex(hand.skin[1:])))[::-1].astype(float)
    dark = tuple(int(v) for v in base * 0.72)
    nail = tuple(int(v) for v in np.clip(base * 0.9 + 40, 0, 255))
    s = hand.spread
    for x, y in ((-14, -26 - 9 * s), (0, -8 - 4 * s), (-6, 9 + 2 * s), (-28, 28 + 6 * s)):
        cv2.polylines(colours, [at([(x - 1, y), (x + 3, y)])], False, nail, max(1, round(8 * scale)), cv2.LINE_AA, 4)
        for back in (22, 44):
            cv2.polylines(
                colours, [at([(x - back, y - 5), (x - back, y + 5)])], False, dark, max(1, round(scale)), cv2.LINE_AA, 4
            )
    cuff = tuple(int(v * 0.55) for v in np.array(list(bytes.fromhex(hand.cloth[1:])))[::-1])
    cv2.polylines(colours, [at([(-172, -36), (-172, 44)])], False, cuff, max(1, round(9 * scale)), cv2.LINE_AA, 4)
    for n in range(5):
        cv2.polylines(
            colours,
            [at([(-215 - 30 * n, -36), (-238 - 30 * n, 20)])],
            False,
            cuff,
            max(1, round(1.4 * scale)),
            cv2.LINE_AA,
            4,
        )
