"""Detect a camera that sees nothing, by black, white or frozen glances."""

from __future__ import annotations

import hashlib

import numpy as np

from vision.image import Image

DARK, WHITE = 10.0, 246.0
"""The mean brightness below and above which nothing is visible, such as under a cap or with a lamp in the lens."""
FLAT = 8.0
"""The maximum standard deviation of such a picture. A table at night still has contours."""
FROZEN = 3_000_000_000
"""Nanoseconds of bit-identical pictures after which a live camera is frozen, because its noise never stops."""
SURE = 3
"""The number of consecutive glances that must be black or white, so that a flash does not count."""


class PictureCheck:
    """Checks every glance. Callers pass times in nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, live: bool) -> None:
        self._live = live
        self._last = b""
        self._same_since = 0
        self._blind = ""
        self._times = 0

    def trouble(self, glance: Image, at: int) -> str:
        """Return `dark`, `white`, `frozen` or ""."""
        if self._live and self._is_frozen(glance, at):
            return "frozen"
        blind = self._flat(glance)
        self._times = self._times + 1 if blind == self._blind else 1
        self._blind = blind
        return blind if self._times >= SURE else ""

    def _flat(self, glance: Image) -> str:
        mean, spread = float(glance.mean()), float(np.std(glance))
        if spread > FLAT:
            return ""
        return "dark" if mean < DARK else "white" if mean > WHITE else ""

    def _is_frozen(self, glance: Image, at: int) -> bool:
        mark = hashlib.blake2b(glance.tobytes(), digest_size=16).digest()
        if mark != self._last:
            self._last, self._same_since = mark, at
        return at - self._same_since >= FROZEN
