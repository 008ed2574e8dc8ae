"""Measure how strongly a quadrangle's sides show in a picture, by the colours just inside and outside of each."""

from __future__ import annotations

import numpy as np

from vision.features.pixels import Floats

NEAR, FAR = 0.015, 0.035
"""Distances from an edge at which to sample both sides, as shares of the card's shorter side."""
STEP = 10.0
"""The minimum distance in Lab between both sides of an edge, at its second weakest side. A shadow has less."""


def edge_step(corners: Floats, seen: Floats) -> float:
    """Return the colour distance across an outline, at its second weakest side.

    seen: the picture in Lab, h × w × 3. A side at the picture's border counts as 0.
    """
    middle = corners.mean(axis=0)
    short = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())
    steps = []
    for at in range(4):
        one, two = corners[at], corners[(at + 1) % 4]
        points = one + np.linspace(0.15, 0.85, 40, dtype=np.float32)[:, None] * (two - one)
        out = np.array([one[1] - two[1], two[0] - one[0]], np.float32)
        out *= np.sign(np.dot((one + two) / 2 - middle, out)) / max(1e-3, float(np.linalg.norm(out)))
        inner, outer = (_mean_along(seen, points, sign * short * out) for sign in (-1, 1))
        steps.append(float(np.median(np.linalg.norm(inner - outer, axis=1))) if inner is not None
                     and outer is not None else 0.0)  # fmt: skip
    return sorted(steps)[1]


def _mean_along(seen: Floats, points: Floats, away: Floats) -> Floats | None:
    """Return the mean colours beside points (40 × 3), or None if most of them lie outside the picture."""
    sums = []
    for share in np.linspace(NEAR, FAR, 3):
        at = np.rint(points + np.float32(share) * away).astype(np.int32)
        good = (at >= 0).all(axis=1) & (at[:, 0] < seen.shape[1]) & (at[:, 1] < seen.shape[0])
        if float(good.mean()) < 0.7:
            return None
        sums.append(seen[at[:, 1].clip(0, seen.shape[0] - 1), at[:, 0].clip(0, seen.shape[1] - 1)])
    beside: Floats = np.mean(sums, axis=0, dtype=np.float32)
    return beside
