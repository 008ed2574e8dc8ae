"""The motion gate: whether the table moves, and whether it has changed since it was read.

A moving table is never read. Slow changes of light do not count as movement; a hand, a card and a shadow's edge do.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image

STILL = 300_000_000
"""Nanoseconds of rest after which the table may be read: a hand that pauses over it is not done."""
STEP = 9
"""Levels of brightness (of 255) by which a pixel must change; blurred sensor noise stays below half of that."""
FEW = 14
"""Pixels of a glance (320 wide) that must change: a card covers about 400, a marker's flicker less than 10."""


class MotionState(msgspec.Struct, frozen=True, eq=False):
    """What the gate infers from a glance."""

    moving: bool
    """Whether something moves, or did within the last `STILL`."""
    changed: bool
    """Whether the table is at rest and differs from the one that was read last."""
    where: Image
    """255 where it differs from the table that was read last, else 0; as large as a glance."""


class MotionGate:
    """Compares every glance with the last one and with the last reading. Times are handed in, ns of CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        self._last: npt.NDArray[np.int16] | None = None
        self._read: npt.NDArray[np.int16] | None = None
        self._moved_at: int | None = None

    def look(self, glance: Image, at: int, mask: Image | None = None) -> MotionState:
        """Take a glance; pixels where the mask is 0 do not count."""
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
        """Count changes from the last glance on: it is the table that is being read."""
        self._read = self._last

    def forget_reading(self) -> None:
        """Have the table read again, whether or not it changes."""
        self._read = None

    @staticmethod
    def _differs(now: npt.NDArray[np.int16], before: npt.NDArray[np.int16], mask: Image | None) -> Image:
        """Return where two glances differ by more than a change of light that is the same everywhere."""
        difference = now - before
        inside = difference if mask is None else difference[mask > 0]
        drift = int(np.median(inside[:: max(1, inside.size // 4000)])) if inside.size else 0
        differs = np.where(np.abs(difference - drift) > STEP, 255, 0).astype(np.uint8)
        if mask is not None:
            return np.asarray(cv2.bitwise_and(differs, mask), dtype=np.uint8)
        return differs
