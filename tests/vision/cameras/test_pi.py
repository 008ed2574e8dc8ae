"""A Pi's own camera, over a library that behaves as the real one was seen to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.vision.fake_picamera2 import FakePicamera2
from vision.cameras import CameraError, CameraStuck
from vision.cameras.pi import PiCamera, steady_exposure


@pytest.fixture
def library() -> type[FakePicamera2]:
    """Give a library that a test may change."""

    class Library(FakePicamera2):
        pass

    return Library


def opened(library: type[FakePicamera2], **settings: Any) -> tuple[PiCamera, FakePicamera2]:
    """Return a camera, and the library's one below it."""
    made: list[FakePicamera2] = []

    def make(number: int) -> FakePicamera2:
        made.append(library(number))
        return made[-1]

    camera = PiCamera(make=make, clock=lambda: made[-1].now if made else 0, **settings)
    return camera, made[-1]


def test_pictures_are_blue_green_red_and_whole(library: type[FakePicamera2]) -> None:
    """Full pictures have the whole sensor, in OpenCV's order; glances are their brightness without padding."""
    camera, below = opened(library)
    picture, at = camera.still()
    assert picture.shape == (2592, 4608, 3) and picture[5, 5].tolist() == [40, 120, 200]
    assert at == below.now and below.held == 0
    glance = camera.glance()
    assert glance.shape == (180, 320) and set(glance.ravel().tolist()) == {135}


def test_still_is_never_older_than_the_question(library: type[FakePicamera2]) -> None:
    """A picture that lay ready when it was asked for is passed over."""
    camera, below = opened(library)
    moment = below.now + 150_000_000
    camera._clock = lambda: moment
    assert camera.still()[1] >= moment and below.held == 0


def test_small_memory_gets_smaller_pictures(library: type[FakePicamera2]) -> None:
    """Where memory does not do for the whole sensor, half of it along each side is taken."""
    library.most = 20_000_000
    assert opened(library)[0].still()[0].shape == (1296, 2304, 3)
    library.most = 100_000_000
    assert opened(library, half=True)[0].still()[0].shape == (1296, 2304, 3)


def test_without_a_small_stream_glances_come_from_the_full_one(library: type[FakePicamera2]) -> None:
    """A camera without a small stream still has glances."""
    library.small_stream = False
    glance = opened(library)[0].glance()
    assert glance.shape == (180, 320) and abs(int(glance[0, 0]) - 135) <= 1


@pytest.mark.parametrize("models", [(), ("imx708",)])
def test_no_camera_is_a_sentence(library: type[FakePicamera2], models: tuple[str, ...]) -> None:
    """Whether the library raises an IndexError or a RuntimeError, people read what to do."""
    library.models = models
    with pytest.raises(CameraError, match="check its cable") as found:
        opened(library, number=len(models))
    assert found.value.key == "no_camera" and found.value.fields["source"].startswith("picamera2")  # type: ignore[union-attr]


def test_unplugged_camera_is_left_alone(library: type[FakePicamera2]) -> None:
    """A camera that hangs is told as stuck, and never closed: that would abort the process."""
    camera, below = opened(library)
    below.unplugged = True
    for ask in (camera.glance, camera.still):
        with pytest.raises(CameraStuck, match="no more pictures"):
            ask()
    camera.close()
    assert not below.closed


def test_focus_is_found_once_and_kept(library: type[FakePicamera2]) -> None:
    """The lens searches once, then stays; a settled focus is taken as it is."""
    _, below = opened(library)
    assert below.cycles == 1 and below.controls["AfMode"] == 0 and below.controls["LensPosition"] == 1.25
    _, below = opened(library, focus=1.1)
    assert below.cycles == 0 and below.controls["LensPosition"] == 1.1


def test_camera_without_autofocus_is_no_trouble(library: type[FakePicamera2]) -> None:
    """What a camera has not is never set."""
    library.autofocus = False
    camera, below = opened(library)
    camera.lock()
    assert "AfMode" not in below.controls


def test_lock_keeps_exposure_and_white_balance(library: type[FakePicamera2]) -> None:
    """Exposure is locked at whole flickers of a lamp, the gain makes up for it, colours stay as they are."""
    camera, below = opened(library)
    camera.lock()
    assert below.controls["AeEnable"] is False and below.controls["AwbEnable"] is False
    assert below.controls["ExposureTime"] == 10_000
    assert below.controls["AnalogueGain"] == pytest.approx(2.0 * 14_000 / 10_000)
    assert below.controls["ColourGains"] == (1.9, 1.5)
    camera.close()
    assert below.closed and camera.held["ExposureTime"] == 10_000


def test_steady_exposures() -> None:
    """Short exposures in daylight stay; long ones become whole flickers of 10 ms."""
    assert [steady_exposure(us) for us in (800, 9_999, 10_000, 14_000, 26_000, 40_100)] == [
        800, 9_999, 10_000, 10_000, 30_000, 40_000,
    ]  # fmt: skip
