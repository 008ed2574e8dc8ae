"""Find possible middles of tokens: edges vote at their distance from the middle (a generalised Hough transform).

Source: D. H. Ballard, "Generalizing the Hough transform to detect arbitrary shapes", Pattern Recognition 13 (1981).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.pixels import Floats
from vision.image import Image
from vision.tokens.token_set import ALIKE, PX, coarse_mask, same_outline, shared_part, turned_mask

VOTE_PX = 2.0
"""Pixels per millimetre for votes: a token of 20 mm is 40 pixels wide."""
DIRECTIONS = 18
"""The number of edge directions over half a turn. Each covers 10°, about the error that noise causes."""
TURN = 10
"""The step in degrees between rotations of an outline. `ALIKE` rotations are left out."""
SOFT = 0.7
"""Sigma in pixels for spreading votes, because outlines vary slightly in size by cutting and perspective."""
FULL = 12.0
"""The step in the look (Lab) from which an edge has full weight."""
APART = 2.5
"""The minimum distance in millimetres between two middles of one outline. Closer tokens cover over two thirds of
each other."""

FAINT = 0.2
"""The share of `FULL` below which an edge is noise."""
SPREAD = 1.5
"""The tolerance of an edge's direction, in direction classes."""

Ints = npt.NDArray[np.intp]
Edges = tuple[Ints, Ints, Floats]
"""Rows, columns and strengths."""
Offsets = tuple[Ints, Ints, Floats]
"""Offsets to the right and down, with weights."""


class Outline(msgspec.Struct, frozen=True, eq=False):
    """An outline shared by one or several faces."""

    mask: Image
    """255 inside, at `PX` pixels per millimetre, square around the middle."""
    faces: tuple[int, ...]
    """The indices of the set's faces with this outline."""
    contour: Floats
    """n × 4: points in millimetres from the middle with their normals, half a millimetre apart."""
    turns: tuple[float, ...]
    """The rotations in radians at which it looks different."""
    reach: float
    """The distance in millimetres from the middle to the farthest point."""


class Middle(msgspec.Struct, frozen=True):
    """A possible middle of a token."""

    outline: int
    x: float
    y: float
    """The position in millimetres of the patch."""
    votes: float
    """The share of the outline with an edge there."""


def outlines_of(masks: Sequence[Image]) -> tuple[Outline, ...]:
    """Return the distinct outlines of faces, merging those that coincide."""
    groups: list[list[int]] = []
    for number, mask in enumerate(masks):
        for group in groups:
            if same_outline(masks[group[0]], mask):
                group.append(number)
                break
        else:
            groups.append([number])
    return tuple([_outline(masks[group[0]], group) for group in groups])


def _outline(mask: Image, faces: Sequence[int]) -> Outline:
    turns, small = [0.0], coarse_mask(mask)
    for degrees in range(TURN, 360, TURN):
        turned = turned_mask(small, degrees)
        if all(shared_part(turned, turned_mask(small, float(np.degrees(t)))) < ALIKE for t in turns):
            turns.append(float(np.radians(degrees)))
    contour = _contour(mask)
    reach = float(np.hypot(contour[:, 0], contour[:, 1]).max())
    return Outline(mask, tuple(faces), contour, tuple(turns), reach)


def _contour(mask: Image) -> Floats:
    """Return evenly spaced points of an outline with their normals, in millimetres from the middle."""
    soft = cv2.GaussianBlur(mask, (0, 0), 0.25 * PX)
    found, _ = cv2.findContours((soft > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = max(found, key=len)[:, 0].astype(np.float32)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    steps = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).cumsum()
    count = max(24, round(float(steps[-1]) / PX * 2))
    at = np.searchsorted(steps, np.linspace(0, steps[-1], count, endpoint=False))
    chosen = points[np.minimum(at, len(points) - 1)]
    columns, rows = chosen[:, 0].astype(int), chosen[:, 1].astype(int)
    normals = np.column_stack([across[rows, columns], down[rows, columns]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    half = (mask.shape[0] - 1) / 2
    return np.column_stack([(chosen - half) / PX, normals]).astype(np.float32)


class OutlineVotes:
    """Finds the middles of a set's outlines in places."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines
        self._offsets = [[_offsets(outline, turn) for turn in outline.turns] for outline in outlines]
        self._room = max(int(outline.reach * VOTE_PX) + 2 for outline in outlines)

    def middles(self, look: Floats, px_per_mm: float, least: float, most: int) -> list[Middle]:
        """Return the most likely middles of each outline, at most this many per outline, most votes first."""
        scale = VOTE_PX / px_per_mm
        size = (round(look.shape[1] * scale), round(look.shape[0] * scale))
        edges = find_edges(cv2.resize(look, size, interpolation=cv2.INTER_AREA))
        found: list[Middle] = []
        for number, turns in enumerate(self._offsets):
            votes = self._votes(edges, turns[0], size)
            for offsets in turns[1:]:
                votes = np.maximum(votes, self._votes(edges, offsets, size))
            found += _peaks(votes / len(self._outlines[number].contour), number, least, most)
        return found

    def _votes(self, edges: Sequence[Edges], offsets: Sequence[Offsets], size: tuple[int, int]) -> Floats:
        """Return each pixel's votes as a middle, for an outline at one rotation."""
        wide, high = size[0] + 2 * self._room, size[1] + 2 * self._room
        at, weights = [], []
        for (rows, columns, strength), (x, y, weight) in zip(edges, offsets, strict=True):
            middle = (rows + self._room) * wide + columns + self._room
            at.append((middle[:, None] - (y * wide + x)).ravel())
            weights.append((strength[:, None] * weight).ravel())
        votes = np.bincount(np.concatenate(at), np.concatenate(weights), wide * high)
        soft = cv2.GaussianBlur(votes.reshape(high, wide).astype(np.float32), (0, 0), SOFT) * np.float32(
            (2 * np.pi) ** 0.5 * SOFT
        )
        return soft[self._room : high - self._room, self._room : wide - self._room]


def find_edges(look: Floats) -> list[Edges]:
    """Return the edges in a look by direction: rows, columns and strengths from 0 to 1."""
    across, down = (cv2.Scharr(look, cv2.CV_32F, *way, scale=1 / 16) for way in ((1, 0), (0, 1)))
    size = across * across + down * down
    channel = size.argmax(axis=2)
    size = np.sqrt(size.max(axis=2))
    rows, columns = np.nonzero(size > FAINT * FULL)
    chosen = channel[rows, columns]
    turned = np.arctan2(down[rows, columns, chosen], across[rows, columns, chosen]) % np.pi
    direction = np.rint(turned * (DIRECTIONS / np.pi)).astype(np.intp) % DIRECTIONS
    strength = np.minimum(size[rows, columns] / FULL, 1)
    found = []
    for number in range(DIRECTIONS):
        here = direction == number
        found.append((rows[here], columns[here], strength[here]))
    return found


def _offsets(outline: Outline, turn: float) -> list[Offsets]:
    """Return the offsets from the middle to a rotated outline's edges with their weights, by edge direction."""
    c, s = np.cos(turn), np.sin(turn)
    around = np.array([[c, s], [-s, c]], np.float32)
    points, normals = outline.contour[:, :2] @ around * VOTE_PX, outline.contour[:, 2:] @ around
    place = (np.arctan2(normals[:, 1], normals[:, 0]) % np.pi) * (DIRECTIONS / np.pi)
    found = []
    for number in range(DIRECTIONS):
        away = np.abs((place - number + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
        near = away < SPREAD
        x, y = (np.rint(points[near, each]).astype(np.intp) for each in (0, 1))
        found.append((x, y, (1 - away[near] / SPREAD).astype(np.float32)))
    return found


def _peaks(votes: Floats, outline: int, least: float, most: int) -> list[Middle]:
    side = 2 * round(APART * VOTE_PX) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    top = (votes >= cv2.dilate(votes, disc)) & (votes >= least)
    rows, columns = np.nonzero(top)
    order = np.argsort(-votes[rows, columns])[:most]
    return [
        Middle(
            outline,
            (float(columns[n]) + 0.5) / VOTE_PX,
            (float(rows[n]) + 0.5) / VOTE_PX,
            float(votes[rows[n], columns[n]]),
        )
        for n in order
    ]
