"""The card in a reference picture: found where there is clear background around it, else the picture is the card.

Many cards have a frame printed inside their edge, which must not be taken for the edge.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.pixels import Floats, corners_of, homography, lab, resize
from vision.features.quadrilaterals import QuadOutline, outlines
from vision.image import Image

SEARCHED = 640
"""Pixels of the longer side at which the outline is sought."""
RATIOS = (1.0, 1.25, 1.4, 1.6, 1.8)
"""Proportions that cards have, long by short side."""
LEAST_AREA, MOST_AREA = 0.15, 0.97
"""The card takes at least, and at most, this share of the picture; more, and the picture is the card."""
MARGIN = 0.08
"""A frame printed on a card lies nearer to the edge than this share of the picture's side."""
LEAST_STRAIGHT = 0.35
"""What is parallel to the picture is a card only from this share on, and lies as the picture does: pictures and texts
printed on cards are parallel too."""
TURNED = 2.0
"""And is turned by fewer degrees than this."""
STRIP = 0.03
"""How far beside an edge its two sides are compared, as a share of the card's shorter side."""
DIFFERENT, ALIKE = 12.0, 20.0
"""Distances in Lab: background differs from the card by more; a card's own rim differs from itself by less."""


def crop_card(picture: Image) -> tuple[Image, bool]:
    """Return the card's straight picture, and whether its outline was found (else it is the picture itself)."""
    height, width = picture.shape[:2]
    scale = min(1.0, SEARCHED / max(height, width))
    small = resize(picture, round(width * scale), round(height * scale)) if scale < 1 else picture
    around = [one for one in outlines(small, RATIOS, (48.0, float(min(small.shape[:2])))) if _is_edge(one, small)]
    if not around:
        return picture, False
    best = max(around, key=lambda one: one.area)
    return straighten(picture, _upright(best.corners) / np.float32(scale)), True


def straighten(picture: Image, corners: Floats) -> Image:
    """Return the part of a picture within four corners, straightened, its proportions kept."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    size = (max(8, round(float(sides[0] + sides[2]) / 2)), max(8, round(float(sides[1] + sides[3]) / 2)))
    matrix = homography(corners, corners_of(size))
    return cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA)


def _upright(corners: Floats) -> Floats:
    """Return corners so that the first is the one that is uppermost and leftmost: people take cards upright."""
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def _is_edge(outline: QuadOutline, picture: Image) -> bool:
    """Whether an outline is a card's edge before a background, not a frame that is printed on the card."""
    height, width = picture.shape[:2]
    if not LEAST_AREA < outline.area / (width * height) < MOST_AREA:
        return False
    corners = _upright(outline.corners)
    first = corners[1] - corners[0]
    turned = abs(float(np.degrees(np.arctan2(first[1], first[0]))))
    low, high = corners.min(axis=0), corners.max(axis=0)
    margins = (low[0] / width, low[1] / height, 1 - high[0] / width, 1 - high[1] / height)
    if turned < TURNED:
        lying, wide = high[0] - low[0] > high[1] - low[1], width > height
        long, short = float(max(high - low)), float(min(high - low))
        upside = lying != wide and max(width, height) > 1.15 * min(width, height)
        if max(margins) < MARGIN or upside or outline.area < LEAST_STRAIGHT * width * height or long < 1.2 * short:
            return False
    return _rim_differs(corners, lab(picture))


def _rim_differs(corners: Floats, picture: Floats) -> bool:
    """Whether the card's rim is of one colour all around, and what lies outside it is of another."""
    middle = corners.mean(axis=0)
    short = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())
    reach = 2 * STRIP * short / max(1.0, float(np.linalg.norm(corners - middle, axis=1).mean()))
    inside, outside = [], []
    for at in range(4):
        one, two = corners[at], corners[(at + 1) % 4]
        along = np.linspace(0.15, 0.85, 40, dtype=np.float32)[:, None]
        points = one + along * (two - one)
        inner, outer = (_at(picture, middle + (points - middle) * (1 + sign * reach)) for sign in (-1, 1))
        if inner is not None:
            inside.append(np.median(inner, axis=0))
        if outer is not None and inner is not None:
            outside.append(float(np.linalg.norm(np.median(outer, axis=0) - np.median(inner, axis=0))))
    if len(inside) < 4 or len(outside) < 3:
        return False
    apart = max(float(np.linalg.norm(one - two)) for one in inside for two in inside)
    return apart < ALIKE and sorted(outside)[1] > DIFFERENT


def _at(picture: Floats, points: Floats) -> Floats | None:
    """Return the picture's colours at points; None where most of them lie outside it."""
    at = np.rint(points).astype(np.int32)
    good = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < picture.shape[1]) & (at[:, 1] < picture.shape[0])
    return picture[at[good, 1], at[good, 0]] if float(good.mean()) > 0.7 else None
