"""How far two views of a card agree, block by block.

A *view* is a card's picture in Lab whose sides are whole numbers of blocks. Brightness, contrast and the colour of
the light differ from block to block in a photograph, so each block is compared by correlation, its own means taken off.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats

BLOCK = 16
"""Pixels of a block's side."""
PADDING = 2
"""Pixels around a scene's view, so that each block can be sought a little to every side."""
SHIFTS = tuple(
    (down, right) for down in range(0, 2 * PADDING + 1, PADDING) for right in range(0, 2 * PADDING + 1, PADDING)
)
"""Where a view may lie in a scene's, which is PADDING larger all around."""
NOISE = 6.0
"""Variance in Lab, summed over the channels, that a camera's noise alone makes: what is flat does not correlate."""


EVEN = 12
"""A view's surroundings are averaged in squares, so many along its shorter side."""
REACH = 1.5
"""The Gaussian over these squares: surroundings reach an eighth of the card's width."""
LEAST_SEEN = 0.02
"""Where less of the surroundings counts, they are taken for 0 by and by."""
GAINS = (0.25, 2.5)
"""A scene's contrast is taken to lie between these times the enrolled picture's."""
LEAST_TINT = 0.5
"""The colours' gain is at least this share of the light's: a grey card takes a lamp's tint instead of its own, and if a
smaller gain were undone that would look like ink."""


class Agreement(msgspec.Struct, frozen=True):
    """How far two views agree; every array is rows × columns of blocks."""

    correlation: Floats
    """Of the two blocks, from −1 to 1, at the best of nine shifts."""
    reference: Floats
    """The reference block's standard deviation in Lab: how much there is to see."""
    scene: Floats
    """The scene block's."""
    visible: Floats
    """The share of the block's pixels that can be seen, from 0 to 1."""


def view_size(frame: tuple[int, int], short: int) -> tuple[int, int]:
    """Return width and height of a view whose shorter side is `short`, both whole numbers of blocks."""
    least = min(frame)
    width, height = (max(BLOCK, BLOCK * round(side * short / least / BLOCK)) for side in frame)
    return width, height


def agreement(reference: Floats, scene: Floats, seen: Floats | None = None) -> Agreement:
    """Compare a reference's view (h × w × 3) with a scene's, which is PADDING larger all around.

    `seen`: h × w, 1 where the scene's pixel may be believed, else 0; None: everywhere.
    """
    height, width = reference.shape[:2]
    small = (width // BLOCK, height // BLOCK)
    weight = np.ones((height, width), np.float32) if seen is None else seen
    share = _means(weight, small)
    safe = np.maximum(share, np.float32(1e-3))
    thrice = in_each_channel(weight)
    weighted = cv2.multiply(reference, thrice)
    mean = _means(weighted, small) / safe[:, :, None]
    variance = (_means(weighted * reference, small) / safe[:, :, None] - mean**2).sum(axis=2).clip(0)
    squares = energy(scene)
    owns, square, common = [], [], []
    for down, right in SHIFTS:
        part = scene[down : down + height, right : right + width]
        owns.append(_means(cv2.multiply(part, thrice), small))
        square.append(_means(squares[down : down + height, right : right + width] * weight, small))
        common.append(_means(cv2.multiply(part, weighted), small))
    own = np.stack(owns) / safe[:, :, None]
    varied = (np.stack(square) / safe - (own * own).sum(axis=3)).clip(0)
    shared = np.stack(common).sum(axis=3) / safe - (own * mean).sum(axis=3)
    best = (shared / np.sqrt((variance + NOISE) * (varied + NOISE))).max(axis=0).clip(-1)
    return Agreement(best, np.sqrt(variance), np.sqrt(varied[len(SHIFTS) // 2]), share)


def energy(view: Floats) -> Floats:
    """Return the square of each pixel's length in a view of three channels: h × w."""
    return products(view, view)


def products(first: Floats, second: Floats) -> Floats:
    """Return the scalar product of each pixel in two views of three channels: h × w."""
    return cv2.transform(cv2.multiply(first, second), np.ones((1, 3), np.float32))


def scale_channels(view: Floats, by: Floats) -> Floats:
    """Return a view whose three channels are multiplied by three numbers."""
    return cv2.transform(view, np.diag(by))


def in_each_channel(values: Floats) -> Floats:
    """Return values of pixels (h × w) for each of three channels.

    A view times these takes a tenth of the time that NumPy takes to spread the values over so short an axis.
    """
    return cv2.merge([values, values, values])


def _means(values: Floats, small: tuple[int, int]) -> Floats:
    """Return each block's mean: averaging is what OpenCV's area resize does, in whole factors."""
    return cv2.resize(values, small, interpolation=cv2.INTER_AREA)


def level_view(view: Floats, seen: Floats | None = None) -> Floats:
    """Return a view in Lab (h × w × 3) minus its surroundings' mean, which removes uneven light and soft glare.

    seen: h × w, 1 where a pixel may be believed; what may not becomes 0.
    """
    if seen is None:
        return view - surroundings(view)
    flat: Floats = (view - surroundings(view, seen)) * _as_wide(seen, view)
    return flat


def surroundings(view: Floats, weight: Floats | None = None) -> Floats:
    """Return the mean around each pixel of a view (h × w × 3); weight: h × w, how much each pixel counts."""
    height, width = view.shape[:2]
    square = min(width, height) / EVEN
    small = (max(2, round(width / square)), max(2, round(height / square)))
    if weight is None:
        return _spread(view, small, (width, height))
    whole = _spread(weight, small, (width, height))
    shared = _spread(view * _as_wide(weight, view), small, (width, height))
    return np.divide(shared, _as_wide(np.maximum(whole, LEAST_SEEN), view), dtype=np.float32)


def _as_wide(values: Floats, view: Floats) -> Floats:
    wide: Floats = in_each_channel(values) if view.shape[2] == 3 else values[:, :, None]
    return wide


def soften_view(view: Floats, sigma: float) -> Floats:
    """Return a view blurred by a Gaussian of `sigma` pixels."""
    return cv2.GaussianBlur(view, (0, 0), sigma)


def _spread(values: Floats, small: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Return the mean around each pixel: shrunk, smoothed and grown again, which costs little."""
    shrunk = cv2.GaussianBlur(cv2.resize(values, small, interpolation=cv2.INTER_AREA), (0, 0), REACH)
    return cv2.resize(shrunk, size, interpolation=cv2.INTER_LINEAR).reshape(values.shape)


def correlation(first: Floats, second: Floats, seen: Floats) -> float:
    """Return the correlation of two levelled views (h × w × 3) where they are seen (h × w); 0 where nothing is."""
    if not seen.any():
        return 0.0
    mask = in_each_channel(seen)
    one, two = first * mask, second * mask
    noise = NOISE * float(seen.sum())
    own, other = float(np.vdot(one, one)), float(np.vdot(two, two))
    return float(np.vdot(one, two)) / float(np.sqrt((own + noise) * (other + noise)))


def gains(reference: Floats, scene: Floats, seen: Floats) -> Floats:
    """Return how much stronger the scene's contrast is than the reference's, for L, a and b (a and b alike)."""
    return masked_gains(reference * in_each_channel(seen), scene, float(seen.sum()))


def masked_gains(known: Floats, scene: Floats, pixels: float) -> Floats:
    """Return the gains of a reference that is 0 where nothing is seen; pixels: how many are seen."""
    own = cv2.sumElems(cv2.multiply(known, known))
    shared = cv2.sumElems(cv2.multiply(known, scene))
    light = float(shared[0]) / max(float(own[0]), 1.0)
    # a card with hardly any colour says little of the colour's gain: it leans on the light's
    lean = 4.0 * pixels
    tint = (shared[1] + shared[2] + lean * light) / max(own[1] + own[2] + lean, 1e-6)
    tint = max(tint, LEAST_TINT * light)
    return np.array([light, tint, tint], np.float32).clip(*GAINS)
