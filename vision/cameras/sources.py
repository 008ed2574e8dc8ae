"""Lists the cameras of this machine, and opens the one that a source such as `usb:0` names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from vision.cameras import pi, usb
from vision.cameras.camera import Camera, CameraError
from vision.cameras.recorded import PictureFolder, open_recording

FORMS = "auto, none, picamera2, usb:N, file:PATH, folder:PATH or rendered"


class FoundCamera(msgspec.Struct, frozen=True):
    """A camera that is there."""

    source: str
    name: str


def find_cameras() -> tuple[FoundCamera, ...]:
    """Return the cameras of this machine, the best first. A Pi's own camera also shows itself as video devices."""
    own = tuple(
        [FoundCamera("picamera2" if n == 0 else f"picamera2:{n}", name) for n, name in enumerate(pi.list_models())]
    )
    others = [(n, name) for n, name in usb.list_devices() if not _belongs_to_pi(name)]
    return own + tuple([FoundCamera(f"usb:{number}", name) for number, name in others])


def _belongs_to_pi(name: str) -> bool:
    """Whether a video device belongs to the Pi's own camera or decoders."""
    return any(part in name.lower() for part in ("bcm2835", "unicam", "rp1-cfe", "pispbe", "rpi-", "rpivid"))


def open_camera(
    source: str, focus: float = 0.0, half: bool = False, rendered: Callable[[], Camera] | None = None
) -> Camera:
    """Return the camera that a source names, opened; raise `CameraError` with a key and a sentence.

    `rendered` makes the rendered table's camera.
    """
    kind, _, rest = source.partition(":")
    match kind:
        case "auto":
            return _best(focus, half)
        case "picamera2":
            return pi.PiCamera(_number(rest or "0", source), focus, half)
        case "usb":
            return usb.UsbCamera(_number(rest, source))
        case "file" if rest:
            return open_recording(Path(rest).expanduser())
        case "folder" if rest:
            path = Path(rest).expanduser()
            if not path.is_dir():
                raise CameraError("no_camera", f"There is no folder {path}.", source=source)
            return PictureFolder(path)
        case "rendered" if rendered is not None:
            return rendered()
        case _:
            raise CameraError("no_camera", f"{source!r} is not a camera: write {FORMS}.", source=source)


def _best(focus: float, half: bool) -> Camera:
    """Return the first camera of this machine that gives pictures."""
    said = "No camera found: check the cable or plug."
    for each in find_cameras():
        try:
            return open_camera(each.source, focus, half)
        except CameraError as error:
            said = str(error)
    raise CameraError("no_camera", said, source="auto")


def _number(text: str, source: str) -> int:
    if not text.isdigit():
        raise CameraError("no_camera", f"{source!r} is not a camera: write {FORMS}.", source=source)
    return int(text)
