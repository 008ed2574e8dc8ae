"""Pictures taken with a phone and uploaded one after another, as a camera."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.messages import PHONE
from vision.cameras.camera_protocol import glance_of
from vision.image import Image


class HandedPictures:
    """The last uploaded picture. It is kept only in memory, until the next one arrives."""

    source = PHONE
    live = False
    unfocused = False
    small_memory = False

    def __init__(self, picture: Image, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._picture = picture

    def put(self, picture: Image) -> None:
        """Replace the picture."""
        self._picture = picture

    def glance(self) -> Image:
        """Return the picture, small and grey."""
        return glance_of(self._picture)

    def still(self) -> tuple[Image, int]:
        """Return the picture."""
        return self._picture, self._clock()

    def lock(self) -> None:
        """Do nothing, because the phone has already set everything."""

    def close(self) -> None:
        """Do nothing, because there is nothing to close."""
