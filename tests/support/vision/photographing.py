"""Synthetic photographs of mats: plain drawings, seen by a camera at a known position."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.take_a_train.layout import places
from vision.image import Image
from vision.mat import Mat, MatPose, make_mat
from vision.mat.aruco import modules

FINE = 4.0
"""Pixels per millimetre of the photographed drawing."""


def mat_for(players: int, card: tuple[float, float] = (63, 88), paper: str = "a4") -> Mat:
    """Return a mat of Take a Train."""
    return make_mat(places(players), card, paper, players)


def drawn(mat: Mat, hidden: tuple[int, ...] = (), moved: dict[int, tuple[float, float]] | None = None) -> Image:
    """Return a mat as drawn: some markers hidden, some sheets misplaced by a few millimetres."""
    height, width = round(mat.size[1] * FINE), round(mat.size[0] * FINE)
    picture = np.full((height, width), 235, dtype=np.uint8)
    for slot in mat.slots:
        for nth in range(slot.most):
            outline = np.round(mat.corners(slot, nth) * FINE).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(picture, [outline], True, 180, 2)
    for marker in mat.markers:
        if marker.id in hidden:
            continue
        across, down = (moved or {}).get(marker.sheet, (0.0, 0.0))
        side = round(marker.side * FINE)
        x, y = round((marker.x + across) * FINE), round((marker.y + down) * FINE)
        if x < 0 or y < 0 or x + side > width or y + side > height:
            continue
        black = np.where(modules(marker.id), 0, 255).astype(np.uint8)
        picture[y : y + side, x : x + side] = cv2.resize(black, (side, side), interpolation=cv2.INTER_NEAREST)
    return picture


def camera(mat: Mat, size: tuple[int, int], bend: float = 0.0, turn: int = 0, shift: float = 0.0) -> MatPose:
    """Return the true view of a camera of this size on the mat: slightly oblique, turned by quarter turns, shifted."""
    width, height = size
    corners = np.array([[0, 0], [mat.size[0], 0], [mat.size[0], mat.size[1]], [0, mat.size[1]]], dtype=np.float64)
    wide = mat.size if turn % 2 == 0 else mat.size[::-1]
    factor = min(width / wide[0], height / wide[1]) * 0.94
    upright = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * wide * factor
    askew = np.array([[0.01, 0.02], [-0.02, 0.0], [0.0, -0.02], [0.02, -0.01]]) * min(size)
    pixels = np.roll(upright + askew, -turn, axis=0) + (width / 2 + shift, height / 2)
    plane = cv2.getPerspectiveTransform(corners.astype(np.float32), pixels.astype(np.float32))
    return MatPose(np.asarray(plane, dtype=np.float64), size, bend)


def photograph(picture: Image, pose: MatPose, noise: float = 3.0, background: int = 70) -> Image:
    """Return the camera's picture, blurred and noisy, in colour."""
    width, height = pose.picture
    if pose.bend:
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        where = pose.locate(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)) * FINE
        grid = where.astype(np.float32).reshape(height, width, 2)
        seen = cv2.remap(picture, grid, None, cv2.INTER_LINEAR, borderValue=background)
    else:
        plane = pose.homography @ np.diag([1 / FINE, 1 / FINE, 1.0])
        seen = cv2.warpPerspective(picture, plane, (width, height), borderValue=background)
    soft = cv2.GaussianBlur(seen, (0, 0), 0.8).astype(np.float32)
    grainy = soft + np.random.default_rng(5).normal(0, noise, soft.shape).astype(np.float32)
    return np.asarray(cv2.cvtColor(np.clip(grainy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def furthest(found: MatPose, true: MatPose, mat: Mat) -> float:
    """Return the largest error of a place, in millimetres."""
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    return float(np.linalg.norm(found.locate(true.project(points)) - points, axis=1).max())
