"""Pieces on a rendered board: their positions, and their painting as shaded solids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from companion.engine import Board, Cell, Piece
from companion.engine.pieces import piece_points, without_pieces
from vision.image import Image
from vision.simulate.camera_geometry import FOCAL, CameraGeometry, Points
from vision.simulate.clutter import rectangle
from vision.simulate.difficulty import Difficulty
from vision.simulate.laid_board import LaidBoard
from vision.simulate.lying import LayingError
from vision.simulate.painting import paint_shadow

ROOM = (4, 9, 16, 25)
"""The capacities of a cell's arrangements, from few to many pieces."""
SLIPPED = 0.8
"""The distance in millimetres of a slipped piece's middle from its cell's edge."""
APART = 1.12
"""The minimum distance between the middles of two pieces, relative to their side."""
LIGHT = np.array([-0.5, -0.7, 0.0])
"""The direction of the light on the sides of pieces."""
WOOD = (0.94, 1.06)
"""The range of a piece's paint relative to its colour."""


class Ring(NamedTuple):
    """An outline of a solid at one height, in units of a piece's side."""

    height: float
    wide: float = 1.0
    deep: float = 1.0
    corners: int = 4


SOLIDS: dict[str, tuple[Ring, ...]] = {
    "cube": (Ring(0.0), Ring(1.0)),
    "disc": (Ring(0.0, corners=24), Ring(0.45, corners=24)),
    "token": (Ring(0.0, corners=24), Ring(0.25, corners=24)),
    "pawn": (Ring(0.0, corners=16), Ring(0.9, 0.45, 0.45, 16), Ring(1.2, 0.7, 0.7, 16), Ring(1.6, 0.5, 0.5, 16)),
    "house": (Ring(0.0), Ring(0.6), Ring(1.0, 1.0, 0.05)),
    "station": (Ring(0.0, 1.3), Ring(0.6, 1.3), Ring(0.9, 1.3, 0.05)),
}
"""The shapes of pieces, from the bottom up. Other kinds are cubes."""


class StandingPiece(msgspec.Struct, frozen=True):
    """A piece on the board."""

    piece: Piece
    x: float
    y: float
    """Its middle in millimetres of the mat."""
    turn: float
    """Degrees clockwise."""
    tone: float
    """The factor of its paint."""
    spot: int = 0
    """The index of the nearest of its cell's points."""


class StandingPieces:
    """All pieces on a board, by cell. Other pieces do not move when one comes or goes."""

    def __init__(self, laid: LaidBoard | None, difficulty: Difficulty, seed: int) -> None:
        self._laid = laid
        self._difficulty = difficulty
        self._luck = Random(f"{seed} standing")
        self._slipping = Random(f"{seed} slips")
        self._standing: dict[str, list[StandingPiece]] = {}

    def all(self) -> Iterator[StandingPiece]:
        """Yield all pieces, cell by cell."""
        return (standing for here in self._standing.values() for standing in here)

    def at(self, cell: str) -> tuple[Piece, ...]:
        """Return the pieces on a cell."""
        return tuple([standing.piece for standing in self._standing.get(cell, ())])

    def by_cell(self) -> dict[str, tuple[Piece, ...]]:
        """Return the pieces by cell."""
        return {cell: self.at(cell) for cell in self._standing}

    def truth(self) -> dict[str, tuple[Piece, ...]]:
        """Return the pieces by cell, for all cells."""
        assert self._laid is not None
        return {cell.name: self.at(cell.name) for cell in board_on(self._laid).cells}

    def check(self, piece: Piece, to: str) -> None:
        """Raise `LayingError` if a piece cannot be moved to a cell.

        piece: without a cell, it comes from off the table. to: "" for off the table.
        """
        if piece.cell:
            self._find(piece)
        if to and cell_of(self._laid, to) and len(self._standing.get(to, ())) >= ROOM[-1]:
            raise LayingError(f"There is no room for another piece on {to}.")

    def let_go(self, piece: Piece) -> StandingPiece:
        """Put a piece on its cell like a hand, which sometimes slips and leaves it at the cell's edge."""
        made = self.put(piece)
        if self._slipping.random() >= self._difficulty.slips:
            return made
        assert self._laid is not None
        cell, turn = cell_of(self._laid, piece.cell), self._slipping.uniform(0, 2 * np.pi)
        away = (cell.inner_radius - SLIPPED) * np.array([np.cos(turn), np.sin(turn)])
        at = self._laid.to_table(np.array([[cell.x, cell.y]]) + self._laid.mat.board_at + away)[0]
        apart = APART * board_on(self._laid).piece
        if any(np.hypot(at[0] - each.x, at[1] - each.y) < apart for each in self.all() if each is not made):
            return made
        there = self._standing[piece.cell]
        there[there.index(made)] = slipped = msgspec.structs.replace(made, x=float(at[0]), y=float(at[1]))
        return slipped

    def put(self, piece: Piece) -> StandingPiece:
        """Put a piece at a free spot of its cell. Raise `LayingError` if there is no such cell or room."""
        cell = cell_of(self._laid, piece.cell)
        assert self._laid is not None
        board, there = board_on(self._laid), self._standing.setdefault(piece.cell, [])
        room = next((each for each in ROOM if len(there) < each), 0)
        points = piece_points(board, cell, room)
        free = [spot for spot in range(room) if spot not in {standing.spot for standing in there}]
        if not free:
            raise LayingError(f"There is no room for another piece on {piece.cell}.")
        spot = self._luck.choice(free)
        for n in range(40):
            away = self._luck.uniform(*self._difficulty.offset) * (1 - n / 40)
            a = self._luck.uniform(0, 2 * np.pi)
            aside = np.array([[away * np.cos(a), away * np.sin(a)]])
            x, y = map(float, self._laid.to_table(np.array([points[spot]]) + self._laid.mat.board_at + aside)[0])
            if all(np.hypot(x - other.x, y - other.y) >= APART * board.piece for other in self.all()):
                break
        made = StandingPiece(piece, x, y, self._luck.uniform(0, 90), self._luck.uniform(*WOOD), spot)
        there.append(made)
        return made

    def take(self, piece: Piece) -> StandingPiece:
        """Take a piece of this kind from its cell. Raise `LayingError` if there is none."""
        found = self._find(piece)
        self._standing[piece.cell].remove(found)
        return found

    def _find(self, piece: Piece) -> StandingPiece:
        there = self._standing.get(piece.cell, [])
        found = next((standing for standing in there if standing.piece.sort == piece.sort), None)
        if found is None:
            raise LayingError(f"There is no {piece.kind} like this on {piece.cell}.")
        return found

    def set(self, pieces: Mapping[str, Sequence[Piece]]) -> None:
        """Put and take pieces until exactly these stand on the board."""
        # Sort the cells, so that the same pieces stand alike in every session.
        for cell in sorted({*pieces, *self._standing}):
            for piece in without_pieces(self.at(cell), pieces.get(cell, ())):
                self.take(piece)
            for piece in without_pieces(pieces.get(cell, ()), self.at(cell)):
                self.put(piece)


def board_on(laid: LaidBoard) -> Board:
    """Return the board printed on a laid mat."""
    assert laid.mat.board is not None
    return laid.mat.board


def cell_of(laid: LaidBoard | None, name: str) -> Cell:
    """Return a cell. Raise `LayingError` if there is none of this name."""
    found = None if laid is None else board_on(laid).by_name.get(name)
    if found is None:
        raise LayingError(f"There is no cell {name!r}.")
    return found


def camera_at(view: CameraGeometry) -> Points:
    """Return the camera's position: x, y and height in millimetres of the mat."""
    focal, (wide, high) = FOCAL * max(view.size), view.size
    lens = np.array([[focal, 0, (wide - 1) / 2], [0, focal, (high - 1) / 2], [0, 0, 1]])
    plane = np.linalg.inv(lens) @ view.matrix
    plane /= (np.linalg.norm(plane[:, 0]) + np.linalg.norm(plane[:, 1])) / 2
    u, _, v = np.linalg.svd(np.column_stack([plane[:, 0], plane[:, 1], np.cross(plane[:, 0], plane[:, 1])]))
    where = -(u @ v).T @ plane[:, 2]
    return np.array([where[0], where[1], abs(where[2])], np.float64)


def paint_piece(
    picture: Image,
    view: CameraGeometry,
    kind: str,
    middle: tuple[float, float],
    side: float,
    turn: float,
    colour: Points,
    high: float = 0.0,
) -> None:
    """Paint a piece with its shadow.

    middle, side: in millimetres. colour: B, G, R. high: mm above the board.
    """
    solid = SOLIDS.get(kind, SOLIDS["cube"])
    rings = [ring_of(ring, side, turn) + middle for ring in solid]
    paint_shadow(picture, view, rings[0], 0.45, 1.2 + high / 3, (1.2 + high / 3, 1.6 + high / 2))
    eye = camera_at(view)
    seen = [lifted(ring, eye, high + side * level.height) for ring, level in zip(rings, solid, strict=True)]
    for nth in range(len(rings) - 1):
        slope = float(np.clip(1 - np.ptp(rings[nth + 1], axis=0).sum() / np.ptp(rings[nth], axis=0).sum(), 0, 1))
        paint_sides(picture, view, (seen[nth], seen[nth + 1]), rings[nth], colour * (1 + 0.5 * slope))
    top = seen[-1]
    paint_polygon(picture, view, top, colour)
    inner = top.mean(axis=0) + (top - top.mean(axis=0)) * 0.7
    paint_polygon(picture, view, inner, np.clip(colour * 1.05 + 6, 0, 255))


def ring_of(ring: Ring, side: float, turn: float) -> Points:
    """Return the corners of a ring around 0, 0, in millimetres."""
    a = np.radians(turn)
    turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    if ring.corners == 4:
        found: Points = rectangle((side * ring.wide, side * ring.deep), turn)
        return found
    around = np.linspace(0, 2 * np.pi, ring.corners, endpoint=False)
    points: Points = np.column_stack([np.cos(around) * ring.wide, np.sin(around) * ring.deep]) @ turned.T * side / 2
    return points


def paint_sides(
    picture: Image, view: CameraGeometry, seen: tuple[Points, Points], base: Points, colour: Points
) -> None:
    """Paint the sides between two rings that face the camera, shaded by their direction."""
    low, top = seen
    out = base - base.mean(axis=0)
    for n in range(len(base)):
        m = (n + 1) % len(base)
        face = np.array([low[n], low[m], top[m], top[n]])
        # It faces away from the camera.
        if cv2.contourArea(face.astype(np.float32), oriented=True) <= 0:
            continue
        normal = out[n] + out[m]
        shade = 0.62 + 0.14 * float(normal @ LIGHT[:2]) / float(np.hypot(*normal))
        paint_polygon(picture, view, face, colour * shade)


def lifted(points: Points, eye: Points, high: float) -> Points:
    """Return the apparent positions on the table of points at a height in millimetres above it."""
    found: Points = points + (points - eye[:2]) * high / (eye[2] - high)
    return found


def paint_polygon(picture: Image, view: CameraGeometry, points: Points, colour: Points) -> None:
    """Fill an outline in millimetres of the table with a colour in B, G, R."""
    at = np.rint(view.project(points) * 16).astype(np.int32)
    cv2.fillPoly(picture, [at], tuple(int(v) for v in np.clip(colour, 0, 255)), cv2.LINE_AA, 4)
