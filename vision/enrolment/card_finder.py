"""The one card in a picture: where it lies, its straight picture, and what is wrong with the capture."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.deck.quality import faults
from vision.features.quadrilaterals import QuadOutline, outlines, quadrangle
from vision.image import Image

Corners = npt.NDArray[np.floating]
"""Four corners in pixels (4 × 2), clockwise."""
SEARCHED = 1280
"""Pixels along the longer side of the picture in which a card is looked for."""
MOST = 744
"""Pixels of the shorter side of a picture that is kept, at most: twice that of a card as it is read (CARD)."""
LEAST, GREATEST = 0.12, 1.0
"""The shorter side of a card, as a part of the picture's shorter side."""
RIVAL = 0.5
"""Another outline beside the first is a second card if its area is more than this part of the first one's."""
APART = 14.0
"""Distance in Lab from the table's colour at which something lies on the table."""
PROPORTION = 0.35
"""How far an outline on a plain table may be from straight sides and a card's proportions (worth, 0 to 1)."""
VAGUE = 0.15
"""An outline that is worth so much less than the best one is no second card."""
RIM = 0.006
"""A corner nearer to the picture's edge than this part of its shorter side is cut off."""
FRAME_RIM = 0.02
"""A corner within this part of the picture's shorter side from its edge lies on the edge."""
FAULTS = ("small", "blur", "dark", "glare")
"""Faults of the card's straight picture, the worst first."""


def find_card(picture: Image, card: tuple[float, float]) -> tuple[Corners | None, bool]:
    """Return the corners of the largest card in a picture, from its upper left, and whether there are others beside it.

    The corners are None where there is no card. `card`: its width and height in mm.
    """
    factor = min(1.0, SEARCHED / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    short = min(small.shape[:2])
    picture_edges = (small.shape[1], small.shape[0])
    found = _on_plain_table(np.asarray(small, dtype=np.uint8), card)
    if not found:  # the table is too colourful: take any outline of a card's proportions
        found = outlines(np.asarray(small, dtype=np.uint8), [max(card) / min(card)], (LEAST * short, GREATEST * short))
        found = [outline for outline in found if not _frame(outline, *picture_edges)]
        good = max((_worth(outline, card) for outline in found), default=0.0) - VAGUE
        found = [outline for outline in found if _worth(outline, card) > good]
    if not found:
        return None, False
    best = max(found, key=lambda outline: outline.area)
    several = any(other.area > RIVAL * best.area and _beside(best, other) for other in found)
    corners = (np.asarray(best.corners, dtype=np.float64) + 0.5) / factor - 0.5
    return _from_above(corners, card), several


def _on_plain_table(picture: Image, card: tuple[float, float]) -> list[QuadOutline]:
    """Return the outlines of a card's proportions that stand out from a plain table, whose colour the rim shows."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:8].reshape(-1, 3), lab[-8:].reshape(-1, 3), lab[:, :8].reshape(-1, 3)])
    away = np.linalg.norm(lab - np.median(rim, axis=0), axis=2)
    apart = max(APART, 3 * float(np.percentile(np.linalg.norm(rim - np.median(rim, axis=0), axis=1), 90)))
    stands = cv2.morphologyEx((away > apart).astype(np.uint8) * 255, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(stands, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = (LEAST * min(picture.shape[:2])) ** 2
    found = []
    for contour in contours:
        area = float(cv2.contourArea(contour))
        outline = quadrangle(np.asarray(contour, dtype=np.float32), area) if area > least else None
        if outline is not None and _worth(outline, card) > 1 - PROPORTION:
            found.append(outline)
    return found


def _worth(outline: QuadOutline, card: tuple[float, float]) -> float:
    """Return how much an outline resembles the card's: straight sides, the right proportions; 1 is perfect."""
    sides = outline.sides()
    long, short = sorted((float(sides[0] + sides[2]), float(sides[1] + sides[3])), reverse=True)
    return outline.straight - 2 * abs(float(np.log(long / short / (max(card) / min(card)))))


def _frame(outline: QuadOutline, width: int, height: int) -> bool:
    """Whether an outline is the picture's own edge: most of its corners lie there."""
    x, y = np.asarray(outline.corners, dtype=np.float64).T
    rim = FRAME_RIM * min(width, height)
    return bool(((x < rim) | (y < rim) | (x > width - rim) | (y > height - rim)).sum() >= 3)


def _beside(one: QuadOutline, other: QuadOutline) -> bool:
    """Whether the middle of another outline lies outside the first one."""
    x, y = np.asarray(other.corners).mean(axis=0)
    return cv2.pointPolygonTest(np.asarray(one.corners, dtype=np.float32), (float(x), float(y)), False) < 0


def _from_above(corners: Corners, card: tuple[float, float]) -> Corners:
    """Return corners clockwise from the card's own upper left, as it lies in the upright picture."""
    first = int(np.argmin(corners.sum(axis=1)))
    turned = np.roll(corners, -first, axis=0)
    along, down = np.linalg.norm(turned[1] - turned[0]), np.linalg.norm(turned[2] - turned[1])
    return np.roll(turned, 1, axis=0) if (along > down) != (card[0] > card[1]) else turned


def straighten_card(picture: Image, corners: Corners, card: tuple[float, float]) -> Image:
    """Return the card's straight picture, as large as it is in the picture, at most `MOST` along its shorter side."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    short = float(min(MOST, sides[0::2].mean(), sides[1::2].mean()))
    scale = short / min(card)
    width, height = round(card[0] * scale), round(card[1] * scale)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    plane = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, plane, (width, height), flags=cv2.INTER_LINEAR), dtype=np.uint8)


def judge_capture(picture: Image, corners: Corners, card: Image) -> tuple[str, ...]:
    """Return what is wrong with a captured card, the worst first: `cut`, `small`, `blur`, `dark`, `glare`."""
    height, width = picture.shape[:2]
    rim = RIM * min(width, height)
    cut = (corners.min() < rim) or (corners[:, 0].max() > width - 1 - rim) or (corners[:, 1].max() > height - 1 - rim)
    wrong = faults(card, scanned=False)
    return ("cut",) * bool(cut) + tuple([fault for fault in FAULTS if fault in wrong])
