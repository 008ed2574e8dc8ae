"""The surfaces under cards: tables of several kinds, and the mat's paper. Drawn, never photographed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from companion.drawing import Drawing
from vision.image import Image, Pixels
from vision.mat import Mat
from vision.mat.drawing import drawing
from vision.print.drawing.raster import to_pixels
from vision.simulate.camera_geometry import Area
from vision.simulate.laid_board import LaidBoard
from vision.simulate.laid_coasters import paint_coasters

Field = Pixels
"""A picture with one float32 per pixel."""

Colour = tuple[int, int, int]
"""Blue, green and red."""
BAND = 64
"""The number of rows to make at a time, because all colours at once in floats would fill a small computer's memory."""

TABLES = ("oak", "walnut", "white", "felt", "cloth", "slate")
"""The kinds of table."""


def cloudy(luck: np.random.Generator, width: int, height: int, across: float, down: float) -> Field:
    """Return smooth noise, about -1 to 1, with clouds of this width and height in pixels."""
    columns, rows = max(2, round(width / across) + 2), max(2, round(height / down) + 2)
    small = luck.standard_normal((rows, columns)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def table_top(kind: str, width: int, height: int, px_per_mm: float, luck: np.random.Generator) -> Image:
    """Return a table's surface of this size in pixels."""
    light, dark, share = _shares(kind, width, height, px_per_mm, luck)
    low, span = np.array(dark, np.float32), np.array(light, np.float32) - np.array(dark, np.float32)
    found = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, BAND):
        rows = slice(top, min(height, top + BAND))
        colours = low + np.clip(share(rows), 0, 1)[:, :, None] * span
        found[rows] = np.clip(colours, 0, 255, out=colours)
    return found


def _shares(
    kind: str, width: int, height: int, s: float, luck: np.random.Generator
) -> tuple[Colour, Colour, Callable[[slice], Field]]:
    """Return a surface's light and dark colours, and a function from rows to their shares of light.

    s: pixels per millimetre.
    """
    fine = _fine(luck, width, height)
    match kind:
        case "oak" | "walnut":
            light, dark = ((158, 190, 214), (104, 142, 172)) if kind == "oak" else ((62, 86, 118), (34, 48, 70))
            return light, dark, _wood(fine, s, luck)
        case "felt":
            pile, clouds = cv2.GaussianBlur(fine, (0, 0), 0.8), cloudy(luck, width, height, 60 * s, 60 * s)
            return (86, 128, 52), (58, 96, 34), lambda at: 0.5 + 0.22 * pile[at] + 0.12 * clouds[at]
        case "cloth":
            x, y = (np.arange(width) / s // 26) % 2, ((np.arange(height) / s // 26) % 2)[:, None]
            return (
                (205, 214, 226), (150, 92, 60),
                lambda at: 1 - ((x + y[at]) / 2).astype(np.float32) * 0.85 + 0.05 * fine[at],
            )  # fmt: skip
        case "slate":
            veins = 0.12 * cloudy(luck, width, height, 60 * s, 9 * s)
            veins += 0.1 * cloudy(luck, width, height, 9 * s, 3 * s)
            return (92, 88, 84), (48, 45, 42), lambda at: 0.5 + veins[at] + 0.08 * fine[at]
        case _:
            clouds = cloudy(luck, width, height, 90 * s, 90 * s)
            return (232, 236, 238), (206, 212, 216), lambda at: 0.7 + 0.12 * clouds[at] + 0.03 * fine[at]


def _wood(fine: Field, s: float, luck: np.random.Generator) -> Callable[[slice], Field]:
    """Return a function from rows of a wooden table to their lightness: boards with rings and grain."""
    height, width = fine.shape
    warp = cloudy(luck, width, height, 260 * s, 60 * s) * 14 * s
    grain = cloudy(luck, width, height, 40 * s, max(1.01, 0.7 * s))
    boards = (np.arange(height) // (140 * s)).astype(int) % 7
    tones = luck.uniform(-0.18, 0.18, 7).astype(np.float32)[boards][:, None]
    down = np.arange(height, dtype=np.float32)[:, None]

    def share(at: slice) -> Field:
        rows = down[at] + warp[at]
        rings = np.sin(rows / (7.0 * s)) * 0.35 + np.sin(rows / (2.3 * s) + 2 * warp[at] / s) * 0.2
        found: Field = np.clip(0.5 + rings + grain[at] * 0.28 + 0.04 * fine[at], 0, 1) + tones[at]
        return found

    return share


def _fine(luck: np.random.Generator, width: int, height: int) -> Field:
    found = np.empty((height, width), np.float32)
    for top in range(0, height, BAND):
        rows = slice(top, min(height, top + BAND))
        found[rows] = luck.standard_normal(found[rows].shape)
    return found


# --- the mat --------------------------------------------------------------------------------------

PAPER = "#fbfaf6"
FINENESS = 0.5
"""The step in pixels per millimetre of drawn mats. Each is drawn once at a multiple of it, and then reduced."""


def mat_picture(mat: Mat, px_per_mm: float) -> Image:
    """Return a printed mat as pixels."""
    size = (round(mat.size[0] * px_per_mm), round(mat.size[1] * px_per_mm))
    fine = _fine_mat(mat, float(np.ceil(px_per_mm / FINENESS)) * FINENESS)
    return cv2.resize(fine, size, interpolation=cv2.INTER_AREA)


@lru_cache(maxsize=3)
def _fine_mat(mat: Mat, px_per_mm: float) -> Image:
    return to_pixels(_drawn(mat), px_per_mm, paper=PAPER)


@lru_cache(maxsize=1)
def _drawn(mat: Mat) -> Drawing:
    """Return a mat's drawing, which pictures of several sizes share."""
    return drawing(mat)


def forget_mats() -> None:
    """Free the drawn mats, which are large and not needed by a finished table."""
    _fine_mat.cache_clear()
    _drawn.cache_clear()


def surface(
    mat: Mat,
    kind: str,
    area: Area,
    px_per_mm: float,
    beside: tuple[float, float],
    seed: int,
) -> Image:
    """Return a table with the mat's sheets on it.

    area: left, top, right and bottom in millimetres of the mat, with the upper left corner at whole pixels. beside:
    minimum and maximum misplacement of each sheet in millimetres.
    """
    left, top, right, low = area
    width, height = round((right - left) * px_per_mm), round((low - top) * px_per_mm)
    luck = np.random.default_rng([seed, 1])
    picture = table_top(kind, width, height, px_per_mm, luck)
    if mat.outline:
        paint_coasters(picture, mat, (left, top), px_per_mm)
        return picture
    if not mat.markers and mat.board is None:
        return picture
    _lay_sheets(picture, mat, (left, top), px_per_mm, beside, luck)
    return picture


def lay_board(
    picture: Image,
    board: LaidBoard,
    corner: tuple[float, float],
    px_per_mm: float,
    beside: tuple[float, float],
    seed: int,
) -> None:
    """Paint a board's sheets on a table's surface.

    corner: the surface's upper left corner in millimetres of the table.
    """
    wide, high = (round(side * px_per_mm) for side in board.mat.size)
    sheets = np.zeros((high, wide, 3), np.uint8)
    _lay_sheets(sheets, board.mat, (0.0, 0.0), px_per_mm, beside, np.random.default_rng([seed, 9]))
    ends = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5]], np.float32)
    to = (board.corners()[:3] - corner) * px_per_mm - 0.5
    turned = cv2.getAffineTransform(ends, to.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    covers = cv2.warpAffine(np.full((high, wide), 1.0, np.float32), turned, size, flags=cv2.INTER_LINEAR)
    over = cv2.warpAffine(sheets, turned, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture[:] = cv2.blendLinear(over, picture, covers, 1 - covers)


def _lay_sheets(
    picture: Image,
    mat: Mat,
    corner: tuple[float, float],
    px_per_mm: float,
    beside: tuple[float, float],
    luck: np.random.Generator,
) -> None:
    """Paint a mat's sheets one after the other on a surface.

    corner: the surface's upper left corner in millimetres of the mat.
    """
    left, top = corner
    printed = mat_picture(mat, px_per_mm)
    whole = [(0.0, 0.0, mat.size[0], mat.size[1])]
    sheets = [(max(0.0, s.x), max(0.0, s.y), min(mat.size[0], s.x + s.width), min(mat.size[1], s.y + s.height))
              for s in mat.sheets] or whole  # fmt: skip
    for x0, y0, x1, y1 in sheets:
        tone, away, toward = luck.uniform(0.975, 1.0), luck.uniform(*beside) * px_per_mm, luck.uniform(0, 2 * np.pi)
        a, b = round(x0 * px_per_mm), round(y0 * px_per_mm)
        part = printed[b : round(y1 * px_per_mm), a : round(x1 * px_per_mm)]
        shift = np.array([[1, 0, away * np.cos(toward)], [0, 1, away * np.sin(toward)]])
        moved = cv2.warpAffine(part, shift, part.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        toned = np.asarray(cv2.convertScaleAbs(moved, alpha=float(tone)), np.uint8)
        _paste(picture, toned, a - round(left * px_per_mm), b - round(top * px_per_mm))


def _paste(picture: Image, part: Image, x: int, y: int) -> None:
    """Paint a sheet of paper on the table, with a line of shadow at its edges."""
    high, wide = picture.shape[:2]
    x0, y0, x1, y1 = max(0, x), max(0, y), min(wide, x + part.shape[1]), min(high, y + part.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    picture[y0:y1, x0:x1] = part[y0 - y : y1 - y, x0 - x : x1 - x]
    cv2.rectangle(picture, (x, y), (x + part.shape[1] - 1, y + part.shape[0] - 1), (196, 199, 202), 1)
