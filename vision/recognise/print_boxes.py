"""Outlines of cards predicted from their print, for cards whose own edges hardly show: white ones on a white table.

The print of a bare card is a few blobs side by side. Where it lies on the enrolled card says where the edges are.
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
"""A picture's own paper is averaged over its shorter side divided by this."""
INK = 12.0
"""Of 255: so much darker than its surroundings is print in its darkest channel; paper is bright in all."""
SMALLEST, LARGEST = 12.0, 0.25
"""Pixels of a blob's shorter side at least, and of its longer side at most as a share of the picture's shorter side."""
LONG = 4.0
"""A blob is at most so many times as long as wide."""
FILLED = 0.5
"""A blob's hull fills at least this share of its smallest rectangle."""
BESIDE = 0.5
"""Blobs of one print lie nearer to one another than this share of a blob's shorter side."""
LIKE = 1.35
"""And are alike: their sides are in this ratio at most."""
PARTS = 4
"""The most blobs of one print."""
BARE, LITTLE = 0.75, 0.2
"""A card's print is of use if its box takes less of the card than this, and other print less of the box than that."""
SAME = 0.2
"""Boxes that differ by less, in their sides or in their proportion (log), are one."""
TILTED = 0.5
"""A tilted card's print may differ so much in proportion (log)."""
MOST = 100
"""So many outlines of a picture are predicted at most."""


class PrintGroup(msgspec.Struct, frozen=True, eq=False):
    """Blobs that may be one card's print, and the rectangle around them."""

    parts: int
    """How many blobs."""
    middle: Floats
    along: Floats
    """The rectangle's side along the line of blobs, or along the longer axis of a single one: x, y."""
    across: Floats
    """The other side, a quarter turn clockwise from the first."""

    @property
    def long(self) -> float:
        """The first side by the second."""
        return float(np.linalg.norm(self.along) / max(1e-3, float(np.linalg.norm(self.across))))

    @property
    def area(self) -> float:
        """In square pixels."""
        return float(np.linalg.norm(self.along) * np.linalg.norm(self.across))


class PrintBox(msgspec.Struct, frozen=True, eq=False):
    """The rectangle around a bare card's print."""

    parts: int
    long: float
    """See `PrintGroup`."""
    card: Floats
    """The card's corners, 4 × 2, from the rectangle's middle, in its two sides."""


def box_of_card(picture: Image) -> PrintBox | None:
    """Return the box of an enrolled picture's print; None where it is not bare or its print is not in one place."""
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
    """Return the boxes that differ from one another."""
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
    """Return where cards with such print may lie in a BGR picture, at most `MOST`, in its pixels."""
    found = []
    for group in print_groups(picture, LARGEST) if boxes else ():
        sides = np.stack([group.along, group.across], axis=1)
        for box in boxes:
            if group.parts == box.parts and abs(np.log(group.long / box.long)) < TILTED:
                corners = (box.card @ sides.T + group.middle).astype(np.float32)
                found.append(QuadOutline(order_clockwise(corners), 0.0))
    return found[:MOST]


def print_groups(picture: Image, largest: float) -> list[PrintGroup]:
    """Return the blobs in a BGR picture that may be cards' print, by cards."""
    hulls = _blobs(picture, largest)
    groups = [[hulls[at] for at in numbers] for numbers in _joined(hulls) if len(numbers) <= PARTS]
    return [_group(each) for each in groups]


def _group(hulls: Sequence[Floats]) -> PrintGroup:
    """Return the rectangle around blobs: along their line, or along a single one's longer axis."""
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
    """Return the hulls of blobs that stand out from the paper around them, each n × 2."""
    seen = darkest(cv2.GaussianBlur(picture, (3, 3), 0)).astype(np.float32)
    short = min(seen.shape)
    side = max(3, short // AROUND) | 1
    paper = cv2.blur(cv2.blur(seen, (side, side)), (side, side))
    ink = cv2.morphologyEx((seen < paper - INK).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = [cv2.convexHull(contour)[:, 0].astype(np.float32) for contour in contours if len(contour) > 2 * SMALLEST]
    return [hull for hull in hulls if _may_be_print(hull, largest * short, seen.shape[1], seen.shape[0])]


def _may_be_print(hull: Floats, largest: float, width: int, height: int) -> bool:
    """Whether a blob has the size and the shape of print, and lies wholly within the picture."""
    low, high = sorted(cv2.minAreaRect(hull)[1])
    if low < SMALLEST or high > min(largest, LONG * low) or cv2.contourArea(hull) < FILLED * low * high:
        return False
    return bool((hull >= 2).all() and (hull[:, 0] < width - 2).all() and (hull[:, 1] < height - 2).all())


def _joined(hulls: Sequence[Floats]) -> list[list[int]]:
    """Return the numbers of blobs that are one print: alike, and near to one another."""
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
