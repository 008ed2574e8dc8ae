"""Find cards in a photograph by their edges against a background, for pages and the command line.

Many cards have a frame printed inside their edge, and some lie in a frame. Among nested outlines, the one with the
strongest colour step is the edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.features.edge_step import STEP, edge_step
from vision.features.pixels import Floats, corners_of, homography, lab, resize
from vision.features.quadrilaterals import QuadOutline, may_be_card, outlines, quadrangle
from vision.image import Image

SEARCHED = 1280
"""The longer side in pixels at which to search for edges."""
RATIOS = (1.25, 1.4, 1.6, 1.8)
"""Usual proportions of cards, long by short side, for when the deck's are unknown."""
LEAST, GREATEST = 0.08, 1.0
"""The minimum and maximum shorter side of a card, as shares of the picture's shorter side."""
APART = 14.0
"""Distance in Lab from the background's colour above which something lies on it."""
PROPORTION = 0.35
"""The maximum deviation of an outline from straight sides and a card's proportions (`worth`, 0 to 1)."""
INNER = 0.6
"""The minimum share of an outline's area at which a nested one may be the card's edge. A smaller one is print."""
MORE = 1.5
"""The factor by which its step must be stronger. An object around a card, such as a frame of tape, is darker or
lighter."""
ALIKE = 0.45
"""The minimum share of the largest card's area. Cards in one photograph have one size, so anything smaller is print
or another object."""
CLOSED = 9
"""Kernel size in pixels for closing gaps in the foreground."""
PRINT, ALL = 0.4, 0.85
"""Filled shares of a heap. Below the first, the outlines are print on the heap's cards. Below the second, a card in
it overlaps another one or touches an object."""


class CardsOnGround(NamedTuple):
    """The cards in a photograph."""

    cards: list[QuadOutline]
    """Each card once, the largest first, in the picture's pixels."""
    crowded: list[bool]
    """For each card, whether it overlaps another one or touches an object."""
    heaps: int
    """The number of heaps of overlapping objects in which no card shows its whole edge."""


def card_edges(picture: Image, ratios: Sequence[float] = RATIOS) -> list[QuadOutline]:
    """Return the outlines of all cards in a BGR picture, each once, the largest first, in the picture's pixels.

    ratios: the possible proportions of the cards, long by short side.
    """
    return cards_on_ground(picture, ratios).cards


def cards_on_ground(picture: Image, ratios: Sequence[float] = RATIOS) -> CardsOnGround:
    """Return the cards in a BGR picture. For the arguments see `card_edges`."""
    factor = min(1.0, SEARCHED / max(picture.shape[:2]))
    height, width = round(picture.shape[0] * factor), round(picture.shape[1] * factor)
    small = np.asarray(resize(picture, width, height) if factor < 1 else picture, np.uint8)
    short = float(min(small.shape[:2]))
    sizes = (LEAST * short, GREATEST * short)
    seen = lab(cv2.GaussianBlur(small, (5, 5), 0))
    whole, heaps = _before_background(seen, ratios, sizes)
    found = [*whole, *outlines(small, ratios, sizes)]
    cards = _strongest([one for one in found if worth(one, ratios) > 1 - PROPORTION], seen)
    crowded: dict[int, bool] = {}
    for heap in heaps:
        inside = [one for one in cards if _holds(heap, one)]
        filled = sum(one.area for one in inside) / float(cv2.contourArea(heap))
        crowded |= {id(one): filled < ALL for one in inside}
        if filled < PRINT:
            cards = [one for one in cards if not _holds(heap, one)]
    largest = max((one.area for one in cards), default=0.0)
    kept = sorted([one for one in cards if one.area > ALIKE * largest], key=lambda one: -one.area)
    loose = sum(not any(_holds(heap, one) for one in kept) for heap in heaps)
    scale = np.float32(1 / factor)
    scaled = [QuadOutline((one.corners + np.float32(0.5)) * scale - np.float32(0.5), one.straight) for one in kept]
    return CardsOnGround(scaled, [crowded.get(id(one), False) for one in kept], loose)


def _strongest(found: Sequence[QuadOutline], seen: Floats) -> list[QuadOutline]:
    """Return the outlines with a visible edge, and only the strongest of nested ones."""
    stepped = [(one, edge_step(one.corners, seen)) for one in found]
    cards: list[tuple[QuadOutline, float]] = []
    for one, step in sorted([pair for pair in stepped if pair[1] > STEP], key=lambda pair: -pair[0].area):
        around = next((at for at, (other, _) in enumerate(cards) if _covers(other, one)), None)
        if around is None:
            cards.append((one, step))
        elif one.area > INNER * cards[around][0].area and step > MORE * cards[around][1]:
            cards[around] = (one, step)
    return [one for one, _ in cards]


def _before_background(
    seen: Floats, ratios: Sequence[float], sizes: tuple[float, float]
) -> tuple[list[QuadOutline], list[Floats]]:
    """Return the outlines of cards on a plain background, and the contours of all heaps.

    The picture's border shows the background's colour.
    """
    rim = np.concatenate([seen[:8].reshape(-1, 3), seen[-8:].reshape(-1, 3), seen[:, :8].reshape(-1, 3),
                          seen[:, -8:].reshape(-1, 3)])  # fmt: skip
    ground = np.median(rim, axis=0)
    apart = max(APART, 3 * float(np.percentile(np.linalg.norm(rim - ground, axis=1), 90)))
    stands = (np.linalg.norm(seen - ground, axis=2) > apart).astype(np.uint8) * 255
    around = cv2.copyMakeBorder(stands, CLOSED, CLOSED, CLOSED, CLOSED, cv2.BORDER_CONSTANT, value=0)
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, np.ones((CLOSED, CLOSED), np.uint8))
    stands = closed[CLOSED:-CLOSED, CLOSED:-CLOSED]
    contours, _ = cv2.findContours(stands, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found: list[QuadOutline] = []
    heaps: list[Floats] = []
    for contour in contours:
        area = float(cv2.contourArea(contour))
        if area <= sizes[0] ** 2:
            continue
        outline = quadrangle(np.asarray(contour, np.float32), area)
        if outline is not None and may_be_card(outline, ratios, *sizes):
            found.append(outline)
        elif _stands_sharply(contour, seen):
            heaps.append(np.asarray(contour, np.float32))
    return found, heaps


def _stands_sharply(contour: Floats, seen: Floats) -> bool:
    """Whether the background ends sharply all along a contour. A patch of light on cloth fades instead."""
    height, width = seen.shape[:2]
    x, y, wide, high = cv2.boundingRect(contour)
    if x < 2 or y < 2 or x + wide > width - 2 or y + high > height - 2:
        return False
    part: Image = np.zeros((height, width), np.uint8)
    cv2.drawContours(part, [np.asarray(contour, np.int32)], -1, 255, cv2.FILLED)
    reach = np.ones((CLOSED, CLOSED), np.uint8)
    inner, outer = cv2.subtract(part, cv2.erode(part, reach)), cv2.subtract(cv2.dilate(part, reach), part)
    apart = np.array(cv2.mean(seen, inner)[:3]) - np.array(cv2.mean(seen, outer)[:3])
    return float(np.linalg.norm(apart)) > STEP


def _holds(heap: Floats, one: QuadOutline) -> bool:
    """Whether the middle of an outline lies inside a heap."""
    x, y = one.corners.mean(axis=0)
    return cv2.pointPolygonTest(heap, (float(x), float(y)), False) >= 0


def worth(outline: QuadOutline, ratios: Sequence[float]) -> float:
    """Return the resemblance of an outline to a card, from its straight sides and its proportions. 1 is perfect."""
    sides = outline.sides()
    long, short = sorted((float(sides[0] + sides[2]), float(sides[1] + sides[3])), reverse=True)
    return outline.straight - 2 * min(abs(float(np.log(long / short / ratio))) for ratio in ratios)


def _covers(one: QuadOutline, other: QuadOutline) -> bool:
    """Whether the middle of the other outline lies inside the first one."""
    x, y = other.corners.mean(axis=0)
    return cv2.pointPolygonTest(one.corners.astype(np.float32), (float(x), float(y)), False) >= 0


def in_rows(cards: Sequence[QuadOutline]) -> list[QuadOutline]:
    """Return cards in reading order: by rows, each from the left.

    A card belongs to a row if its middle is less than half a card below that of the row's first card.
    """
    rows: list[list[QuadOutline]] = []
    for one in sorted(cards, key=lambda one: float(one.corners[:, 1].mean())):
        down = float(one.corners[:, 1].mean())
        if not rows or down > rows[-1][0].corners[:, 1].mean() + float(np.ptp(rows[-1][0].corners[:, 1])) / 2:
            rows.append([])
        rows[-1].append(one)
    return [one for row in rows for one in sorted(row, key=lambda one: float(one.corners[:, 0].mean()))]


def straighten(picture: Image, corners: Floats) -> Image:
    """Return the part of a picture within four corners, rectified with its proportions."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    size = (max(8, round(float(sides[0] + sides[2]) / 2)), max(8, round(float(sides[1] + sides[3]) / 2)))
    matrix = homography(corners, corners_of(size))
    return cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA)


def upright(corners: Floats) -> Floats:
    """Return the corners from the upper left one, because cards are photographed upright."""
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
