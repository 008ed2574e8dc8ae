"""The protocols of cameras, real and simulated, and the errors that they raise."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests.table import RenderedTableAnswer
from companion.messages import CardLaid, TokensLaid
from vision.image import Image

GLANCE = 320
"""Pixels of a glance's width."""
PATIENCE = 1.0
"""Seconds that a picture may take; a camera that takes longer counts as lost."""


class CameraError(ValueError):
    """A camera cannot be used. docs/reference/camera.md lists `key` and `fields`; terminals show the message."""

    def __init__(self, key: str, message: str, **fields: str | int | float) -> None:
        super().__init__(message)
        self.key = key
        self.fields = fields


class CameraStuck(CameraError):
    """The camera's library hangs, and ending it properly would crash: only a new process helps."""


class CameraOptions(msgspec.Struct, frozen=True):
    """What a camera may be opened with; each takes what it can."""

    focus: float = 0.0
    """The lens's position in dioptres; 0: it is found once."""
    half: bool = False
    """Half of the sensor's pixels along each side."""
    mains: int = 0
    """Hertz with which lamps are fed: 50 or 60; 0: pictures may tell."""


USUAL_OPTIONS = CameraOptions()


class Camera(Protocol):
    """Takes pictures. The service calls `glance` many times a second, `still` when there is something to read."""

    source: str
    """The source it was opened as, such as `usb:0`."""
    live: bool
    """Whether sensor noise makes all its pictures differ: then identical pictures mean that it is broken."""

    unfocused: bool
    """Whether it looked for its focus and found none: the lens is where it was sharp last."""

    small_memory: bool
    """Whether there was memory only for smaller pictures than it can take."""

    def glance(self) -> Image:
        """Return a small grey picture, `GLANCE` wide, as fresh as possible; raise `CameraError`."""
        ...

    def still(self) -> tuple[Image, int]:
        """Return the full picture (BGR), taken after this was called, and its moment in ns of CLOCK_MONOTONIC."""
        ...

    def lock(self) -> None:
        """Set focus, exposure and white balance for the present picture and lock them, where the camera can."""
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


@runtime_checkable
class Simulated(Camera, Protocol):
    """A camera above a table that is not there: what lies there is moved over the bus, as hands would."""

    def lay(self, laid: CardLaid | TokensLaid) -> None:
        """Have a hand move a card, a piece or tokens."""
        ...

    def read_table(self) -> RenderedTableAnswer:
        """Return what truly lies there, how much is still to be moved, and the names of the places."""
        ...


def glance_of(picture: Image) -> Image:
    """Return a picture as a glance: small and grey."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    size = (GLANCE, max(1, round(GLANCE * grey.shape[0] / grey.shape[1])))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
