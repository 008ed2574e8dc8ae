"""List and identify the video devices of this machine, and set a control that OpenCV lacks."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
from pathlib import Path

import msgspec

SYSTEM = Path("/sys/class/video4linux")
S_CTRL = 0xC008561C
"""VIDIOC_S_CTRL, with a `struct v4l2_control`: id and value, 32 bits each (Linux: videodev2.h)."""
POWER_LINE = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY (Linux: v4l2-controls.h)."""
POWER_LINES = {50: 1, 60: 2}
"""Its values by mains frequency in hertz."""


class VideoDevice(msgspec.Struct, frozen=True):
    """A video device that could be a camera."""

    number: int
    name: str
    identity: str = ""
    """Maker, product and serial number of a USB device, which are the same at any number and socket."""
    socket: str = ""
    """Its USB socket, such as `1-1.2`."""


def list_devices(system: Path = SYSTEM) -> tuple[VideoDevice, ...]:
    """Return every video device that could be a camera."""
    devices = []
    for path in sorted(system.glob("video*"), key=lambda p: int(p.name[5:])):
        with contextlib.suppress(OSError):
            if _read(path / "index") == "0":  # a camera's other devices deliver no pictures
                name = _read(path / "name")
                devices.append(VideoDevice(int(path.name[5:]), name, *_identify(path / "device", name)))
    return tuple(devices)


def _identify(device: Path, name: str) -> tuple[str, str]:
    """Return identity and socket of a device. Its interface is in the folder of the USB device."""
    usb = device.resolve().parent
    try:
        vendor, product = _read(usb / "idVendor"), _read(usb / "idProduct")
    except OSError:
        return name, device.resolve().name
    serial = ""
    with contextlib.suppress(OSError):
        serial = _read(usb / "serial")
    return f"{vendor}:{product}:{serial}", usb.name


def _read(path: Path) -> str:
    return path.read_text(errors="replace").strip()


def set_power_line(number: int, mains: int) -> None:
    """Set the mains frequency for a device's automatic exposure. Devices without this control are ignored."""
    with contextlib.suppress(OSError):
        device = os.open(f"/dev/video{number}", os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(device, S_CTRL, struct.pack("=Ii", POWER_LINE, POWER_LINES[mains]))
        finally:
            os.close(device)
