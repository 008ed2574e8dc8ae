"""Tells cards of one artwork apart where they differ, such as by a printed value, as finely as the picture allows.

Where too little of the difference shows it says so, and guesses nothing.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.align import align, ink_grey
from vision.features.blocks import gains, level_view, soften_view, view_size
from vision.features.pixels import Floats, darkest, lab, resize, scaling_matrix
from vision.image import Image, Matrix
from vision.recognise.scene import PictureScene

LEVELS = (96, 144, 208, 304, 416)
"""Pixels of the shorter side at which values are read: the least that is not smaller than the picture's own."""
SOFT = 1.0
"""Pixels of the Gaussian before two pictures are compared point by point."""
LEAST_APART = 9.0
"""Distance in Lab under which two pictures do not differ at a pixel."""
LEAST_SIZE = 6
"""Pixels that a place where they differ must measure at least, either way."""
MOST_ZONES = 4
"""Places that are compared, the ones that differ most: they say all, and more cost time."""
AROUND = 6
"""Pixels of surroundings that are compared with a place where two cards differ."""
SEARCH = 0.022
"""A place is searched within this share of the card's width: a pose is never exact."""
SEEN = 0.8
"""A place is read if at least this share of it can be seen."""
LIKE = 0.55
"""A place that correlates less with both cards shows something else."""
BEYOND = 1.5
"""A pixel may lie so much farther from the middle of two pictures than these; more is something else."""


class PrintedZone(msgspec.Struct, frozen=True):
    """A place where two pictures of one artwork differ, in pixels of a view."""

    left: int
    top: int
    own: Floats
    """Levelled and softened, h × w × 3."""
    other: Floats
    """The other's, laid on it."""
    telling: Floats
    """1 where they differ."""

    @property
    def energy(self) -> float:
        """The size of the difference."""
        apart = (self.own - self.other) * self.telling[:, :, None]
        return float(np.vdot(apart, apart))


class PrintedZones(msgspec.Struct, frozen=True):
    """All places where two pictures differ, at one size."""

    size: tuple[int, int]
    zones: tuple[PrintedZone, ...]

    @property
    def nbytes(self) -> int:
        """The approximate size in memory, in bytes."""
        return sum(zone.own.nbytes + zone.other.nbytes + zone.telling.nbytes for zone in self.zones)


def find_zones(one: Image, two: Image, frame: tuple[int, int], level: int) -> PrintedZones:
    """Return the places where two pictures visibly differ. frame: of the first one's card."""
    size = view_size(frame, level)
    own, found = _align_pair(one, two, size)
    apart = np.linalg.norm(own - found, axis=2)
    telling = ((apart > LEAST_APART) * 255).astype(np.uint8)
    edge = max(2, round(0.03 * level))
    telling[:edge], telling[-edge:], telling[:, :edge], telling[:, -edge:] = 0, 0, 0, 0
    near = cv2.dilate(telling, np.ones((5, 5), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(near)
    result = []
    for left, top, width, height, _ in boxes[1:]:
        if width < LEAST_SIZE or height < LEAST_SIZE:
            continue
        rows = slice(max(0, top - AROUND), min(size[1], top + height + AROUND))
        columns = slice(max(0, left - AROUND), min(size[0], left + width + AROUND))
        inside = np.zeros(telling.shape, np.float32)
        inside[top : top + height, left : left + width] = telling[top : top + height, left : left + width] > 0
        result.append(PrintedZone(columns.start, rows.start, own[rows, columns].copy(), found[rows, columns].copy(),
                           inside[rows, columns].copy()))  # fmt: skip
    result.sort(key=lambda zone: -zone.energy)
    return PrintedZones(size, tuple(result[:MOST_ZONES]))


def _align_pair(one: Image, two: Image, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return both pictures, levelled and softened, the other aligned with the first."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    own, its = resize(one, *size), resize(two, *size)
    found = align(ink_grey(own), ink_grey(its))
    if found is not None:
        its = cv2.warpPerspective(its, found[0], size, flags=flags, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return soften_view(level_view(lab(own)), SOFT), soften_view(level_view(lab(its)), SOFT)


def value_nearness(pair: PrintedZones, frame: tuple[int, int], pose: Matrix, scene: PictureScene) -> float | None:
    """Return how much nearer the picture is to the first card than to the other: 1 like the first, −1 like the other.

    None: too little of the places where they differ shows.
    """
    total = gain = 0.0
    search = 2 + round(SEARCH * min(pair.size))
    to_picture = pose @ scaling_matrix(frame[0] / pair.size[0], frame[1] / pair.size[1])
    for zone in pair.zones:
        height, width = zone.own.shape[:2]
        at = np.array([[1, 0, zone.left], [0, 1, zone.top], [0, 0, 1]], np.float64)
        view, seen = scene.view(to_picture @ at, (width, height), (width, height), search)
        burnt_out = (darkest(view[search:-search, search:-search]) >= 250) & (zone.own[:, :, 0] < -10)
        if float((seen * ~burnt_out).mean()) < SEEN:
            continue
        value, alike = _zone_nearness(zone, soften_view(level_view(lab(view)), SOFT))
        if alike < LIKE:
            value = min(value, 0.0)
        total += zone.energy
        gain += zone.energy * value
    if total < 0.3 * sum(zone.energy for zone in pair.zones) or total <= 0:
        return None
    return gain / total


def _zone_nearness(zone: PrintedZone, seen: Floats) -> tuple[float, float]:
    """Return how much nearer a place is to the first picture, and how well the nearer one fits."""
    height, width = zone.own.shape[:2]
    everywhere = np.ones((height, width), np.float32)
    best = []
    for known in (zone.own, zone.other):
        found = cv2.matchTemplate(seen, known, cv2.TM_CCOEFF_NORMED)
        _, how, _, (x, y) = cv2.minMaxLoc(found)
        best.append((float(how), seen[y : y + height, x : x + width]))
    apart = (zone.own - zone.other) * zone.telling[:, :, None]
    whole = float(np.vdot(apart, apart))
    values = []
    for (_, part), known in zip(best, (zone.own, zone.other), strict=True):
        off = part / gains(known, part, everywhere) - (zone.own + zone.other) / 2
        limit = np.abs(apart) * (BEYOND / 2)
        values.append(2 * float((off.clip(-limit, limit) * apart).sum()) / max(whole, 1e-6))
    # each at the place where it fits best itself: what then still speaks for the first does so in both
    own = values[0] if best[0][0] >= best[1][0] else values[1]
    return own, max(best[0][0], best[1][0])
