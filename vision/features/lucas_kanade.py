"""Refine a pose on a card's own ink: Lucas–Kanade over all channels, with robust weights.

The gradients come from the enrolled picture, so only the card's print moves the pose. A shadow's edge across bare paper
has no gradient there. An object on the card does not fit, and gets a low weight.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.blocks import GAINS, soften_view
from vision.features.pixels import Floats, corners_of, median, project
from vision.image import Matrix

SOFT = (2.5, 1.2)
"""Sigmas in pixels of the Gaussian blur, coarse first, because thin lines that are apart must first overlap."""
ROUNDS = 5
"""The number of steps for each of `SOFT`, after which a pose moves by less than `STILL`."""
STILL = 0.1
"""The step in pixels below which the search stops."""
MOST_PIXELS = 800
"""The number of pixels to use, those with the strongest gradients. More take time and gain nothing."""
LEAST_PIXELS = 60
"""The minimum number of pixels for a refinement."""
FIRM = 2.0
"""The error in Lab below which pixels keep their full weight."""
OUTLIER = 1.5
"""The multiple of the median error at which a pixel has half its weight."""
DAMPING = 1e-3
"""The share of the mean curvature to add everywhere, so that a card without gradients does not move."""
STIFF = 0.1
"""The share of the mean curvature to add for the projective terms, which reach farthest where there is no print."""


class InkAlignment(msgspec.Struct, frozen=True):
    """The pixels of a card that constrain its alignment."""

    at: npt.NDArray[np.int64]
    """The indices of the n pixels."""
    known: Floats
    """Their values, n × 3."""
    jacobian: Floats
    """Their derivatives by an affine transform, 3n × 6, or by a homography, 3n × 8, in units of `to_unit`."""
    to_unit: Matrix
    own: Floats
    """The sum of squares of each channel."""

    @property
    def nbytes(self) -> int:
        """The approximate size in memory, in bytes."""
        return self.at.nbytes + self.known.nbytes + self.jacobian.nbytes


def find_ink(known: Floats, mask: Floats) -> tuple[InkAlignment, ...]:
    """Return the aligning pixels of an enrolled picture, for each of `SOFT`.

    known: levelled, h × w × 3. mask: h × w, 1 where a picture of it is reliable.
    """
    return tuple([_ink_pixels(soften_view(known, sigma), mask, bends=sigma == SOFT[-1]) for sigma in SOFT])


def refine_homography(ink: tuple[InkAlignment, ...], seen: Floats, size: tuple[int, int]) -> Matrix:
    """Return the homography from an enrolled picture's pixels to those of `seen`, starting from the identity.

    ink: from `find_ink` of the enrolled picture. seen: levelled, larger than size (width, height) by an equal border on
    all sides. The result is in pixels without that border. An affine transform is found first, because sparse print
    constrains a homography poorly.
    """
    width, height = size
    border = (seen.shape[0] - height) // 2
    into = np.array([[1, 0, border], [0, 1, border], [0, 0, 1.0]])
    moved = np.eye(3)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for sigma, drawn in zip(SOFT, ink, strict=True):
        if len(drawn.at) < LEAST_PIXELS:
            break
        whole = soften_view(seen, sigma)
        for _ in range(ROUNDS):
            view = cv2.warpPerspective(whole, into @ moved, (width, height), flags=flags)
            step = _step(drawn, view.reshape(-1, 3).take(drawn.at, axis=0))
            moved = moved @ np.linalg.inv(step)
            if _farthest_corner(step, width, height) < STILL:
                break
    return moved


def _farthest_corner(step: Matrix, width: int, height: int) -> float:
    corners = corners_of((width, height))
    return float(np.abs(project(step, corners) - corners).max())


def _ink_pixels(wanted: Floats, mask: Floats, bends: bool) -> InkAlignment:
    across = cv2.Sobel(wanted, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(wanted, cv2.CV_32F, 0, 1, scale=1 / 8)
    strong = (cv2.transform(across * across + down * down, np.ones((1, 3), np.float32)) * mask).ravel()
    count = min(MOST_PIXELS, int(np.count_nonzero(strong)))
    at = np.argpartition(strong, -count)[-count:] if count else np.zeros(0, np.int64)
    y, x = np.divmod(at, wanted.shape[1])
    size = float(max(wanted.shape)) / 2
    to_unit = np.array([[1 / size, 0, -0.5 * wanted.shape[1] / size], [0, 1 / size, -0.5 * wanted.shape[0] / size],
                        [0, 0, 1]])  # fmt: skip
    unit = (np.stack([x, y, np.ones(count)], axis=1) @ to_unit.T).astype(np.float32)
    slopes = np.stack([across.reshape(-1, 3)[at], down.reshape(-1, 3)[at]], axis=2)
    jacobian = (slopes[:, :, :, None] * unit[:, None, None, :]).reshape(-1, 6)
    if bends:
        along = (slopes * unit[:, None, :2]).sum(axis=2)
        jacobian = np.hstack([jacobian, -(along[:, :, None] * unit[:, None, :2]).reshape(-1, 2)])
    ink = wanted.reshape(-1, 3)[at]
    return InkAlignment(at, ink, jacobian, to_unit, (ink * ink).sum(axis=0))


def _step(drawn: InkAlignment, seen: Floats) -> Matrix:
    """Return the small motion of the enrolled picture that best explains the pixels seen (n × 3)."""
    known, own = drawn.known, drawn.own
    shared = (known * seen).sum(axis=0)
    light = shared[0] / max(float(own[0]), 1.0)
    lean = 4.0 * len(known)
    tint = (shared[1] + shared[2] + lean * light) / (own[1] + own[2] + lean)
    off = seen / np.array([light, tint, tint], np.float32).clip(*GAINS) - known
    away = np.sqrt((off * off).sum(axis=1))
    weight = 1 / (1 + (away / max(FIRM, OUTLIER * median(away))) ** 2)
    count, moves = len(known), drawn.jacobian.shape[1]
    weighted = (drawn.jacobian.reshape(count, -1) * weight[:, None]).reshape(-1, moves)
    curved = weighted.T @ drawn.jacobian
    damped = np.full(len(curved), DAMPING, np.float32)
    damped[6:] = STIFF
    curved += np.diag(damped * np.float32(np.trace(curved) / len(curved) + 1e-3))
    solved = np.linalg.solve(curved, weighted.T @ off.ravel())
    # the gradients are in pixels, so a shift in units must be too
    scale = drawn.to_unit[0, 0]
    step = np.eye(3)
    step[:2] += solved[:6].reshape(2, 3) * scale
    step[2, : len(solved) - 6] += solved[6:] * scale
    return np.linalg.inv(drawn.to_unit) @ step @ drawn.to_unit
