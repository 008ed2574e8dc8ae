"""Determine a token's rotation and face by comparing polar pictures around a middle at all rotations at once."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.pixels import Floats
from vision.tokens.outline_votes import Outline
from vision.tokens.token_set import PX

RING = 0.8
"""The distance between two rings in millimetres. A readable digit is three rings high."""
ANGLES = 96
"""The number of directions around the middle: 3.75° each, or 0.65 mm on the edge of a token of 20 mm."""
EDGE = 0.4
"""Millimetres to ignore at the outline, which cutting and a token's side blur."""
SOFT = 0.35
"""Sigma in millimetres of the blur before sampling, so that a ring stands for the area up to the next one."""

TURNS, BESIDE = 2, 6
"""The number of rotations to return per face, and the minimum distance between them in directions. Half-covered
digits look similar upside down."""
NEIGHBOURS = np.arange(-BESIDE, BESIDE + 1)
LEAST_SEEN = 0.1
"""The minimum reliable share of a face for comparing it."""

Spectrum = npt.NDArray[np.complex64]


class TurnedFace(msgspec.Struct, frozen=True):
    """A face at a possible rotation."""

    face: int
    """The index of the set's face."""
    turn: float
    """Clockwise radians."""
    distance: float
    """The mean square of the difference, in the look's units."""
    visible: float
    """Its visible share."""


class PolarFaces:
    """The faces of one outline in polar coordinates."""

    def __init__(self, outline: Outline, looks: Sequence[Floats], masks: Sequence[Floats]) -> None:
        """Unroll the faces of an outline.

        looks, masks: at `PX` pixels per millimetre, square around the middle.
        """
        self._faces = outline.faces
        rings = int((outline.reach - EDGE) / RING)
        radii = (np.arange(rings, dtype=np.float32) + 0.5) * RING
        turns = np.arange(ANGLES, dtype=np.float32) * np.float32(2 * np.pi / ANGLES)
        self._across = radii[:, None] * np.cos(turns)
        self._down = radii[:, None] * np.sin(turns)
        weight = radii[None, :, None] / radii.mean()
        unrolled = [self._unrolled(look, look.shape[0] / 2 / PX, look.shape[0] / 2 / PX, PX) for look in looks]
        inside = [self._unrolled(mask, mask.shape[0] / 2 / PX, mask.shape[0] / 2 / PX, PX) for mask in masks]
        known = np.stack(unrolled)
        on = np.stack([(each[:, :, 0] > 0.99) for each in inside]).astype(np.float32) * weight
        self._on = _conjugate(on)
        self._known = _conjugate(known * on[:, :, :, None], axis=2)
        self._square = _conjugate((known * known).sum(axis=3) * on)
        self._whole = on.sum(axis=(1, 2))

    def _unrolled(self, picture: Floats, x: float, y: float, px: float) -> Floats:
        """Return rings × `ANGLES` × channels around a point in millimetres."""
        columns = ((self._across + x) * px - 0.5).astype(np.float32)
        rows = ((self._down + y) * px - 0.5).astype(np.float32)
        found = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return found.reshape(*columns.shape, -1)

    def best(self, scene: Floats, px: float, x: float, y: float, most: int) -> list[TurnedFace]:
        """Return the closest faces around a point (millimetres) at their best rotations, closest first.

        scene: h × w × 4, a blurred look and each pixel's weight from 0 to 1.
        """
        seen = self._unrolled(scene, x, y, px)
        believed = seen[:, :, 3]
        look = seen[:, :, :3] * believed[:, :, None]
        square = np.einsum("rac,rac->ra", look, seen[:, :, :3])
        spectra = np.fft.rfft(np.dstack([look, believed, square]), axis=1).astype(np.complex64)
        shared = np.einsum("rac,frac->fa", spectra[:, :, :3], self._known)
        both = np.einsum("ra,fra->fa", spectra[:, :, 4], self._on)
        both += np.einsum("ra,fra->fa", spectra[:, :, 3], self._square)
        weights = np.einsum("ra,fra->fa", spectra[:, :, 3], self._on)
        weight = np.fft.irfft(weights, ANGLES, axis=1)
        away = np.fft.irfft(both - 2 * shared, ANGLES, axis=1) / np.maximum(weight, 1e-3)
        away[weight < LEAST_SEEN * self._whole[:, None]] = np.inf
        faces, rows = np.tile(self._faces, TURNS), np.arange(len(away))
        turns, distances, visible = [], [], []
        for _ in range(TURNS):
            least = away.argmin(axis=1)
            distances.append(away[rows, least])
            visible.append(weight[rows, least] / self._whole)
            turns.append((least + _beside(away, least)) * (2 * np.pi / ANGLES))
            away[rows[:, None], (least[:, None] + NEIGHBOURS) % ANGLES] = np.inf
        turn, distance, part = (np.concatenate(each) for each in (turns, distances, visible))
        nearest = np.argsort(distance, kind="stable")[: min(most, int(np.isfinite(distance).sum()))]
        return [TurnedFace(int(faces[n]), float(turn[n]), float(distance[n]), float(part[n])) for n in nearest]


def _beside(away: npt.NDArray[np.floating], turns: npt.NDArray[np.intp]) -> npt.NDArray[np.floating]:
    """Return the offset of a parabola's minimum through three neighbours from the middle one, at most a half."""
    rows = np.arange(len(away))
    before, here, after = (away[rows, (turns + step) % ANGLES] for step in (-1, 0, 1))
    with np.errstate(invalid="ignore"):
        bend = before - 2 * here + after
        found = np.clip((before - after) / (2 * np.maximum(bend, 1e-12)), -0.5, 0.5)
    return np.where(np.isfinite(bend) & (bend > 0), found, 0.0)


def _conjugate(values: Floats, axis: int = 2) -> Spectrum:
    return np.conj(np.fft.rfft(values, axis=axis)).astype(np.complex64)
