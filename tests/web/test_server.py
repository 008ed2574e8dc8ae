"""Test the camera's messages that the table's process forwards."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import Mock, call

from companion.devices.camera_link import CameraSnapshot
from companion.messages import CameraState
from web.server import say_of_movement


def test_the_observer_hears_when_movement_begins_and_ends() -> None:
    """The observer hears when a movement begins and ends; a heartbeat and a lost camera count as no movement."""
    observer = Mock()
    still, moving = (CameraSnapshot(True, True, CameraState(looking)) for looking in ("still", "moving"))
    faster = CameraSnapshot(True, True, CameraState("moving", fps=5.0))
    seen = (CameraSnapshot(True), still, moving, faster, still, moving, CameraSnapshot(True))
    for was, now in pairwise(seen):
        say_of_movement(observer, was, now)
    assert observer.mock_calls == [call.accept_moving(each) for each in (True, False, True, False)]
