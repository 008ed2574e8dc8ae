"""Run the USB camera's class in the guest, on a video device simulated by vivid, until it is unplugged."""

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
"""The request VIDIOC_S_CTRL with a `struct v4l2_control` (id and value, 32 bits each)."""
QUERY_CTRL = 0xC0445624
"""The request VIDIOC_QUERYCTRL with a `struct v4l2_queryctrl` of 68 bytes."""
NEXT = 0x80000000


def control(device: int, wanted: bytes) -> int:
    """Return the number of the control with this name; raise `OSError` if the device has none."""
    number = 0
    while True:
        asked = bytearray(68)
        struct.pack_into("<I", asked, 0, number | NEXT)
        fcntl.ioctl(device, QUERY_CTRL, asked)
        number = struct.unpack_from("<I", asked)[0]
        if asked[8:40].split(b"\0")[0] == wanted:
            return number


def pull(source: str) -> None:
    """Unplug the device."""
    device = os.open(source.replace("usb:", "/dev/video"), os.O_RDWR)
    fcntl.ioctl(device, S_CTRL, struct.pack("<Ii", control(device, b"Disconnect"), 1))
    os.close(device)


def lost(camera: Camera) -> str:
    """Return the error's text when the pictures stop, or a note that they still arrive."""
    try:
        for _ in range(20):
            camera.glance()
    except CameraError as error:
        return error.key
    return "still there"


def main() -> None:
    """Open the capture device, take a glance, lock it, unplug it and find it again."""
    usb.SIZES = ((1280, 720),)  # vivid would draw 3840 × 2160, too slow for a guest with one CPU
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
    again = open_camera(found[0].source)  # the device returns when all its users have closed it
    report(again=again.glance().shape)
    again.close()
