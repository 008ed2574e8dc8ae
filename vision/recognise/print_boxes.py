"""Predict cards' outlines from their print, for cards without a visible edge, such as white ones on a white table.

A bare card's print is a few blobs side by side. Their place on the enrolled card determines the card's edges.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats, corners_of, darkest
from vision.features.quadrilaterals import QuadOutline, order_clockwise
from vision.image import Image

AROUND = 12
"""Divisor of the picture's shorter side that determines the window for averaging its paper."""
INK = 12.0
"""Difference in levels of 255 from the surroundings at which the darkest channel is print. Paper is bright in all
channels."""
SMALLEST, LARGEST = 12.0, 0.25
"""The minimum shorter side of a blob in pixels, and its maximum longer side as a share of the picture's shorter
side."""
LONG = 4.0
"""The maximum ratio of a blob's length to its width."""
FILLED = 0.5
"""The minimum share of its minimum-area rectangle that a blob's hull fills."""
BESIDE = 0.5
"""The maximum gap between blobs of one print, as a share of a blob's shorter side."""
LIKE = 1.35
"""The maximum ratio between the sides of blobs of one print."""
PARTS = 4
"""The maximum number of blobs in one print."""
BARE, LITTLE = 0.75, 0.2
"""The maximum share of the card that the print's box takes, and the maximum share of that box that other print
takes."""
SAME = 0.2
"""The difference in sides or in log proportion below which two boxes are equal."""
TILTED = 0.5
"""The maximum difference in log proportion that a card's tilt can cause."""
MOST = 100
"""The maximum number of outlines predicted per picture."""


class PrintGroup(msgspec.Struct, frozen=True, eq=False):
    """Blobs that may be one card's print, with their bounding rectangle."""

    parts: int
    """The number of blobs."""
    middle: Floats
    along: Floats
    """The rectangle's side (x, y) along the line of blobs, or along a single blob's longer axis."""
    across: Floats
    """The other side, a quarter turn clockwise from the first."""

    @property
    def long(self) -> float:
        """The ratio of the first side to the second."""
        return float(np.linalg.norm(self.along) / max(1e-3, float(np.linalg.norm(self.across))))

    @property
    def area(self) -> float:
        """The area in square pixels."""
        return float(np.linalg.norm(self.along) * np.linalg.norm(self.across))


class PrintBox(msgspec.Struct, frozen=True, eq=False):
    """The rectangle around a bare card's print."""

    parts: int
    long: float
    """The fields of `PrintGroup`."""
    card: Floats
    """The card's corners (4 × 2) relative to the rectangle's middle, in units of its two sides."""


def box_of_card(picture: Image) -> PrintBox | None:
    """Return the box of an enrolled picture's print, or None if the card is not bare or its print is scattered."""
    groups = print_groups(picture, 1.0)
    if not groups:
        return None
    whole = max(groups, key=lambda group: group.area)
    height, width = picture.shape[:2]
    rest = sum(group.area for group in groups) - whole.area
    if whole.area > BARE * width * height or rest > LITTLE * whole.area:
        return None
    to_sides = np.linalg.inv(np.stack([whole.along, whole.across], axis=1))
    card: Floats = ((corners_of((width, height)) - whole.middle) @ to_sides.T).astype(np.float32)
    return PrintBox(whole.parts, whole.long, card)


def distinct(boxes: Sequence[PrintBox | None]) -> list[PrintBox]:
    """Return the boxes without duplicates."""
    kept: list[PrintBox] = []
    for box in boxes:
        if box is not None and not any(
            box.parts == one.parts
            and float(np.abs(box.card - one.card).max()) < SAME
            and abs(np.log(box.long / one.long)) < SAME
            for one in kept
        ):
            kept.append(box)
    return kept


def predicted_outlines(boxes: Sequence[PrintBox], picture: Image) -> list[QuadOutline]:
    """Return at most `MOST` outlines, in a BGR picture's pixels, where cards with such print may lie."""
    found = []
    for group in print_groups(picture, LARGEST) if boxes else ():
        sides = np.stack([group.along, group.across], axis=1)
        for box in boxes:
            if group.parts == box.parts and abs(np.log(group.long / box.long)) < TILTED:
                corners = (box.card @ sides.T + group.middle).astype(np.float32)
                found.append(QuadOutline(order_clockwise(corners), 0.0))
    return found[:MOST]


def print_groups(picture: Image, largest: float) -> list[PrintGroup]:
    """Return the blobs in a BGR picture that may be print, grouped by card."""
    hulls = _blobs(picture, largest)
    groups = [[hulls[at] for at in numbers] for numbers in _joined(hulls) if len(numbers) <= PARTS]
    return [_group(each) for each in groups]


def _group(hulls: Sequence[Floats]) -> PrintGroup:
    """Return the rectangle around blobs, aligned with their line or with a single blob's longer axis."""
    if len(hulls) > 1:
        middles = np.stack([hull.mean(axis=0) for hull in hulls])
        spread = np.cov((middles - middles.mean(axis=0)).T)
    else:
        m = cv2.moments(hulls[0])
        spread = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]])
    first = np.linalg.eigh(spread)[1][:, 1].astype(np.float32)
    second = np.array([-first[1], first[0]], np.float32)
    axes = np.stack([first, second])
    points = np.concatenate(hulls) @ axes.T
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 1)
    return PrintGroup(len(hulls), ((low + high) / 2) @ axes, first * size[0], second * size[1])


def _blobs(picture: Image, largest: float) -> list[Floats]:
    """Return the convex hulls of blobs that stand out from the paper around them, each n × 2."""
    seen = darkest(cv2.GaussianBlur(picture, (3, 3), 0)).astype(np.float32)
    short = min(seen.shape)
    side = max(3, short // AROUND) | 1
    paper = cv2.blur(cv2.blur(seen, (side, side)), (side, side))
    ink = cv2.morphologyEx((seen < paper - INK).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = [cv2.convexHull(contour)[:, 0].astype(np.float32) for contour in contours if len(contour) > 2 * SMALLEST]
    return [hull for hull in hulls if _may_be_print(hull, largest * short, seen.shape[1], seen.shape[0])]


def _may_be_print(hull: Floats, largest: float, width: int, height: int) -> bool:
    """Whether a blob has the size and shape of print, and lies wholly within the picture."""
    low, high = sorted(cv2.minAreaRect(hull)[1])
    if low < SMALLEST or high > min(largest, LONG * low) or cv2.contourArea(hull) < FILLED * low * high:
        return False
    return bool((hull >= 2).all() and (hull[:, 0] < width - 2).all() and (hull[:, 1] < height - 2).all())


def _joined(hulls: Sequence[Floats]) -> list[list[int]]:
    """Return groups of blobs, by index, that form one print: similar and close to one another."""
    sides = [sorted(cv2.minAreaRect(hull)[1]) for hull in hulls]
    group = list(range(len(hulls)))
    for one in range(len(hulls)):
        for two in range(one):
            ratios = [sides[one][at] / max(sides[two][at], 1e-3) for at in (0, 1)]
            if all(1 / LIKE < ratio < LIKE for ratio in ratios) and _gap(hulls[one], hulls[two]) < BESIDE * min(
                sides[one][0], sides[two][0]
            ):
                low, high = sorted((group[one], group[two]))
                group = [low if each == high else each for each in group]
    return [[at for at, each in enumerate(group) if each == number] for number in sorted(set(group))]


def _gap(one: Floats, two: Floats) -> float:
    """Return the distance between two hulls."""
    some = one[:: max(1, len(one) // 24)]
    return max(0.0, -max(cv2.pointPolygonTest(two, (float(x), float(y)), True) for x, y in some))
