"""The motion gate: whether the table is moving, and whether it has changed since it was read.

A moving table is never read. Slow changes of light do not count as movement, but a hand, a card or a shadow's edge
does.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image

STILL = 300_000_000
"""Nanoseconds of rest before the table may be read, so that a pausing hand does not count as finished."""
STEP = 9
"""The change of a pixel, in levels of 255, that counts. Blurred sensor noise is less than half of it."""
FEW = 14
"""The number of changed pixels in a glance (320 wide) that counts. A card covers about 400, and a marker's flicker
less than 10."""


class MotionState(msgspec.Struct, frozen=True, eq=False):
    """The gate's result for a glance."""

    moving: bool
    """Whether something moves, or moved within the last `STILL`."""
    changed: bool
    """Whether the table is at rest and differs from the last one read."""
    where: Image
    """A mask at a glance's size: 255 where the table differs from the last one read, else 0."""


class MotionGate:
    """Compares every glance with the previous one and with the last reading. Callers pass times in ns of
    CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        self._last: npt.NDArray[np.int16] | None = None
        self._read: npt.NDArray[np.int16] | None = None
        self._moved_at: int | None = None

    def look(self, glance: Image, at: int, mask: Image | None = None) -> MotionState:
        """Process a glance. Pixels where the mask is 0 do not count."""
        now = np.asarray(cv2.blur(glance, (3, 3)), dtype=np.int16)
        before = self._last
        self._last = now
        if before is None or before.shape != now.shape:
            self._moved_at, self._read = at, None
            return MotionState(True, False, np.full(glance.shape, 255, dtype=np.uint8))
        if self._differs(now, before, mask).sum() > FEW * 255:
            self._moved_at = at
        assert self._moved_at is not None
        moving = at - self._moved_at < STILL
        if self._read is None or self._read.shape != now.shape:
            return MotionState(moving, not moving, np.full(glance.shape, 255, dtype=np.uint8))
        where = self._differs(now, self._read, mask)
        return MotionState(moving, not moving and bool(where.sum() > FEW * 255), where)

    def mark_read(self) -> None:
        """Count changes from the last glance, which shows the table being read."""
        self._read = self._last

    def forget_reading(self) -> None:
        """Cause another reading even if nothing changes."""
        self._read = None

    @staticmethod
    def _differs(now: npt.NDArray[np.int16], before: npt.NDArray[np.int16], mask: Image | None) -> Image:
        """Return where two glances differ by more than a uniform change of light."""
        difference = now - before
        inside = difference if mask is None else difference[mask > 0]
        drift = int(np.median(inside[:: max(1, inside.size // 4000)])) if inside.size else 0
        differs = np.where(np.abs(difference - drift) > STEP, 255, 0).astype(np.uint8)
        if mask is not None:
            return np.asarray(cv2.bitwise_and(differs, mask), dtype=np.uint8)
        return differs
