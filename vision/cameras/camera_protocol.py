"""The protocols of real and simulated cameras, and their errors."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests.table import RenderedTableAnswer
from companion.messages import CardLaid, TokensLaid
from vision.image import Image

GLANCE = 320
"""The width of a glance in pixels."""
PATIENCE = 1.0
"""The seconds that a picture may take. A slower camera counts as lost."""


class CameraError(ValueError):
    """A camera cannot be used. docs/reference/camera.md lists `key` and `fields`. Terminals show the message."""

    def __init__(self, key: str, message: str, **fields: str | int | float) -> None:
        super().__init__(message)
        self.key = key
        self.fields = fields


class CameraStuck(CameraError):
    """The camera's library hangs, and closing it would crash, so only a new process helps."""


class CameraOptions(msgspec.Struct, frozen=True):
    """Options for opening a camera, which ignores those that it lacks."""

    focus: float = 0.0
    """The lens position in dioptres, or 0 to focus once."""
    half: bool = False
    """Whether to use half of the sensor's pixels along each side."""
    mains: int = 0
    """The mains frequency of the lamps in hertz: 50, 60, or 0 to detect it from pictures."""


USUAL_OPTIONS = CameraOptions()


class Camera(Protocol):
    """Takes pictures. The service calls `glance` many times a second, and `still` when there is something to read."""

    source: str
    """The source from which it was opened, such as `usb:0`."""
    live: bool
    """Whether sensor noise makes all its pictures differ, so that identical pictures mean a broken camera."""

    unfocused: bool
    """Whether it tried to focus and failed. The lens is then at its last sharp position."""

    small_memory: bool
    """Whether memory allowed only smaller pictures than it can take."""

    def glance(self) -> Image:
        """Return a small grey picture, `GLANCE` wide, as fresh as possible. Raise `CameraError`."""
        ...

    def still(self) -> tuple[Image, int]:
        """Return the full picture (BGR), taken after this call, and its time in ns of CLOCK_MONOTONIC."""
        ...

    def lock(self) -> None:
        """Set focus, exposure and white balance for the current picture and lock them, as far as the camera can."""
        ...

    def close(self) -> None:
        """Close the camera."""
        ...


@runtime_checkable
class Simulated(Camera, Protocol):
    """A camera above a rendered table, whose objects are moved over the bus instead of by hand."""

    def lay(self, laid: CardLaid | TokensLaid) -> None:
        """Move a card, a piece or tokens, with a hand."""
        ...

    def read_table(self) -> RenderedTableAnswer:
        """Return the true contents of the table, the number of pending moves, and the names of the places."""
        ...


def glance_of(picture: Image) -> Image:
    """Return a picture as a glance: small and grey."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    size = (GLANCE, max(1, round(GLANCE * grey.shape[0] / grey.shape[1])))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
