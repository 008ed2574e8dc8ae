"""Tests of painted tokens: the position of faces and walls, and their shadows."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from tests.support.vision.discs import COLOURS, DISCS, disc, tile
from vision.image import Image
from vision.simulate.camera_geometry import CameraAngles, CameraGeometry, camera_above
from vision.simulate.painted_tokens import CARDBOARD, DrawnTokens, TokenPose, gleaming, paint_token, token_outline

WHITE = 240
"""The brightness of the empty table."""
RED = (30, 30, 220)


def view(tilt: float = 0.0) -> CameraGeometry:
    """Return a camera above 200 × 120 mm of a table."""
    return camera_above((200, 120), (1000, 600), CameraAngles(tilt, 0.0, 0.0), 0.0, 0.0)


def painted(*poses: TokenPose, tilt: float = 0.0) -> Image:
    """Return a white table with red discs."""
    picture = np.full((600, 1000, 3), WHITE, np.uint8)
    for pose in poses:
        paint_token(picture, view(tilt), disc(RED), pose)
    return picture


def is_face(picture: Image) -> npt.NDArray[np.bool_]:
    """Return a mask of the visible face of a disc."""
    return np.asarray((np.abs(picture.astype(int) - RED) < 12).all(axis=2))


def test_a_face_lies_where_its_pose_says() -> None:
    """Below the camera, a disc's centre is at its pose and its area is that of 20 mm at the camera's scale."""
    camera = view()
    face = is_face(painted(TokenPose(100, 60)))
    y, x = np.nonzero(face)
    scale = camera.scale(100, 60)
    assert np.array([[x.mean(), y.mean()]]) == pytest.approx(camera.project(np.array([[100.0, 60.0]])), abs=1.0)
    assert np.count_nonzero(face) == pytest.approx(np.pi * 100 * scale**2, rel=0.05)


def test_the_wall_shows_towards_the_camera() -> None:
    """Far from the centre the face shifts outwards, and the cardboard's edge shows on the inner side."""
    camera, picture = view(), painted(TokenPose(20, 60))
    y, x = np.nonzero(is_face(picture))
    middle = camera.project(np.array([[20.0, 60.0]]))[0]
    assert x.mean() < middle[0] - 1 and y.mean() == pytest.approx(middle[1], abs=1.0)
    near = picture[round(middle[1]), x.max() + 2]
    assert (near < CARDBOARD).all() and (near < WHITE - 60).all()


def test_a_token_casts_a_soft_shadow() -> None:
    """A token darkens the table beside it, in a wider area the higher it lies, and not farther away."""
    low, high = painted(TokenPose(100, 60)), painted(TokenPose(100, 60, low=6.0))
    dark = [int((picture[300:420, 500:620] < WHITE - 4).sum()) for picture in (low, high)]
    assert dark[1] > dark[0] > 0
    assert (low[:100] == WHITE).all()


def test_the_later_token_lies_above() -> None:
    """Where tokens overlap, the face painted last is whole."""
    picture = np.full((600, 1000, 3), WHITE, np.uint8)
    for name, pose in (("money-50", TokenPose(94, 60)), ("money-500", TokenPose(106, 60, low=2.0))):
        paint_token(picture, view(), DISCS[name], pose)
    x, y = view().project(np.array([[100.0, 60.0]]))[0]
    assert picture[round(y), round(x)].tolist() == pytest.approx(COLOURS["money-500"], abs=3)


def test_print_that_lies_aside_leaves_the_edge_where_it_is() -> None:
    """A misaligned cut shifts the print and not the token."""
    moved = token_outline(disc(RED), TokenPose(50, 50, aside=(1.0, 0.0)))
    assert np.array_equal(moved, token_outline(disc(RED), TokenPose(50, 50)))


def test_outlines_are_clockwise_and_turn_clockwise() -> None:
    """Outlines run clockwise, as the mat's corners do, and a quarter turn swaps width and height."""
    outline = token_outline(tile(RED, (32.0, 22.0)), TokenPose(100, 50, turn=90.0))
    assert np.ptp(outline, axis=0) == pytest.approx([22.0, 32.0], abs=0.3)
    x, y = (outline - outline.mean(axis=0)).T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0


def test_a_gleam_brightens_a_streak() -> None:
    """Glare whitens a streak of the face and leaves its shape and the rest unchanged."""
    face = disc((40, 40, 40))
    shining = gleaming(face, 0.8, np.random.default_rng(4))
    risen = shining.picture.astype(int) - face.picture
    inside = risen[face.mask > 0]
    assert inside.max() > 150 and inside.min() >= 0 and np.percentile(inside, 20) < 60
    assert msgspec.structs.replace(shining, picture=face.picture).mask is face.mask


def test_a_game_s_tokens_are_drawn_when_they_are_needed() -> None:
    """Each face of a game is drawn under its name when needed, and a disc is 20 mm wide."""
    drawn = DrawnTokens("take-a-train")
    assert {"money-50", "auction-blind", "back-auction", "sequence-6", "purpose-P-18", "back-purpose"} <= set(drawn)
    outline = token_outline(drawn["money-50"], TokenPose(0, 0))
    assert np.ptp(outline, axis=0) == pytest.approx([20.0, 20.0], abs=0.4)
    assert drawn["money-50"] is drawn["money-50"]
