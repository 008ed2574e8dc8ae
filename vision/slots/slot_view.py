"""A picture for the search of a slot, and the visible part of a card in it."""

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
"""Pixels per millimetre for comparing places with their earlier views."""
GROWN = 0.8
"""Millimetres by which to widen a covering card's outline, for its edge and shadow."""
LEAST_SHOWN = 0.1
"""The minimum visible share of a card to read it."""


class SlotView(msgspec.Struct, frozen=True, eq=False):
    """A picture and the mat's pose in it."""

    picture: Image
    pose: MatPose


class KnownCard(Protocol):
    """A card at a known place: a found one or a track."""

    @property
    def corners(self) -> Points:
        """The corners on the mat in millimetres, clockwise from the card's own top left."""
        ...

    @property
    def share(self) -> float:
        """The visible share of the card."""
        ...


def visible_mask(corners: Points, hiders: Iterable[Points]) -> Image:
    """Return a visibility mask in CARD's size: 255 where the card shows, 0 under cards on top of it."""
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
