"""A picture as a slot's search sees it, and which part of a card shows in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec
import numpy as np

from vision.features.pixels import homography
from vision.image import CARD, Image
from vision.mat import MatPose
from vision.slots.slot_frame import Points, fill_polygon, shared_area

LOOK = 1.0
"""Pixels per millimetre at which places are compared with how they were."""
GROWN = 0.8
"""Millimetres by which the outline of a card on top is widened: its edge and shadow are no part of the card below."""
LEAST_SHOWN = 0.1
"""A card is not read if a smaller part of it shows."""


class SlotView(msgspec.Struct, frozen=True, eq=False):
    """A picture with the mat's pose in it."""

    picture: Image
    pose: MatPose


class KnownCard(Protocol):
    """A card whose place is known: a found one, or a track."""

    @property
    def corners(self) -> Points:
        """On the mat in millimetres, clockwise from the card's own top left."""
        ...

    @property
    def share(self) -> float:
        """How much of it shows."""
        ...


def visible_mask(corners: Points, hiders: Iterable[Points]) -> Image:
    """Return a mask in CARD's size: 255 where the card shows, 0 under cards on top of it."""
    visible = np.full((CARD[1], CARD[0]), 255, np.uint8)
    plane = np.array([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]], np.float32)
    to_card = homography(corners.astype(np.float32), plane)
    for hider in hiders:
        if shared_area(corners, hider) > 0:
            middle = hider.mean(axis=0)
            away = hider - middle
            grown = middle + away * (1 + GROWN / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
            spread = np.column_stack([grown, np.ones(4)]) @ to_card.T
            fill_polygon(visible, spread[:, :2] / spread[:, 2:], 1.0, 0)
    return visible
