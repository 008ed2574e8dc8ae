"""Tests of frames: a slot's own coordinates for any direction of its cards on the mat."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.take_a_train.layout import places
from vision.mat import Mat, MatPose, Slot, make_mat
from vision.slots.slot_frame import frame_of

CARD = (63.0, 88.0)


@pytest.fixture(scope="module")
def mat() -> Mat:
    """Return a mat for four with seats on both long sides."""
    return make_mat(places(4), CARD)


def test_rows_run_upwards_in_their_frames(mat: Mat) -> None:
    """In its frame each row runs upwards, for seats on both sides of the table."""
    for slot in mat.read():
        if slot.kind == "row":
            frame = frame_of(mat, slot)
            first, second = (frame.home(nth).mean(axis=0) for nth in (0, 1))
            assert np.allclose(second - first, (0.0, -22.0))


def test_homes_are_the_mats_own_outlines(mat: Mat) -> None:
    """An outline's corners in the frame are the mat's, with another first corner if the cards are turned."""
    for slot in mat.read():
        frame = frame_of(mat, slot)
        for nth in range(slot.most):
            own = np.roll(frame.on_mat(frame.home(nth)), -frame.lie, axis=0)
            assert np.allclose(own, mat.corners(slot, nth))


@pytest.mark.parametrize(("step", "turn"), [((22.0, 0.0), 0), ((-22.0, 0.0), 2), ((0.0, 22.0), 2), ((0.0, -22.0), 0)])
def test_rows_of_any_direction(step: tuple[float, float], turn: int) -> None:
    """Rows of wide cards run sideways on the mat and upwards in their frame."""
    slot = Slot("seat.1.train.1", "row", 200.0, 200.0, turn, 4, step)
    wide = Mat((600.0, 600.0), (88.0, 63.0), (slot,))
    frame = frame_of(wide, slot)
    first, second = (frame.home(nth).mean(axis=0) for nth in (0, 1))
    assert np.allclose(second - first, (0.0, -22.0))
    assert np.allclose(np.roll(frame.on_mat(frame.home(0)), -frame.lie, axis=0), wide.corners(slot))


def test_a_view_shows_the_frame_straight(mat: Mat) -> None:
    """A mark on the mat appears at its point of the frame, even under lens distortion."""
    slot = next(slot for slot in mat.read() if slot.turn == 2)
    frame = frame_of(mat, slot)
    point = np.array([[40.0, 60.0]])
    for bend in (0.0, 0.02):
        pose = MatPose(np.array([[2.0, 0.1, 30.0], [-0.05, 2.1, 60.0], [0.0, 0.00005, 1.0]]), (1400, 1800), bend)
        picture = np.zeros((1800, 1400, 3), np.uint8)
        x, y = pose.project(frame.on_mat(point))[0]
        cv2.circle(picture, (round(float(x) * 16), round(float(y) * 16)), 5 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
        view = frame.view(picture, pose, 2.0)[:, :, 0].astype(np.float64)
        rows, columns = np.indices(view.shape)
        middle = np.array([(columns * view).sum(), (rows * view).sum()]) / view.sum()
        assert np.allclose((middle + 0.5) / 2.0, point[0], atol=0.3)
