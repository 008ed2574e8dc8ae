"""Tests of cameras on a real kernel: Video4Linux through OpenCV, and the real picamera2 over libcamera."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.kernel


def test_a_video_device_gives_glances_and_stills(video: dict[str, Any]) -> None:
    """Pictures have the requested size, and the small grey glance is as bright as the still."""
    assert video["still"] == [720, 1280, 3]
    assert video["glance"] == [180, 320]
    glance, still = video["bright"]
    assert still == pytest.approx(glance, abs=2)


def test_a_pulled_plug_is_noticed_and_the_device_found_again(video: dict[str, Any]) -> None:
    """An unplugged camera is reported as lost, can be closed and is opened again after its return."""
    assert video["lost"] == "camera_lost"
    assert video["again"] == [180, 320]


def test_picamera2_gives_blue_green_red(libcamera: dict[str, Any]) -> None:
    """The picture has half of vimc's 4096 × 2160 pixels, and its blue centre bar is in the first channel."""
    assert libcamera["found"] == ["picamera2"]
    assert libcamera["still"] == [1080, 2048, 3]
    assert libcamera["glance"] == [169, 320]
    assert libcamera["pixel"] == [191, 76, 95]


def test_picamera2_that_somebody_has_is_refused(libcamera: dict[str, Any]) -> None:
    """Opening a camera that is already open is refused with a sentence, and the first user keeps it."""
    assert libcamera["second"] == "no_camera"


def test_a_camera_pulled_out_is_left_alone(libcamera: dict[str, Any]) -> None:
    """An unplugged camera is not closed, because libcamera would abort the process, and the process ends normally."""
    assert libcamera["stuck"] == "camera_lost"
    assert libcamera["closed"] is True
