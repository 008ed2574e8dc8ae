"""Compare a face with rivals: only the places where two faces differ decide."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.features.pixels import Floats
from vision.tokens.comparison import READ_PX, Compared, FaceLevel, Lying, in_light_of
from vision.tokens.thresholds import EVIDENCE, MARGIN


def decided(level: FaceLevel, lying: Lying, compared: Compared, rivals: Iterable[tuple[FaceLevel, Lying]]) -> float:
    """Return the certainty of a face against rivals, from 0 (a rival may be meant) to 1."""
    least = 1.0
    for rival, pose in rivals:
        margin, evidence = nearer(level, lying, compared, rival, pose)
        if evidence < EVIDENCE or margin < MARGIN:
            return 0.0
        least = min(least, margin)
    return least


def nearer(level: FaceLevel, lying: Lying, compared: Compared, rival: FaceLevel, pose: Lying) -> tuple[float, float]:
    """Return the margin of a face over a rival (1: maximum, 0: equally near), and the difference between both.

    The difference is in mm² times the squared distance in Lab.
    """
    other = _seen_from(level, lying, rival, pose)
    known = in_light_of(level, other, compared.believed)
    apart = (known - level.look) * compared.believed[:, :, None]
    difference = float(np.vdot(apart, apart))
    if difference < 1:
        return 0.0, 0.0
    towards = float(np.vdot(apart, compared.scene - (known + level.look) / 2))
    return -2 * towards / difference, difference / READ_PX**2


def _seen_from(level: FaceLevel, lying: Lying, rival: FaceLevel, pose: Lying) -> Floats:
    """Return a rival's look at its pose, sampled at the pixels of a face at its own pose."""
    c, s = np.float32(np.cos(lying.turn)), np.float32(np.sin(lying.turn))
    x = level.across * c - level.down * s + np.float32(lying.x - pose.x)
    y = level.across * s + level.down * c + np.float32(lying.y - pose.y)
    c, s = np.float32(np.cos(pose.turn)), np.float32(np.sin(pose.turn))
    u, v = x * c + y * s, y * c - x * s
    columns = (u - rival.across[0, 0]) * np.float32(READ_PX)
    rows = (v - rival.down[0, 0]) * np.float32(READ_PX)
    return cv2.remap(rival.look, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
