"""Extract SIFT features of a grey picture, whole or in tiles.

SIFT stores blurred copies, some 230 bytes per pixel. With tiles, only one per thread needs that memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.pixels import Flags, Floats
from vision.image import Image

DESCRIPTOR = 128
"""The length of a SIFT descriptor."""
TILE = 120_000
"""The maximum number of pixels in a tile, without its overlap."""
SEAM = 24
"""The overlap in pixels with a tile's neighbours, for the surroundings of smaller features."""
COARSE = 4
"""The factor by which the whole picture is reduced for larger features, whose surroundings exceed any overlap."""
LARGE = 2
"""The first octave of large features. −1 is the finest octave."""
OFF = 0.25
"""The offset in pixels of OpenCV's points to the right and below."""
CROWDED = 3
"""The maximum number of features in a tile, as a multiple of its even share."""

Descriptors = npt.NDArray[np.uint8]
A = TypeVar("A")
B = TypeVar("B")


class Each(Protocol):
    """Applies a function to every item, in order: `map`, or an executor's `map`."""

    def __call__(self, function: Callable[[A], B], items: Iterable[A], /) -> Iterable[B]: ...  # noqa: D102


class Features(msgspec.Struct, frozen=True):
    """SIFT features of one picture."""

    points: Floats
    """N × 4: x, y, size, angle in degrees."""
    descriptors: Descriptors
    """N × 128, as OpenCV returns them (whole numbers up to 255)."""


class _Part(msgspec.Struct, frozen=True):
    """The features of a part of a picture, with data for merging parts."""

    features: Features
    response: Floats
    octave: npt.NDArray[np.int32]

    def only(self, which: npt.NDArray[np.integer] | Flags) -> _Part:
        """Return a selection of the features."""
        some = Features(self.features.points[which], self.features.descriptors[which])
        return _Part(some, self.response[which], self.octave[which])


def extract(grey: Image, most: int = 0) -> Features:
    """Return the SIFT features of a grey picture, at most this many (0: all)."""
    return _extract_part(grey, most).features


def extract_in_tiles(grey: Image, most: int, known: Image | None = None, each: Each = map) -> Features:
    """Return at most this many SIFT features of a grey picture, extracted tile by tile.

    known: a mask of the picture's size, 0 where features are ignored. each: maps over the tiles.
    """
    height, width = grey.shape
    tiles = _tiles(width, height)
    if len(tiles) == 1:
        return _extract_part(grey, most, known).features
    limit = CROWDED * most // len(tiles)

    def part(tile: tuple[int, int, int, int] | None) -> _Part:
        return _coarse(grey, limit, known) if tile is None else _tile(grey, tile, limit, known)

    parts = list(each(part, [*tiles, None]))
    response = np.concatenate([one.response for one in parts])
    best = np.sort(np.argsort(-response, kind="stable")[:most])
    points = np.concatenate([one.features.points for one in parts])
    return Features(points[best], np.concatenate([one.features.descriptors for one in parts])[best])


def to_root_sift(descriptors: Descriptors) -> Floats:
    """Return RootSIFT descriptors, whose Euclidean distance is the Hellinger distance of the histograms."""
    data = descriptors.astype(np.float32)
    data /= np.maximum(data.sum(axis=1, keepdims=True), 1)
    return np.sqrt(data, out=data)


def _extract_part(grey: Image, most: int, known: Image | None = None) -> _Part:
    found, descriptors = cv2.SIFT_create(nfeatures=most).detectAndCompute(grey, known)  # type: ignore[attr-defined]
    if not found or descriptors is None:
        nothing = Features(np.zeros((0, 4), np.float32), np.zeros((0, DESCRIPTOR), np.uint8))
        return _Part(nothing, np.zeros(0, np.float32), np.zeros(0, np.int32))
    points = np.array([(*point.pt, point.size, point.angle) for point in found], np.float32)
    response = np.array([point.response for point in found], np.float32)
    octave = np.array([point.octave for point in found], np.int32).astype(np.int8).astype(np.int32)  # its lowest byte
    return _Part(Features(points, np.rint(descriptors).clip(0, 255).astype(np.uint8)), response, octave)


def _tiles(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Return left, top, right and bottom of the tiles. The longer side is halved until they are small enough."""
    across = down = 1
    while width * height > TILE * across * down:
        if width / across >= height / down:
            across *= 2
        else:
            down *= 2
    x = [width * number // across for number in range(across + 1)]
    y = [height * number // down for number in range(down + 1)]
    return [(x[i], y[j], x[i + 1], y[j + 1]) for j in range(down) for i in range(across)]


def _tile(grey: Image, tile: tuple[int, int, int, int], most: int, known: Image | None) -> _Part:
    left, top, right, bottom = tile
    x, y = max(0, left - SEAM), max(0, top - SEAM)
    around = grey[y : bottom + SEAM, x : right + SEAM]
    mine = np.zeros(around.shape, np.uint8)
    core = (slice(top - y, bottom - y), slice(left - x, right - x))
    mine[core] = 255 if known is None else known[top:bottom, left:right]
    if not mine.any():
        return _extract_part(np.zeros((8, 8), np.uint8), most)
    part = _extract_part(around, most, mine)
    part.features.points[:, :2] += (x, y)
    return part.only(part.octave < LARGE)


def _coarse(grey: Image, most: int, known: Image | None) -> _Part:
    """Return the larger features of a whole picture."""
    size = (grey.shape[1] // COARSE, grey.shape[0] // COARSE)
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    mask = None if known is None else cv2.resize(known, size, interpolation=cv2.INTER_NEAREST)
    part = _extract_part(small, most, mask)
    part = part.only(part.octave >= LARGE - int(np.log2(COARSE)))
    grown = np.array([grey.shape[1] / size[0], grey.shape[0] / size[1]], np.float32)
    # OpenCV first doubles the picture, which shifts every point by a quarter of a pixel: four times as much here
    part.features.points[:, :2] = (part.features.points[:, :2] + 0.5 - OFF) * grown - 0.5 + OFF
    part.features.points[:, 2] *= COARSE
    return part
