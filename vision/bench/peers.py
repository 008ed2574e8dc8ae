"""Two public methods of naming cards by perceptual hashes, reimplemented to measure them on the same pictures as ours.

- *hull*: threshold, convex hull, quadrangle, and a hash of 1024 bits at four rotations. A card is accepted if it stands
  out from the other cards' distances by four standard deviations (as tmikonen/magic_card_detector does).
- *nearest*: any contour with four corners and the nearest hash, without rejection (as hj3yoo/mtg_card_detector does).

They follow the projects' descriptions. The projects' own programs may do better or worse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from vision.features.pixels import Flags, Floats, corners_of, grey_of, homography
from vision.image import Image

Named = tuple[str, Floats]
"""A card's name and its four corners."""
Reader = Callable[[Image], list[Named]]
SIGMAS = 4.0
"""The number of standard deviations by which *hull*'s best card must stand out, as in the original."""
LEAST = 0.002
"""The minimum share of the picture that a contour must cover."""


def phash(picture: Image, size: int) -> Flags:
    """Return a perceptual hash of size² bits: whether each of the lowest frequencies exceeds their median."""
    small = cv2.resize(grey_of(picture), (4 * size, 4 * size), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(small)[:size, :size]
    bits: Flags = (low > np.median(low)).ravel()
    return bits


def hull(refs: Mapping[str, Image]) -> Reader:
    """Return a reader that hashes the hulls of bright contours, at four rotations, with a threshold for rejection."""
    names, hashes = list(refs), np.stack([phash(picture, 32) for picture in refs.values()])

    def read(picture: Image) -> list[Named]:
        found = []
        for corners in _quads(picture):
            best = None
            for turn in range(4):
                turned = np.roll(corners, -turn, axis=0)
                distances = (hashes != phash(_straight(picture, turned), 32)).sum(axis=1)
                stands = (distances.mean() - distances.min()) / max(float(distances.std()), 1e-6)
                if best is None or stands > best[0]:
                    best = (float(stands), names[int(distances.argmin())], turned)
            if best is not None and best[0] > SIGMAS:
                found.append((best[1], best[2]))
        return found

    return read


def nearest(refs: Mapping[str, Image]) -> Reader:
    """Return a reader that names every quadrangle by the nearest hash, either way up."""
    names, hashes = list(refs), np.stack([phash(picture, 16) for picture in refs.values()])

    def read(picture: Image) -> list[Named]:
        found = []
        for corners in _quads(picture):
            tries = []
            for turn in (0, 2):
                turned = np.roll(corners, -turn, axis=0)
                distances = (hashes != phash(_straight(picture, turned), 16)).sum(axis=1)
                tries.append((int(distances.min()), names[int(distances.argmin())], turned))
            _, name, turned = min(tries, key=lambda one: one[0])
            found.append((name, turned))
        return found

    return read


def _quads(picture: Image) -> list[Floats]:
    """Return quadrangular contours on an equalised, thresholded picture, starting with a short side."""
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(grey_of(picture))
    found: list[Floats] = []
    for binary in (
        cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1],
        cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 101, -10),
    ):
        contours, _ = cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            around = cv2.convexHull(contour)
            if cv2.contourArea(around) < LEAST * grey.size:
                continue
            shape = cv2.approxPolyDP(around, 0.04 * cv2.arcLength(around, True), True)
            if len(shape) == 4:
                corners = shape[:, 0].astype(np.float32)
                if cv2.contourArea(corners, oriented=True) < 0:
                    corners = corners[::-1]
                sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
                if sides[0] + sides[2] > sides[1] + sides[3]:
                    corners = np.roll(corners, -1, axis=0)
                if not any(float(np.abs(corners.mean(axis=0) - other.mean(axis=0)).max()) < 10 for other in found):
                    found.append(np.ascontiguousarray(corners))
    return found


def _straight(picture: Image, corners: Floats) -> Image:
    size = (186, 260)
    return cv2.warpPerspective(picture, homography(corners, corners_of(size)), size)
