"""Model the background of a place: its appearance where no card lies.

No cards lie between and around the places, so every picture shows the mat's colour and the current light there. The
model also learns each empty place.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.pixels import Flags, Floats, brightest, lab
from vision.image import Image

LIGHT, TINT = 16.0, 9.0
"""The maximum difference from the background in L, and in a and b combined (Lab)."""
CLOSE, SHADE, STEPS, LEAST_CLOSE = 9, 7.0, 80, 0.1
"""Limits for soft shadows. Within `CLOSE` pixels, in a view at half size, L changes by at most `SHADE`. The
background grows from known pixels in at most `STEPS` steps. A pixel joins if at least the share `LEAST_CLOSE`
around it is background."""
AROUND = 9
"""On a patterned table, most of the window of this size in millimetres must match the background, because cards
share some of the tablecloth's colours."""
LEARNT = 0.25
"""The learning rate for the appearance of an empty place."""


class Background:
    """The background of one slot, in its frame.

    patterned: whether this is a table's surface, known only by its learnt appearance. Its pattern shifts by a fraction
    of a pixel between pictures, so each pixel may match any of its neighbours.
    """

    def __init__(self, patterned: bool = False) -> None:
        self.patterned = patterned
        self._look: Floats | None = None
        self._known: Floats | None = None

    def like(self, look: Image, typical: Floats | None) -> tuple[Image, Image]:
        """Return two masks (255, else 0) of a view (BGR) that match the background: with and without its thin lines and
        words.

        Both are needed, because a card's strip may be paper of the background's colour with thin print on it. On a
        patterned table they are equal.
        """
        seen = lab(look)
        same = np.zeros(look.shape[:2], np.bool_)
        if typical is not None:
            same = _grown(seen, _near(seen, typical), typical)
        if self._look is not None and self._known is not None:
            near = _near_any(seen, self._look) if self.patterned else _near(seen, self._look)
            same |= near & (self._known > 0)
        mask = same.astype(np.uint8) * 255
        if self.patterned:
            mask = (cv2.blur(mask, (AROUND, AROUND)) > 127).astype(np.uint8) * 255
            return mask, mask
        return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), mask

    def learn(self, look: Image, where: Image) -> None:
        """Learn the background where the mask is 255."""
        seen = lab(look)
        if self._look is None or self._known is None:
            self._look, self._known = seen.copy(), (where > 0).astype(np.float32)
            return
        share = np.where(self._known > 0, LEARNT, 1.0).astype(np.float32) * (where > 0)
        np.add(self._look, (seen - self._look) * share[:, :, None], out=self._look)
        self._known = np.maximum(self._known, (where > 0).astype(np.float32))


def typical(looks: list[tuple[Image, Image]]) -> Floats | None:
    """Return the usual colour (Lab) where no card should lie, or None if too little shows.

    looks: views with masks of those places.
    """
    pixels = [look[mask > 0] for look, mask in looks]
    seen = np.concatenate(pixels) if pixels else np.zeros((0, 3), np.uint8)
    seen = seen[brightest(seen[None])[0] > 8]  # masked pixels are black and not background
    if len(seen) < 200:
        return None
    usual: Floats = np.median(lab(seen[None])[0], axis=0).astype(np.float32)
    return usual


def nearby(look: Image, ring: Image, common: Floats | None) -> Floats | None:
    """Return the background's colour (Lab) beside one place, because a lamp may brighten one end of a long mat.

    If the tint differs, something lies there. Then return the colour elsewhere (`common`).
    """
    own = typical([(look, ring)])
    if own is None or common is None:
        return common
    return own if float(np.hypot(own[1] - common[1], own[2] - common[2])) < TINT else common


def _grown(seen: Floats, same: Flags, typical: Floats) -> Flags:
    """Return the background with soft shadows: pixels of the same tint and hardly darker than nearby background."""
    light = np.ascontiguousarray(seen[:, :, 0])
    tinted = np.hypot(seen[:, :, 1] - typical[1], seen[:, :, 2] - typical[2]) < TINT
    whole = (light.shape[1], light.shape[0])
    half = (max(1, whole[0] // 2), max(1, whole[1] // 2))
    small = cv2.resize(light, half, interpolation=cv2.INTER_AREA)
    may = cv2.resize(tinted.astype(np.float32), half, interpolation=cv2.INTER_AREA) > 0.5
    grown = cv2.resize(same.astype(np.float32), half, interpolation=cv2.INTER_AREA) > 0.5
    near = small
    for _ in range(STEPS):
        weight = grown.astype(np.float32)
        share = cv2.blur(weight, (CLOSE, CLOSE))
        near = cv2.blur(small * weight, (CLOSE, CLOSE)) / np.maximum(share, 1e-3)
        more = grown | (may & (share > LEAST_CLOSE) & (np.abs(small - near) < SHADE))
        if np.array_equal(more, grown):
            break
        grown = more
    close = cv2.dilate(grown.astype(np.uint8), np.ones((3, 3), np.uint8))
    shaded = cv2.resize(near, whole, interpolation=cv2.INTER_LINEAR)
    around = cv2.resize(close, whole, interpolation=cv2.INTER_NEAREST) > 0
    shade: Flags = tinted & around & (np.abs(light - shaded) < SHADE)
    return same | shade


def _near_any(seen: Floats, known: Floats) -> Flags:
    """Return where a pixel is close to one of the known colours in its 3 × 3 neighbourhood."""
    kernel = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(known, kernel), cv2.dilate(known, kernel)
    away = np.maximum(np.maximum(low - seen, seen - high), 0)
    near: Flags = (away[..., 0] < LIGHT) & (np.hypot(away[..., 1], away[..., 2]) < TINT)
    return near


def _near(seen: Floats, known: Floats) -> Flags:
    away = seen - known
    near: Flags = (np.abs(away[..., 0]) < LIGHT) & (np.hypot(away[..., 1], away[..., 2]) < TINT)
    return near
