"""Tests of the advice on the camera's position, derived from the table's place in the picture."""

from __future__ import annotations

from math import cos, radians, sin

import cv2
import numpy as np
import pytest

from vision.mat import Mat, MatPose
from vision.mat.coasters import SIDE, coaster_numbers
from vision.mat.hanging import FOCAL, advise, reflection
from vision.mat.mat import Marker
from vision.mat.pose import least_scale

SIZE = (3840, 2160)
NEEDED = 3.3
WIDE, HIGH = 700.0, 400.0
CORNERS = ((WIDE, HIGH), (0.0, HIGH), (0.0, 0.0), (WIDE, 0.0))
TABLE = Mat(
    (WIDE, HIGH), (63.0, 88.0), (), tuple([
        Marker(number, x - SIDE / 2, y - SIDE / 2, SIDE, nth)
        for nth, (number, (x, y)) in enumerate(zip(coaster_numbers(2), CORNERS, strict=True), 1)
    ]), players=2, outline=((0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)),
)  # fmt: skip
FITS = 74.0
"""The height in centimetres at which this table fills nine tenths of the picture."""


def hung(
    high: float, aside: float = 0.0, turn: float = 0.0, tilt: float = 0.0, size: tuple[int, int] = SIZE
) -> MatPose:
    """Return a table's pose for the camera's height and offset in centimetres, and its turn and tilt in degrees."""
    focal = FOCAL * max(size)
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    a, b = radians(turn), radians(tilt)
    turned = np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    tilted = np.array([[1, 0, 0], [0, cos(b), -sin(b)], [0, sin(b), cos(b)]])
    ways = tilted @ turned
    middle = np.array([WIDE / 2 - 10 * aside, HIGH / 2, 0])
    away = np.array([0, 0, 10 * high]) - ways @ middle
    pose = MatPose(lens @ np.column_stack([ways[:, 0], ways[:, 1], away]), size)
    return MatPose(pose.homography, size, scale=least_scale(pose, TABLE))


def told(pose: MatPose, needed: float = NEEDED) -> list[tuple[str, dict[str, str | int | float]]]:
    """Return the advice."""
    return [(each.key, each.fields) for each in advise(pose, TABLE, needed)]


def test_a_camera_that_hangs_well_is_left_alone() -> None:
    """A camera that sees all coasters and large enough cards needs no advice."""
    assert told(hung(FITS)) == []
    assert told(hung(89.0)) == []  # smaller than possible, but large enough


def test_too_high_and_too_low_are_told_in_centimetres() -> None:
    """Advice on height is in centimetres, and following it leaves no further advice."""
    ((key, fields),) = told(hung(120.0))
    assert key == "hang_lower"
    assert told(hung(120.0 - float(fields["cm"]))) == []
    ((key, fields),) = told(hung(45.0))
    assert key == "hang_higher"
    assert told(hung(45.0 + float(fields["cm"]))) == []


@pytest.mark.parametrize(("aside", "side"), [(24.0, "right"), (-24.0, "left")])
def test_a_camera_beside_the_table_goes_where_it_is_cut_off(aside: float, side: str) -> None:
    """A table at the right of the picture asks for a camera further to the right."""
    ((key, fields),) = told(hung(90.0, aside))
    assert (key, fields["side"]) == ("hang_aside", side)
    assert told(hung(90.0, aside - (1 if aside > 0 else -1) * float(fields["cm"]))) == []


def test_a_long_side_across_the_picture_is_turned() -> None:
    """If a quarter turn is needed for a table to fit at a readable size, it is advised."""
    assert told(hung(75.0, turn=90.0)) == [("hang_turn", {})]
    assert told(hung(118.0, turn=90.0), needed=3.0) == [("hang_turn", {})]


def test_a_camera_that_looks_from_the_side_is_set_straight() -> None:
    """A camera tilted by more than ten degrees is reported."""
    assert told(hung(90.0, tilt=10.0), needed=2.0) == []
    assert told(hung(90.0, tilt=35.0), needed=1.0) == [("hang_straight", {"side": "bottom"})]


def test_too_few_pixels_are_no_matter_of_hanging() -> None:
    """A camera of 1920 pixels that the table already fills reports the missing resolution."""
    ((key, fields),) = told(hung(FITS, size=(1920, 1080)))
    assert key == "hang_smaller" and 20 <= float(fields["percent"]) <= 40


@pytest.mark.parametrize(
    ("x", "y", "key", "side"),
    [
        (120.0, 200.0, "hang_glare", "left"),
        (620.0, 220.0, "hang_glare", "right"),
        (350.0, 200.0, "hang_glare_middle", ""),
    ],
)
def test_a_reflection_is_told_by_its_side(x: float, y: float, key: str, side: str) -> None:
    """Glare is reported with its side, and white coasters and a well-lit table are not glare."""
    pose = hung(FITS)
    picture = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for corner in pose.project(np.array(CORNERS)):
        cv2.circle(picture, tuple(int(each) for each in corner), 150, (255, 255, 255), cv2.FILLED)
    assert reflection(picture, pose, TABLE) == ()
    ((spot_x, spot_y),) = pose.project(np.array([[x, y]]))
    cv2.circle(picture, (int(spot_x), int(spot_y)), 140, (255, 255, 255), cv2.FILLED)
    (found,) = reflection(picture, pose, TABLE)
    assert (found.key, found.fields.get("side", "")) == (key, side)
