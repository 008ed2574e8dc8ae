"""Find an object on a card: one compact part that matches neither this card nor any similar one.

The callers decide whether the rest suffices to name the card, as if the object were another card.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from vision.features.blocks import BLOCK, PADDING, agreement, correlation, energy, soften_view
from vision.features.pixels import Flags, Floats, lab
from vision.image import Image, Matrix
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import GOOD, SEEN, TEXTURED, Comparison, view_at

LEAST_BLOCKS = 2
"""The minimum number of agreeing blocks for estimating the light on the card."""
ROUNDS = 2
"""The number of light estimates: first from the agreeing blocks, then from all pixels close to the first estimate."""
LIGHT = (0.4, 2.0)
"""The range of a channel's contrast relative to the enrolled picture."""
SOFT = 3.0
"""Sigma in pixels of the Gaussian blur before comparing colours, because an occluded card's pose may be inexact."""
FOREIGN = 18.0
"""Distance in Lab from which a pixel does not belong to the card under this light."""
JOINED, THICK = 21, 15
"""Kernel sizes in pixels: gaps below the first are closed, and parts thinner than the second are removed."""
EDGE = 9
"""Pixels of dilation around the object, for its shadow and its soft edge."""
LEAST, MOST = 0.04, 0.6
"""The minimum and maximum share of the card that an object may cover."""
COMPACT = 0.7
"""The minimum share of its convex hull that an object fills."""
EXPLAINED = 0.4
"""Correlation with another card's print above which a part is print and not an object."""


BESIDE, ACROSS, CORNER = 4, 1.0, 8
"""In pixels: the distance from a card's border at which to sample its edge, the blur before that, and the margin at
its corners."""
LEAST_HIDDEN = 0.05
"""The minimum share of the border that an object from outside hides."""
EDGED, SHOWS, LEAST_FREE, NEAR = 8.0, 0.7, 0.25, 41
"""Limits for a card's visible edge: the minimum colour step in Lab, the minimum share of each side with such a step,
the minimum free share of a side to test, and twice the distance in pixels from an object within which a side is
not free. A similar object may extend that far."""
GOES_ON = 12.0
"""The maximum change in Lab of an object's mean or median colour across the border that it hides."""
MOTLEY = 0.7
"""The maximum change for an object of many colours, as a share of the smaller spread of both sides. A plain field of
print beside a colourful table is no object."""

Ints = npt.NDArray[np.int64]


def find_thing(
    bank: ReferenceBank, ref: ReferenceCard, others: Iterable[ReferenceCard], pose: Matrix, scene: PictureScene
) -> Image | None:
    """Return a mask in a card's view (255, else 0) of the object on it, or None unless there is exactly one."""
    seen = view_at(ref, pose, scene)
    off = _colour_distance(ref, seen)
    if off is None:
        return None
    thing = _compact_part((off >= FOREIGN) & (seen.seen > 0))
    if (
        thing is None
        or not _lies_over(thing, _edge(ref, pose, scene))
        or any(_explains(bank, ref, other, seen, thing) for other in others)
    ):
        return None
    return cv2.dilate(thing.astype(np.uint8) * np.uint8(255), np.ones((EDGE, EDGE), np.uint8))


def _colour_distance(ref: ReferenceCard, seen: Comparison) -> Floats | None:
    """Return each pixel's distance from the card's colour in Lab, under the light of the agreeing parts. Return None
    if too little agrees."""
    found = agreement(ref.flat, seen.flat, seen.seen)
    told = (found.visible >= SEEN) & (np.maximum(found.reference, found.scene) >= TEXTURED)
    agrees = told & (found.correlation >= GOOD)
    if int(agrees.sum()) < LEAST_BLOCKS:
        return None
    part = np.kron(agrees, np.ones((BLOCK, BLOCK), np.bool_)) & (seen.seen > 0)
    known, view = soften_view(ref.view, SOFT), soften_view(seen.view, SOFT)
    off: Floats = np.zeros(part.shape, np.float32)
    for _ in range(ROUNDS):
        if int(part.sum()) < LEAST_BLOCKS * BLOCK * BLOCK // 2:
            return None
        left: Floats = view - _light_like(known, view, part)
        off = np.sqrt(energy(left))
        part = (off < FOREIGN) & (seen.seen > 0)
    return off


def _light_like(known: Floats, view: Floats, part: Flags) -> Floats:
    """Return the enrolled picture under the light of a part of the view."""
    here, there = known[part], view[part]
    mean, lit = here.mean(axis=0), there.mean(axis=0)
    own = ((here - mean) ** 2).mean(axis=0)
    shared = ((here - mean) * (there - lit)).mean(axis=0)
    gain = np.where(own > 4, (shared / np.maximum(own, 1e-6)).clip(*LIGHT), 1)
    like: Floats = ((known - mean) * gain + lit).astype(np.float32)
    return like


def _compact_part(foreign: Flags) -> Flags | None:
    around = cv2.copyMakeBorder(foreign.astype(np.uint8), THICK, THICK, THICK, THICK, cv2.BORDER_REPLICATE)
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, _round(JOINED))
    parts = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _round(THICK))[THICK:-THICK, THICK:-THICK]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(parts, connectivity=4)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    if not len(sizes) or not LEAST <= float(sizes.max()) / foreign.size <= MOST:
        return None
    thing: Flags = labels == 1 + int(sizes.argmax())
    points = cv2.findNonZero(thing.astype(np.uint8))
    hull = float(cv2.contourArea(cv2.convexHull(points)))
    return thing if float(thing.sum()) >= COMPACT * hull else None


def _edge(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> tuple[Floats, Floats]:
    """Return the colours just inside and just outside a card's border in Lab, each n × 3, clockwise and without
    corners."""
    view = soften_view(lab(scene.picture_at(pose, ref.frame, ref.size, BESIDE + 1)), ACROSS)
    (x, y), (over_x, over_y) = _border(ref.size, -BESIDE), _border(ref.size, BESIDE)
    return view[y, x], view[over_y, over_x]


def _border(size: tuple[int, int], out: int) -> tuple[Ints, Ints]:
    """Return the pixels at a distance outside a view's border, in a picture with BESIDE + 1 pixels of padding."""
    width, height = size
    across, down = np.arange(CORNER, width - CORNER), np.arange(CORNER, height - CORNER)
    x = np.concatenate([across, np.full(len(down), width - 1 + out), across[::-1], np.full(len(down), -out)])
    y = np.concatenate([np.full(len(across), -out), down, np.full(len(across), height - 1 + out), down[::-1]])
    return x + BESIDE + 1, y + BESIDE + 1


def _lies_over(thing: Flags, edge: tuple[Floats, Floats]) -> bool:
    """Whether an object extends beyond the card and hides its edge, while the edge shows along the rest.

    This rules out a card with another print, and the table beside a card that lies elsewhere.
    """
    height, width = thing.shape
    x, y = (along - BESIDE - 1 for along in _border((width, height), 0))
    hidden, near = (cv2.dilate(thing.astype(np.uint8), np.ones((by, by), np.uint8))[y, x] > 0 for by in (EDGE, NEAR))
    within, outside = edge
    if float(hidden.mean()) < LEAST_HIDDEN:
        return False
    shows = np.linalg.norm(within - outside, axis=1) > EDGED
    across, down = width - 2 * CORNER, height - 2 * CORNER
    ends = np.cumsum([across, down, across])
    sides = zip(np.split(shows, ends), np.split(~near, ends), strict=True)
    return _goes_on(within[hidden], outside[hidden]) and all(
        float(side[free].mean()) > SHOWS for side, free in sides if float(free.mean()) > LEAST_FREE
    )


def _goes_on(within: Floats, outside: Floats) -> bool:
    """Whether the colours on both sides of a border, each n × 3 in Lab, may belong to one object."""
    means = within.mean(axis=0) - outside.mean(axis=0)
    medians = np.median(within, axis=0) - np.median(outside, axis=0)
    change = min(float(np.linalg.norm(means)), float(np.linalg.norm(medians)))
    spread = min(_spread(side) for side in (within, outside))
    return change < max(GOES_ON, MOTLEY * spread)


def _spread(colours: Floats) -> float:
    """Return the spread of colours, n × 3 in Lab: a standard deviation without outliers."""
    low, high = np.percentile(colours, (16, 84), axis=0)
    return float(np.linalg.norm(high - low)) / 2


def _explains(bank: ReferenceBank, ref: ReferenceCard, other: ReferenceCard, seen: Comparison, thing: Flags) -> bool:
    """Whether another card matches the picture there."""
    rivalry = bank.rivalry(ref, other)
    if rivalry is None:
        return False
    flat = soften_view(seen.flat[PADDING:-PADDING, PADDING:-PADDING], 1.4)
    return correlation(rivalry.its.astype(np.float32), flat, thing.astype(np.float32)) > EXPLAINED


def _round(size: int) -> Image:
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
