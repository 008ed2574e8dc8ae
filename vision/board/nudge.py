"""Detect a nudge of a board without markers, by comparing tiles with the picture from when it was set."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.covers import PX, Field, Points
from vision.image import Image, Matrix

FINE = 1.0
"""Pixels per millimetre for comparing tiles."""
TILE = 64
"""The side of a tile in millimetres. It can be found again after moving by a third of that."""
SURE = 0.12
"""The minimum response of a tile's match, from 0 to 1. Hands and cards match no tile."""
AGREE = 1.5
"""The tolerance in millimetres between the movements of tiles."""
ENOUGH = 0.4
"""The share of the tiles that must agree. Pieces and a hand cover the others."""


def nudge_of(bare: Image, seen: Image) -> Matrix | None:
    """Return the movement of a board relative to the bare one, in millimetres, or None if it is far away or covered."""
    before, now = _detail(bare), _detail(seen)
    window = np.asarray(cv2.createHanningWindow((TILE, TILE), cv2.CV_32F), np.float32)
    high, wide = before.shape
    corners = list(product(_starts(wide), _starts(high)))
    there, away = [], []
    for x, y in corners:
        one, other = (field[y : y + TILE, x : x + TILE] for field in (before, now))
        (dx, dy), sure = cv2.phaseCorrelate(one, other, window)
        if sure > SURE:
            there.append((x + TILE / 2, y + TILE / 2))
            away.append((dx, dy))
    if len(there) < max(3, ENOUGH * len(corners)):
        return None
    cv2.setRNGSeed(1)
    points: Points = np.array(there) / FINE
    moved, agreeing = cv2.estimateAffinePartial2D(
        points, points + np.array(away) / FINE, method=cv2.RANSAC, ransacReprojThreshold=AGREE
    )
    if moved is None or int(agreeing.sum()) < max(3, ENOUGH * len(corners)):
        return None
    return np.vstack([moved, [0.0, 0.0, 1.0]]).astype(np.float64)


def _detail(picture: Image) -> Field:
    """Return the lines of a picture without the light on it."""
    size = (max(TILE, round(picture.shape[1] / PX * FINE)), max(TILE, round(picture.shape[0] / PX * FINE)))
    small = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    light = np.log(small.astype(np.float32) + 8)
    return np.asarray(light - cv2.GaussianBlur(light, (0, 0), 6.0), np.float32)


def _starts(length: int) -> npt.NDArray[np.int_]:
    """Return evenly spaced starts of tiles along a side, with half overlaps."""
    count = max(2, round((length - TILE) / (TILE / 2)) + 1)
    return np.unique(np.linspace(0, length - TILE, count).round().astype(int))
