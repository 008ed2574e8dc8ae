"""Run the Pi camera's class in the guest, over the real picamera2 and libcamera with vimc's virtual sensor.

vimc differs from a Pi in two ways: it has no raw stream, which picamera2 expects, and no second, smaller stream.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.hardware.kernel.lines import report
from vision.cameras.camera_protocol import CameraError, CameraOptions, CameraStuck
from vision.cameras.sources import find_cameras, open_camera

BUS = Path("/sys/bus/platform/drivers/vimc")
SUBSYSTEMS = ("media", "video4linux", "dma_heap")


def prepare() -> None:
    """Start udev and create the memory device under its name on a Pi."""
    for command in (
        ["/lib/systemd/systemd-udevd", "--daemon"],
        ["udevadm", "trigger", *(f"--subsystem-match={name}" for name in SUBSYSTEMS)],
        ["udevadm", "settle", "-t", "20"],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    Path("/dev/dma_heap/linux,cma").symlink_to("system")
    os.environ["LIBCAMERA_LOG_LEVELS"] = "*:FATAL"


def without_raw(self: Any) -> list[dict[str, Any]]:
    """Return the modes of the viewfinder without a raw stream."""
    import libcamera

    formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
    return [{"format": str(f), "size": (s.width, s.height)} for f in formats.pixel_formats for s in formats.sizes(f)]


def said(source: str) -> str:
    """Return the error's text for a camera that cannot be opened."""
    try:
        open_camera(source)
    except CameraError as error:
        return error.key
    return "opened"


def main() -> None:
    """Open the camera at half size, take a glance, lock it, check that a second one is refused and unplug it."""
    prepare()
    from picamera2 import Picamera2

    Picamera2._get_raw_modes = without_raw
    report(found=[each.source for each in find_cameras()][:1])
    camera = open_camera("picamera2", CameraOptions(half=True))
    glance = camera.glance()
    still, at = camera.still()
    height, width, _ = still.shape
    report(
        glance=glance.shape,
        still=still.shape,
        pixel=still[height // 2, width // 2].tolist(),
        age_ms=(time.monotonic_ns() - at) / 1e6,
    )
    camera.lock()
    report(second=said("picamera2"))
    (BUS / "unbind").write_text("vimc.0")
    try:
        for _ in range(20):
            camera.glance()
    except CameraStuck as error:
        report(stuck=error.key)
    camera.close()
    report(closed=True)
