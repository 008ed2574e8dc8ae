"""Focus a Raspberry Pi's camera within a time limit.

picamera2 runs one job after the other, and a job stays in its queue even if its caller stopped waiting. After an
abandoned `autofocus_cycle` no pictures arrive until the scan ends. So the scan is started by its control and followed
in the pictures' metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.messages import SECOND
from vision.cameras.picamera2_types import Control, PictureMetadata

FOCUSING = 12 * SECOND
"""The time limit of a scan in nanoseconds. Over the whole range of a Camera Module 3 it takes about 8 s (4 pictures
a step, libcamera's imx708.json, at 14 pictures a second). The service must still end within systemd's 15 s."""
MANUAL, AUTO = 0, 1
"""Values of libcamera's AfMode."""
START, CANCEL = 0, 1
"""Values of libcamera's AfTrigger."""
SCANNING, FOCUSED, FAILED = 1, 2, 3
"""Values of libcamera's AfState."""


class SetControls(Protocol):
    """Sets libcamera's controls by their names."""

    def __call__(self, **controls: Control) -> None: ...  # noqa: D102


def find_focus(
    read: Callable[[], PictureMetadata], set_controls: SetControls, clock: Callable[[], int]
) -> float | None:
    """Return the lens position (dioptres) of a sharp picture, or None after failure or timeout.

    read: returns the next picture's metadata.
    """
    set_controls(AfMode=AUTO, AfTrigger=START)
    until = clock() + FOCUSING
    scanning = False
    while clock() < until:
        metadata = read()
        state = metadata.get("AfState")
        # The first pictures still report the result of the last scan.
        scanning = scanning or state == SCANNING
        if scanning and state == FOCUSED:
            return metadata.get("LensPosition")
        if scanning and state == FAILED:
            return None
    set_controls(AfTrigger=CANCEL)
    return None
