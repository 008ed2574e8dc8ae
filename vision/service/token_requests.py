"""Requests about enrolling tokens: where a picture comes from, and what of it is looked at."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import msgspec
import numpy as np

from companion.devices import camera_requests as ask
from companion.devices.camera_requests import CameraAnswer
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.tokens.capture import TokenCapture
from vision.tokens.paper_sheet import PlainGround, find_sheet, straight_ground

MIDDLE = (250.0, 170.0)
"""Width and height in millimetres of what is looked at in a mat's middle: a sheet of A4 or letter covers it, also if it
lies a little aside or turned."""
BRIGHT = 75
"""The percentile of a picture's brightness that hides a place: about paper's, so that nothing seems to lie there."""
TokenRequest = ask.CaptureTokens | ask.ReadTokens | ask.EnrolToken | ask.ForgetToken | ask.CompareTokens


class CameraView(msgspec.Struct, frozen=True, eq=False):
    """A picture of the camera, and the mat in it."""

    picture: Image
    pose: MatPose | None = None
    """None, as is `mat`: no mat has been found."""
    mat: Mat | None = None


class TokenRequests:
    """Answers what is asked about tokens. Used by the worker's thread."""

    def __init__(
        self, capture: TokenCapture, photograph: Callable[[str], Image], view: Callable[[], CameraView]
    ) -> None:
        """`photograph` returns one from the frames folder, `view` what the camera sees."""
        self._capture, self._photograph, self._view = capture, photograph, view

    def fulfil(self, request: TokenRequest) -> CameraAnswer:
        """Return the answer to a request; raise `RequestRefused`, `TokenError` or `OSError`."""
        match request:
            case ask.CaptureTokens(deck, file):
                self._capture.begin(deck)
                ground = find_sheet(self._photograph(file)) if file else plain_ground(self._view())
                return self._capture.capture(deck, ground)
            case ask.ReadTokens(deck):
                return self._capture.read(deck)
            case ask.EnrolToken(deck, picture, token):
                self._capture.enrol(deck, picture, token)
                return CameraAnswer()
            case ask.ForgetToken(deck, token, picture):
                self._capture.forget(deck, token, picture)
                return CameraAnswer()
            case ask.CompareTokens(deck):
                return self._capture.compare(deck)


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
