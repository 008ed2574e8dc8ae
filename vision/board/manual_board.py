"""A board from a game's box, set by hand: taps on its four corner cells, and on other cells that lie elsewhere.

Such a board has no markers, another print and other proportions. Taps are fractions of the picture, from 0 to 1.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests.table import ACROSS
from companion.engine import BadBoard, Board
from companion.engine.board import corner_cells
from companion.files.atomic_folder import sync
from vision.board.board_print import BoardPrint, photographed_board
from vision.board.covers import PX
from vision.deck.stored_decks import RequestRefused
from vision.image import Image, Matrix
from vision.mat import Mat, MatError, MatPose, straighten
from vision.mat.board_mat import CARD
from vision.mat.manual import Tap, check_quad
from vision.mat.pose import least_scale, perspective

NAME = "board.json"
"""The file's name in the data folder."""
QUALITY = 90
"""The JPEG quality of the stored picture, from 0 to 100."""
SAME = 1e-3
"""The distance, as a fraction of the picture, within which two taps are equal."""
MARGIN = 12.0
"""Millimetres around the cells that belong to the board."""
SQUASHED = 1.5
"""The ratio of a cell's apparent sides above which the taps were not in the middle of the corner cells."""
NEAR = 1e-6
"""In mm²: keeps the weight of a tapped cell finite at its own middle."""


class ManualBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as set by hand."""

    game: str
    board: str
    corners: tuple[Tap, Tap, Tap, Tap]
    """The middles of the corner cells, clockwise from the upper left as a reader sees the board."""
    across: float
    """The distance between the middles of the first two in millimetres."""
    moved: dict[str, Tap] = {}
    """By name, the middles of cells that lie elsewhere than the corners imply."""


class StoredBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, eq=False):
    """A board as stored in the data folder."""

    manual: ManualBoard
    picture: bytes
    """The board without pieces, straightened at `PX` pixels per millimetre, as JPEG."""


def usual_across(board: Board) -> float:
    """Return the distance in millimetres between the first two corner cells as the companion prints the board."""
    first, second, *_ = corner_cells(board)
    return float(np.hypot(second.x - first.x, second.y - first.y))


def check_board(
    game: str, board: Board, picture: tuple[int, int], corners: object, across: float = 0.0, moved: object = None
) -> ManualBoard:
    """Return the board tapped in a picture of this width and height.

    across: 0 stands for the size that the companion prints. Raise `RequestRefused` if the taps form no board:
    `bad_board`, or `board_torn` if its cells do not fit.
    """
    given: dict[str, object] = {"game": game, "board": board.name, "corners": corners, "moved": moved or {}}
    try:
        found = msgspec.convert({**given, "across": across or usual_across(board)}, ManualBoard, strict=False)
        check_quad(found.corners)
    except (msgspec.ValidationError, MatError) as error:
        raise RequestRefused("bad_board", str(error)) from None
    if not ACROSS[0] <= found.across <= ACROSS[1] or not found.moved.keys() <= board.by_name.keys():
        raise RequestRefused("bad_board")
    mat = board_mat(found, board)
    middle = np.array(mat.size) / 2
    here, right, below = board_pose(found, board, mat, picture).project(middle + [[0, 0], [1, 0], [0, 1]])
    long, short = np.linalg.svd(np.column_stack([right - here, below - here]), compute_uv=False)
    if long > SQUASHED * short:
        raise RequestRefused("bad_board", "the cells are squashed")
    return found


def board_mat(manual: ManualBoard, board: Board) -> Mat:
    """Return a board as it lies, in its own millimetres: a mat without markers.

    Raise `RequestRefused` if its cells overlap or are torn.
    """
    scale = manual.across / usual_across(board)
    plane: Matrix = np.linalg.inv(_plane(manual, board)).astype(np.float64)
    anchors = [(cell, tap) for cell, tap in zip(corner_cells(board), manual.corners, strict=True)]
    anchors += [(board.by_name[name], tap) for name, tap in manual.moved.items()]
    middles = np.array([(cell.x, cell.y) for cell, _ in anchors])
    away = perspective(plane, np.array([tap for _, tap in anchors])) - middles

    def lie(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """Return the positions of points of the board. Each cell follows the tapped ones, the nearest most."""
        there = np.array(points)
        weight = 1 / (((there[:, None] - middles) ** 2).sum(axis=2) + NEAR) ** 1.5
        moved = (there + weight @ away / weight.sum(axis=1, keepdims=True)) * scale + MARGIN
        return tuple([(float(x), float(y)) for x, y in moved])

    cells = []
    for cell in board.cells:
        ((x, y),) = lie([(cell.x, cell.y)])
        corners = lie(cell.corners) if cell.corners else ()
        cells.append(msgspec.structs.replace(cell, x=x, y=y, corners=corners, radius=cell.radius * scale))
    size = (board.size[0] * scale + 2 * MARGIN, board.size[1] * scale + 2 * MARGIN)
    try:
        lying = msgspec.structs.replace(board, size=size, cells=tuple(cells))
    except BadBoard as error:
        raise RequestRefused("board_torn", str(error)) from None
    return Mat(size, CARD, (), board=lying)


def board_pose(manual: ManualBoard, board: Board, mat: Mat, picture: tuple[int, int]) -> MatPose:
    """Return the board's pose in pictures of this width and height, if neither was moved since."""
    to_pixels = np.array([[picture[0], 0, -0.5], [0, picture[1], -0.5], [0, 0, 1]])
    pose = MatPose(to_pixels @ _lying_plane(manual, board), picture)
    return msgspec.structs.replace(pose, scale=least_scale(pose, mat))


def outlines(manual: ManualBoard, board: Board) -> dict[str, tuple[Tap, ...]]:
    """Return the cells' outlines as fractions of the picture, by name."""
    lying, plane = board_mat(manual, board).board, _lying_plane(manual, board)
    assert lying is not None
    found = {cell.name: perspective(plane, np.array(cell.outline)) for cell in lying.cells}
    return {name: tuple([(float(x), float(y)) for x, y in points]) for name, points in found.items()}


def _plane(manual: ManualBoard, board: Board) -> Matrix:
    """Return the homography from the companion's millimetres of a board to fractions of the picture."""
    middles = np.array([(cell.x, cell.y) for cell in corner_cells(board)], np.float32)
    return cv2.getPerspectiveTransform(middles, np.array(manual.corners, np.float32)).astype(np.float64)


def _lying_plane(manual: ManualBoard, board: Board) -> Matrix:
    """Return the homography from the millimetres of the board as it lies to fractions of the picture."""
    scale = usual_across(board) / manual.across
    found: Matrix = _plane(manual, board) @ np.array(
        [[scale, 0, -MARGIN * scale], [0, scale, -MARGIN * scale], [0, 0, 1]]
    )
    return found


def same_size(one: ManualBoard, other: ManualBoard) -> bool:
    """Return whether two boards are the same board at the same size in millimetres."""
    return (one.board, round(one.across, 3)) == (other.board, round(other.across, 3))


def same_corners(one: ManualBoard, other: ManualBoard) -> bool:
    """Return whether two boards have the same corners."""
    return float(np.abs(np.subtract(one.corners, other.corners)).max()) < SAME


def nudged(manual: ManualBoard, board: Board, nudge: Matrix) -> ManualBoard:
    """Return a board with its taps moved by a nudge.

    nudge: maps millimetres of the board as it lies to such millimetres.
    """
    plane = _lying_plane(manual, board)
    way: Matrix = plane @ nudge @ np.linalg.inv(plane)

    def follow(taps: Sequence[Tap]) -> list[Tap]:
        return [(float(x), float(y)) for x, y in perspective(way, np.array(taps))]

    a, b, c, d = follow(manual.corners)
    names = list(manual.moved)
    moved = dict(zip(names, follow([manual.moved[name] for name in names]), strict=True)) if names else {}
    return msgspec.structs.replace(manual, corners=(a, b, c, d), moved=moved)


# --- the data folder ------------------------------------------------------------------------------


def photograph(manual: ManualBoard, board: Board, picture: Image) -> bytes:
    """Return a picture of the empty board for storage."""
    mat = board_mat(manual, board)
    pose = board_pose(manual, board, mat, (picture.shape[1], picture.shape[0]))
    straight = straighten(picture, pose, PX, mat.size)
    return cv2.imencode(".jpg", straight, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def bare_print(stored: StoredBoard, mat: Mat) -> BoardPrint:
    """Return a stored board's appearance without pieces."""
    picture = cv2.imdecode(np.frombuffer(stored.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None, "load() has read it"
    size = (max(1, round(mat.size[0] * PX)), max(1, round(mat.size[1] * PX)))
    return photographed_board(np.asarray(cv2.resize(picture, size), np.uint8))


def load(folder: Path, game: str, boards: Sequence[Board]) -> StoredBoard | None:
    """Load the board of a data folder, or return None if there is none of this game or it is unreadable."""
    try:
        found = msgspec.json.decode((folder / NAME).read_bytes(), type=StoredBoard)
        board = next(each for each in boards if (game, each.name) == (found.manual.game, found.manual.board))
        board_mat(found.manual, board)
        readable = cv2.imdecode(np.frombuffer(found.picture, np.uint8), cv2.IMREAD_COLOR) is not None
    except (OSError, msgspec.DecodeError, StopIteration, RequestRefused, KeyError, cv2.error):
        return None
    return found if readable else None


def store(folder: Path, stored: StoredBoard) -> None:
    """Store a board atomically."""
    half = folder / f".{NAME}.{os.getpid()}"
    half.write_bytes(msgspec.json.encode(stored))
    sync(half)
    half.replace(folder / NAME)
    sync(folder)


def delete(folder: Path) -> None:
    """Delete the stored board, if there is one."""
    (folder / NAME).unlink(missing_ok=True)
