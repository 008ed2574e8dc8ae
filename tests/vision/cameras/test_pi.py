"""Tests of a Pi camera over a library that behaves as the real one did."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.vision.fake_picamera2 import FakePicamera2
from tests.support.vision.lamp import Lamp
from vision.cameras.camera_protocol import CameraError, CameraOptions, CameraStuck
from vision.cameras.pi import PiCamera


@pytest.fixture
def library() -> type[FakePicamera2]:
    """Yield a library that a test can change."""

    class Library(FakePicamera2):
        pass

    return Library


def opened(library: type[FakePicamera2], number: int = 0, **settings: Any) -> tuple[PiCamera, FakePicamera2]:
    """Return a camera and the library's camera below it."""
    made: list[FakePicamera2] = []

    def make(number: int) -> FakePicamera2:
        made.append(library(number))
        return made[-1]

    camera = PiCamera(number, CameraOptions(**settings), make, clock=lambda: made[-1].now if made else 0)
    return camera, made[-1]


def test_pictures_are_blue_green_red_and_whole(library: type[FakePicamera2]) -> None:
    """Full pictures cover the whole sensor in OpenCV's channel order, and glances are brightness without padding."""
    camera, below = opened(library)
    picture, at = camera.still()
    assert picture.shape == (2592, 4608, 3) and picture[5, 5].tolist() == [40, 120, 200]
    assert at == below.now and below.held == 0
    glance = camera.glance()
    assert glance.shape == (180, 320) and set(glance.ravel().tolist()) == {135}


def test_still_is_never_older_than_the_question(library: type[FakePicamera2]) -> None:
    """A picture taken before the request is skipped."""
    camera, below = opened(library)
    moment = below.now + 150_000_000
    camera._clock = lambda: moment
    assert camera.still()[1] >= moment and below.held == 0


def test_small_memory_gets_smaller_pictures(library: type[FakePicamera2]) -> None:
    """If memory is too small for the whole sensor, the picture has half its width and height."""
    library.most = 20_000_000
    camera = opened(library)[0]
    assert camera.still()[0].shape == (1296, 2304, 3) and camera.small_memory
    assert not opened(library, half=True)[0].small_memory, "half of it was asked for"
    library.most = 100_000_000
    assert opened(library, half=True)[0].still()[0].shape == (1296, 2304, 3)
    assert not opened(library)[0].small_memory


def test_no_memory_at_all_is_no_loose_cable(library: type[FakePicamera2]) -> None:
    """A Pi 4 with too little camera memory names the setting to change and its file."""
    library.most = 1000
    with pytest.raises(CameraError) as told:
        opened(library)
    assert told.value.key == "no_memory"


def test_without_a_small_stream_glances_come_from_the_full_one(library: type[FakePicamera2]) -> None:
    """A camera without a small stream takes its glances from full pictures."""
    library.small_stream = False
    glance = opened(library)[0].glance()
    assert glance.shape == (180, 320) and abs(int(glance[0, 0]) - 135) <= 1


@pytest.mark.parametrize("models", [(), ("imx708",)])
def test_no_camera_is_a_sentence(library: type[FakePicamera2], models: tuple[str, ...]) -> None:
    """An IndexError or a RuntimeError of the library becomes a sentence with advice."""
    library.models = models
    with pytest.raises(CameraError, match="check its cable") as found:
        opened(library, number=len(models))
    assert found.value.key == "no_camera" and found.value.fields["source"].startswith("picamera2")  # type: ignore[union-attr]


def test_unplugged_camera_is_left_alone(library: type[FakePicamera2]) -> None:
    """A camera that hangs is reported as stuck and never closed, because closing would abort the process."""
    camera, below = opened(library)
    below.unplugged = True
    for ask in (camera.glance, camera.still):
        with pytest.raises(CameraStuck, match="no more pictures"):
            ask()
    camera.close()
    assert not below.closed


def test_focus_is_found_once_and_kept(library: type[FakePicamera2]) -> None:
    """The lens searches once and then stays, and a focus from the settings is used unchanged."""
    camera, below = opened(library)
    assert below.scans == 1 and below.controls["AfMode"] == 0 and below.controls["LensPosition"] == 1.25
    assert not camera.unfocused
    camera, below = opened(library, focus=1.1)
    assert below.scans == 0 and below.controls["LensPosition"] == 1.1 and not camera.unfocused


@pytest.mark.parametrize("seconds", [3.0, 6.5, 8.7, 11.0])
def test_a_slow_scan_is_waited_for(library: type[FakePicamera2], seconds: float) -> None:
    """The camera waits for a scan of some eight seconds, as a Camera Module 3 needs for its whole range."""
    library.scan = seconds
    camera, below = opened(library)
    assert below.controls["LensPosition"] == 1.25 and not camera.unfocused
    camera.glance()


def test_a_scan_that_never_ends_holds_nothing_up(library: type[FakePicamera2]) -> None:
    """A scan that never ends is cancelled and reported, the lens returns to the default, and pictures arrive."""
    library.scan = 1e6
    camera, below = opened(library)
    assert 12 <= below.now / 1e9 < 13
    assert (below.state, below.controls["AfMode"], below.controls["LensPosition"]) == (0, 0, 1.0)
    assert camera.unfocused and camera.glance().shape == (180, 320) and camera.still()[0].shape == (2592, 4608, 3)


def test_a_scan_that_fails_does_not_keep_the_lens_where_it_ended(library: type[FakePicamera2]) -> None:
    """After a failed scan the lens leaves its blurred end position of 7.2 dioptres, and the failure is reported."""
    library.focuses = False
    camera, below = opened(library)
    assert camera.unfocused and below.controls["LensPosition"] == 1.0


@pytest.mark.parametrize(("scan", "focuses"), [(1e6, True), (1.0, False)])
def test_adjusting_in_mid_game_keeps_the_last_sharp_lens(
    library: type[FakePicamera2], scan: float, focuses: bool
) -> None:
    """A scan that fails or never ends keeps the last sharp focus, and the next successful scan replaces it."""
    camera, below = opened(library)
    below.scan, below.focuses = scan, focuses
    camera.lock()
    assert camera.unfocused and below.controls["LensPosition"] == 1.25
    assert below.controls["AeEnable"] is False and camera.glance().shape == (180, 320)
    below.scan, below.focuses, below.sharp = 2.0, True, 1.5
    camera.lock()
    assert not camera.unfocused and below.controls["LensPosition"] == 1.5


def test_a_job_that_nobody_waits_for_any_more_holds_up_the_next(library: type[FakePicamera2]) -> None:
    """An abandoned job blocks the next one, as in picamera2, so the camera avoids the library's own autofocus."""
    library.scan = 20.0
    below = library()
    below.configure(below.create_video_configuration(main={"size": (64, 48), "format": "RGB888"}, buffer_count=3))
    below.start()
    with pytest.raises(TimeoutError):
        below.autofocus_cycle(wait=6.0)
    with pytest.raises(TimeoutError):
        below.capture_array("main", wait=1.0)


def test_camera_without_autofocus_is_no_trouble(library: type[FakePicamera2]) -> None:
    """A control that the camera lacks is never set."""
    library.autofocus = False
    camera, below = opened(library)
    camera.lock()
    assert "AfMode" not in below.controls


def test_lock_keeps_exposure_and_white_balance(library: type[FakePicamera2]) -> None:
    """Locking sets an exposure of whole flicker periods with a matching gain and keeps the colours."""
    camera, below = opened(library)
    camera.lock()
    assert below.controls["AeEnable"] is False and below.controls["AwbEnable"] is False
    assert below.controls["ExposureTime"] == 10_000
    assert below.controls["AnalogueGain"] == pytest.approx(2.0 * 14_000 / 10_000)
    assert below.controls["ColourGains"] == (1.9, 1.5)
    camera.close()
    assert below.closed and camera.held["ExposureTime"] == 10_000


@pytest.mark.parametrize(("mains", "exposure", "period"), [(50, 10_000, 10_000), (60, 16_667, 8_333)])
def test_the_mains_of_the_settings_are_taken(
    library: type[FakePicamera2], mains: int, exposure: int, period: int
) -> None:
    """The mains frequency of the settings is used from the start without comparing pictures."""
    camera, below = opened(library, mains=mains)
    assert (below.controls["AeFlickerMode"], below.controls["AeFlickerPeriod"]) == (1, period)
    below.lamp = Lamp(50, 1.0)
    before = below.now
    camera.lock()
    assert below.controls["ExposureTime"] == exposure and below.now - before < 3e9


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize(("mains", "steady"), [(50, 10_000), (60, 16_667)])
def test_pictures_tell_the_mains(library: type[FakePicamera2], mains: int, steady: int, small: bool) -> None:
    """Under a flickering lamp the exposure becomes whole periods, and the next adjustment tells the library."""
    library.lamp, library.small_stream = Lamp(mains, 0.4, 180e-6), small
    camera, below = opened(library, half=not small)
    camera.lock()
    assert below.controls["ExposureTime"] == steady and below.held == 0
    camera.lock()
    assert below.controls["AeFlickerPeriod"] == round(500_000 / mains)


def test_bright_light_is_not_made_brighter_to_tell_the_mains(library: type[FakePicamera2]) -> None:
    """An exposure below one flicker period stays as it is, even without the library's flicker controls."""
    library.exposure, library.gain, library.lamp, library.flicker_controls = 4_900, 1.0, Lamp(60, 1.0), False
    camera, below = opened(library)
    camera.lock()
    assert (below.controls["ExposureTime"], below.controls["AnalogueGain"]) == (4_900, 1.0)
