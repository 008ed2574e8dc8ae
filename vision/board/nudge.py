"""Notices that a board without markers was nudged: tile by tile, against the picture in which it was set."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.covers import PX, Field, Points
from vision.image import Image, Matrix

FINE = 1.0
"""Pixels a millimetre at which tiles are compared."""
TILE = 64
"""Millimetres of a tile's side: it is found again if it moved by a third of that."""
SURE = 0.12
"""How clearly a tile must be found elsewhere, from 0 to 1: hands and cards show no tile of the board."""
AGREE = 1.5
"""Millimetres within which tiles must agree on how the board moved."""
ENOUGH = 0.4
"""The part of the tiles that must agree: pieces and a hand cover the others."""


def nudge_of(bare: Image, seen: Image) -> Matrix | None:
    """Return how a board lies compared with the bare one, in millimetres; None: quite elsewhere, or covered."""
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
    """Return where tiles begin along a side, evenly, half over one another."""
    count = max(2, round((length - TILE) / (TILE / 2)) + 1)
    return np.unique(np.linspace(0, length - TILE, count).round().astype(int))
