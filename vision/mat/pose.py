"""A mat's pose in a picture: from millimetres to pixels and back, straightening, and black-out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Image, Matrix
from vision.mat.mat import Mat, Points, box_around

Polygon: TypeAlias = tuple[tuple[float, float], ...]
"""An outline in millimetres of the mat, as hashable tuples for cached masks."""
FOCAL = 1.0
"""A usual camera's focal length in widths of its picture, for estimating how far upright objects appear to lean."""
OVER = 15.0
"""Millimetres around a place that stay visible, so that a card beyond its outline is still read."""

HIDDEN = 3.0
"""Millimetres around a place for tokens that are blacked out with it: half the distance to the next card's outline.
A coin over an edge thus shows no colour, and a slightly shifted card is still read."""


class MatPose(msgspec.Struct, frozen=True, eq=False):
    """A mat's pose in pictures of one size, with a lens that may have slight radial distortion.

    `homography` maps millimetres to an undistorted picture. The lens then moves each pixel along the line to the
    picture's middle. To undistort pixel p: q = p · (1 + bend · r²), with r the distance to the middle in half
    diagonals.
    """

    homography: Matrix
    """The homography from millimetres to undistorted pixels."""
    picture: tuple[int, int]
    """Width and height in pixels of the picture."""
    bend: float = 0.0
    error: float = 0.0
    """The reprojection error of the markers' corners in pixels (root mean square)."""
    scale: float = 0.0
    """The lowest pixels per millimetre on the mat."""
    seen: int = 0
    """The number of markers found."""
    off: tuple[int, ...] = ()
    """The numbers of sheets that lie wrongly."""

    def project(self, points: Points) -> Points:
        """Return the pixels of points of the mat, n × 2 from millimetres."""
        return distort(perspective(self.homography, points), self.bend, self.picture)

    def locate(self, pixels: Points) -> Points:
        """Return the points on the mat of pixels, n × 2 in millimetres."""
        inverse: Matrix = np.linalg.inv(self.homography).astype(np.float64)
        return perspective(inverse, undistort(np.asarray(pixels, dtype=np.float64), self.bend, self.picture))

    def resize(self, size: tuple[int, int]) -> MatPose:
        """Return the pose in the same picture resized to width × height."""
        across, down = size[0] / self.picture[0], size[1] / self.picture[1]
        # Pixel coordinates refer to pixel centres, so the picture begins at -0.5.
        scaling = np.array([[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1]])
        return msgspec.structs.replace(
            self, homography=scaling @ self.homography, picture=size, scale=self.scale * min(across, down)
        )


def perspective(matrix: Matrix, points: Points) -> Points:
    """Return points transformed by a homography, n × 2."""
    spread = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    found: Points = spread[:, :2] / spread[:, 2:]
    return found


def undistort(pixels: Points, bend: float, size: tuple[int, int]) -> Points:
    """Return the undistorted positions of pixels."""
    if not bend:
        return pixels
    middle, half = _middle(size)
    away = (pixels - middle) / half
    found: Points = pixels + (pixels - middle) * bend * (away**2).sum(axis=1, keepdims=True)
    return found


def distort(pixels: Points, bend: float, size: tuple[int, int]) -> Points:
    """Return the distorted positions of pixels: the inverse of `undistort`."""
    if not bend:
        return pixels
    middle, half = _middle(size)
    wanted = (pixels - middle) / half
    away = wanted.copy()
    for _ in range(12):  # each round reduces the error by a factor of about the bend
        away = wanted / (1 + bend * (away**2).sum(axis=1, keepdims=True))
    found: Points = middle + away * half
    return found


def _middle(size: tuple[int, int]) -> tuple[Points, float]:
    return (np.array(size, dtype=np.float64) - 1) / 2, float(np.hypot(*size)) / 2


def least_scale(pose: MatPose, mat: Mat) -> float:
    """Return the smallest scale on the mat in pixels per millimetre, along the worse direction."""
    points = np.vstack(list(mat.areas()))
    here = pose.project(points)
    across = pose.project(points + (1.0, 0.0)) - here
    down = pose.project(points + (0.0, 1.0)) - here
    return float(
        min(np.linalg.svd(np.column_stack(pair), compute_uv=False)[-1] for pair in zip(across, down, strict=True))
    )


def straighten(picture: Image, pose: MatPose, px_per_mm: float, size: tuple[float, float]) -> Image:
    """Return the mat from straight above, `size` in millimetres: x, y in mm become pixel x, y times `px_per_mm`."""
    shape = (max(1, round(size[0] * px_per_mm)), max(1, round(size[1] * px_per_mm)))
    if not pose.bend:
        down = pose.homography @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(picture, down, shape, flags=flags), dtype=np.uint8)
    x, y = _maps(pose, px_per_mm, shape)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.uint8)


@lru_cache(maxsize=4)
def _maps(pose: MatPose, px_per_mm: float, shape: tuple[int, int]) -> tuple[Image, Image]:
    """Return the source positions of the straightened picture's pixels, as maps for `cv2.remap`."""
    x, y = np.meshgrid(np.arange(shape[0]) / px_per_mm, np.arange(shape[1]) / px_per_mm)
    seen = pose.project(np.column_stack([x.ravel(), y.ravel()])).astype(np.float32)
    return fixed_point_maps(seen.reshape(shape[1], shape[0], 2))


def fixed_point_maps(seen: npt.NDArray[np.float32]) -> tuple[Image, Image]:
    """Return positions (h × w × 2: x and y in the picture) in the fastest map format of `cv2.remap`."""
    maps: tuple[Image, Image] = cv2.convertMaps(seen, None, cv2.CV_16SC2)  # type: ignore[call-overload]
    return maps


@lru_cache(maxsize=8)
def visible(pose: MatPose, mat: Mat, readable: frozenset[str] = frozenset(), known: tuple[Polygon, ...] = ()) -> Image:
    """Return a mask over the picture: 255 at places that the camera reads and closely around them, else 0.

    Places for tokens are visible only if they are `readable`, and without any margin. In the others, only the `known`
    polygons (millimetres of the mat) stay visible.
    """
    mask = np.zeros((pose.picture[1], pose.picture[0]), dtype=np.uint8)
    hulls = [mat.hull(slot, OVER) for slot in mat.read()]
    for hull in [*hulls, mat.board_area()] if mat.board is not None else hulls:
        _fill(mask, pose, hull, 255)
    if mat.outline:
        _fill(mask, pose, np.array(mat.outline), 255)
    hidden = [slot for slot in mat.token_slots if slot.place not in readable]
    for slot in mat.token_slots:
        _fill(mask, pose, slot.corners(), 255)
    for slot in hidden:  # last, because the margins of card places overlap them
        _fill(mask, pose, box_around(slot.corners(), HIDDEN), 0)
    if known and hidden:
        mask |= _filled(pose, [slot.corners() for slot in hidden]) & _filled(pose, [np.array(each) for each in known])
    return mask


def _filled(pose: MatPose, outlines: Iterable[Points]) -> npt.NDArray[np.uint8]:
    """Return a mask over the picture: 255 within the outlines, which are in millimetres."""
    mask = np.zeros((pose.picture[1], pose.picture[0]), dtype=np.uint8)
    for outline in outlines:
        _fill(mask, pose, outline, 255)
    return mask


def _fill(mask: Image, pose: MatPose, outline: Points, level: int) -> None:
    along = np.linspace(0, 1, 8, endpoint=False)[:, None]  # distortion bends edges, so the end points do not suffice
    points = np.vstack([a + (b - a) * along for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True)])
    pixels = np.clip(np.round(pose.project(points)), -(1 << 14), 1 << 14).astype(np.int32)
    cv2.fillPoly(mask, [pixels.reshape(-1, 1, 2)], level)


def show_only(picture: Image, pose: MatPose, outlines: Iterable[Points]) -> Image:
    """Return a copy of the picture that is black outside these outlines, which are in millimetres."""
    return np.asarray(cv2.copyTo(picture, _filled(pose, outlines)), dtype=np.uint8)


def black_out(
    picture: Image,
    pose: MatPose,
    mat: Mat,
    board: tuple[Mat, MatPose] | None = None,
    readable: frozenset[str] = frozenset(),
    known: tuple[Polygon, ...] = (),
) -> Image:
    """Return a copy of the picture with everything but the read places black, such as faces, hands of cards and
    letters.

    board: a board beside the mat that stays visible. readable, known: as in `visible`. Raise `ValueError` if the
    picture's size differs from the pose's.
    """
    if (picture.shape[1], picture.shape[0]) != pose.picture:
        wanted = f"{pose.picture[0]}×{pose.picture[1]}"
        raise ValueError(f"the picture is {picture.shape[1]}×{picture.shape[0]}, but the pose is for {wanted}")
    mask = visible(pose, mat, readable, known)
    if board is not None:
        mask = np.asarray(cv2.bitwise_or(mask, visible(board[1], board[0])), dtype=np.uint8)
    return np.asarray(cv2.copyTo(picture, mask), dtype=np.uint8)


def camera_of(pose: MatPose) -> Points:
    """Return the position of a usual camera with this pose: x, y and height in millimetres of the mat."""
    focal, (wide, high) = FOCAL * max(pose.picture), pose.picture
    lens = np.array([[focal, 0, (wide - 1) / 2], [0, focal, (high - 1) / 2], [0, 0, 1]])
    plane = np.linalg.inv(lens) @ pose.homography
    plane /= (np.linalg.norm(plane[:, 0]) + np.linalg.norm(plane[:, 1])) / 2
    u, _, v = np.linalg.svd(np.column_stack([plane[:, 0], plane[:, 1], np.cross(plane[:, 0], plane[:, 1])]))
    where = -(u @ v).T @ plane[:, 2]
    return np.array([where[0], where[1], abs(where[2])], np.float64)
