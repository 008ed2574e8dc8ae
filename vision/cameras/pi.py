"""The Raspberry Pi's own camera, by picamera2.

The library waits forever without a time limit, so always pass `wait=`. An unplugged camera hangs, and closing it aborts
the process. This module then raises `CameraStuck` and closes nothing, and the service exits in order to be restarted.
The library's "RGB888" is blue, green, red in memory, which is OpenCV's order.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Mapping

import numpy as np

from vision.cameras.autofocus import MANUAL, find_focus
from vision.cameras.camera_protocol import PATIENCE, USUAL_OPTIONS, CameraError, CameraOptions, CameraStuck, glance_of
from vision.cameras.mains import (
    LEAST,
    MAINS,
    USUAL,
    Rows,
    find_mains,
    flicker_us,
    mean_interval,
    steady_exposure,
)
from vision.cameras.picamera2_types import (
    CaptureRequest,
    Control,
    Library,
    LibraryCamera,
    PictureMetadata,
    StreamConfiguration,
)
from vision.image import Image

SMALL = 640
"""The width in pixels of the small stream for glances, twice a glance's."""
BUFFERS = 3
"""The number of buffers: the fewest that keep the camera running, because each full one takes 36 MB."""
SETTLING = 12
"""The number of pictures until exposure and white balance have settled."""
TAKING_EFFECT = 12
"""The maximum number of pictures until a new exposure takes effect."""
NEAR = 0.03
"""The tolerance between a picture's exposure and the requested one, as a share, because a sensor counts in rows."""
COMPARED = 4
"""The number of pictures at one exposure for finding stripes."""
MEMORY = re.compile(r"\bmemory\b|alloc|\bdma", re.I)
"""The pattern of libcamera's and picamera2's errors when buffers do not fit in memory."""
USB_ID = re.compile("-[0-9a-f]{4}:[0-9a-f]{4}$")
"""The end of a USB camera's name in libcamera: maker and product."""
OFF, MANUAL_PERIOD = 0, 1
"""Values of libcamera's AeFlickerMode."""
MIDDLE = 1.0
"""The lens position in dioptres if neither a scan nor the library provides one: 1 m, sharp enough at any usual
height."""
FRESH = 6
"""The number of pictures to wait for one exposed after the request."""


def library() -> Library:
    """Return picamera2's class. Raise `CameraError` if it is not installed."""
    try:
        from picamera2 import Picamera2
    except Exception as error:  # a half-installed libcamera raises all kinds of errors
        raise CameraError(
            "no_camera", "picamera2 is not installed: sudo apt install python3-picamera2.", source="picamera2"
        ) from error
    found: Library = Picamera2
    return found


def list_models() -> tuple[tuple[int, str], ...]:
    """Return number and model of this Raspberry Pi's own cameras, or none on other machines.

    libcamera also lists USB cameras. They are opened as USB cameras, and their numbers are separate.
    """
    try:
        found = [(str(info.get("Id", "")), str(info.get("Model", "camera"))) for info in library().global_camera_info()]
    except Exception:
        return ()
    return tuple([(n, model) for n, (name, model) in enumerate(found) if not USB_ID.search(name)])


class PiCamera:
    """One camera. The full picture is the main stream, and glances are the small stream's brightness."""

    live = True

    def __init__(
        self,
        number: int = 0,
        options: CameraOptions = USUAL_OPTIONS,
        make: Callable[[int], LibraryCamera] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open and start the camera. Raise `CameraError` if there is none.

        make: picamera2's class.
        """
        self.source = "picamera2" if number == 0 else f"picamera2:{number}"
        self._clock = clock
        self._focus, self._mains = options.focus, options.mains
        self._stuck = False
        self.unfocused = self.small_memory = False
        self._sharp: float | None = None
        """The last sharp lens position in dioptres."""
        self._found = 0
        """The mains frequency detected from pictures, in Hz."""
        make = make or library()
        try:
            self._camera = make(number)
        except (IndexError, RuntimeError) as error:
            raise CameraError(
                "no_camera",
                f"No camera answers at {self.source}: check its cable, and that no other program has it. ({error})",
                source=self.source,
            ) from error
        self._lores = False
        self._held: dict[str, Control] = {}
        self._start(options.half)
        self._set(**self._flicker())
        self._focus_once()

    # --- starting ---------------------------------------------------------------------------------

    def _start(self, half: bool) -> None:
        """Start with the largest pictures that fit in this machine's memory."""
        width, height = self._camera.sensor_resolution
        said = ""
        short = False
        for part in (2, 3) if half else (1, 2, 3):
            for small in (True, False):
                size = (width // part // 2 * 2, height // part // 2 * 2)
                try:
                    self._configure(size, small)
                except Exception as error:  # an unsupported configuration raises anything, even AttributeError
                    said = str(error)
                    short = short or bool(MEMORY.search(said))
                    continue
                self._lores = small
                self.small_memory = short and part > (2 if half else 1)
                return
        self.close()
        key = "no_memory" if short else "no_camera"
        raise CameraError(key, f"The camera at {self.source} cannot be started: {said}", source=self.source)

    def _configure(self, size: tuple[int, int], small: bool) -> None:
        main: StreamConfiguration = {"size": size, "format": "RGB888"}
        streams: dict[str, StreamConfiguration | int] = {"main": main, "buffer_count": BUFFERS}
        if small:
            streams["lores"] = {"size": (SMALL, round(SMALL * size[1] / size[0]) // 2 * 2), "format": "YUV420"}
        self._camera.configure(self._camera.create_video_configuration(**streams))
        self._camera.start()

    def _focus_once(self) -> None:
        """Focus once and lock the lens, because refocusing during play blurs every reading.

        If focusing fails, the lens returns to its last sharp position, or to the library's default.
        """
        if "AfMode" not in self._camera.camera_controls:
            return
        if self._focus:
            self._set(AfMode=MANUAL, LensPosition=self._focus)
            return
        found = find_focus(self._metadata, self._set, self._clock)
        self.unfocused = found is None
        self._sharp = self._sharp if found is None else found
        self._set(AfMode=MANUAL, LensPosition=self._default_lens() if self._sharp is None else self._sharp)

    def _default_lens(self) -> float:
        """Return the library's default lens position in dioptres."""
        limits = self._camera.camera_controls.get("LensPosition")
        default = limits[2] if isinstance(limits, tuple) and len(limits) == 3 else None
        return float(default) if isinstance(default, int | float) and default > 0 else MIDDLE

    # --- pictures ---------------------------------------------------------------------------------

    def glance(self) -> Image:
        """Return the small stream's brightness, scaled to a glance."""
        name = "lores" if self._lores else "main"
        try:
            array = self._camera.capture_array(name, wait=PATIENCE)
        except (TimeoutError, RuntimeError) as error:
            raise self._report_stuck(error) from error
        if not self._lores:
            return glance_of(np.ascontiguousarray(array[::4, ::4]))
        width, height = self._camera.camera_configuration()["lores"]["size"]
        # Rows may be padded, and the colours follow below.
        return glance_of(np.ascontiguousarray(array[:height, :width]))

    def still(self) -> tuple[Image, int]:
        """Return the full picture, exposed after this call."""
        asked = self._clock()
        for _ in range(FRESH):
            request = self._request()
            try:
                at = int(request.get_metadata().get("SensorTimestamp", 0)) or self._clock()
                if at >= asked:
                    picture = request.make_array("main")
                    width, height = self._camera.camera_configuration()["main"]["size"]
                    return np.ascontiguousarray(picture[:height, :width]), at
            finally:
                request.release()
        raise self._report_stuck(TimeoutError("no fresh picture came"))

    def _request(self) -> CaptureRequest:
        try:
            return self._camera.capture_request(wait=PATIENCE)
        except (TimeoutError, RuntimeError) as error:
            raise self._report_stuck(error) from error

    def _metadata(self) -> PictureMetadata:
        request = self._request()
        try:
            return request.get_metadata()
        finally:
            request.release()

    def _report_stuck(self, error: Exception) -> CameraStuck:
        self._stuck = True
        return CameraStuck(
            "camera_lost", f"The camera at {self.source} gives no more pictures: check its cable. ({error})",
            source=self.source,
        )  # fmt: skip

    # --- settings ---------------------------------------------------------------------------------

    def lock(self) -> None:
        """Focus again, let exposure and white balance settle, then lock all three."""
        self._set(AeEnable=True, AwbEnable=True, **self._flicker())
        self._focus_once()
        metadata: PictureMetadata = {}
        for _ in range(SETTLING):
            metadata = self._metadata()
        exposure, gain = metadata.get("ExposureTime"), metadata.get("AnalogueGain")
        if exposure and gain:
            self._lock_exposure(float(exposure), gain)
        if metadata.get("ColourGains"):
            red, blue = metadata["ColourGains"]
            self._set(AwbEnable=False, ColourGains=(red, blue))

    def _lock_exposure(self, exposure: float, gain: float) -> None:
        """Lock an exposure (µs) without stripes and with the same brightness."""
        # In stronger light both exposures are too bright.
        if not self._mains and exposure * gain >= LEAST * flicker_us(MAINS[0]):
            self._found = self._find_mains(exposure * gain) or self._found
        steady, made_up = steady_exposure(exposure, gain, self._mains or self._found or USUAL)
        self._set(AeEnable=False, ExposureTime=round(steady), AnalogueGain=made_up)

    def _flicker(self) -> dict[str, Control]:
        """Return the controls for automatic exposure without stripes, if the mains frequency is known."""
        mains = self._mains or self._found
        if not mains:
            return {"AeFlickerMode": OFF}
        return {"AeFlickerMode": MANUAL_PERIOD, "AeFlickerPeriod": round(flicker_us(mains))}

    def _find_mains(self, light: float) -> int:
        """Return 50 or 60 if pictures with this much light (µs times gain) determine it, else 0."""
        moments: list[int] = []

        def look(us: float) -> list[Rows]:
            self._set(AeEnable=False, ExposureTime=round(us), AnalogueGain=max(1.0, light / us))
            found: list[Rows] = []
            moments.clear()
            for _ in range(TAKING_EFFECT + COMPARED):
                request = self._request()
                try:
                    metadata = request.get_metadata()
                    if abs(metadata.get("ExposureTime", 0) - us) < NEAR * us:
                        found.append(self._rows(request))
                        moments.append(metadata.get("SensorTimestamp", 0))
                finally:
                    request.release()
                if len(found) == COMPARED:
                    break
            return found

        return find_mains(look, lambda: mean_interval(moments))

    def _rows(self, request: CaptureRequest) -> Rows:
        if not self._lores:
            return np.asarray(request.make_array("main")[::4, ::4].mean(axis=(1, 2)), np.float64)
        width, height = self._camera.camera_configuration()["lores"]["size"]
        return np.asarray(request.make_array("lores")[:height, :width].mean(axis=1), np.float64)

    def _set(self, **controls: Control) -> None:
        """Set the controls that this camera has. The library raises `RuntimeError` for others."""
        known = self._camera.camera_controls
        mine = {name: value for name, value in controls.items() if name in known}
        if mine:
            self._camera.set_controls(mine)
            self._held |= mine

    @property
    def held(self) -> Mapping[str, Control]:
        """The controls set last, by libcamera's names."""
        return dict(self._held)

    def close(self) -> None:
        """Close the camera, unless it hangs, because that would abort the process."""
        if self._stuck:
            return
        with contextlib.suppress(RuntimeError, TimeoutError):
            self._camera.stop()
            self._camera.close()
