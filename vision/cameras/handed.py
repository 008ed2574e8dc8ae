"""Pictures that people take with a phone and hand in, one after another, as a camera."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.messages import PHONE
from vision.cameras.camera_protocol import glance_of
from vision.image import Image


class HandedPictures:
    """The picture that was handed in last. It is kept in memory alone, until the next one comes."""

    source = PHONE
    live = False
    unfocused = False
    small_memory = False

    def __init__(self, picture: Image, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._picture = picture

    def put(self, picture: Image) -> None:
        """Show another picture from now on."""
        self._picture = picture

    def glance(self) -> Image:
        """Return the picture, small and grey."""
        return glance_of(self._picture)

    def still(self) -> tuple[Image, int]:
        """Return the picture."""
        return self._picture, self._clock()

    def lock(self) -> None:
        """The phone has set all that when it took the picture."""

    def close(self) -> None:
        """There is nothing to give back."""
