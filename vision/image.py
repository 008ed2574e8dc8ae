"""The types of pictures and corners in all of `vision`."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from companion.messages import Doubt

Pixels: TypeAlias = npt.NDArray[np.integer | np.floating]
"""Any array that OpenCV accepts or returns. Its stubs state no dtype (`cv2.typing.MatLike`), and casting each result
would add nothing. The types below have the same values, and tell readers the dtype and shape."""
Image: TypeAlias = Pixels
"""A picture: height × width × 3 of uint8 in OpenCV's order blue, green, red, or height × width in grey."""
Quad: TypeAlias = npt.NDArray[np.float32]
"""Four corners, 4 × 2 of float32, x and y in pixels, clockwise from the card's own top left."""
Matrix: TypeAlias = npt.NDArray[np.float64]
"""A homography, 3 × 3 of float64."""

CARD = (372, 520)
"""Width and height in pixels of a rectified card, for every deck (63 × 88 mm at 5.9 px/mm)."""


class CardReading(msgspec.Struct, frozen=True):
    """One card found in one picture."""

    corners: tuple[tuple[float, float], ...]
    """Four corners in pixels of the picture, clockwise from the card's own top left."""
    card: str | None = None
    """The card's name, or None for an unnamed card, with the reason in `doubt`."""
    face: str = "up"
    """`up` or `down`."""
    confidence: float = 0.0
    """From 0 to 1."""
    doubt: Doubt = ""
    likeliest: tuple[str, ...] = ()
    """Up to three names, the most likely first."""
