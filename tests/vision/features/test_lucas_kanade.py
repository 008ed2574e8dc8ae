"""Tests of aligning a view with a card's print in spite of shadows and objects."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.features.blocks import level_view
from vision.features.lucas_kanade import find_ink, refine_homography
from vision.features.pixels import Floats, lab, project
from vision.image import Image, Matrix

SIZE = (96, 144)
BORDER = 12
EVERYWHERE = np.ones((SIZE[1], SIZE[0]), np.float32)


def sparse(
    moved: tuple[float, float] = (0, 0), grown: float = 1, border: int = 0, shadow: bool = False, stick: bool = False
) -> Floats:
    """Return a levelled Lab card with one thin outline, optionally shifted, enlarged, half shaded or under a stick."""
    width, height = SIZE[0] + 2 * border, SIZE[1] + 2 * border
    drawn = np.full((height * 4, width * 4, 3), 225, np.uint8)
    middle = (round(4 * (border + 48 + moved[0])), round(4 * (border + 72 + moved[1])))
    cv2.ellipse(drawn, middle, (round(80 * grown), round(150 * grown)), 20, 0, 360, (150, 60, 110), 10, cv2.LINE_AA)
    if shadow:
        dim = np.full_like(drawn, 130)
        cv2.ellipse(dim, middle, (round(80 * grown), round(150 * grown)), 20, 0, 360, (85, 35, 62), 10, cv2.LINE_AA)
        dark = cv2.fillConvexPoly(
            np.zeros(drawn.shape[:2], np.uint8), np.array([[0, 0], [width * 4, 0], [0, height * 4]], np.int32), 1
        )
        drawn = np.where(dark[:, :, None] > 0, dim, drawn)
    if stick:
        cv2.line(drawn, (60, 150), (440, 250), (120, 60, 150), 28, cv2.LINE_AA)
    small = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)
    return level_view(lab(cast(Image, small)))


def laid(known: Floats, seen: Floats) -> Matrix:
    """Return the homography that aligns a card with its view."""
    return refine_homography(find_ink(known, EVERYWHERE), seen, SIZE)


def test_an_outline_that_lies_beside_itself_is_laid_on_itself() -> None:
    """An outline three pixels off and slightly too large is aligned to a third of a pixel."""
    found = laid(sparse(), sparse((3, -2), 1.04, BORDER))
    around = np.array([[24, 40], [72, 40], [72, 104], [24, 104]], np.float32)
    wanted = (around - (48, 72)) * 1.04 + (51, 70)
    assert float(np.abs(project(found, around) - wanted).max()) < 0.33


def test_the_edge_of_a_shadow_moves_nothing() -> None:
    """A shadow over half of the card does not shift the alignment."""
    found = laid(sparse(), sparse((2, 2), 1, BORDER, shadow=True))
    assert np.abs(project(found, np.array([[48, 72]], np.float32)) - (50, 74)).max() < 0.6


def test_a_thing_that_lies_on_the_card_moves_nothing() -> None:
    """A stick in the outline's colour does not shift the alignment, because outliers have little weight."""
    found = laid(sparse(), sparse((2, 2), 1, BORDER, stick=True))
    around = np.array([[24, 40], [72, 40], [72, 104], [24, 104]], np.float32)
    assert float(np.abs(project(found, around) - around - 2).max()) < 0.5


def test_what_has_nothing_drawn_on_it_does_not_move() -> None:
    """A card without print is not moved."""
    bare = np.zeros((SIZE[1], SIZE[0], 3), np.float32)
    assert np.array_equal(laid(bare, sparse(border=BORDER)), np.eye(3))
