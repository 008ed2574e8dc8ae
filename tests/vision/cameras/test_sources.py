"""Tests of camera discovery: each camera is listed once and found again after it was lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vision.cameras import pi, sources, video_devices
from vision.cameras.camera_protocol import CameraError, CameraOptions
from vision.cameras.sources import CameraOpener, FoundCamera, find_cameras
from vision.cameras.video_devices import VideoDevice, list_devices

LIBCAMERA = [
    {"Model": "imx708", "Id": "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a"},
    {"Model": "HD Pro Webcam C920", "Id": "/base/axi/pcie@1000120000/rp1/usb@200000-1:1.0-046d:082d"},
]
WEBCAM = FoundCamera("usb:0", "HD Pro Webcam C920", "046d:082d:A1", "1-1")
LAPTOP = FoundCamera("usb:2", "Integrated Camera", "04f2:b6ea:", "3-6")


def test_a_usb_camera_on_a_pi_is_offered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A USB camera that libcamera lists too is offered once, through Video4Linux, and decoders are not offered."""

    class Library:
        @staticmethod
        def global_camera_info() -> list[dict[str, str]]:
            return LIBCAMERA

    devices = (VideoDevice(0, "rp1-cfe-csi2_ch0"), VideoDevice(8, "HD Pro Webcam C920", "046d:082d:A1", "1-1"))
    monkeypatch.setattr(pi, "library", lambda: Library)
    monkeypatch.setattr(sources, "list_devices", lambda: devices)
    assert [(each.source, each.name) for each in find_cameras()] == [
        ("picamera2", "imx708"),
        ("usb:8", "HD Pro Webcam C920"),
    ]


def test_a_pi_s_own_camera_keeps_the_library_s_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi camera keeps its library number, although older libraries list a USB camera first."""

    class Library:
        @staticmethod
        def global_camera_info() -> list[dict[str, str]]:
            return LIBCAMERA[::-1]

    monkeypatch.setattr(pi, "library", lambda: Library)
    assert pi.list_models() == ((1, "imx708"),)


def plug(system: Path, number: int, socket: str, name: str, serial: str | None = "A1", index: int = 0) -> None:
    """Create the kernel's files for a USB camera."""
    usb = system.parent / "devices" / socket
    interface = usb / f"{socket}:1.0"
    interface.mkdir(parents=True, exist_ok=True)
    for file, text in (("idVendor", "046d"), ("idProduct", "082d"), ("serial", serial)):
        if text is not None:
            (usb / file).write_text(f"{text}\n")
    device = system / f"video{number}"
    device.mkdir(parents=True)
    (device / "name").write_text(f"{name}\n")
    (device / "index").write_text(f"{index}\n")
    (device / "device").symlink_to(interface)


def test_a_usb_device_is_known_by_maker_product_and_serial_number(tmp_path: Path) -> None:
    """A USB device is identified by maker, product and serial number, and devices without pictures are left out."""
    system = tmp_path / "video4linux"
    plug(system, 10, "1-1.2", "C920", None)
    plug(system, 4, "2-1", "C920")
    plug(system, 5, "2-1b", "C920", index=1)
    assert list_devices(system) == (
        VideoDevice(4, "C920", "046d:082d:A1", "2-1"),
        VideoDevice(10, "C920", "046d:082d:", "1-1.2"),
    )


def test_a_driver_is_told_the_mains(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mains frequency is set by a kernel control that OpenCV lacks, and a missing device is no error."""
    told: list[tuple[int, int, bytes]] = []
    monkeypatch.setattr(video_devices.os, "open", lambda path, flags: 77 if path == "/dev/video2" else missing())
    monkeypatch.setattr(video_devices.os, "close", lambda device: told.append((device, 0, b"")))
    monkeypatch.setattr(video_devices.fcntl, "ioctl", lambda *asked: told.append(asked))
    for number, mains in ((2, 60), (2, 50), (9, 50)):
        video_devices.set_power_line(number, mains)
    control = bytes.fromhex("18099800")
    asked = [(77, 0xC008561C, control + bytes([value, 0, 0, 0])) for value in (2, 1)]
    closed = (77, 0, b"")
    assert told == [asked[0], closed, asked[1], closed]


def missing() -> int:
    """Raise the kernel's error for a missing device."""
    raise FileNotFoundError


class Opened:
    """An opened camera."""

    def __init__(self, source: str) -> None:
        self.source = source


class Machine:
    """A machine whose cameras come and go, with an opener."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, source: str, *found: FoundCamera) -> None:
        self.found = found
        self.asked: list[str] = []
        monkeypatch.setattr(sources, "open_camera", self._open)
        self._opener = CameraOpener(source, CameraOptions(), find=lambda: self.found)

    def _open(self, source: str, *_: Any) -> Opened:
        self.asked.append(source)
        if source not in {each.source for each in self.found}:
            raise CameraError("no_camera", f"No camera answers at {source}.", source=source)
        return Opened(source)

    def source(self) -> str:
        """Return the source of the opened camera, or an empty text if none is open."""
        camera = self._opener.open()
        return camera.source if camera is not None else ""


def moved(camera: FoundCamera, number: int, socket: str = "") -> FoundCamera:
    """Return the same camera under another number or socket."""
    return FoundCamera(f"usb:{number}", camera.name, camera.identity, socket or camera.socket)


@pytest.mark.parametrize("source", ["auto", "usb:0"])
@pytest.mark.parametrize("socket", ["", "1-2"])
def test_a_replugged_camera_is_found_under_its_new_number(
    monkeypatch: pytest.MonkeyPatch, source: str, socket: str
) -> None:
    """A replugged camera is found in any socket, and no other camera replaces it meanwhile."""
    machine = Machine(monkeypatch, source, WEBCAM, LAPTOP)
    assert machine.source() == "usb:0"
    machine.found = (LAPTOP,)
    with pytest.raises(CameraError) as lost:
        machine.source()
    assert lost.value.key == "no_camera"
    machine.found = (LAPTOP, moved(WEBCAM, 3, socket))
    assert machine.source() == "usb:3"


def test_another_camera_that_got_its_number_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first opening, another camera with the same number is not used."""
    machine = Machine(monkeypatch, "usb:0", WEBCAM)
    assert machine.source() == "usb:0"
    machine.found = (moved(LAPTOP, 0), moved(WEBCAM, 1))
    assert machine.source() == "usb:1"


def test_of_two_alike_the_one_that_stayed_is_not_the_one_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sockets tell two identical cameras without serial numbers apart."""
    first, second = (FoundCamera(f"usb:{n}", "C920", "046d:082d:", f"1-{n + 1}") for n in (0, 2))
    machine = Machine(monkeypatch, "usb:0", first, second)
    assert machine.source() == "usb:0"
    machine.found = (second,)
    with pytest.raises(CameraError):
        machine.source()
    machine.found = (second, moved(first, 5))
    assert machine.source() == "usb:5"


def test_one_camera_with_two_devices_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop camera with a colour device and an infrared device in one socket is found again."""
    colour, dark = (FoundCamera(f"usb:{n}", name, "04f2:b6ea:", "3-6") for n, name in ((0, "Cam: C"), (2, "Cam: I")))
    machine = Machine(monkeypatch, "auto", colour, dark)
    assert machine.source() == "usb:0"
    machine.found = (moved(dark, 1), moved(colour, 4))
    assert machine.source() == "usb:4"


def test_a_new_camera_takes_the_place_of_a_lost_one_only_where_none_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new camera replaces a lost one for `auto`, and a camera named in the settings is awaited."""
    for source, told in (("auto", "usb:1"), ("usb:0", "")):
        machine = Machine(monkeypatch, source, WEBCAM)
        machine.source()
        machine.found = (FoundCamera("usb:1", "Brio", "046d:085e:", "1-1"),)
        if told:
            assert machine.source() == told
        else:
            with pytest.raises(CameraError):
                machine.source()


def test_without_any_camera_auto_is_none_and_a_named_one_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without cameras `auto` opens none and a named camera is an error; a camera plugged in later is found."""
    machine = Machine(monkeypatch, "auto")
    assert machine.source() == ""
    machine.found = (WEBCAM,)
    assert machine.source() == "usb:0"
    with pytest.raises(CameraError, match="usb:4"):
        Machine(monkeypatch, "usb:4").source()
