"""In the guest: a USB camera's class on a video device that vivid makes, until it is pulled out."""

from __future__ import annotations

import fcntl
import os
import struct
import time

from tests.hardware.kernel.lines import report
from vision.cameras import usb
from vision.cameras.camera_protocol import Camera, CameraError
from vision.cameras.sources import find_cameras, open_camera

S_CTRL = 0xC008561C
"""VIDIOC_S_CTRL, with a `struct v4l2_control` (id and value, 32 bits each)."""
QUERY_CTRL = 0xC0445624
"""VIDIOC_QUERYCTRL, with a `struct v4l2_queryctrl` of 68 bytes."""
NEXT = 0x80000000


def control(device: int, wanted: bytes) -> int:
    """Return the number of a control by its name; raise `OSError` where the device has none of that name."""
    number = 0
    while True:
        asked = bytearray(68)
        struct.pack_into("<I", asked, 0, number | NEXT)
        fcntl.ioctl(device, QUERY_CTRL, asked)
        number = struct.unpack_from("<I", asked)[0]
        if asked[8:40].split(b"\0")[0] == wanted:
            return number


def pull(source: str) -> None:
    """Pull the plug of the device."""
    device = os.open(source.replace("usb:", "/dev/video"), os.O_RDWR)
    fcntl.ioctl(device, S_CTRL, struct.pack("<Ii", control(device, b"Disconnect"), 1))
    os.close(device)


def lost(camera: Camera) -> str:
    """Return what is said when no more pictures come, or that they still do."""
    try:
        for _ in range(20):
            camera.glance()
    except CameraError as error:
        return error.key
    return "still there"


def main() -> None:
    """Open the capture device, look, lock, pull the plug, and look for it again."""
    usb.SIZES = ((1280, 720),)  # vivid would draw 3840 × 2160, too slowly in a guest of one CPU
    found = [each for each in find_cameras() if each.name.endswith("vid-cap")]
    camera = open_camera(found[0].source)
    glance = camera.glance()
    still, at = camera.still()
    report(
        glance=glance.shape,
        still=still.shape,
        bright=[float(glance.mean()), float(still.mean())],
        age_ms=(time.monotonic_ns() - at) / 1e6,
    )
    camera.lock()
    for _ in range(3):
        camera.glance()
    pull(found[0].source)
    report(lost=lost(camera))
    camera.close()
    again = open_camera(found[0].source)  # vivid plugs itself in again when everybody has let go
    report(again=again.glance().shape)
    again.close()
