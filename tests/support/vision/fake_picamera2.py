"""A picamera2 that behaves as the real one was seen to: what it refuses, when it hangs, how its memory lies.

Measured on picamera2 0.3.38 with libcamera 0.4.0: sizes become even; "RGB888" is blue, green, red in memory; a small
stream's rows are padded; a wait without a limit never ends; unknown controls and streams raise
`RuntimeError`; no camera is an `IndexError` or a `RuntimeError`; closing an unplugged camera aborts the process.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.image import Image

PAD = 128
"""Rows of a small stream are padded to so many bytes."""


class Aborted(BaseException):
    """The process would have been aborted; no `except Exception` would have seen it."""


class Request:
    """A finished picture, which must be released."""

    def __init__(self, camera: FakePicamera2, stamp: int) -> None:
        self._camera, self._stamp = camera, stamp
        camera.held += 1

    def make_array(self, name: str) -> Image:
        """Return a stream's memory."""
        return self._camera.memory(name)

    def get_metadata(self) -> dict[str, Any]:
        """Return what the camera measured."""
        return {"SensorTimestamp": self._stamp, **self._camera.measured}

    def release(self) -> None:
        """Give the picture's memory back."""
        self._camera.held -= 1


class FakePicamera2:
    """One camera with a picture in front of it. Class attributes say what the next one is like."""

    models: tuple[str, ...] = ("imx708",)
    sensor = (4608, 2592)
    most = 100_000_000
    """Pixels for which there is memory."""
    small_stream = True
    autofocus = True
    exposure = 14_000

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
        self.scene: Image | None = None
        self.cycles = 0

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        """Return all cameras."""
        return [{"Model": model, "Num": n} for n, model in enumerate(cls.models)]

    @property
    def camera_controls(self) -> dict[str, Any]:
        """Return what can be set."""
        names = ["AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"]
        return dict.fromkeys([*names, "AfMode", "LensPosition"] if self.autofocus else names)

    @property
    def measured(self) -> dict[str, Any]:
        """Return what metadata say."""
        found: dict[str, Any] = {"ExposureTime": self.exposure, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.5)}
        if self.autofocus:
            found["LensPosition"] = self.controls.get("LensPosition", 1.25)
        return found | {k: v for k, v in self.controls.items() if k in ("ExposureTime", "AnalogueGain")}

    def create_video_configuration(self, **streams: Any) -> dict[str, Any]:
        """Return a configuration; raise for a format that there is none of."""
        for name in ("main", "lores"):
            if name in streams and streams[name]["format"] not in ("RGB888", "BGR888", "YUV420", "XBGR8888"):
                raise RuntimeError(f"Bad format {streams[name]['format']} in stream {name}")
        return {name: dict(value) if isinstance(value, dict) else value for name, value in streams.items()}

    def configure(self, configuration: dict[str, Any]) -> None:
        """Take a configuration; sizes become even. Two streams where the pipeline has one end as they really do."""
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
        """Return the configuration as it was adjusted."""
        assert self.configuration is not None
        return self.configuration

    def start(self) -> None:
        """Begin to take pictures."""
        if self.configuration is None:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def stop(self) -> None:
        """Take no more pictures."""
        self.started = False

    def close(self) -> None:
        """Give the camera back; one that was unplugged takes the whole process with it."""
        if self.unplugged:
            raise Aborted("libcamera: assertion failed")
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls for the next picture."""
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= controls

    def autofocus_cycle(self, wait: float | None = None) -> bool:
        """Focus once."""
        self._wait(wait)
        self.cycles += 1
        return True

    def capture_request(self, wait: float | None = None) -> Request:
        """Return the next picture; what lay ready may be older than the question."""
        self._wait(wait)
        self.now += 70_000_000
        return Request(self, self.now)

    def capture_array(self, name: str = "main", wait: float | None = None) -> Image:
        """Return a stream's memory."""
        self._wait(wait)
        return self.memory(name)

    def _wait(self, wait: float | None) -> None:
        if not self.started or self.unplugged:
            assert wait is not None, "this would wait for ever"
            raise TimeoutError("Timeout waiting for the camera")
        assert wait is not None, "a wait without a limit never ends when the camera is unplugged"

    def memory(self, name: str) -> Image:
        """Return how a stream lies in memory."""
        configuration = self.camera_configuration()
        if name not in configuration:
            raise RuntimeError(f"Stream {name!r} is not defined")
        width, height = configuration[name]["size"]
        red, green, blue = 200, 120, 40
        if name == "lores":
            rows = np.full((height * 3 // 2, -(-width // PAD) * PAD), 7, dtype=np.uint8)
            rows[:height, :width] = round(0.299 * red + 0.587 * green + 0.114 * blue)
            return rows
        order = (blue, green, red) if configuration[name]["format"] == "RGB888" else (red, green, blue)
        picture = np.empty((height, width, 3), dtype=np.uint8)
        picture[:] = order
        return picture
