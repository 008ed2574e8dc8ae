"""Find outlines that may be cards: four straight sides with a card's proportions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.features.pixels import Floats, darkest
from vision.image import Image

MOST = 40
"""The maximum number of outlines in a picture, which bounds the time for cluttered pictures."""
MOST_CONTOURS = 400
"""The number of largest contours to examine for each threshold."""
LEAST_SIDE = 24.0
"""The minimum shorter side of an outline in pixels."""
PROPORTION = 1.75
"""The maximum factor between a tilted card's proportions and its own. A card seen from far aside reaches 1.67."""
SOLID = 0.8
"""The minimum share of its convex hull that a contour fills."""
FULL = 0.9
"""The minimum share of its quadrangle that the hull fills, because a card's corners are round."""
STRAIGHT, SAME_BOX = 0.8, 4
"""The straight share of an outline above which contours with the same bounding box are skipped, and the tolerance of
the boxes in pixels."""
SAME = 0.08
"""The distance between corners, as a share of the size, below which two outlines are equal."""
PART = 0.5
"""The share of another outline's area below which an outline can be inside it. Above it, both may be one card's
edge."""
OVERHANG = 0.02
"""The overhang, as a share of the other's size, that an outline inside it may have."""
NEXT = (1, 2, 3, 0)
"""The index of the next corner, for each corner."""
TURNS = np.array([[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]])
"""The cyclic orders of four corners."""


class QuadOutline:
    """Four corners, clockwise, and the share of the contour that lies on their sides."""

    def __init__(self, corners: Floats, straight: float) -> None:
        self.corners = corners
        self.straight = straight
        self.area = float(abs(cv2.contourArea(corners)))

    def sides(self) -> Floats:
        """Return the lengths of the four sides."""
        lengths: Floats = np.linalg.norm(self.corners[NEXT, :] - self.corners, axis=1)
        return lengths


def outlines(picture: Image, ratios: Sequence[float], sizes: tuple[float, float]) -> list[QuadOutline]:
    """Return at most `MOST` distinct outlines in a BGR picture that may be cards. For the arguments see
    `all_outlines`."""
    return take_outermost(all_outlines(picture, ratios, sizes), MOST)


def all_outlines(picture: Image, ratios: Sequence[float], sizes: tuple[float, float]) -> list[QuadOutline]:
    """Return all distinct outlines in a BGR picture that may be cards, the straightest first.

    ratios: long by short side of the deck's cards. sizes: minimum and maximum shorter side in pixels.
    """
    found: list[QuadOutline] = []
    known: set[tuple[int, ...]] = set()
    least = max(LEAST_SIDE, sizes[0] * 0.8)
    for binary in binary_pictures(picture):
        contours, _ = cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        areas = [cv2.contourArea(contour) if len(contour) > 3 else 0.0 for contour in contours]
        for at in np.argsort(areas)[::-1][:MOST_CONTOURS]:
            if areas[at] < least**2:
                break
            box = tuple(round(side / SAME_BOX) for side in cv2.boundingRect(contours[at]))
            if box in known or not _may_be_card_quickly(contours[at], ratios, least):
                continue
            outline = quadrangle(contours[at], areas[at])
            if outline is not None and may_be_card(outline, ratios, least, sizes[1] * 1.25):
                found.append(outline)
                if outline.straight > STRAIGHT:
                    known.add(box)
    return drop_repeats(sorted(found, key=lambda one: -one.straight))


def _may_be_card_quickly(contour: Floats, ratios: Sequence[float], least: float) -> bool:
    """Whether a contour's minimum-area rectangle may be a card's: a quick test before the careful one."""
    _, (wide, high), _ = cv2.minAreaRect(contour)
    short, long = min(wide, high), max(wide, high)
    return short >= 0.9 * least and long <= 1.15 * PROPORTION * ratios[-1] * short


def binary_pictures(picture: Image) -> Iterator[Image]:
    """Yield binary pictures whose contours may be cards' edges."""
    smooth = cv2.GaussianBlur(picture, (3, 3), 0)
    space = cv2.cvtColor(smooth, cv2.COLOR_BGR2HSV)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    least = darkest(smooth)  # paper is bright in all channels, unlike coloured tables
    kernel = np.ones((3, 3), np.uint8)
    level, bright = cv2.threshold(least, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield bright
    for more in (0.75, 1.25):
        yield cv2.threshold(least, min(250, level * more), 255, cv2.THRESH_BINARY)[1]
    window = max(31, (min(grey.shape) // 6) | 1)
    yield cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, -8)
    yield cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, 8)
    for channel in (grey, space[:, :, 1]):
        middle = median(channel)
        edges = cv2.Canny(channel, max(20.0, 0.4 * middle), max(60.0, 0.9 * middle))
        yield cv2.dilate(edges, kernel)


def median(channel: Image) -> float:
    """Return the median of a picture's bytes (h × w), by a histogram. NumPy sorts them, which takes five times as
    long."""
    upto = cv2.calcHist([channel], [0], None, [256], [0, 256]).ravel().astype(np.int64).cumsum()
    middle = np.searchsorted(upto, [(channel.size - 1) // 2, channel.size // 2], side="right")
    return float(middle.mean())


def quadrangle(contour: Floats, area: float) -> QuadOutline | None:
    """Return the four straight sides of a contour, or None."""
    hull = cv2.convexHull(contour)
    whole = cv2.contourArea(hull)
    if area < SOLID * whole or len(hull) < 4:
        return None
    (_, _), (wide, high), _ = cv2.minAreaRect(hull)
    if whole < 0.6 * wide * high:
        return None
    simple = cv2.approxPolyDP(hull, max(1.0, 0.004 * cv2.arcLength(hull, True)), True)[:, 0].astype(np.float64)
    rough = reduce_to_quadrangle([(float(x), float(y)) for x, y in simple])
    if rough is None:
        return None
    corners = sharpen_corners(hull[:, 0].astype(np.float32), np.array(rough, np.float32))
    drawn = abs(cv2.contourArea(corners))
    if drawn <= 0 or not FULL < whole / drawn < 1.1 or not cv2.isContourConvex(corners):
        return None
    return QuadOutline(order_clockwise(corners), share_followed(hull[:, 0].astype(np.float32), corners))


def share_followed(hull: Floats, corners: Floats) -> float:
    """Return the share of a hull's outline that lies on the quadrangle's sides. Its round corners do not."""
    dense = _dense(hull)
    ends = corners[NEXT, :] - corners
    lengths = np.maximum(np.linalg.norm(ends, axis=1), 1e-3)
    normals = np.stack([-ends[:, 1], ends[:, 0]], axis=1) / lengths[:, None]
    away = np.abs(((dense[:, None, :] - corners[None, :, :]) * normals[None, :, :]).sum(axis=2)).min(axis=1)
    return float((away < 1.5).mean())


Point = tuple[float, float]


def reduce_to_quadrangle(polygon: list[Point]) -> list[Point] | None:
    """Return the quadrangle around a convex polygon, made by removing the sides that add the least area."""
    while len(polygon) > 4:
        best: tuple[float, int, Point] | None = None
        for at in range(len(polygon)):
            before, first = polygon[at - 1], polygon[at]
            second, after = polygon[(at + 1) % len(polygon)], polygon[(at + 2) % len(polygon)]
            meet = _intersection(before, first, after, second)
            if meet is not None:
                added = abs(
                    (second[0] - first[0]) * (meet[1] - first[1]) - (second[1] - first[1]) * (meet[0] - first[0])
                )
                if best is None or added < best[0]:
                    best = (added, at, meet)
        if best is None:
            return None
        _, at, meet = best
        following = (at + 1) % len(polygon)
        polygon = [meet if number == at else point for number, point in enumerate(polygon) if number != following]
    return polygon if len(polygon) == 4 else None


def _intersection(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """Return where the line from a through b meets the line from c through d, beyond both, or None."""
    x, y, u, v = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = x * v - y * u
    if abs(cross) < 1e-9:
        return None
    along = ((c[0] - a[0]) * v - (c[1] - a[1]) * u) / cross
    other = ((c[0] - a[0]) * y - (c[1] - a[1]) * x) / cross
    if along < 1 or other < 1:
        return None
    return a[0] + along * x, a[1] + along * y


def sharpen_corners(hull: Floats, rough: Floats) -> Floats:
    """Return the intersections of the sides' fitted lines, because a card's corners are round."""
    dense = _dense(hull)
    lines = []
    for first, second in zip(rough, rough[NEXT, :], strict=True):
        along = second - first
        length = float(np.hypot(along[0], along[1]))
        if length < 4:
            return rough
        unit = along / length
        offset = dense - first
        place = offset @ unit
        away = np.abs(offset @ np.array([-unit[1], unit[0]], np.float32))
        near = dense[(place > 0.15 * length) & (place < 0.85 * length) & (away < 0.04 * length + 1)]
        if len(near) < 2:
            return rough
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((float(vy), -float(vx), float(vy * x - vx * y)))
    corners = []
    for one, two in zip(lines[-1:] + lines[:-1], lines, strict=True):
        cross = one[0] * two[1] - one[1] * two[0]
        if abs(cross) < 0.2:
            return rough
        corners.append(((one[2] * two[1] - one[1] * two[2]) / cross, (one[0] * two[2] - one[2] * two[0]) / cross))
    sharp = np.array(corners, np.float32)
    limit = 0.15 * float(np.sqrt(abs(cv2.contourArea(rough))))
    return sharp if float(np.abs(sharp - rough).max()) < limit else rough


def _dense(hull: Floats) -> Floats:
    """Return points about every two pixels along a closed polygon, because a hull has few on a straight side."""
    along = np.concatenate([hull[1:], hull[:1]]) - hull
    steps = np.maximum(1, (np.hypot(along[:, 0], along[:, 1]) / 2).astype(np.int32))
    which = np.repeat(np.arange(len(hull)), steps)
    at = (np.arange(len(which)) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[which]
    points: Floats = (hull[which] + at[:, None] * along[which]).astype(np.float32)
    return points


def order_clockwise(corners: Floats) -> Floats:
    """Return four corners in clockwise order as seen in the picture."""
    if cv2.contourArea(corners, oriented=True) < 0:
        corners = corners[::-1]
    return np.ascontiguousarray(corners)


def may_be_card(outline: QuadOutline, ratios: Sequence[float], least: float, most: float) -> bool:
    """Whether an outline may be a slightly tilted card of one of these proportions and sizes."""
    sides = outline.sides()
    one, two = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
    short, long = min(one, two), max(one, two)
    if short < least or short > most:
        return False
    if max(sides[0], sides[2]) > 1.6 * min(sides[0], sides[2]) or max(sides[1], sides[3]) > 1.6 * min(
        sides[1], sides[3]
    ):
        return False
    return any(1 / PROPORTION < long / short / ratio < PROPORTION for ratio in ratios)


def drop_repeats(found: Sequence[QuadOutline]) -> list[QuadOutline]:
    """Return outlines without duplicates, keeping the first of each."""
    kept: list[QuadOutline] = []
    places = np.zeros((len(found), 4, 2), np.float32)
    for one in found:
        away = np.abs(one.corners[TURNS][:, None] - places[: len(kept)]).max(axis=(2, 3))
        if not (away < SAME * float(np.sqrt(one.area))).any():
            places[len(kept)] = one.corners
            kept.append(one)
    return kept


def take_outermost(found: Sequence[QuadOutline], most: int) -> list[QuadOutline]:
    """Return at most this many outlines, the least nested first, otherwise in the given order.

    Symbols printed on a card have straighter outlines than the card, whose corners are round and which may be bent.
    They lie inside it and therefore come later. A card on a tray, or inside a tucked row's outline, still precedes
    them.
    """
    return [found[at] for at in np.argsort(nesting_depths(found), kind="stable")[:most]]


def nesting_depths(found: Sequence[QuadOutline]) -> npt.NDArray[np.int64]:
    """Return the number of larger outlines around each outline: n."""
    if not found:
        return np.zeros(0, np.int64)
    corners = np.stack([one.corners for one in found])
    areas = np.array([one.area for one in found])
    sides = corners[:, NEXT] - corners
    slack = OVERHANG * np.sqrt(areas)
    inside = areas[:, None] < PART * areas  # whether each has a smaller area than each other
    for side in range(4):
        normal = np.stack([-sides[:, side, 1], sides[:, side, 0]], axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-3)
        least = (corners @ normal.T).min(axis=1)  # the minimum projection of each outline on each side's normal
        inside &= least >= (corners[:, side] * normal).sum(axis=1) - slack
    depth: npt.NDArray[np.int64] = inside.sum(axis=1)
    return depth
