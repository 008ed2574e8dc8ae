"""A USB camera by Video4Linux and OpenCV.

A thread takes every picture from the driver as it arrives, so that none is stale. Drivers may falsely claim to be open
or to have a size, so trust only a picture that was read. If the driver delivers JPEG, glances are decoded small and
grey, which halves the work. Pictures damaged in transfer are skipped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np

from vision.cameras.camera_protocol import PATIENCE, CameraError, glance_of
from vision.cameras.mains import LEAST, MAINS, USUAL, Rows, find_mains, flicker_us, steady_exposure
from vision.cameras.video_devices import set_power_line
from vision.image import Image

SIZES = ((3840, 2160), (2592, 1944), (1920, 1080), (1280, 720), (640, 480))
"""The sizes to request, the largest first. A driver chooses its nearest one."""
WARMING = 5
"""The number of pictures to try for each size, because a camera may fail to deliver the first ones."""
SMALLER = cv2.IMREAD_REDUCED_GRAYSCALE_4
"""The decoding mode of JPEG for a glance: grey at a quarter of its size along each side."""
JPEG = b"\xff\xd8"
"""The first bytes of a JPEG."""
MANUAL_EXPOSURE, AUTO_EXPOSURE = 1, 3
"""Values of V4L2's exposure menu, which OpenCV passes on: manual, and automatic with a fixed aperture."""
UNIT = 100
"""The unit of V4L2's exposures in microseconds."""
SETTLING, TAKING_EFFECT, COMPARED = 20, 6, 4
"""Numbers of pictures until focus and light have settled, until an exposure takes effect, and for finding stripes."""
ADJUSTING = 10.0
"""The maximum duration of all of this in seconds."""


Frame = Image
"""The data from a driver: a BGR picture, or the bytes of a JPEG."""


class VideoSource(Protocol):
    """The part of cv2.VideoCapture in use."""

    def get(self, property_: int, /) -> float: ...  # noqa: D102

    def set(self, property_: int, value: float, /) -> bool: ...  # noqa: D102

    def grab(self) -> bool: ...  # noqa: D102

    def read(self) -> tuple[bool, Frame | None]: ...  # noqa: D102

    def retrieve(self) -> tuple[bool, Frame | None]: ...  # noqa: D102

    def release(self) -> None: ...  # noqa: D102


MakeDevice = Callable[[int], VideoSource]


def _open_device(number: int) -> VideoSource:
    return cv2.VideoCapture(number, cv2.CAP_V4L2)


def _unpack(data: Frame, how: int) -> Image | None:
    """Return a decoded JPEG, or None if the data is something else or damaged."""
    flat = np.asarray(data)
    if flat.dtype != np.uint8 or flat.size < 4 or max(flat.shape) != flat.size or bytes(flat.ravel()[:2]) != JPEG:
        return None
    picture = cv2.imdecode(flat.ravel(), how)
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


class UsbCamera:
    """One camera, in its largest working mode."""

    live = True
    unfocused = False
    small_memory = False

    def __init__(
        self,
        number: int,
        make: MakeDevice = _open_device,
        clock: Callable[[], int] = time.monotonic_ns,
        mains: int = 0,
    ) -> None:
        """Open the camera. Raise `CameraError` if no picture arrives.

        mains: 50 or 60 Hz, or 0 to detect it.
        """
        self.source = f"usb:{number}"
        self._clock = clock
        self._number, self._mains, self._found = number, mains, 0
        self._device = make(number)
        self._news = threading.Condition()
        self._count = 0
        self._wanted: int | None = None
        self._picture: tuple[Image, int] | None = None
        self._gone = self._closing = self._locking = self._small = False
        self._packed = False
        if not self._begin():
            self._device.release()
            raise CameraError(
                "no_camera", f"No camera answers at /dev/video{number}: check its plug.", source=self.source
            )
        if mains:
            set_power_line(number, mains)
        self._thread = threading.Thread(target=self._take, name=self.source, daemon=True)
        self._thread.start()

    def _begin(self) -> bool:
        """Choose the largest size that delivers pictures."""
        for width, height in SIZES:
            self._device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            self._device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            if any(self._device.read()[0] for _ in range(WARMING)):
                self._packed = self._request_jpeg()
                return True
        return False

    def _request_jpeg(self) -> bool:
        """Request the driver's own JPEG, and return whether it delivers any."""
        self._device.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        fine, data = self._device.read()
        if fine and data is not None and _unpack(data, cv2.IMREAD_COLOR) is not None:
            return True
        self._device.set(cv2.CAP_PROP_CONVERT_RGB, 1)
        return False

    def _take(self) -> None:
        """Take one picture after the other, and decode only the requested ones. Only this thread uses the device."""
        while not self._closing:
            if self._locking:
                self._adjust()
                with self._news:
                    self._locking = False
                    self._news.notify_all()
            fine = bool(self._device.grab())
            self._count += 1
            if fine and self._wanted is not None and self._count >= self._wanted:
                fine, data = self._device.retrieve()
                picture = self._picture_of(data) if fine else None
                if picture is not None:
                    with self._news:
                        self._picture, self._wanted = (picture, self._clock()), None
                        self._news.notify_all()
            if not fine:
                with self._news:
                    self._gone = True
                    self._news.notify_all()
                return

    def _picture_of(self, data: Frame | None) -> Image | None:
        """Return the driver's data as a picture, or None if it is damaged."""
        if data is None or not data.size:
            return None
        if not self._packed:
            return np.asarray(data, dtype=np.uint8)
        return _unpack(data, SMALLER if self._small else cv2.IMREAD_COLOR)

    def glance(self) -> Image:
        """Return the next picture, small and grey."""
        return glance_of(self._next(1, True)[0])

    def still(self) -> tuple[Image, int]:
        """Return a picture whose exposure began after this call."""
        return self._next(2, False)

    def _next(self, further: int, small: bool) -> tuple[Image, int]:
        """Wait for the nth further picture and return it."""
        with self._news:
            self._small = small
            self._picture, self._wanted = None, self._count + further
            self._news.wait_for(lambda: self._gone or self._picture is not None, PATIENCE * further)
            if self._picture is None:
                raise self._lost()
            return self._picture

    def _lost(self) -> CameraError:
        return CameraError(
            "camera_lost", f"The camera at {self.source} gives no more pictures: check its plug.", source=self.source
        )

    def lock(self) -> None:
        """Let focus, exposure and white balance settle, then lock them, as far as the camera can. Raise
        `CameraError`."""
        with self._news:
            self._locking = True
            self._news.wait_for(lambda: self._gone or not self._locking, ADJUSTING)
            if self._locking:
                raise self._lost()

    def _adjust(self) -> None:
        """Let the camera adjust itself to the current picture, and lock the result."""
        for what, how in ((cv2.CAP_PROP_AUTOFOCUS, 1), (cv2.CAP_PROP_AUTO_WB, 1),
                          (cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE)):  # fmt: skip
            self._device.set(what, how)
        self._skip(SETTLING)
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE) * UNIT
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 0)
        if exposure > 0 and self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE):
            self._lock_exposure(exposure)

    def _lock_exposure(self, exposure: float) -> None:
        """Lock an exposure (µs) without stripes. Gains of USB cameras have no common unit and stay unchanged."""
        rate = self._device.get(cv2.CAP_PROP_FPS)
        if not self._mains and rate > 0 and exposure >= LEAST * flicker_us(MAINS[0]):
            self._found = find_mains(self._look, lambda: 1 / rate) or self._found
        mains = self._mains or self._found or USUAL
        if self._found:
            set_power_line(self._number, self._found)
        self._device.set(cv2.CAP_PROP_EXPOSURE, round(steady_exposure(exposure, 1.0, mains)[0] / UNIT))

    def _look(self, us: float) -> list[Rows]:
        """Return the rows of some pictures at an exposure in µs."""
        self._device.set(cv2.CAP_PROP_EXPOSURE, round(us / UNIT))
        self._skip(TAKING_EFFECT)
        found = []
        for _ in range(COMPARED):
            fine, data = self._device.read()
            picture = self._picture_of(data) if fine else None
            if picture is not None:
                found.append(np.asarray(picture.mean(axis=tuple(range(1, picture.ndim))), np.float64))
        return found if len({len(rows) for rows in found}) == 1 else []

    def _skip(self, pictures: int) -> None:
        for _ in range(pictures):
            if self._closing or not self._device.grab():
                return

    def close(self) -> None:
        """Close the device. A driver that hangs in its last picture is left until the process ends."""
        self._closing = True
        self._thread.join(PATIENCE)
        if not self._thread.is_alive():
            self._device.release()
