"""Match found cards with tracks, and distinguish large objects from thin ones."""

from __future__ import annotations

import cv2
import numpy as np

from vision.image import Image
from vision.slots.slot_frame import Points
from vision.slots.slot_view import LOOK
from vision.slots.tracks import FoundCard, Track

HERE = 12.0
"""The maximum distance in millimetres between a found card and its track, if their names are compatible."""
NUDGED = 40.0
"""The maximum distance in millimetres that a card of the same name may have been pushed."""
KERNEL = 13
"""The minimum width in millimetres of a large object. A shadow's edge is narrower."""


def agrees(track: Track, find: FoundCard) -> bool:
    """Whether a found card may be the tracked one at the same pose."""
    if find.card is not None:
        return track.asserted is None or find.card == track.asserted
    if track.must_rename:
        return False
    if find.doubt == "unknown":
        return track.asserted is None and track.doubt == "unknown"
    return track.asserted is None or track.asserted in find.likeliest


def is_same_card(track: Track, find: FoundCard) -> bool:
    """Whether a card found elsewhere is the tracked one: close by, or of the same name and not far."""
    away = distance_of(track.corners, find.corners)
    if track.asserted is None or find.card is None:
        return away < HERE and find.card is None and not track.must_rename
    return find.card == track.asserted and away < NUDGED


def distance_of(one: Points, two: Points) -> float:
    """Return the distance between two cards' middles in millimetres."""
    return float(np.linalg.norm(one.mean(axis=0) - two.mean(axis=0)))


def large_area(mask: Image) -> float:
    """Return the area in mm² of the parts of a mask that are at least `KERNEL` wide."""
    kernel = np.ones((KERNEL, KERNEL), np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    return float(np.count_nonzero(opened)) / LOOK**2
