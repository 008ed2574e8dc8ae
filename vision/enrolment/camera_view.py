"""A picture with the mat in it, and its plain ground for tokens."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.enrolment.paper_sheet import PlainGround, find_sheet, straight_ground
from vision.image import Image
from vision.mat import Mat, MatPose

MIDDLE = (250.0, 170.0)
"""Width and height in millimetres of the ground in a mat's middle. A sheet of A4 or letter covers it, even if
slightly shifted or rotated."""
BRIGHT = 75
"""The percentile of a picture's brightness for hiding a place, close to paper's, so that the place looks empty."""


class CameraView(msgspec.Struct, frozen=True, eq=False):
    """The camera's picture with its mat, or a photograph."""

    picture: Image
    pose: MatPose | None = None
    """The mat's pose. Like `mat`, it is None until a mat has been found."""
    mat: Mat | None = None


def plain_ground(view: CameraView) -> PlainGround | None:
    """Return the ground in the middle of the mat, or on a sheet of paper, or None without either.

    The seats' places for tokens are hidden, so that nobody can look into a hand.
    """
    pose, mat, picture = view.pose, view.mat, view.picture
    if pose is None or mat is None or pose.picture != (picture.shape[1], picture.shape[0]):
        return find_sheet(picture)
    half = np.array(MIDDLE) / 2
    around = np.array(mat.size) / 2 + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    clean = picture.copy()
    paper = [float(channel) for channel in np.percentile(picture.reshape(-1, 3), BRIGHT, axis=0)]
    for slot in mat.token_slots:
        if slot.seat is not None:
            cv2.fillConvexPoly(clean, np.rint(pose.project(slot.corners())).astype(np.int32), paper)
    return straight_ground(clean, pose.project(around).astype(np.float32), MIDDLE)
