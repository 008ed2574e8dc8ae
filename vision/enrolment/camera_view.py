"""A picture with the mat in it, and the plain ground on which tokens lie there."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.enrolment.paper_sheet import PlainGround, find_sheet, straight_ground
from vision.image import Image
from vision.mat import Mat, MatPose

MIDDLE = (250.0, 170.0)
"""Width and height in millimetres of what is looked at in a mat's middle: a sheet of A4 or letter covers it, also if it
lies a little aside or turned."""
BRIGHT = 75
"""The percentile of a picture's brightness that hides a place: about paper's, so that nothing seems to lie there."""


class CameraView(msgspec.Struct, frozen=True, eq=False):
    """A picture of the camera, and the mat in it; or a photograph."""

    picture: Image
    pose: MatPose | None = None
    """None, as is `mat`: no mat has been found."""
    mat: Mat | None = None


def plain_ground(view: CameraView) -> PlainGround | None:
    """Return what lies in the middle of the mat, else on a sheet of paper; None where there is neither.

    Places for tokens that belong to seats are hidden: nobody may look into a hand from here.
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
