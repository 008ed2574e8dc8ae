"""List the cameras of this machine, and open the one named by a source such as `usb:0`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from companion.messages import PHONE
from vision.cameras import pi, usb
from vision.cameras.camera_protocol import USUAL_OPTIONS, Camera, CameraError, CameraOptions
from vision.cameras.recorded import PictureFolder, open_recording
from vision.cameras.video_devices import list_devices

FORMS = "auto, none, phone, picamera2, usb:N, file:PATH, folder:PATH or rendered"


class FoundCamera(msgspec.Struct, frozen=True):
    """An available camera."""

    source: str
    name: str
    identity: str = ""
    """An identity that survives replugging. A USB camera's number may change."""
    socket: str = ""
    """The socket that it is plugged into."""

    @property
    def where(self) -> tuple[str, str]:
        """The camera's identity and socket, which distinguishes two cameras of one kind."""
        return self.identity, self.socket


def find_cameras() -> tuple[FoundCamera, ...]:
    """Return the cameras of this machine, the best first. A Pi's own camera also appears as video devices."""
    own = [
        FoundCamera(source, name, source)
        for n, name in pi.list_models()
        for source in ["picamera2" if n == 0 else f"picamera2:{n}"]
    ]
    others = [each for each in list_devices() if not _belongs_to_pi(each.name)]
    return (*own, *[FoundCamera(f"usb:{each.number}", each.name, each.identity, each.socket) for each in others])


def _belongs_to_pi(name: str) -> bool:
    """Whether a video device belongs to the Pi's own camera or decoders."""
    return any(part in name.lower() for part in ("bcm2835", "unicam", "rp1-cfe", "pispbe", "rpi-", "rpivid"))


class CameraOpener:
    """Opens the camera named by a source and, after losing it, the same one at any socket.

    It never replaces it by another camera that was present beside it, because that may point elsewhere.
    """

    def __init__(
        self,
        source: str,
        options: CameraOptions = USUAL_OPTIONS,
        rendered: Callable[[], Camera] | None = None,
        find: Callable[[], tuple[FoundCamera, ...]] = find_cameras,
    ) -> None:
        """Create an opener.

        rendered: makes the rendered table's camera.
        """
        self._source, self._options, self._rendered, self._find = source, options, rendered, find
        self._last: FoundCamera | None = None
        self._others: frozenset[tuple[str, str]] = frozenset()

    def open(self) -> Camera | None:
        """Open and return the camera, or return None if none is wanted or none was ever present. Raise `CameraError`.

        A phone is not opened, because its pictures are uploaded (`vision/cameras/handed.py`).
        """
        if self._source in ("none", PHONE):
            return None
        if self._source != "auto" and not self._source.startswith("usb:"):
            return open_camera(self._source, self._options, self._rendered)
        found = self._find()
        wanted = self._candidates(found)
        if not wanted and self._last is None:
            return None if self._source == "auto" else open_camera(self._source, self._options)
        camera = _first_of(wanted, self._options)
        last = self._last = next(each for each in wanted if each.source == camera.source)
        self._others = frozenset([each.where for each in found]) - {last.where}
        return camera

    def _candidates(self, found: tuple[FoundCamera, ...]) -> list[FoundCamera]:
        """Return the cameras to try, the most likely first."""
        if self._last is None:
            return [each for each in found if self._source in ("auto", each.source)]
        last = self._last
        free = [each for each in found if each.where not in self._others]
        same = [each for each in free if each.identity == last.identity]
        same.sort(key=lambda each: (each.socket != last.socket, each.name != last.name))
        return same or (free if self._source == "auto" else [])


def open_camera(
    source: str, options: CameraOptions = USUAL_OPTIONS, rendered: Callable[[], Camera] | None = None
) -> Camera:
    """Open and return the camera named by a source. Raise `CameraError`.

    rendered: makes the rendered table's camera.
    """
    kind, _, rest = source.partition(":")
    match kind:
        case "auto":
            return _first_of(find_cameras(), options)
        case "picamera2":
            return pi.PiCamera(_number(rest or "0", source), options)
        case "usb":
            return usb.UsbCamera(_number(rest, source), mains=options.mains)
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


def _first_of(found: Iterable[FoundCamera], options: CameraOptions) -> Camera:
    said = "No camera found: check the cable or plug."
    for each in found:
        try:
            return open_camera(each.source, options)
        except CameraError as error:
            said = str(error)
    raise CameraError("no_camera", said, source="auto")


def _number(text: str, source: str) -> int:
    if not text.isdigit():
        raise CameraError("no_camera", f"{source!r} is not a camera: write {FORMS}.", source=source)
    return int(text)
