"""Trains in pixels: its cards are told apart, and a part of a game is followed on a rendered table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.vision.own_deck import own_recogniser
from tests.support.vision.pictures import laid, photographed, table
from vision.print.cards import faces

NAME = "trains"
FAR, WIDTH = 2.2, 63.0
"""Pixels per millimetre at which whole cards are read, and the width of a card."""


@pytest.mark.pixels
def test_a_camera_tells_all_kinds_apart() -> None:
    """All 39 kinds and their back, each turned a little, are named in one soft picture, each where it lies."""
    pictures = faces(NAME)
    on = table(5, (1850, 1060))
    luck = np.random.default_rng(5)
    for nth, picture in enumerate(pictures.values()):
        laid(on, picture, 95 + 185 * (nth % 10), 135 + 262 * (nth // 10), FAR * WIDTH, float(luck.uniform(-9, 9)))
    found = {one.card: one.corners for one in own_recogniser(NAME).read(photographed(on)) if one.card}
    assert set(found) == set(pictures)
    for nth, name in enumerate(pictures):
        assert np.abs(np.mean(found[name], axis=0) - (95 + 185 * (nth % 10), 135 + 262 * (nth // 10))).max() < 5
