"""Distinguish cards of one artwork by the places where they differ, such as a printed value.

Reads at the picture's own resolution. Returns no result where too little of the difference shows.
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
"""View sizes in pixels of the shorter side. Choose the smallest that is not below the picture's resolution."""
SOFT = 1.0
"""Sigma in pixels of the Gaussian blur before comparing pixels."""
LEAST_APART = 9.0
"""Distance in Lab below which two pixels are equal."""
LEAST_SIZE = 6
"""The minimum width and height in pixels of a place where two pictures differ."""
MOST_ZONES = 4
"""The number of places to compare, the most different first. More would take time and add nothing."""
AROUND = 6
"""Pixels of surroundings to compare around a place where two cards differ."""
SEARCH = 0.022
"""The search radius for a place as a share of the card's width, because poses are never exact."""
SEEN = 0.8
"""The minimum visible share of a place."""
LIKE = 0.55
"""The correlation with both cards below which a place shows something else."""
BEYOND = 1.5
"""Limit of a pixel's deviation from the mean of two pictures, relative to theirs. Larger ones are clipped."""


class PrintedZone(msgspec.Struct, frozen=True):
    """A place where two pictures of one artwork differ, in pixels of a view."""

    left: int
    top: int
    own: Floats
    """The first picture's place, levelled and softened, h × w × 3."""
    other: Floats
    """The other picture's place, aligned with the first."""
    telling: Floats
    """1 where they differ, else 0."""

    @property
    def energy(self) -> float:
        """The energy of the difference."""
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
    """Return the places where two pictures visibly differ.

    frame: the first card's frame.
    """
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
    """Return both pictures, levelled and softened, the second aligned with the first."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    own, its = resize(one, *size), resize(two, *size)
    found = align(ink_grey(own), ink_grey(its))
    if found is not None:
        its = cv2.warpPerspective(its, found[0], size, flags=flags, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return soften_view(level_view(lab(own)), SOFT), soften_view(level_view(lab(its)), SOFT)


def value_nearness(pair: PrintedZones, frame: tuple[int, int], pose: Matrix, scene: PictureScene) -> float | None:
    """Return the picture's nearness to two cards: 1 at the first, −1 at the other.

    Return None if too few of the places where they differ are visible.
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
    """Return a place's nearness to the first picture, and the better correlation of both."""
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
    # compare each picture at its own best place, and use the value of the one that fits better
    own = values[0] if best[0][0] >= best[1][0] else values[1]
    return own, max(best[0][0], best[1][0])
