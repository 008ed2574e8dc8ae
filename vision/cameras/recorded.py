"""Recordings as cameras: a video, or a folder of pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.messages import SECOND
from vision.cameras.camera_protocol import CameraError, glance_of
from vision.image import Image

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
"""The suffixes of picture files."""
EACH = 2 * SECOND
"""Nanoseconds to show each picture of a folder, long enough to read it."""


class VideoFile:
    """A video in real time by the clock or, with `paced=False`, one picture further at each glance.

    At its end it raises `CameraError` with the key `ended`.
    """

    live = False
    unfocused = False
    small_memory = False

    def __init__(self, path: Path, paced: bool = True, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.source = f"file:{path}"
        self._clock, self._paced = clock, paced
        self._file = cv2.VideoCapture(str(path))
        rate = self._file.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 0.1 <= rate <= 240 else 25.0
        self._began = clock()
        self._shown = -1
        self._picture = self._advance()
        if self._picture is None:
            self._file.release()
            raise CameraError("no_camera", f"{path} is not a playable video.", source=self.source)

    def _advance(self) -> Image | None:
        fine, picture = self._file.read()
        if not fine:
            return None
        self._shown += 1
        return np.asarray(picture, dtype=np.uint8)

    def _now(self, further: bool) -> Image:
        due = self._shown + further if not self._paced else int((self._clock() - self._began) * self._rate / SECOND)
        while self._shown < due:
            picture = self._advance()
            if picture is None:
                raise CameraError("ended", f"{self.source} is at its end.", source=self.source)
            self._picture = picture
        assert self._picture is not None
        return self._picture

    def glance(self) -> Image:
        """Return the current picture, small and grey."""
        return glance_of(self._now(True))

    def still(self) -> tuple[Image, int]:
        """Return the current picture."""
        return self._now(False), self._clock()

    def lock(self) -> None:
        """Do nothing, because a recording has nothing to lock."""

    def close(self) -> None:
        """Close the file."""
        self._file.release()


class PictureFolder:
    """The pictures of a folder in order of name, each for a while and the last one forever, or a single picture."""

    live = False
    unfocused = False
    small_memory = False

    def __init__(self, path: Path, each: int = EACH, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.source = f"folder:{path}" if path.is_dir() else f"file:{path}"
        self._clock, self._each = clock, each
        self._files = sorted(p for p in path.iterdir() if _is_picture(p)) if path.is_dir() else [path]
        self._began = clock()
        self._shown: tuple[Path, Image] | None = None
        if not self._files:
            raise CameraError("no_camera", f"{path} has no pictures in it.", source=self.source)
        self._now()

    def _now(self) -> Image:
        nth = min(len(self._files) - 1, (self._clock() - self._began) // self._each)
        file = self._files[nth]
        if self._shown is None or self._shown[0] != file:
            try:
                picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
            except cv2.error:  # larger than any camera's (`vision/__init__.py`)
                picture = None
            if picture is None:
                raise CameraError("no_camera", f"{file} is not a readable picture.", source=self.source)
            self._shown = file, np.asarray(picture, dtype=np.uint8)
        return self._shown[1]

    def glance(self) -> Image:
        """Return the current picture, small and grey."""
        return glance_of(self._now())

    def still(self) -> tuple[Image, int]:
        """Return the current picture."""
        return self._now(), self._clock()

    def lock(self) -> None:
        """Do nothing, because a picture has nothing to lock."""

    def close(self) -> None:
        """Release the picture."""
        self._shown = None


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURES and not path.name.startswith(".")


def open_recording(path: Path) -> VideoFile | PictureFolder:
    """Return a video or a picture by the file's suffix. Raise `CameraError` if there is no such file."""
    if not path.exists():
        raise CameraError("no_camera", f"There is no file {path}.", source=f"file:{path}")
    return PictureFolder(path) if path.is_dir() or _is_picture(path) else VideoFile(path)
