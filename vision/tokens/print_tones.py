"""The difference between a print's colours and the enrolled ones, by other inks, another printer or burnt-out paper."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats
from vision.image import Image
from vision.tokens.comparison import READ_PX, FaceLevel, Lying, aligned
from vision.tokens.ground import GREY

DARKEST = 12.0
"""The level, of 255, below which noise and stray light exceed ink."""
STRAY = 0.25
"""The difference (log) at which a pixel counts a quarter, such as at a covered token, a reflection or another face."""
ROUNDS = 6
"""The number of fits, each with the weights from the last one."""
GAIN, POWER = 0.10, 0.12
"""The standard deviations of a print's gain (log) and power among inks and printers."""
MISFIT = 0.04
"""The standard deviation (log) of the error that a single token causes by a wrong pose or name."""
MOST_GAIN, MOST_POWER = 0.25, 0.4
"""Limits of a fit. Colours beyond them belong to another token."""
SAME = 0.02
"""The difference below which a fit counts as no change."""
STIFF = MISFIT**2 / np.array([GAIN, GAIN, GAIN, POWER]) ** 2
"""Damping of the fit's terms, so that few tokens hardly change the print."""
CERTAIN, FEWEST = 0.9, 100
"""The minimum weight of a pixel whose colour counts, and the minimum number of such pixels: a tenth of a token."""
TokenColours = tuple[Floats, Floats]
"""A token's enrolled and seen colours: BGR up to 255, n × 3 each."""


class PrintTones(msgspec.Struct, frozen=True):
    """Tones that raise each channel of the enrolled print to `power` and multiply it by its gain."""

    gains: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Logarithms of the gains of blue, green and red."""
    power: float = 1.0

    @property
    def plain(self) -> bool:
        """Whether the print has its enrolled colours."""
        return max(*map(abs, self.gains), abs(self.power - 1)) < SAME

    def undone(self, picture: Image) -> Image:
        """Return a BGR picture under the light of white paper, converted to the enrolled colours."""
        levels = np.log(np.maximum(np.arange(256), 1) / 255)[:, None]
        table = 255 * np.exp((levels - np.array(self.gains)) / self.power)
        table[0] = 0
        return np.asarray(cv2.LUT(picture, np.clip(table, 0, 255).astype(np.uint8).reshape(256, 1, 3)), np.uint8)


def token_colours(level: FaceLevel, scene: Floats, lying: Lying) -> TokenColours | None:
    """Return the enrolled and seen colours of a face at a pose, or None if too little of it shows."""
    there = aligned(level, scene, READ_PX, lying)
    seen = level.sample(scene, READ_PX, there).reshape(-1, 4)[level.inside]
    believed = seen[:, 3] > CERTAIN
    if np.count_nonzero(believed) < FEWEST:
        return None
    return _bgr(level.points[0][believed]), _bgr(seen[believed, :3])


def _bgr(look: Floats) -> Floats:
    """Return looks (n × 3) as BGR up to 255."""
    light = look.copy().reshape(-1, 1, 3)
    np.divide(light[:, :, 0], GREY, out=light[:, :, 0])
    return np.clip(cv2.cvtColor(light, cv2.COLOR_Lab2BGR) * 255, 0, 255).reshape(-1, 3)


def fitted_tones(tokens: Sequence[TokenColours]) -> PrintTones:
    """Return the tones of a print, fitted to these tokens."""
    if not tokens:
        return PrintTones()
    known, seen = (_logarithms(np.concatenate([each[n] for each in tokens])) for n in (0, 1))
    part = np.concatenate([np.full(len(each[0]), 1 / len(each[0])) for each in tokens])
    off, found = seen - known, np.zeros(4)
    for _ in range(ROUNDS):
        away = off - known * found[3] - found[:3]
        weight = part / (1 + np.einsum("nc,nc->n", away, away) / STRAY**2) ** 2
        system = np.diag(STIFF)
        system[:3, :3] += np.eye(3) * weight.sum()
        system[3, :3] = system[:3, 3] = weight @ known
        system[3, 3] += weight @ np.einsum("nc,nc->n", known, known)
        found = np.linalg.solve(system, np.append(weight @ off, weight @ np.einsum("nc,nc->n", off, known)))
    blue, green, red = (float(gain) for gain in found[:3].clip(-MOST_GAIN, MOST_GAIN))
    return PrintTones((blue, green, red), 1 + float(found[3].clip(-MOST_POWER, MOST_POWER)))


def _logarithms(colours: Floats) -> Floats:
    return np.log(np.maximum(colours, DARKEST) / 255)
