"""Find the cards in a picture, with each one's corners, straight picture and faults."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.deck.card_edges import cards_on_ground, in_rows
from vision.deck.quality import faults
from vision.image import Image

Corners = npt.NDArray[np.floating]
"""Four corners in pixels (4 × 2), clockwise."""
MOST = 744
"""The maximum shorter side in pixels of a stored picture: twice that of a card during recognition (CARD)."""
RIM = 0.002
"""The distance from the picture's edge, as a share of its shorter side, below which a corner is cut off."""
BRIGHTEST, DIM = 99.5, 160.0
"""The percentile and the level, of 255, below which a picture is brightened for the search."""
FAULTS = ("small", "blur", "dark", "glare")
"""Faults of a card's straight picture, the worst first."""


class CutCard(NamedTuple):
    """A card in a picture."""

    corners: Corners
    """The corners from its own upper left, clockwise."""
    crowded: bool
    """Whether it overlaps another card or touches an object."""


def find_cards(picture: Image, card: tuple[float, float]) -> tuple[list[CutCard], int]:
    """Return all cards in a picture, row by row, and the number of heaps in which no card shows its whole edge.

    card: a card's width and height in mm.
    """
    found = cards_on_ground(lightened(picture), [max(card) / min(card)])
    crowded = {id(one): is_so for one, is_so in zip(found.cards, found.crowded, strict=True)}
    cards = [CutCard(_from_above(np.asarray(one.corners, np.float64), card), crowded[id(one)])
             for one in in_rows(found.cards)]  # fmt: skip
    return cards, found.heaps


def lightened(picture: Image) -> Image:
    """Return a dark picture brightened so that its edges are as steep as in daylight."""
    bright = float(np.percentile(picture, BRIGHTEST))
    if bright >= DIM:
        return picture
    return np.asarray(cv2.convertScaleAbs(picture, alpha=DIM / max(bright, 1.0)), np.uint8)


def _from_above(corners: Corners, card: tuple[float, float]) -> Corners:
    """Return corners clockwise from the card's own upper left, as it lies in the upright picture."""
    first = int(np.argmin(corners.sum(axis=1)))
    turned = np.roll(corners, -first, axis=0)
    along, down = np.linalg.norm(turned[1] - turned[0]), np.linalg.norm(turned[2] - turned[1])
    return np.roll(turned, 1, axis=0) if (along > down) != (card[0] > card[1]) else turned


def straighten_card(picture: Image, corners: Corners, card: tuple[float, float]) -> Image:
    """Return the card's straight picture at its size in the picture, at most `MOST` along its shorter side."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    short = float(min(MOST, sides[0::2].mean(), sides[1::2].mean()))
    scale = short / min(card)
    width, height = round(card[0] * scale), round(card[1] * scale)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    plane = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, plane, (width, height), flags=cv2.INTER_LINEAR), dtype=np.uint8)


def judge_capture(picture: Image, corners: Corners, card: Image) -> tuple[str, ...]:
    """Return the faults of a card's picture, the worst first: `cut`, `small`, `blur`, `dark`, `glare`."""
    height, width = picture.shape[:2]
    rim = RIM * min(width, height)
    cut = (corners.min() < rim) or (corners[:, 0].max() > width - 1 - rim) or (corners[:, 1].max() > height - 1 - rim)
    wrong = faults(card, scanned=False)
    return ("cut",) * bool(cut) + tuple([fault for fault in FAULTS if fault in wrong])
