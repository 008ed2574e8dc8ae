"""Measure the agreement of two views of a card, block by block.

A *view* is a card's picture in Lab whose sides are whole numbers of blocks. Brightness, contrast and light colour vary
across a photograph. Each block is therefore compared by correlation, after subtracting its own means.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats

BLOCK = 16
"""The side of a block in pixels."""
PADDING = 2
"""Pixels of padding around a scene's view, for a small search in every direction."""
SHIFTS = tuple(
    (down, right) for down in range(0, 2 * PADDING + 1, PADDING) for right in range(0, 2 * PADDING + 1, PADDING)
)
"""Possible offsets of a view in a scene's view, which is larger by PADDING on all sides."""
NOISE = 6.0
"""The variance in Lab, summed over the channels, of a camera's noise, so that flat blocks do not correlate."""


EVEN = 12
"""The number of squares along a view's shorter side for averaging its surroundings."""
REACH = 1.5
"""Sigma in squares of the Gaussian blur over them, so that surroundings reach an eighth of the card's width."""
LEAST_SEEN = 0.02
"""The weight of surroundings below which they gradually count as 0."""
GAINS = (0.25, 2.5)
"""The range of a scene's contrast relative to the enrolled picture's."""
LEAST_TINT = 0.5
"""The minimum gain of the colours as a share of the lightness gain. A grey card takes a lamp's tint in place of its
own, and undoing a smaller gain would look like ink."""


class Agreement(msgspec.Struct, frozen=True):
    """The agreement of two views. Every array is rows × columns of blocks."""

    correlation: Floats
    """The correlation of the two blocks from −1 to 1, at the best of nine offsets."""
    reference: Floats
    """The reference block's standard deviation in Lab, which is its contrast."""
    scene: Floats
    """The scene block's standard deviation in Lab."""
    visible: Floats
    """The visible share of the block's pixels, from 0 to 1."""


def view_size(frame: tuple[int, int], short: int) -> tuple[int, int]:
    """Return width and height of a view with about `short` pixels on its shorter side, in whole blocks."""
    least = min(frame)
    width, height = (max(BLOCK, BLOCK * round(side * short / least / BLOCK)) for side in frame)
    return width, height


def agreement(reference: Floats, scene: Floats, seen: Floats | None = None) -> Agreement:
    """Compare a reference's view (h × w × 3) with a scene's, which is larger by PADDING on all sides.

    seen: h × w, 1 where the scene's pixel is reliable, else 0. None stands for 1 everywhere.
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
    """Return each pixel's squared norm in a view of three channels: h × w."""
    return products(view, view)


def products(first: Floats, second: Floats) -> Floats:
    """Return each pixel's dot product in two views of three channels: h × w."""
    return cv2.transform(cv2.multiply(first, second), np.ones((1, 3), np.float32))


def scale_channels(view: Floats, by: Floats) -> Floats:
    """Return a view with its three channels scaled by three factors."""
    return cv2.transform(view, np.diag(by))


def in_each_channel(values: Floats) -> Floats:
    """Return pixel values (h × w) repeated for three channels.

    Multiplying a view by the result takes a tenth of the time of NumPy's broadcasting over so short an axis.
    """
    return cv2.merge([values, values, values])


def _means(values: Floats, small: tuple[int, int]) -> Floats:
    """Return each block's mean. OpenCV's area interpolation averages exactly at whole factors."""
    return cv2.resize(values, small, interpolation=cv2.INTER_AREA)


def level_view(view: Floats, seen: Floats | None = None) -> Floats:
    """Return a view in Lab (h × w × 3) minus its surroundings' mean, which removes uneven light and soft glare.

    seen: h × w, 1 where a pixel is reliable. Others become 0.
    """
    if seen is None:
        return view - surroundings(view)
    flat: Floats = (view - surroundings(view, seen)) * _as_wide(seen, view)
    return flat


def surroundings(view: Floats, weight: Floats | None = None) -> Floats:
    """Return the mean around each pixel of a view (h × w × 3).

    weight: the weight of each pixel, h × w.
    """
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
    """Return the mean around each pixel, computed cheaply at a reduced size."""
    shrunk = cv2.GaussianBlur(cv2.resize(values, small, interpolation=cv2.INTER_AREA), (0, 0), REACH)
    return cv2.resize(shrunk, size, interpolation=cv2.INTER_LINEAR).reshape(values.shape)


def correlation(first: Floats, second: Floats, seen: Floats) -> float:
    """Return the correlation of two levelled views (h × w × 3) under a mask (h × w), or 0 if the mask is empty."""
    if not seen.any():
        return 0.0
    mask = in_each_channel(seen)
    one, two = first * mask, second * mask
    noise = NOISE * float(seen.sum())
    own, other = float(np.vdot(one, one)), float(np.vdot(two, two))
    return float(np.vdot(one, two)) / float(np.sqrt((own + noise) * (other + noise)))


def gains(reference: Floats, scene: Floats, seen: Floats) -> Floats:
    """Return the ratio of the scene's contrast to the reference's, for L, a and b (equal for a and b)."""
    return masked_gains(reference * in_each_channel(seen), scene, float(seen.sum()))


def masked_gains(known: Floats, scene: Floats, pixels: float) -> Floats:
    """Return the gains of a reference that is 0 where it is masked.

    pixels: the number of visible pixels.
    """
    own = cv2.sumElems(cv2.multiply(known, known))
    shared = cv2.sumElems(cv2.multiply(known, scene))
    light = float(shared[0]) / max(float(own[0]), 1.0)
    # a nearly colourless card hardly determines the colour gain, so draw it towards the lightness gain
    lean = 4.0 * pixels
    tint = (shared[1] + shared[2] + lean * light) / max(own[1] + own[2] + lean, 1e-6)
    tint = max(tint, LEAST_TINT * light)
    return np.array([light, tint, tint], np.float32).clip(*GAINS)
