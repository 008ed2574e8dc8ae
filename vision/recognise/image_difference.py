"""Where two enrolled pictures that lie over each other differ, and by how much ink."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.blocks import energy, soften_view, surroundings
from vision.features.pixels import Flags, Floats
from vision.recognise.flat_areas import EVEN, flat_parts

SOFT = 1.4
"""Pixels of the Gaussian before two are compared point by point: poses are never quite right."""
LEAST_APART = 4.0
"""Distance in Lab under which two pictures do not differ at a pixel."""
SLACK = 1.4
"""Pixels by which lines may lie beside each other and be the same lines, or be so much weaker or stronger."""
BESIDE = np.ones((3, 3), np.uint8)
"""The pixels beside a pixel."""
LEAST_TELLING = 12
"""Pixels of a view in which two pictures must differ to be told apart at all."""
ELSEWHERE = 0.002
"""What is not flat counts so little as ground: it is the ground of cards that are flat nowhere."""

Halves = npt.NDArray[np.float16]
"""What is kept in many copies is kept small."""


class Rivalry(msgspec.Struct, frozen=True):
    """How another picture differs from an enrolled one that it is aligned with."""

    its: Halves
    """Levelled and softened."""
    differs: Flags
    """Where the two differ, and not only because a line lies a little beside its like."""
    ink: tuple[float, float, float]
    """There, measured from the ground that both share: the one's energy, what they have in common, the other's."""

    @property
    def nbytes(self) -> int:
        """The approximate size in memory, in bytes."""
        return self.its.nbytes + self.differs.nbytes


def rivalry(mine: Floats, its: Floats, flat: Floats, its_flat: Floats) -> Rivalry | None:
    """Return how two pictures differ; None where only noise is different.

    mine, its: in Lab. flat, its_flat: the same, levelled.
    """
    one, two = soften_view(flat, SOFT), soften_view(its_flat, SOFT)
    apart = np.sqrt(energy(one - two))
    slopes = _slope(one), _slope(two)
    # the crest of a line is flat, and there lines of two strengths differ most: where both have one, its flanks count
    flanks = np.minimum(*(cv2.dilate(slope, BESIDE) for slope in slopes))
    differs = apart > LEAST_APART + SLACK * np.maximum(np.maximum(*slopes), flanks)
    if int(differs.sum()) < LEAST_TELLING:
        differs = apart > LEAST_APART
    if int(differs.sum()) < LEAST_TELLING:
        return None
    ground = (~differs * (flat_parts(soften_view(flat, EVEN)) + ELSEWHERE)).astype(np.float32)
    bare = [(view - surroundings(view, ground))[differs] for view in (soften_view(mine, SOFT), soften_view(its, SOFT))]
    ink = (float(np.vdot(bare[0], bare[0])), float(np.vdot(bare[0], bare[1])), float(np.vdot(bare[1], bare[1])))
    return Rivalry(two.astype(np.float16), differs, ink)


def _slope(view: Floats) -> Floats:
    """Return the gradient of a view, pixel by pixel: h × w."""
    across, down = cv2.Sobel(view, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(view, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope: Floats = np.sqrt(energy(across) + energy(down))
    return slope
