"""A USB camera, over a capture that behaves as drivers do."""

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
"""Pictures a second; at 60 Hz stripes stand still."""


class Device:
    """OpenCV's capture over a driver: it gives the nearest size it has, and says that it is open when it is not."""

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
        """Report that all is well, even if it is not."""
        return True

    def set(self, what: int, value: float) -> bool:
        """Take a setting."""
        self.set_to[what] = value
        self.log.append((what, value))
        return True

    def get(self, what: int) -> float:
        """Return a setting."""
        return self.set_to.get(what, {cv2.CAP_PROP_EXPOSURE: 257.0, cv2.CAP_PROP_FPS: RATE}.get(what, 0.0))

    def size(self) -> tuple[int, int]:
        """Return the size that the driver gives for the one that was asked for."""
        asked = self.set_to.get(cv2.CAP_PROP_FRAME_WIDTH, 640)
        return min(self.sizes, key=lambda size: abs(size[0] - asked))

    def grab(self) -> bool:
        """Take a picture, 100 a second; none when there is no device."""
        self.unplugged.wait(0.01)
        self.grabbed += 1
        return bool(self.sizes) and not self.unplugged.is_set() and self.grabbed > self.broken

    def retrieve(self) -> tuple[bool, Image | None]:
        """Unpack it: its brightness tells how many were taken."""
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
        return True, np.concatenate([data, np.zeros(300, dtype=np.uint8)]).reshape(1, -1)  # the buffer is longer

    def read(self) -> tuple[bool, Image | None]:
        """Take and unpack a picture."""
        return self.retrieve() if self.grab() else (False, None)

    def release(self) -> None:
        """Give it back."""
        self.released = True


AUTOMATIC = ((cv2.CAP_PROP_AUTOFOCUS, 1.0), (cv2.CAP_PROP_AUTO_WB, 1.0), (cv2.CAP_PROP_AUTO_EXPOSURE, 3.0))


def opened(device: Device, mains: int = 0) -> UsbCamera:
    """Return a camera over a device."""
    return UsbCamera(2, make=lambda number: device, mains=mains)


def test_largest_size_that_the_driver_gives_is_taken() -> None:
    """4K is asked for, and what comes is taken, as MJPG."""
    device = Device()
    camera = opened(device)
    assert camera.still()[0].shape == (1080, 1920, 3) and camera.glance().shape == (180, 320)
    assert device.set_to[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    camera.close()
    assert device.released


def test_still_is_newer_than_the_question() -> None:
    """The picture that the driver was just finishing is passed over."""
    device = Device()
    camera = opened(device)
    for _ in range(3):
        before = device.grabbed
        assert int(camera.still()[0][0, 0, 0]) >= before + 2
    camera.close()


def test_device_that_gives_nothing_is_no_camera() -> None:
    """A driver that says it is open but gives no picture is not believed."""
    device = Device(sizes=())
    with pytest.raises(CameraError, match="check its plug") as found:
        opened(device)
    assert found.value.key == "no_camera" and device.released


def test_first_pictures_may_fail() -> None:
    """A camera may need a moment to begin."""
    camera = opened(Device(broken=3))
    assert camera.glance().shape == (180, 320)
    camera.close()


def test_unplugged_camera_is_lost() -> None:
    """When the plug is pulled the next picture says so, and closing is safe."""
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
    """Focus and light settle first; then they stay, with an exposure of whole flickers at the mains that are known."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(usb, "set_power_line", lambda number, mains: told.append((number, mains)))
    device = Device(jpeg=jpeg)
    device.lamp = lamp
    camera = opened(device, asked)
    for _ in range(2):  # in mid-game it is done all over
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
    """Nobody waits for it."""
    device = Device()
    camera = opened(device)
    device.unplugged.set()
    with pytest.raises(CameraError, match="no more pictures"):
        camera.lock()
    camera.close()


def test_jpeg_is_taken_as_it_is_and_damaged_pictures_are_passed_over() -> None:
    """A driver that hands JPEG over is used so: full pictures in colour, glances small; what is damaged is not seen."""
    device = Device(jpeg=True)
    camera = opened(device)
    assert device.set_to[cv2.CAP_PROP_CONVERT_RGB] == 0
    device.damaged = 3
    assert camera.still()[0].shape == (1080, 1920, 3) and device.damaged == 0
    device.damaged = 2
    assert camera.glance().shape == (180, 320) and device.damaged == 0
    camera.close()


def test_driver_that_keeps_its_jpeg_is_asked_for_pictures() -> None:
    """Where no JPEG comes, pictures are unpacked by the driver's side as ever."""
    device = Device()
    camera = opened(device)
    assert device.set_to[cv2.CAP_PROP_CONVERT_RGB] == 1 and camera.still()[0].shape == (1080, 1920, 3)
    camera.close()
