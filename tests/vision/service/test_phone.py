"""Tests of pictures taken with a phone: the service reads each as if from a fixed camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from companion.messages import PHONE, Health, Sighted
from tests.vision.service.test_loop import COAL, Camera, House, Seen, _hurry, deck, table, with_card
from vision.image import Image

__all__ = ["_hurry", "deck", "table"]


def hand(house: House, picture: Image) -> tuple[bool, str]:
    """Submit a picture and return its acceptance or the reason for its refusal."""
    cv2.imwrite(str(house.shelf / "photograph-1.upload.jpg"), picture)
    (house.shelf / "photograph-1.upload.jpg").rename(house.shelf / "photograph-1.upload")
    answer = house.ask("hand_picture", file="photograph-1.upload")
    return answer.done, answer.key


def test_each_picture_is_read_where_no_camera_hangs(tmp_path: Path, table: Image, deck: str) -> None:
    """Without a camera, the first picture locates the table and the second shows a new card."""
    house = House(tmp_path, None)
    house.state(lambda state: state.looking == "none")
    assert hand(house, table) == (True, "")
    assert house.until(Sighted).sightings == ()
    house.reader.finds = lambda nth: Seen((COAL,))
    assert hand(house, with_card(table)) == (True, "")
    assert house.until(Sighted, lambda each: bool(each.sightings)).sightings == (COAL,)
    assert house.until(Health, lambda each: each.kind == PHONE).camera is not None
    house.end()


def test_a_camera_that_hangs_there_is_used_instead(tmp_path: Path, table: Image, deck: str) -> None:
    """A fixed camera takes precedence, because two cameras above one table could contradict each other."""
    house = House(tmp_path, Camera(table))
    house.until(Sighted)
    assert hand(house, table) == (False, "camera_there")
    house.end()


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff and nothing more"])
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes, deck: str) -> None:
    """A file that is not a picture is refused, and the table continues without a camera."""
    house = House(tmp_path, None)
    (house.shelf / "photograph-2.upload").write_bytes(data)
    answer = house.ask("hand_picture", file="photograph-2.upload")
    assert (answer.done, answer.key) == (False, "bad_file")
    assert house.service.state.looking == "none"
    house.end()
