"""Tests of a USB camera over a capture that behaves like real drivers."""

from __future__ import annotations

import threading
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.vision.lamp import Lamp
from vision.cameras import usb
from vision.cameras.camera_protocol import CameraError
from vision.cameras.usb import UsbCamera
from vision.image import Image

RATE = 30.0
"""The frame rate in pictures per second; at 60 Hz its stripes stand still."""


class Device:
    """OpenCV's capture over a driver that uses the nearest size and always claims to be open."""

    def __init__(
        self, sizes: tuple[tuple[int, int], ...] = ((1920, 1080), (640, 480)), broken: int = 0, jpeg: bool = False
    ) -> None:
        self.sizes, self.broken, self.jpeg = sizes, broken, jpeg
        self.damaged = 0
        self.lamp: Lamp | None = None
        self.log: list[tuple[int, float]] = []
        self.set_to: dict[int, float] = {}
        self.unplugged = threading.Event()
        self.released = False
        self.grabbed = 0

    def isOpened(self) -> bool:
        """Report that the device is open, even if it is not."""
        return True

    def set(self, what: int, value: float) -> bool:
        """Store a setting."""
        self.set_to[what] = value
        self.log.append((what, value))
        return True

    def get(self, what: int) -> float:
        """Return a setting."""
        return self.set_to.get(what, {cv2.CAP_PROP_EXPOSURE: 257.0, cv2.CAP_PROP_FPS: RATE}.get(what, 0.0))

    def size(self) -> tuple[int, int]:
        """Return the size that the driver chooses for the requested one."""
        asked = self.set_to.get(cv2.CAP_PROP_FRAME_WIDTH, 640)
        return min(self.sizes, key=lambda size: abs(size[0] - asked))

    def grab(self) -> bool:
        """Take one of 100 pictures a second; fail without a device."""
        self.unplugged.wait(0.01)
        self.grabbed += 1
        return bool(self.sizes) and not self.unplugged.is_set() and self.grabbed > self.broken

    def retrieve(self) -> tuple[bool, Image | None]:
        """Decode the picture; its brightness encodes how many were taken."""
        width, height = self.size()
        picture = np.full((height, width, 3), self.grabbed % 250, dtype=np.uint8)
        if self.lamp is not None:
            exposed = 100 * self.get(cv2.CAP_PROP_EXPOSURE)
            picture[:] = np.round(self.lamp.rows(exposed, self.grabbed / RATE, height))[:, None, None]
        if not self.jpeg or self.set_to.get(cv2.CAP_PROP_CONVERT_RGB, 1):
            return True, picture
        if self.damaged:
            self.damaged -= 1
            return True, np.zeros((1, 5000), dtype=np.uint8)
        data = cv2.imencode(".jpg", picture)[1].ravel()
        return True, np.concatenate([data, np.zeros(300, dtype=np.uint8)]).reshape(1, -1)  # a driver's buffer is longer

    def read(self) -> tuple[bool, Image | None]:
        """Take and decode a picture."""
        return self.retrieve() if self.grab() else (False, None)

    def release(self) -> None:
        """Release the device."""
        self.released = True


AUTOMATIC = ((cv2.CAP_PROP_AUTOFOCUS, 1.0), (cv2.CAP_PROP_AUTO_WB, 1.0), (cv2.CAP_PROP_AUTO_EXPOSURE, 3.0))


def opened(device: Device, mains: int = 0) -> UsbCamera:
    """Return a camera over a device."""
    return UsbCamera(2, make=lambda number: device, mains=mains)


def test_largest_size_that_the_driver_gives_is_taken() -> None:
    """The camera requests 4K and accepts the driver's size, as MJPG."""
    device = Device()
    camera = opened(device)
    assert camera.still()[0].shape == (1080, 1920, 3) and camera.glance().shape == (180, 320)
    assert device.set_to[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    camera.close()
    assert device.released


def test_still_is_newer_than_the_question() -> None:
    """A still skips the picture that was in progress when it was requested."""
    device = Device()
    camera = opened(device)
    for _ in range(3):
        before = device.grabbed
        assert int(camera.still()[0][0, 0, 0]) >= before + 2
    camera.close()


def test_device_that_gives_nothing_is_no_camera() -> None:
    """A driver that claims to be open but yields no picture is not a camera."""
    device = Device(sizes=())
    with pytest.raises(CameraError, match="check its plug") as found:
        opened(device)
    assert found.value.key == "no_camera" and device.released


def test_first_pictures_may_fail() -> None:
    """A camera may fail to deliver its first pictures."""
    camera = opened(Device(broken=3))
    assert camera.glance().shape == (180, 320)
    camera.close()


def test_unplugged_camera_is_lost() -> None:
    """After the plug is pulled the next picture reports it, and closing is safe."""
    device = Device()
    camera = opened(device)
    camera.glance()
    device.unplugged.set()
    camera._thread.join()
    with pytest.raises(CameraError, match="no more pictures") as found:
        camera.glance()
    assert found.value.key == "camera_lost"
    camera.close()
    assert device.released


@pytest.mark.parametrize("jpeg", [False, True])
@pytest.mark.parametrize(
    ("asked", "lamp", "steady"),
    [(0, None, 300), (50, None, 300), (60, None, 250), (0, Lamp(50, 0.5), 300), (0, Lamp(60, 0.5), 250)],
)
def test_lock_keeps_what_is_set(
    monkeypatch: pytest.MonkeyPatch, asked: int, lamp: Lamp | None, steady: int, jpeg: bool
) -> None:
    """Focus and light settle before they are locked at an exposure of whole flicker periods."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(usb, "set_power_line", lambda number, mains: told.append((number, mains)))
    device = Device(jpeg=jpeg)
    device.lamp = lamp
    camera = opened(device, asked)
    for _ in range(2):  # a camera adjusts itself again during a game
        camera.lock()
        autos = [device.log.index((what, how)) for what, how in AUTOMATIC]
        kept: dict[int, Any] = {cv2.CAP_PROP_AUTOFOCUS: 0, cv2.CAP_PROP_AUTO_WB: 0, cv2.CAP_PROP_AUTO_EXPOSURE: 1,
                                cv2.CAP_PROP_EXPOSURE: steady}  # fmt: skip
        assert {what: device.set_to[what] for what in kept} == kept and autos
        device.log.clear()
        device.set_to.pop(cv2.CAP_PROP_EXPOSURE)
    assert camera.still()[0].shape == (1080, 1920, 3)
    camera.close()
    known = asked or (60 if steady == 250 else 50 if lamp else 0)
    assert set(told) == ({(2, known)} if known else set())


def test_a_camera_that_vanishes_while_it_adjusts_itself_is_lost() -> None:
    """A camera unplugged during its adjustment is reported as lost at once."""
    device = Device()
    camera = opened(device)
    device.unplugged.set()
    with pytest.raises(CameraError, match="no more pictures"):
        camera.lock()
    camera.close()


def test_jpeg_is_taken_as_it_is_and_damaged_pictures_are_passed_over() -> None:
    """JPEG pictures yield full colour pictures and small glances, and damaged ones are skipped."""
    device = Device(jpeg=True)
    camera = opened(device)
    assert device.set_to[cv2.CAP_PROP_CONVERT_RGB] == 0
    device.damaged = 3
    assert camera.still()[0].shape == (1080, 1920, 3) and device.damaged == 0
    device.damaged = 2
    assert camera.glance().shape == (180, 320) and device.damaged == 0
    camera.close()


def test_driver_that_keeps_its_jpeg_is_asked_for_pictures() -> None:
    """If a driver returns no JPEG, OpenCV converts the pictures."""
    device = Device()
    camera = opened(device)
    assert device.set_to[cv2.CAP_PROP_CONVERT_RGB] == 1 and camera.still()[0].shape == (1080, 1920, 3)
    camera.close()
