"""Finds a mat in a picture by its markers, and keeps it through hidden markers and a bumped camera."""

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
"""Markers below which a mat counts as not found: two say too little of what is far from them."""
AGREE = 2.0
"""Millimetres: markers within so much of one plane agree. Sheets laid by hand, and printers, err by less."""
OFF = 3.0
"""Millimetres by which a sheet may lie wrongly, on average over its corners; cards are found to better than that."""
BENDS = tuple(round(n * 0.02, 2) for n in range(-10, 11) if n)
"""Lenses to try: from a strong barrel to a strong cushion."""
EXACT = 0.5
"""Millimetres by which markers are read and laid wrongly, on average, where everything is as printed."""
BENDING = 8
"""Markers needed to say anything of the lens."""
KEPT = 120 * 1_000_000_000
"""Nanoseconds for which a mat that is hidden is taken to lie where it lay."""
BUMPED = 1.5
"""Millimetres by which the mat has moved in the picture when the camera was bumped; less is the markers' own error."""


def find(picture: Image, mat: Mat) -> MatPose | None:
    """Return where the mat lies in a picture, None where it cannot be told."""
    return fit(detect(picture), mat, (picture.shape[1], picture.shape[0]))


def best_mat(
    found: Mapping[int, npt.NDArray[np.float64]], mats: Iterable[Mat], size: tuple[int, int]
) -> tuple[Mat, MatPose] | None:
    """Return the mat that most of these markers agree on, and its pose.

    Mats are made one by one as this asks for them. None is made after one that leaves nothing to be explained.
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
    """Whether all markers in the picture with numbers of this mat's kind lie just where the mat has them."""
    blocks = {marker.id // BLOCK for marker in mat.markers}
    those = [number for number in found if number // BLOCK in blocks]
    return len(those) == pose.seen >= BENDING and pose.error <= EXACT * pose.scale


def fit(found: Mapping[int, npt.NDArray[np.float64]], mat: Mat, size: tuple[int, int]) -> MatPose | None:
    """Return the pose that most of the markers agree on, None where too few do."""
    seen = [marker for marker in mat.markers if marker.id in found]
    if len(seen) < FEWEST:
        return None
    on_mat = np.vstack([marker.corners() for marker in seen])
    pixels = np.vstack([found[marker.id] for marker in seen])
    bend, agreeing = 0.0, _agreeing(on_mat, pixels)
    # A lens that bends shows itself by markers that fit nowhere, or by all of them fitting badly.
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
    """Return which corners agree on one plane, to within `AGREE` millimetres."""
    # From pixels to millimetres, so that what is allowed is in millimetres everywhere, near and far.
    cv2.setRNGSeed(1)  # the same picture gives the same pose
    _, inside = cv2.findHomography(pixels, on_mat, cv2.RANSAC, AGREE, maxIters=500, confidence=0.999)
    if inside is None:
        return np.zeros(len(pixels), dtype=bool)
    return np.asarray(inside).ravel().astype(bool)


def _homography(on_mat: Points, pixels: Points) -> Matrix | None:
    """Return the plane that fits best, None where the corners give none."""
    found, _ = cv2.findHomography(on_mat, pixels, 0)
    return None if found is None else np.asarray(found, dtype=np.float64)


def _spread(on_mat: Points, pixels: Points) -> float:
    """Return how far, in millimetres, corners are from the plane that fits them best (root of the mean square)."""
    back = _homography(pixels, on_mat)
    if back is None:
        return np.inf
    return float(np.sqrt(((perspective(back, pixels) - on_mat) ** 2).sum(axis=1).mean()))


def _best_bend(on_mat: Points, pixels: Points, size: tuple[int, int]) -> tuple[float, npt.NDArray[np.bool_]]:
    """Return the lens with which most corners agree, and which do: no bend at all where it wins nothing."""
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
    """Return how far these corners are from one plane with this lens, in millimetres."""
    if which.sum() < 4:
        return np.inf
    return _spread(on_mat[which], undistort(pixels[which], bend, size))


THERE = 0.5
"""Millimetres within which a marker lies where it lay."""
HOLDING = 0.8
"""The part of the markers seen last that must lie where they lay; of each sheet's, half."""


class MatDetector:
    """Keeps a mat's pose over many pictures. Moments are nanoseconds of CLOCK_MONOTONIC, handed in.

    `mats` are those that may lie there, or a function that returns them for the markers that are seen.
    """

    def __init__(self, mats: Iterable[Mat] | Callable[[Found], Iterable[Mat]]) -> None:
        known = () if callable(mats) else tuple(mats)
        self._mats = mats if callable(mats) else lambda found: known
        self.mat: Mat | None = None
        """The mat that was found last, None before any was."""
        self.pose: MatPose | None = None
        self.in_sight = False
        """Whether its markers were seen in the last picture; else `pose` is where it lay before."""
        self.bumped = 0
        """How often the mat was found elsewhere than before."""
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
            # A better look; else the old one stays, and with it the black-out that was made for it.
            self.pose = pose
        self._seen_at = at
        return self.pose

    def forget(self) -> None:
        """Forget the mat and search from scratch."""
        self.mat = self.pose = None
        self.in_sight = False

    def _holds(self, picture: Image) -> bool:
        """Whether nearly all markers that were seen lie where they were seen: then nothing has to be looked for."""
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
        """Whether the mat lies elsewhere in the picture than it did."""
        assert self.mat is not None and self.pose is not None
        width, height = self.mat.size
        points = np.array([[x, y] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)]) * (width, height)
        away = np.linalg.norm(pose.project(points) - self.pose.project(points), axis=1)
        return float(np.median(away)) > BUMPED * pose.scale
