"""Find the objects at a place that no token explains: coins, sleeves, foreign chips, and rims of covered tokens."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.pixels import Flags, Floats
from vision.image import Image
from vision.tokens.comparison import READ_PX
from vision.tokens.ground import GREY, PlaceLook
from vision.tokens.thresholds import AROUND, STACK, STRANGE, THIN

THICK = 2.2
"""The maximum thickness of a token's cardboard in millimetres."""
LARGEST_PART = 0.9
"""The share of a token's area below which an object under it may be a token."""

SIDES = 3
"""The number of heights at which a token's side is painted between its face and the table."""
SHADE = 5.0
"""Millimetres around a token within which grey may be its shadow. A coin reaches farther."""
SHADE_TINT, SHADE_DARK = 13.0, 35.0
"""The maximum tint of a shadow relative to paper (a and b combined), and its minimum lightness (L). Cardboard's edge
is tinted."""
BURNT_TINT = 26.0
"""The maximum tint of a shadow on burnt-out paper, whose own tint shows only in its shadows."""
Points = npt.NDArray[np.float64]
"""n × 2, in millimetres of the picture."""


class Remains(msgspec.Struct, frozen=True):
    """A part of the foreground that no token explains."""

    x: float
    y: float
    radius: float
    """Its middle and the radius of its enclosing circle, in millimetres."""
    area: float
    beside: int
    """The index of the token that it touches, or -1 for none or if it is too large to be a part of a token."""
    rim: bool
    """Whether it is as narrow as the rim of a covered token."""


def remains(look: PlaceLook, outlines: Sequence[Points], lean: tuple[float, float]) -> list[Remains]:
    """Return the objects that no token explains.

    outlines: of the tokens. lean: as in `TokenReader.read`.
    """
    known = explained(look.foreground.shape, outlines, lean, AROUND)
    near = explained(look.foreground.shape, outlines, lean, SHADE) > 0
    rest = (look.foreground & (known == 0) & ~(near & shaded(look))).astype(np.uint8)
    rest = cv2.morphologyEx(rest, cv2.MORPH_OPEN, _disc(THIN * READ_PX / 2))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(rest, connectivity=8)
    found = []
    for nth in range(1, count):
        area = float(stats[nth, cv2.CC_STAT_AREA]) / READ_PX**2
        if area >= STRANGE:
            found.append(_described(labels == nth, area, centres[nth], outlines))
    return found


def shaded(look: PlaceLook) -> Flags:
    """Return where a place may be shaded paper: with the paper's tint, and not black."""
    grey = look.look[:, :, 0] / GREY
    most = BURNT_TINT if any(look.burnt) else SHADE_TINT
    return (np.hypot(look.look[:, :, 1], look.look[:, :, 2]) < most) & (grey > SHADE_DARK)


def explained(shape: tuple[int, ...], outlines: Sequence[Points], lean: tuple[float, float], around: float) -> Image:
    """Return a mask (255) of tokens with their sides and a margin in millimetres: h × w."""
    known = np.zeros(shape, np.uint8)
    for outline in outlines:
        for up in np.linspace(0, THICK, SIDES):
            cv2.fillPoly(known, [_pixels(outline - np.asarray(lean) * up)], (255,))
    if not outlines:
        return known
    return cv2.dilate(known, _disc(around * READ_PX))


def _described(part: Flags, area: float, centre: Floats, outlines: Sequence[Points]) -> Remains:
    flags: Image = part.astype(np.uint8)
    breadth = 2 * float(cv2.distanceTransform(np.pad(flags, 1), cv2.DIST_L2, 5).max()) / READ_PX
    wide, high = cv2.boundingRect(flags)[2:]
    near = cv2.dilate(flags, _disc((AROUND + 1) * READ_PX))
    beside, most = -1, 0
    for number, outline in enumerate(outlines):
        touched = np.zeros(flags.shape, np.uint8)
        cv2.fillPoly(touched, [_pixels(outline)], (1,))
        shared = int(np.count_nonzero(cv2.bitwise_and(touched, near)))
        whole = float(touched.sum()) / READ_PX**2
        if shared > most and area < LARGEST_PART * whole:
            beside, most = number, shared
    return Remains(
        (float(centre[0]) + 0.5) / READ_PX, (float(centre[1]) + 0.5) / READ_PX, max(wide, high) / 2 / READ_PX,
        area, beside, beside >= 0 and breadth < STACK,
    )  # fmt: skip


def _pixels(points: Points) -> Image:
    return np.round(points * READ_PX - 0.5).astype(np.int32).reshape(-1, 1, 2)


def _disc(radius: float) -> Image:
    side = 2 * max(1, round(radius)) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
