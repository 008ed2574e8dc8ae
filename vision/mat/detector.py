"""Find a mat in a picture by its markers, and keep its pose while markers are hidden or the camera is bumped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image, Matrix
from vision.mat.aruco import detect, is_still_there
from vision.mat.mat import Mat, Points
from vision.mat.pose import MatPose, least_scale, perspective, undistort
from vision.mat.tiling import BLOCK

Found: TypeAlias = Mapping[int, npt.NDArray[np.float64]]
"""Markers in a picture: their corners in pixels by number."""
FEWEST = 3
"""The minimum number of markers to find a mat. Two would leave distant parts too uncertain."""
AGREE = 2.0
"""The maximum distance in millimetres between markers and their common plane. Sheets laid by hand, and printers, err
less."""
OFF = 3.0
"""The mean corner error in millimetres above which a sheet lies wrongly. Cards are located more precisely."""
BENDS = tuple(round(n * 0.02, 2) for n in range(-10, 11) if n)
"""The lens distortions to try, from strong barrel to strong pincushion."""
EXACT = 0.5
"""The mean error of markers in millimetres when everything lies as printed."""
BENDING = 8
"""The minimum number of markers to estimate the lens."""
KEPT = 120 * 1_000_000_000
"""Nanoseconds during which a hidden mat keeps its last pose."""
BUMPED = 1.5
"""Movement of the mat in the picture, in millimetres, above which the camera was bumped. Smaller ones are marker
noise."""


def find(picture: Image, mat: Mat) -> MatPose | None:
    """Return the mat's pose in a picture, or None if it cannot be found."""
    return fit(detect(picture), mat, (picture.shape[1], picture.shape[0]))


def best_mat(
    found: Mapping[int, npt.NDArray[np.float64]], mats: Iterable[Mat], size: tuple[int, int]
) -> tuple[Mat, MatPose] | None:
    """Return the mat that most of these markers agree on, and its pose.

    The iterable makes mats on demand. The search stops at the first mat that explains all markers.
    """
    best: tuple[Mat, MatPose] | None = None
    for mat in mats:
        pose = fit(found, mat, size)
        if pose is not None and _explains_all(found, mat, pose):
            return mat, pose
        if pose is not None and (best is None or (pose.seen, -pose.error) > (best[1].seen, -best[1].error)):
            best = mat, pose
    return best


def _explains_all(found: Found, mat: Mat, pose: MatPose) -> bool:
    """Whether all the picture's markers in this mat's number blocks lie exactly at their places."""
    blocks = {marker.id // BLOCK for marker in mat.markers}
    those = [number for number in found if number // BLOCK in blocks]
    return len(those) == pose.seen >= BENDING and pose.error <= EXACT * pose.scale


def fit(found: Mapping[int, npt.NDArray[np.float64]], mat: Mat, size: tuple[int, int]) -> MatPose | None:
    """Return the pose that most of the markers agree on, or None if too few do."""
    seen = [marker for marker in mat.markers if marker.id in found]
    if len(seen) < FEWEST:
        return None
    on_mat = np.vstack([marker.corners() for marker in seen])
    pixels = np.vstack([found[marker.id] for marker in seen])
    bend, agreeing = 0.0, _agreeing(on_mat, pixels)
    # Markers that fit nowhere, or all fit badly, reveal a lens with distortion.
    if (len(seen) >= BENDING or mat.outline) and (
        agreeing.sum() < 8 or not agreeing.all() or _spread(on_mat, pixels) > 0.25
    ):
        bend, agreeing = _best_bend(on_mat, pixels, size)
    whole = agreeing.reshape(-1, 4).all(axis=1)
    if whole.sum() < FEWEST:
        return None
    straight = undistort(pixels, bend, size)
    homography = _homography(on_mat[agreeing], straight[agreeing])
    if homography is None:
        return None
    pose = MatPose(homography, size, bend)
    error = pose.project(on_mat[agreeing]) - pixels[agreeing]
    away = np.linalg.norm(pose.locate(pixels) - on_mat, axis=1).reshape(-1, 4).mean(axis=1)
    sheets = {sheet: float(np.mean([a for a, m in zip(away, seen, strict=True) if m.sheet == sheet]))
              for sheet in {marker.sheet for marker in seen}}  # fmt: skip
    return msgspec.structs.replace(
        pose,
        error=float(np.sqrt((error**2).sum(axis=1).mean())),
        scale=least_scale(pose, mat),
        seen=int(whole.sum()),
        off=tuple(sorted(sheet for sheet, much in sheets.items() if sheet and much > OFF)),
    )


def _agreeing(on_mat: Points, pixels: Points) -> npt.NDArray[np.bool_]:
    """Return which corners agree on one plane within `AGREE` millimetres."""
    # Fit from pixels to millimetres, so that the tolerance is the same near and far.
    cv2.setRNGSeed(1)  # the same picture yields the same pose
    _, inside = cv2.findHomography(pixels, on_mat, cv2.RANSAC, AGREE, maxIters=500, confidence=0.999)
    if inside is None:
        return np.zeros(len(pixels), dtype=bool)
    return np.asarray(inside).ravel().astype(bool)


def _homography(on_mat: Points, pixels: Points) -> Matrix | None:
    """Return the best homography, or None if the corners determine none."""
    found, _ = cv2.findHomography(on_mat, pixels, 0)
    return None if found is None else np.asarray(found, dtype=np.float64)


def _spread(on_mat: Points, pixels: Points) -> float:
    """Return the distance of corners from their best plane in millimetres (root mean square)."""
    back = _homography(pixels, on_mat)
    if back is None:
        return np.inf
    return float(np.sqrt(((perspective(back, pixels) - on_mat) ** 2).sum(axis=1).mean()))


def _best_bend(on_mat: Points, pixels: Points, size: tuple[int, int]) -> tuple[float, npt.NDArray[np.bool_]]:
    """Return the distortion that most corners agree with, and those corners; 0 if distortion improves nothing."""
    tries = {bend: _agreeing(on_mat, undistort(pixels, bend, size)) for bend in (0.0, *BENDS)}
    bend = max(tries, key=lambda each: (tries[each].sum(), -_plane_error(on_mat, pixels, tries[each], each, size)))
    agreeing = tries[bend]
    if agreeing.sum() < 8:
        return 0.0, tries[0.0]
    fine = min(
        np.linspace(bend - 0.02, bend + 0.02, 21),
        key=lambda each: _plane_error(on_mat, pixels, agreeing, float(each), size),
    )
    plain = _plane_error(on_mat, pixels, agreeing, 0.0, size)
    if _plane_error(on_mat, pixels, agreeing, float(fine), size) > 0.8 * plain:
        return 0.0, tries[0.0]
    again = _agreeing(on_mat, undistort(pixels, float(fine), size))
    return float(fine), again


def _plane_error(
    on_mat: Points, pixels: Points, which: npt.NDArray[np.bool_], bend: float, size: tuple[int, int]
) -> float:
    """Return the distance of these corners from one plane with this distortion, in millimetres."""
    if which.sum() < 4:
        return np.inf
    return _spread(on_mat[which], undistort(pixels[which], bend, size))


THERE = 0.5
"""Millimetres within which a marker counts as unmoved."""
HOLDING = 0.8
"""The minimum share of the last markers that must be unmoved. For each sheet it is one half."""


class MatDetector:
    """Tracks a mat's pose over many pictures. Callers pass times in nanoseconds of CLOCK_MONOTONIC.

    mats: the possible mats, or a function that returns them for the markers in a picture.
    """

    def __init__(self, mats: Iterable[Mat] | Callable[[Found], Iterable[Mat]]) -> None:
        known = () if callable(mats) else tuple(mats)
        self._mats = mats if callable(mats) else lambda found: known
        self.mat: Mat | None = None
        """The last mat found, or None before the first."""
        self.pose: MatPose | None = None
        self.in_sight = False
        """Whether the last picture showed its markers. Otherwise `pose` is its previous pose."""
        self.bumped = 0
        """The number of times that the mat was found at another place."""
        self._seen_at = 0
        self._markers: tuple[int, ...] = ()

    def look(self, picture: Image, at: int) -> MatPose | None:
        """Return the mat's pose in this picture, or its last pose while its markers are hidden."""
        if self._holds(picture):
            self._seen_at, self.in_sight = at, True
            return self.pose
        seen, size = detect(picture), (picture.shape[1], picture.shape[0])
        self._markers = tuple(seen)
        pose = fit(seen, self.mat, size) if self.mat is not None else None
        found = best_mat(seen, self._mats(seen), size) if pose is None or self.mat is None else (self.mat, pose)
        self.in_sight = found is not None
        if found is None:
            if at - self._seen_at > KEPT or self._has_new_size(picture):
                self.forget()
            return self.pose
        mat, pose = found
        if self.mat != mat or self.pose is None or self._has_new_size(picture):
            self.mat, self.pose = mat, pose
        elif self._has_moved(pose):
            self.bumped += 1
            self.pose = pose
        elif pose.off != self.pose.off or pose.seen > self.pose.seen:
            # A better pose. Otherwise keep the old one and the black-out made for it.
            self.pose = pose
        self._seen_at = at
        return self.pose

    def forget(self) -> None:
        """Forget the mat and search from scratch."""
        self.mat = self.pose = None
        self.in_sight = False

    def _holds(self, picture: Image) -> bool:
        """Whether nearly all known markers are unmoved, so that no detection is needed."""
        if self.mat is None or self.pose is None or self._has_new_size(picture) or self.pose.off:
            return False
        seen = [marker for marker in self.mat.markers if marker.id in self._markers]
        off = max(1.0, THERE * self.pose.scale) + self.pose.error
        there = [marker for marker in seen if is_still_there(picture, self.pose.project(marker.corners()), off)]
        sheets = Counter(marker.sheet for marker in there)
        whole = all(2 * sheets[sheet] >= number for sheet, number in Counter(m.sheet for m in seen).items())
        return whole and len(there) >= max(FEWEST, HOLDING * len(seen))

    def _has_new_size(self, picture: Image) -> bool:
        return self.pose is not None and self.pose.picture != (picture.shape[1], picture.shape[0])

    def _has_moved(self, pose: MatPose) -> bool:
        """Whether the mat has moved in the picture."""
        assert self.mat is not None and self.pose is not None
        width, height = self.mat.size
        points = np.array([[x, y] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)]) * (width, height)
        away = np.linalg.norm(pose.project(points) - self.pose.project(points), axis=1)
        return float(np.median(away)) > BUMPED * pose.scale
