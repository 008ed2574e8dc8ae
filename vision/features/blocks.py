"""How far two views of a card agree, block by block. Knows pixels; knows no thresholds and no names.

A *view* is a card's picture in Lab whose sides are whole numbers of blocks. Brightness, contrast and the colour of
the light differ from block to block in a photograph, so each block is compared by correlation, its own means taken off.
"""

from __future__ import annotations

from typing import cast

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats

BLOCK = 16
"""Pixels of a block's side."""
PADDING = 2
"""Pixels around a scene's view, so that each block can be sought a little to every side."""
NOISE = 6.0
"""Variance in Lab, summed over the channels, that a camera's noise alone makes: what is flat does not correlate."""


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
    return tuple(max(BLOCK, BLOCK * round(side * short / least / BLOCK)) for side in frame)  # type: ignore[return-value]


def padded_view(view: Floats) -> Floats:
    """Return a view with PADDING pixels repeated all around, to be compared as if it were a scene's."""
    return cast(Floats, cv2.copyMakeBorder(view, PADDING, PADDING, PADDING, PADDING, cv2.BORDER_REPLICATE))


def agreement(reference: Floats, scene: Floats, seen: Floats | None = None) -> Agreement:
    """Compare a reference's view (h × w × 3) with a scene's, which is PADDING larger all around.

    `seen`: h × w, 1 where the scene's pixel may be believed, else 0; None: everywhere.
    """
    height, width = reference.shape[:2]
    small = (width // BLOCK, height // BLOCK)
    weight = np.ones((height, width), np.float32) if seen is None else seen
    share = _means(weight, small)
    safe = np.maximum(share, np.float32(1e-3))
    weighted = reference * weight[:, :, None]
    mean = cast(Floats, _means(weighted, small) / safe[:, :, None])
    variance = cast(Floats, (_means(weighted * reference, small) / safe[:, :, None] - mean**2).sum(axis=2).clip(0))
    best, spread = None, None
    for down in range(0, 2 * PADDING + 1, PADDING):
        for right in range(0, 2 * PADDING + 1, PADDING):
            part = scene[down : down + height, right : right + width]
            found, deviation = _correlated(part, weighted, weight, mean, variance, safe, small)
            best = found if best is None else np.maximum(best, found)
            if down == right == PADDING:
                spread = deviation
    assert best is not None and spread is not None
    return Agreement(best, np.sqrt(variance), spread, share)


def _correlated(
    part: Floats, weighted: Floats, weight: Floats, mean: Floats, variance: Floats, safe: Floats, small: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Return each block's correlation at one shift, and the scene's standard deviation."""
    own = _means(part * weight[:, :, None], small) / safe[:, :, None]
    square = _means(part * part * weight[:, :, None], small) / safe[:, :, None]
    spread = (square - own**2).sum(axis=2).clip(0)
    shared = (_means(part * weighted, small) / safe[:, :, None] - own * mean).sum(axis=2)
    return shared / np.sqrt((variance + NOISE) * (spread + NOISE)), np.sqrt(spread)


def _means(values: Floats, small: tuple[int, int]) -> Floats:
    """Return each block's mean: averaging is what OpenCV's area resize does, in whole factors."""
    return cast(Floats, cv2.resize(values, small, interpolation=cv2.INTER_AREA))


def correlation(first: Floats, second: Floats, weight: Floats) -> float:
    """Return the weighted correlation of two views (h × w × 3; weight h × w), each channel's mean taken off."""
    total = float(weight.sum())
    if total <= 0:
        return 0.0
    shared = one = two = 0.0
    for channel in range(first.shape[2]):
        a, b = first[:, :, channel], second[:, :, channel]
        a = a - float((a * weight).sum()) / total
        b = b - float((b * weight).sum()) / total
        aw = a * weight
        shared += float((aw * b).sum())
        one += float((aw * a).sum())
        two += float((b * b * weight).sum())
    return shared / float(np.sqrt((one + NOISE * total / 3) * (two + NOISE * total / 3)))
