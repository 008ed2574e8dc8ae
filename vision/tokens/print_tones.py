"""How a print's colours differ from the enrolled ones: other inks, another printer, paper that the light burnt out."""

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
"""Of 255: below it noise and stray light are more than ink."""
STRAY = 0.25
"""A difference (logarithm) that counts a quarter: a token below another one, a gleam, another face."""
ROUNDS = 6
"""Fits, each with the weights that the last one found."""
GAIN, POWER = 0.10, 0.12
"""Standard deviations of a print's gain (logarithm) and of its power: inks and printers differ by so much."""
MISFIT = 0.04
"""Standard deviation (logarithm) by which one token misleads the fit: it lies askew, or its name is another one."""
MOST_GAIN, MOST_POWER = 0.25, 0.4
"""A fit that differs more is cut to this: other colours are another token's."""
SAME = 0.02
"""A fit that differs less is none."""
STIFF = MISFIT**2 / np.array([GAIN, GAIN, GAIN, POWER]) ** 2
"""Added to the diagonal of the fit's terms: of few tokens the print is taken to be as enrolled."""
CERTAIN, FEWEST = 0.9, 100
"""How far a pixel must be believed for its colour to count, and how many such pixels say enough: a tenth of a token."""
TokenColours = tuple[Floats, Floats]
"""A token's enrolled and seen colours: BGR up to 255, n × 3 each."""


class PrintTones(msgspec.Struct, frozen=True):
    """Each channel of a print is the enrolled one's, raised to `power` and multiplied by its gain."""

    gains: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Logarithms, of blue, green and red."""
    power: float = 1.0

    @property
    def plain(self) -> bool:
        """Whether the print is as it was enrolled."""
        return max(*map(abs, self.gains), abs(self.power - 1)) < SAME

    def undone(self, picture: Image) -> Image:
        """Return a BGR picture in the light of white paper with the enrolled colours."""
        levels = np.log(np.maximum(np.arange(256), 1) / 255)[:, None]
        table = 255 * np.exp((levels - np.array(self.gains)) / self.power)
        table[0] = 0
        return np.asarray(cv2.LUT(picture, np.clip(table, 0, 255).astype(np.uint8).reshape(256, 1, 3)), np.uint8)


def token_colours(level: FaceLevel, scene: Floats, lying: Lying) -> TokenColours | None:
    """Return the enrolled and the seen colours of a face where it may lie; None where too little of it shows."""
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
    """Return the tones of a print of which these tokens show."""
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
