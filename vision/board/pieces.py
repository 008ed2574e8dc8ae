"""Read the pieces on a board, cell by cell: coloured cubes, with doubts where a picture is ambiguous.

The straightened picture is compared with the board's print under the room's light. Differing areas with a seat's colour
are pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.engine import Board, Cell, Piece, Seat
from companion.engine.board import contains
from vision.board.board_print import BoardPrint, even_light, lab, printed_board
from vision.board.covers import PX, SPECK, UNLIKE, Field, disc, hidden_cells
from vision.image import Image
from vision.mat import Mat, MatPose, straighten
from vision.mat.pose import camera_of
from vision.piece_colours import PIECE_COLOURS

Points = npt.NDArray[np.float64]

FEWEST_PIXELS = 12.0
"""The side of a piece in pixels of the camera's picture below which nothing is read."""
COLOURFUL, HUE = 0.38, 26.0
"""The minimum share of its colour's chroma that a piece shows, and the tolerance of its hue in degrees."""
MORE = 0.3
"""The minimum excess of a piece's chroma over the print's under the same light, as a share of its colour's chroma."""
PALE = 17.0
"""The chroma below which a colour is not classified by hue."""
DARK, GREY = 36.0, 13.0
"""The lightness and chroma below which a piece is black."""
DEEP = 0.5
"""On dark ground: the share of the ground's lightness below which an area is a black piece and not a shadow."""
NARROW = 5.2
"""The width in millimetres below which an area of one colour is split, because two pieces meet there."""
SHOWN = 1.12
"""The ratio of a piece's visible area to its top and sides, because pictures are blurred."""
HIDING = 1.06
"""The ratio that corrects for pieces in a group hiding parts of one another."""
CLEAR_COUNT, CLEAR_MANY = 0.36, 0.9
"""The maximum deviation from a whole number of the ratio between a group's area and a piece's. For large groups it
is `CLEAR_MANY` divided by their number, because errors add up."""
ONE = (0.55, 1.35)
"""The range of a single piece's area relative to a visible piece's. Less may be half a piece, and more may be two."""
NONE = 0.16
"""The relative area below which there is no piece."""
CLOSE = 1.6
"""The distance in millimetres from a cell's edge within which a piece may belong to either cell."""
MOST_CHOICES = 4
"""The maximum number of possible readings of one cell, the most likely first."""


class PieceReading(msgspec.Struct, frozen=True):
    """The pieces of a board in one picture."""

    pieces: dict[str, tuple[Piece, ...]] = {}
    """The certain pieces by cell, none for an empty cell. Hidden cells are left out."""
    unsure: dict[str, tuple[tuple[Piece, ...], ...]] = {}
    """The possible pieces of uncertain cells, the most likely first."""
    too_small: bool = False
    """Whether pieces appear too small to read, so that the camera must hang lower or take larger pictures."""


class _Blob(msgspec.Struct, frozen=True):
    """An area of one seat's colour."""

    seat: int
    parts: tuple[tuple[float, float], ...]
    """The positions of its pieces in millimetres of the board, for the more likely number of them."""
    count: tuple[int, ...]
    """The possible numbers of pieces, the most likely first."""


def read_pieces(
    picture: Image,
    pose: MatPose,
    mat: Mat,
    colours: Sequence[str],
    kind: str = "cube",
    bare: BoardPrint | None = None,
) -> PieceReading:
    """Return the pieces on a board.

    colours: the seats' colours by name (`PIECE_COLOURS`) or as `#rrggbb`. bare: the board's appearance without pieces,
    or None for the companion's print.
    """
    board = mat.board
    assert board is not None
    if pose.scale * board.piece < FEWEST_PIXELS:
        return PieceReading(too_small=True)
    seen = straighten(picture, pose, PX, mat.size)
    photographed, bare = bare is not None, bare or printed_board(mat)
    shown = even_light(seen, bare)
    unlike = _length(shown - bare.lab)
    classes = _classes(shown, bare.lab, unlike, [PIECE_COLOURS.get(colour, colour) for colour in colours])
    blobs = [blob for seat in range(len(colours)) for blob in _blobs(classes == seat, seat, mat, board, pose)]
    hidden = hidden_cells(unlike, classes, mat, board, photographed)
    return _by_cell(board, blobs, hidden, kind)


# --- colours --------------------------------------------------------------------------------------


def _classes(shown: Field, printed: Field, unlike: Field, colours: Sequence[str]) -> npt.NDArray[np.int8]:
    """Return the seat whose colour each pixel has, or -1."""
    found = np.full(unlike.shape, -1, np.int8)
    differs = unlike > UNLIKE
    # Most of a board shows its print, so examine only the other pixels.
    seen, below = shown[differs], printed[differs]
    chroma = np.hypot(seen[:, 1], seen[:, 2])
    hue = np.degrees(np.arctan2(seen[:, 2], seen[:, 1]))
    # A shadow on green grass is green too, so a piece must have more colour than the print under the same light.
    dimmed = np.clip(seen[:, :1] / np.maximum(below[:, :1], 1), 0, 1.2)
    more = np.hypot(*(seen[:, 1:] - dimmed * below[:, 1:]).T)
    best: Field = np.full(chroma.shape, HUE, np.float32)
    seats = np.full(chroma.shape, -1, np.int8)
    for seat, colour in enumerate(colours):
        bgr = np.array(list(bytes.fromhex(colour.removeprefix("#")))[::-1], np.float32)
        light, a, b = lab(bgr.reshape(1, 1, 3))[0, 0]
        own = math.hypot(a, b)
        if own < PALE:  # black: much darker than the print, and more than by a shadow
            deep = (below[:, 0] - seen[:, 0] > 30) | (seen[:, 0] < DEEP * below[:, 0])
            fits = (chroma < GREY) & (seen[:, 0] < DARK) & deep
            seats[fits & (seats < 0)] = seat
            continue
        off = np.abs((hue - math.degrees(math.atan2(b, a)) + 180) % 360 - 180)
        strong = (chroma > max(PALE, COLOURFUL * own)) & (more > MORE * own)
        fits = strong & (off < best) & (seen[:, 0] < light + 28)
        seats[fits] = seat
        best[fits] = off[fits]
    found[differs] = seats
    return found


def _length(field: Field) -> Field:
    first, second, third = cv2.split(field)
    return np.asarray(cv2.magnitude(cv2.magnitude(first, second), third), np.float32)


# --- pieces ---------------------------------------------------------------------------------------


def _blobs(mask: npt.NDArray[np.bool_], seat: int, mat: Mat, board: Board, pose: MatPose) -> Iterator[_Blob]:
    """Yield the areas of a seat's colour that may be pieces."""
    left, top, wide, high = cv2.boundingRect(mask.view(np.uint8))
    there = mask[top : top + high, left : left + wide].view(np.uint8)
    if there.size == 0:
        return
    clean = cv2.morphologyEx(np.pad(there, 1), cv2.MORPH_OPEN, disc(SPECK))
    whole, labels, stats, _ = cv2.connectedComponentsWithStats(clean, connectivity=4)
    eye = camera_of(pose)
    for nth in range(1, whole):
        x, y, wide, high, _ = stats[nth]
        part = np.pad((labels[y : y + high, x : x + wide] == nth).astype(np.uint8), 1)
        corner = np.array([left + x - 2, top + y - 2]) / PX
        found = [_counted(points, mat, board, eye) for points in (cut + corner for cut in _cut(part))]
        yield from [_Blob(seat, parts, counts) for parts, counts in found if counts]


def _cut(part: npt.NDArray[np.uint8]) -> list[Points]:
    """Return an area split where it is narrow, as points in millimetres, because pieces may touch."""
    cores = cv2.erode(part, disc(NARROW))
    count, labels = cv2.connectedComponents(cores, connectivity=8)
    rows, columns = np.nonzero(part)
    points = np.column_stack([columns, rows]) / PX
    if count <= 2:
        return [points]
    away = np.stack([cv2.distanceTransform((labels != n).astype(np.uint8), cv2.DIST_L2, 5) for n in range(1, count)])
    nearest = away[:, rows, columns].argmin(axis=0)
    return [points[nearest == n] for n in range(count - 1)]


def _counted(
    points: Points, mat: Mat, board: Board, eye: Points
) -> tuple[tuple[tuple[float, float], ...], tuple[int, ...]]:
    """Return the positions of an area's pieces in millimetres of the board, and their possible numbers, or () for
    none."""
    lean = (points.mean(axis=0) - eye[:2]) * board.piece / (eye[2] - board.piece)
    shows = SHOWN * (board.piece**2 + 1.25 * board.piece * float(np.hypot(*lean)))
    share = len(points) / PX**2 / shows
    if share < NONE:
        return (), ()
    counts = likely_counts(share)
    parts = _parts(points, max(1, counts[0])) - lean / 2 - np.array(mat.board_at)
    return tuple([(float(u), float(v)) for u, v in parts]), counts


def likely_counts(share: float) -> tuple[int, ...]:
    """Return the possible numbers of pieces for a multiple of a single one's area: one number if it is certain."""
    if share < ONE[0]:
        return (1, 0)
    if share <= ONE[1]:
        return (1,)
    whole = share * HIDING
    near = max(2, round(whole))
    if abs(whole - near) <= min(CLEAR_COUNT, CLEAR_MANY / near):
        return (near,)
    return (near, near + 1 if whole > near else near - 1)


def _parts(points: Points, count: int) -> Points:
    """Return the middles of this many equal parts of an area."""
    if count == 1 or len(points) < count:
        return np.asarray(points.mean(axis=0, keepdims=True), np.float64)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    _, _, found = cv2.kmeans(points.astype(np.float32), count, None, stop, 4, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    return np.asarray(found, np.float64)


# --- cells ----------------------------------------------------------------------------------------


def _by_cell(board: Board, blobs: Sequence[_Blob], hidden: set[str], kind: str) -> PieceReading:
    """Return the pieces by cell. A piece near an edge, or a blob of uncertain number, makes its cells uncertain."""
    sure: dict[str, list[Piece]] = {cell.name: [] for cell in board.cells}
    doubts: dict[str, list[tuple[tuple[Piece, ...], ...]]] = {}
    for blob in blobs:
        for nth, (x, y) in enumerate(blob.parts):
            cells = cells_near(board, x, y)
            pieces = [Piece(kind, Seat(blob.seat), cell) for cell in cells]
            if len(blob.count) > 1 and nth == 0 and pieces:
                more = blob.count[1] - blob.count[0]
                other = (pieces[0], pieces[0]) if more > 0 else ()
                doubts.setdefault(cells[0], []).append(((pieces[0],), other))
            elif len(cells) == 1:
                sure[cells[0]].append(pieces[0])
            for piece in pieces if len(cells) > 1 else ():
                doubts.setdefault(piece.cell, []).append(((piece,), ()))
    unsure = {}
    for cell, each in doubts.items():
        choices = [(*sure[cell], *[piece for part in chosen for piece in part]) for chosen in product(*each)]
        unsure[cell] = tuple(dict.fromkeys(choices))[:MOST_CHOICES]
    certain = {cell: tuple(here) for cell, here in sure.items() if cell not in unsure and cell not in hidden}
    return PieceReading(certain, {cell: choices for cell, choices in unsure.items() if cell not in hidden})


def cells_near(board: Board, x: float, y: float) -> list[str]:
    """Return the cell at a point, and other cells so close that the point may belong to them."""
    turns = [2 * math.pi * n / 8 for n in range(8)]
    around = [(x, y), *[(x + CLOSE * math.cos(a), y + CLOSE * math.sin(a)) for a in turns]]
    near: list[Cell] = [cell for cell in board.cells if math.dist((cell.x, cell.y), (x, y)) < 3 * cell.inner_radius]
    found = [cell.name for u, v in around for cell in near if contains(cell, u, v)]
    return list(dict.fromkeys(found))
