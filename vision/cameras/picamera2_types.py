"""Types for the part of picamera2 in use. The library has none, and is installed only on a Raspberry Pi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypedDict

from vision.image import Image

Control = bool | int | float | tuple[float, float]
"""The value of a libcamera control."""


class StreamConfiguration(TypedDict):
    """One stream of pictures."""

    size: tuple[int, int]
    format: str


class PictureMetadata(TypedDict, total=False):
    """libcamera's metadata of a picture, in nanoseconds, dioptres and microseconds."""

    SensorTimestamp: int
    LensPosition: float
    AfState: int
    ExposureTime: int
    AnalogueGain: float
    ColourGains: tuple[float, float]


class CaptureRequest(Protocol):
    """One picture with its metadata, which must be released."""

    def get_metadata(self) -> PictureMetadata: ...  # noqa: D102

    def make_array(self, name: str) -> Image: ...  # noqa: D102

    def release(self) -> None: ...  # noqa: D102


class LibraryCamera(Protocol):
    """An open camera of the library (picamera2.Picamera2)."""

    @property
    def sensor_resolution(self) -> tuple[int, int]: ...  # noqa: D102

    @property
    def camera_controls(self) -> Mapping[str, object]: ...  # noqa: D102

    def create_video_configuration(self, **streams: StreamConfiguration | int) -> object: ...  # noqa: D102

    def configure(self, configuration: object) -> None: ...  # noqa: D102

    def camera_configuration(self) -> Mapping[str, StreamConfiguration]: ...  # noqa: D102

    def start(self) -> None: ...  # noqa: D102

    def stop(self) -> None: ...  # noqa: D102

    def close(self) -> None: ...  # noqa: D102

    def capture_array(self, name: str, wait: float) -> Image: ...  # noqa: D102

    def capture_request(self, wait: float) -> CaptureRequest: ...  # noqa: D102

    def set_controls(self, controls: Mapping[str, Control]) -> None: ...  # noqa: D102


class Library(Protocol):
    """The class picamera2.Picamera2 itself."""

    def __call__(self, camera_num: int, /) -> LibraryCamera: ...  # noqa: D102

    def global_camera_info(self) -> Sequence[Mapping[str, object]]: ...  # noqa: D102
