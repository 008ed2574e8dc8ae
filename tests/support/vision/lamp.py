"""A lamp that flickers with the mains, as seen by a rolling shutter."""

from __future__ import annotations

import numpy as np

from vision.cameras.mains import Rows

HEIGHT = 360


class Lamp:
    """A lamp. `depth` is how far its light swings: 0.1 for a bulb, 1 for the worst lamp, 0 for daylight."""

    def __init__(self, mains: int, depth: float, line: float = 70e-6) -> None:
        """`line` is the time from one row of the picture to the next, in seconds."""
        self._hertz, self._depth, self._line = 2 * mains, depth, line
        self._luck = np.random.default_rng(5)

    def rows(self, us: float, at: float, height: int = HEIGHT, hand: int = 0) -> Rows:
        """Return the brightness of a scene's rows with an exposure (µs) from a time (s); a hand covers some of them."""
        scene = 110 + 40 * np.sin(np.arange(height) / 37) + 25 * (np.arange(height) // 40 % 2)
        turns = self._hertz * us / 1e6
        swing = self._depth * np.sinc(turns)
        light = 1 + swing * np.sin(2 * np.pi * self._hertz * (at + self._line * np.arange(height) * HEIGHT / height))
        found = scene * light * us / 10_000 + self._luck.normal(0, 0.05, height)
        if hand:
            found[40 * hand : 40 * hand + 90] *= 0.7
        return np.asarray(found, dtype=np.float64)
