"""A picamera2 with the observed behaviour of the real one: refusals, hangs, memory layout.

Measured on picamera2 0.3.38 with libcamera 0.4.0: sizes become even; "RGB888" is blue, green, red in memory; a small
stream's rows are padded; a wait without a limit never ends; unknown controls and streams raise `RuntimeError`; no
camera is an `IndexError` or a `RuntimeError`; closing an unplugged camera aborts the process. Pictures serve jobs one
after the other, as in picamera2's job list: a job whose caller has given up stays at the head. Time passes only while
somebody waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.vision.lamp import Lamp
from vision.image import Image

PAD = 128
"""The number of bytes to a multiple of which rows of a small stream are padded."""
FRAME = 70_000_000
"""Nanoseconds between pictures, as on a Camera Module 3 at full size."""
DELAY = 2
"""The number of pictures until a control takes effect."""
IDLE, SCANNING, FOCUSED, FAILED = range(4)
"""The values of libcamera's AfState."""
Job = Callable[["Request"], tuple[bool, Any]]
"""A function that gets a picture; it returns whether it is done, and its result."""


class Aborted(BaseException):
    """The real process would have been aborted; `except Exception` must not catch this."""


class Request:
    """A finished picture, which its user must release."""

    def __init__(self, camera: FakePicamera2) -> None:
        self._camera = camera
        self._metadata = {"SensorTimestamp": camera.now, **camera.measured}
        camera.held += 1

    def make_array(self, name: str) -> Image:
        """Return a stream's pixels as they lie in memory."""
        return self._camera.memory(name)

    def get_metadata(self) -> dict[str, Any]:
        """Return the metadata of the picture."""
        return self._metadata

    def release(self) -> None:
        """Release the picture's memory."""
        self._camera.held -= 1


class FakePicamera2:
    """One camera with a picture in front of it. Class attributes configure the next one."""

    models: tuple[str, ...] = ("imx708",)
    sensor = (4608, 2592)
    most = 100_000_000
    """The number of pixels that fit into memory."""
    small_stream = True
    autofocus = True
    exposure = 14_000
    gain = 2.0
    lamp: Lamp | None = None
    """The light of the scene; None: daylight."""
    flicker_controls = True
    scan = 1.0
    """The duration of a focus scan in seconds."""
    focuses = True
    """Whether a focus scan succeeds."""
    sharp = 1.25
    """The lens position in dioptres after a successful scan."""

    def __init__(self, number: int = 0) -> None:
        if not self.models:
            raise IndexError("list index out of range")
        if number >= len(self.models):
            raise RuntimeError(f"No camera number {number} found")
        self.sensor_resolution = self.sensor
        self.configuration: dict[str, Any] | None = None
        self.started = self.unplugged = self.closed = False
        self.held = 0
        self.now = 0
        self.controls: dict[str, Any] = {}
        self.scans = 0
        self.state = IDLE
        self._since = 0
        self._lens = 1.0
        self._jobs: list[tuple[Job, list[Any]]] = []

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        """Return the descriptions of all cameras."""
        return [{"Model": model, "Num": n} for n, model in enumerate(cls.models)]

    @property
    def camera_controls(self) -> dict[str, Any]:
        """Return the available controls."""
        names = ["AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"]
        if self.flicker_controls:
            names += ["AeFlickerMode", "AeFlickerPeriod"]
        lens = {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 15.0, 1.0)}
        return {**dict.fromkeys(names), **(lens if self.autofocus else {})}

    @property
    def measured(self) -> dict[str, Any]:
        """The present metadata."""
        found: dict[str, Any] = {"ExposureTime": self.exposure, "AnalogueGain": self.gain, "ColourGains": (1.9, 1.5)}
        if self.autofocus:
            late = self.now - self._since < DELAY * FRAME
            found |= {"LensPosition": self._lens, "AfState": FOCUSED if late and self.state == SCANNING else self.state}
        return found | {k: v for k, v in self.controls.items() if k in ("ExposureTime", "AnalogueGain")}

    def create_video_configuration(self, **streams: Any) -> dict[str, Any]:
        """Return a configuration; raise for an unknown format."""
        for name in ("main", "lores"):
            if name in streams and streams[name]["format"] not in ("RGB888", "BGR888", "YUV420", "XBGR8888"):
                raise RuntimeError(f"Bad format {streams[name]['format']} in stream {name}")
        return {name: dict(value) if isinstance(value, dict) else value for name, value in streams.items()}

    def configure(self, configuration: dict[str, Any]) -> None:
        """Apply a configuration with even sizes. A second stream fails if the pipeline has only one, as in reality."""
        if "lores" in configuration and not self.small_stream:
            raise AttributeError("'NoneType' object has no attribute 'orientation' and no __dict__")
        for name in ("main", "lores"):
            if name in configuration:
                width, height = configuration[name]["size"]
                configuration[name]["size"] = (width // 2 * 2, height // 2 * 2)
        width, height = configuration["main"]["size"]
        if width * height * configuration["buffer_count"] > self.most:
            raise OSError(12, "Cannot allocate memory")
        self.configuration = configuration

    def camera_configuration(self) -> dict[str, Any]:
        """Return the configuration with its adjusted sizes."""
        assert self.configuration is not None
        return self.configuration

    def start(self) -> None:
        """Start taking pictures."""
        if self.configuration is None:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def stop(self) -> None:
        """Stop taking pictures."""
        self.started = False

    def close(self) -> None:
        """Close the camera; closing an unplugged one aborts the process."""
        if self.unplugged:
            raise Aborted("libcamera: assertion failed")
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls for the next picture."""
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= controls
        if controls.get("AfMode") == 0:
            self.state = IDLE
        if "LensPosition" in controls and self.controls.get("AfMode") == 0:
            self._lens = controls["LensPosition"]
        if controls.get("AfTrigger") == 0 and self.controls.get("AfMode") == 1:
            self.state, self._since = SCANNING, self.now
            self.scans += 1
        elif controls.get("AfTrigger") == 1 and self.state == SCANNING:
            self.state = IDLE

    def autofocus_cycle(self, wait: float | None = None) -> Any:
        """Focus once: a job that needs the pictures of the whole scan."""
        self.set_controls({"AfMode": 1, "AfTrigger": 0})
        seen: list[int] = []

        def follow(request: Request) -> tuple[bool, Any]:
            state = request.get_metadata()["AfState"]
            request.release()
            seen.append(state)
            return SCANNING in seen and state != SCANNING, state == FOCUSED

        return self._dispatch(follow, wait)

    def capture_request(self, wait: float | None = None) -> Request:
        """Return the next picture; a picture that is ready may be older than the request."""
        found: Request = self._dispatch(lambda request: (True, request), wait)
        return found

    def capture_array(self, name: str = "main", wait: float | None = None) -> Image:
        """Return the pixels of a stream as they lie in memory."""

        def copy(request: Request) -> tuple[bool, Any]:
            try:
                return True, request.make_array(name)
            finally:
                request.release()

        found: Image = self._dispatch(copy, wait)
        return found

    def _dispatch(self, job: Job, wait: float | None) -> Any:
        """Serve the jobs with pictures in order, until this one is done."""
        assert wait is not None, "this would wait for ever"
        done: list[Any] = []
        self._jobs.append((job, done))
        until = self.now + round(wait * 1_000_000_000)
        while not done:
            if not self.started or self.unplugged or self.now + FRAME > until:
                raise TimeoutError("Timeout waiting for the camera")
            self._take()
        return done[0]

    def _take(self) -> None:
        """Take a picture for the first job."""
        self.now += FRAME
        self._focus()
        job, done = self._jobs[0]
        ready, result = job(Request(self))
        if ready:
            self._jobs.pop(0)
            done.append(result)

    def _focus(self) -> None:
        """Move the lens during a scan: over its whole range, then to the sharp position, if any."""
        if self.state != SCANNING:
            return
        part = (self.now - self._since) / (self.scan * 1_000_000_000)
        self._lens = round(12 * part, 2)
        if part >= 1:
            self.state, self._lens = (FOCUSED, self.sharp) if self.focuses else (FAILED, 7.2)

    def memory(self, name: str) -> Image:
        """Return a stream's pixels in their layout in memory."""
        configuration = self.camera_configuration()
        if name not in configuration:
            raise RuntimeError(f"Stream {name!r} is not defined")
        width, height = configuration[name]["size"]
        red, green, blue = 200, 120, 40
        if name == "lores":
            rows = np.full((height * 3 // 2, -(-width // PAD) * PAD), 7, dtype=np.uint8)
            rows[:height, :width] = round(0.299 * red + 0.587 * green + 0.114 * blue)
            if self.lamp is not None:
                exposed = self.measured["ExposureTime"]
                rows[:height, :width] = np.round(self.lamp.rows(exposed, self.now / 1e9, height))[:, None]
            return rows
        if self.lamp is not None:
            lit = np.round(self.lamp.rows(self.measured["ExposureTime"], self.now / 1e9, height))
            return np.asarray(np.broadcast_to(lit[:, None, None], (height, width, 3)), dtype=np.uint8)
        order = (blue, green, red) if configuration[name]["format"] == "RGB888" else (red, green, blue)
        picture = np.empty((height, width, 3), dtype=np.uint8)
        picture[:] = order
        return picture
