"""Find where two aligned enrolled pictures differ, and measure the ink there."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.blocks import energy, soften_view, surroundings
from vision.features.pixels import Flags, Floats
from vision.recognise.flat_areas import EVEN, flat_parts

SOFT = 1.4
"""Sigma in pixels of the Gaussian blur before comparing pixels, because poses are never exact."""
LEAST_APART = 4.0
"""Distance in Lab below which two pixels are equal."""
SLACK = 1.4
"""Misalignment in pixels, or the equivalent difference in strength, at which two lines still count as the same."""
BESIDE = np.ones((3, 3), np.uint8)
"""The kernel that covers a pixel's neighbours."""
LEAST_TELLING = 12
"""The minimum number of differing pixels in a view by which two pictures can be told apart."""
ELSEWHERE = 0.002
"""The weight of pixels that are not flat in the ground, which matters for cards without flat parts."""

Halves = npt.NDArray[np.float16]
"""Half-precision floats, to save memory where many arrays are cached."""


class Rivalry(msgspec.Struct, frozen=True):
    """The difference between an enrolled picture and another one aligned with it."""

    its: Halves
    """The other picture, levelled and softened."""
    differs: Flags
    """Where the two differ by more than a slight misalignment of their lines."""
    ink: tuple[float, float, float]
    """Ink energies in that area, relative to the shared ground: the first picture's, the shared part, and the
    other's."""

    @property
    def nbytes(self) -> int:
        """The approximate size in memory, in bytes."""
        return self.its.nbytes + self.differs.nbytes


def rivalry(mine: Floats, its: Floats, flat: Floats, its_flat: Floats) -> Rivalry | None:
    """Return the difference between two pictures, or None where they differ only by noise.

    mine, its: in Lab. flat, its_flat: the same, levelled.
    """
    one, two = soften_view(flat, SOFT), soften_view(its_flat, SOFT)
    apart = np.sqrt(energy(one - two))
    slopes = _slope(one), _slope(two)
    # a line's crest has no slope, yet there lines of two strengths differ most: use the flanks where both have a line
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
    """Return the gradient magnitude of a view at each pixel, h × w."""
    across, down = cv2.Sobel(view, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(view, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope: Floats = np.sqrt(energy(across) + energy(down))
    return slope
