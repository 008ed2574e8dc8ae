"""The background: what a place looks like where no card lies.

Between and around the places no card lies, so every picture shows the mat's own colour and its present light there. The
look of an empty place is learnt as well.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.pixels import Flags, Floats, brightest, lab
from vision.image import Image

LIGHT, TINT = 16.0, 9.0
"""How far a pixel's L, and its a and b together, may be from the background's (Lab)."""
CLOSE, SHADE, STEPS, LEAST_CLOSE = 9, 7.0, 80, 0.1
"""The background's light changes slowly: within `CLOSE` pixels (of a view at half size) L changes by at most `SHADE`.
The background grows outwards from where it is known, in at most `STEPS` steps, to pixels around which at least the
share `LEAST_CLOSE` is background."""
AROUND = 9
"""Millimetres: on a patterned table a point looks like the background if most of what lies so far around it does. A
card has some of the tablecloth's colours anywhere."""
LEARNT = 0.25
"""Share by which the learnt look of an empty place moves towards each picture."""


class Background:
    """One slot's background, in its frame.

    `patterned`: it is a table's own surface, known by its learnt look alone. Its pattern lies a part of a pixel beside
    that look in each picture, so a pixel may look like any of its neighbours there.
    """

    def __init__(self, patterned: bool = False) -> None:
        self.patterned = patterned
        self._look: Floats | None = None
        self._known: Floats | None = None

    def like(self, look: Image, typical: Floats | None) -> tuple[Image, Image]:
        """Return 255 where a view (BGR) looks like the background, else 0: with its thin lines and words, and without.

        Both are needed: a card's strip may be paper of the background's colour with thin print on it. On a patterned
        table they are the same.
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
        """Learn the background where `where` is 255."""
        seen = lab(look)
        if self._look is None or self._known is None:
            self._look, self._known = seen.copy(), (where > 0).astype(np.float32)
            return
        share = np.where(self._known > 0, LEARNT, 1.0).astype(np.float32) * (where > 0)
        np.add(self._look, (seen - self._look) * share[:, :, None], out=self._look)
        self._known = np.maximum(self._known, (where > 0).astype(np.float32))


def typical(looks: list[tuple[Image, Image]]) -> Floats | None:
    """Return the usual colour (Lab) of the places where no card should lie: views, and masks of those places."""
    pixels = [look[mask > 0] for look, mask in looks]
    seen = np.concatenate(pixels) if pixels else np.zeros((0, 3), np.uint8)
    seen = seen[brightest(seen[None])[0] > 8]  # blacked out parts are no background
    if len(seen) < 200:
        return None
    usual: Floats = np.median(lab(seen[None])[0], axis=0).astype(np.float32)
    return usual


def nearby(look: Image, ring: Image, common: Floats | None) -> Floats | None:
    """Return the background's colour (Lab) beside one place: a lamp makes one end of a long mat brighter.

    A different tint means that something lies there; then the colour elsewhere (`common`) is returned.
    """
    own = typical([(look, ring)])
    if own is None or common is None:
        return common
    return own if float(np.hypot(own[1] - common[1], own[2] - common[2])) < TINT else common


def _grown(seen: Floats, same: Flags, typical: Floats) -> Flags:
    """Return the background with its soft shadows: pixels of its tint, hardly darker than the background nearby."""
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
    """Return where a pixel lies near the colours that the known look has in its 3 × 3 pixels."""
    kernel = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(known, kernel), cv2.dilate(known, kernel)
    away = np.maximum(np.maximum(low - seen, seen - high), 0)
    near: Flags = (away[..., 0] < LIGHT) & (np.hypot(away[..., 1], away[..., 2]) < TINT)
    return near


def _near(seen: Floats, known: Floats) -> Flags:
    away = seen - known
    near: Flags = (np.abs(away[..., 0]) < LIGHT) & (np.hypot(away[..., 1], away[..., 2]) < TINT)
    return near
