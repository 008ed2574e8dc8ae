"""Tests of videos and folders of pictures used as cameras."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras.camera_protocol import CameraError
from vision.cameras.recorded import PictureFolder, VideoFile, open_recording
from vision.cameras.sources import find_cameras, open_camera
from vision.image import Image

SECOND = 1_000_000_000


def plain(level: int, size: tuple[int, int] = (320, 240)) -> Image:
    """Return a grey picture."""
    return np.full((size[1], size[0], 3), level, dtype=np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Write a video of five pictures at 10 a second, each lighter than the last."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    for level in (20, 60, 100, 140, 180):
        writer.write(plain(level))
    writer.release()
    return path


class Clock:
    """A clock that a test sets."""

    now = 0

    def __call__(self) -> int:
        """Return the current time of the test."""
        return self.now


def test_video_plays_in_its_own_time(video: Path) -> None:
    """A video shows the picture due at each moment and reports its end."""
    clock = Clock()
    camera = VideoFile(video, clock=clock)
    seen = []
    for moment in (0, 50, 120, 310, 499):
        clock.now = moment * SECOND // 1000
        seen.append(round(float(camera.glance().mean()) / 20))
        assert camera.still()[1] == clock.now
    assert seen == [1, 1, 3, 7, 9]
    clock.now = SECOND
    with pytest.raises(CameraError) as found:
        camera.glance()
    assert found.value.key == "ended"
    camera.close()


def test_video_as_fast_as_asked(video: Path) -> None:
    """Without pace each glance advances one picture, and a full picture repeats the last glance."""
    camera = VideoFile(video, paced=False)
    seen = [round(float(camera.glance().mean()) / 20) for _ in range(3)]
    assert seen == [3, 5, 7] and round(float(camera.still()[0].mean()) / 20) == 7
    camera.close()


def test_folder_shows_its_pictures_in_turn(tmp_path: Path) -> None:
    """Each picture of a folder shows for two seconds in order of name, and the last one stays."""
    for name, level in (("b.png", 90), ("a.jpg", 30), ("notes.txt", 0), (".hidden.png", 1)):
        (tmp_path / name).write_bytes(cv2.imencode(".png", plain(level))[1].tobytes())
    clock = Clock()
    camera = PictureFolder(tmp_path, clock=clock)
    seen = []
    for second in (0, 1, 2, 60):
        clock.now = second * SECOND
        seen.append(int(camera.still()[0][0, 0, 0]))
    assert seen == [30, 30, 90, 90] and camera.glance().shape == (240, 320)


def test_one_picture_is_a_camera_too(tmp_path: Path) -> None:
    """A single photograph works as a camera without end."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), plain(50, (4056, 3040)))
    camera = open_recording(path)
    assert isinstance(camera, PictureFolder) and camera.still()[0].shape == (3040, 4056, 3)


@pytest.mark.parametrize("source", ["file:{}/none.mp4", "folder:{}/none", "folder:{}/empty", "file:{}/empty.mp4",
                                    "file:{}/broken.png", "usb:x", "file:", "radio", "rendered"])  # fmt: skip
def test_what_is_no_camera_is_told_by_a_sentence(tmp_path: Path, source: str) -> None:
    """Missing files, unreadable files and unknown sources are refused with a sentence."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.mp4").write_bytes(b"no video")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    with pytest.raises(CameraError) as found:
        open_camera(source.format(tmp_path))
    assert found.value.key == "no_camera" and str(found.value).endswith(".")


def test_cameras_of_this_machine_have_sources() -> None:
    """The source's name of each detected camera opens it."""
    assert all(each.source.split(":")[0] in ("picamera2", "usb") and each.name for each in find_cameras())
