"""Coasters: four printed squares at the corners of a table's public area, in place of a mat.

Coaster 1 lies at the right of the near side, and the others follow clockwise like the seats. Players lay them by eye at
any angle. Each picture shows their positions, measured by their printed sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.engine import Place
from vision.mat.mat import Marker, Mat, Points
from vision.mat.pose import distort, perspective

COUNT = 4
SIDE = 64.0
"""The side of a coaster's marker in millimetres."""
FIRST = 950
"""The marker number of coaster 1 on the sheet for one player. Each further player adds `COUNT` numbers."""
MOST_PLAYERS = 10
LEAST = 350.0
"""The minimum side of the rectangle in millimetres."""
ASKEW = 12.0
"""The maximum deviation of a corner from a right angle, in degrees."""
FITS = 0.004
"""The maximum mean error of the corners, as a share of the picture's width. Above it the coasters do not lie in a
plane."""
AROUND = ((0, 1), (1, 2), (2, 3), (3, 0))
"""The sides of the rectangle, as pairs of coaster numbers from 0."""
ROUNDS = 60
Array = npt.NDArray[np.float64]


class CoasterFault(ValueError):
    """A fault of coasters that bound no rectangle, with the key and fields of a message in docs/reference/camera.md."""

    def __init__(self, key: str, **fields: str | int | float) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields


def coaster_numbers(players: int) -> tuple[int, ...]:
    """Return the marker numbers of a sheet's four coasters."""
    first = FIRST + (players - 1) * COUNT
    return tuple(range(first, first + COUNT))


def players_of_coasters(numbers: Mapping[int, object]) -> int:
    """Return the number of players of the sheet with most of these markers, or 0 if none is a coaster's."""
    seen = [(number - FIRST) // COUNT + 1 for number in numbers if 0 <= number - FIRST < MOST_PLAYERS * COUNT]
    return max(sorted(set(seen)), key=seen.count, default=0)


def coaster_mat(
    found: Mapping[int, Array], size: tuple[int, int], card: tuple[float, float], places: tuple[Place, ...] = ()
) -> Mat:
    """Return the table bounded by these coasters, or raise `CoasterFault` if they bound none.

    found: corners of markers in pixels by number. size: the picture's width and height.
    """
    players = players_of_coasters(found)
    numbers = coaster_numbers(players)
    if any(0 <= number - FIRST < MOST_PLAYERS * COUNT for number in found.keys() - set(numbers)):
        raise CoasterFault("coasters_two")
    missing = [n for n, number in enumerate(numbers, 1) if number not in found]
    if missing:
        side = _outside(found, numbers, missing, size)
        if side:
            raise CoasterFault("coaster_outside", coaster=missing[0], side=side)
        raise CoasterFault("coaster_missing", coaster=missing[0])
    quads = np.array([found[number] for number in numbers])
    _check_turns(quads.mean(axis=1))
    laid = _straightened(_solve(quads, size))
    middles = laid.mean(axis=1)
    _check_rectangle(middles)
    low = middles.min(axis=0)
    markers = []
    for nth, (number, corners) in enumerate(zip(numbers, laid - low, strict=True), 1):
        side = corners[1] - corners[0]
        x, y = corners.mean(axis=0) - SIDE / 2
        turn = float(np.degrees(np.arctan2(side[1], side[0])))
        markers.append(Marker(number, round(float(x), 2), round(float(y), 2), SIDE, nth, round(turn, 3)))
    wide, high = np.ptp(middles, axis=0)
    outline = tuple([(round(float(x), 2), round(float(y), 2)) for x, y in np.roll(middles - low, -2, axis=0)])
    return Mat(
        (round(float(wide), 1), round(float(high), 1)), card, (), tuple(markers), players=players, paper="a4",
        outline=outline, places=places,
    )  # fmt: skip


def _outside(found: Mapping[int, Array], numbers: Sequence[int], missing: Sequence[int], size: tuple[int, int]) -> str:
    """Return the side of the picture beyond which the only missing coaster lies, or "" if it should be in sight."""
    if len(missing) != 1:
        return ""
    before, across, after = [found[numbers[(missing[0] + n) % COUNT]].mean(axis=0) for n in (2, 1, 0)]
    x, y = before + after - across
    beyond = {"left": -x, "right": x - size[0], "top": -y, "bottom": y - size[1]}
    side = max(beyond, key=lambda each: beyond[each])
    scale = float(np.sqrt(abs(cv2.contourArea(found[numbers[missing[0] % COUNT]].astype(np.float32))))) / SIDE
    return side if beyond[side] > -scale * SIDE / 2 else ""


def _check_turns(middles: Points) -> None:
    """Raise `CoasterFault` unless the coasters follow clockwise in the picture."""
    along = np.roll(middles, -1, axis=0) - middles
    onward = np.roll(along, -1, axis=0)
    if not (along[:, 0] * onward[:, 1] - along[:, 1] * onward[:, 0] > 0).all():
        raise CoasterFault("coasters_crossed")


def _check_rectangle(middles: Points) -> None:
    """Raise `CoasterFault` unless the coasters' middles, in millimetres, form a rectangle."""
    along = np.roll(middles, -1, axis=0) - middles
    lengths = np.linalg.norm(along, axis=1)
    if lengths.min() < LEAST:
        raise CoasterFault("coasters_close", least=round(LEAST / 10))
    onward = np.roll(along, -1, axis=0)
    corners = np.degrees(np.arccos((along * onward).sum(axis=1) / lengths / np.roll(lengths, -1)))
    off = np.abs(corners - 90)
    if off.max() > ASKEW:
        # corners[n] lies at coaster n + 2. If it is a right angle, the three coasters around it are correct and the
        # opposite one is askew. If two coasters explain the shape equally well, name the one with the lower number.
        opposite = [(n + 1 + COUNT // 2) % COUNT + 1 for n in range(COUNT)]
        raise CoasterFault("coasters_askew", coaster=min(zip(off.round(1), opposite, strict=True))[1])


def _straightened(laid: Array) -> Array:
    """Return the corners (4 × 4 × 2) rotated so that coasters 2 and 1 form the lower side, from left to right."""
    middles = laid.mean(axis=1)
    right = middles[0] - middles[1] + middles[3] - middles[2]
    cosine, sine = right / np.linalg.norm(right)
    turned: Array = laid @ np.array([[cosine, -sine], [sine, cosine]])
    return turned


def _solve(quads: Array, size: tuple[int, int]) -> Array:
    """Return the corners of all coasters in millimetres (4 × 4 × 2), by least squares.

    The unknowns are the homography, the lens, and the positions of all coasters but the first: 18 numbers. The 32
    coordinates of the corners are known.
    """
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE / 2
    pixels = quads.reshape(-1, 2)
    unit = float(size[0])

    def laid(values: Array) -> Array:
        places = values[8:17].reshape(3, 3)
        return np.array(
            [_turned(square, first[0], first[1], first[2]), *[_turned(square, x, y, a) for x, y, a in places]]
        )

    def residual(values: Array) -> Array:
        matrix = np.append(values[:8], 1.0).reshape(3, 3)
        seen = distort(perspective(matrix, laid(values).reshape(-1, 2) / unit) * unit, float(values[17]), size)
        return ((seen - pixels) / unit).ravel()

    first, start = _first_guess(quads, square, unit)
    solved = _least_squares(residual, start)
    if float(np.sqrt((residual(solved) ** 2).mean())) > FITS:
        raise CoasterFault("coasters_askew", coaster=1)
    return laid(solved)


def _first_guess(quads: Array, square: Points, unit: float) -> tuple[Array, Array]:
    """Return the initial position of coaster 1 (x, y, angle) and the initial values of all unknowns.

    They assume that the four lie in a rectangle with the scale of each coaster's apparent size.
    """
    middles = quads.mean(axis=1)
    scales = [np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))) / SIDE for quad in quads]
    sides = [
        np.linalg.norm(middles[b] - middles[a]) / (scales[a] + scales[b]) * 2
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))
    ]
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    corners = np.array([[wide, high], [0, high], [0, 0], [wide, 0]])
    matrix = cv2.getPerspectiveTransform((corners / unit).astype(np.float32), (middles / unit).astype(np.float32))
    places = []
    for corner, quad in zip(corners, quads, strict=True):
        back = perspective(np.asarray(np.linalg.inv(matrix), np.float64), quad / unit) * unit
        side = (back[1] - back[0]) + (back[2] - back[3])
        places.append([*corner, np.arctan2(side[1], side[0])])
    guess = np.array(places)
    return guess[0], np.concatenate([(matrix / matrix[2, 2]).ravel()[:8], guess[1:].ravel(), [0.0]])


def _turned(square: Points, x: float, y: float, angle: float) -> Points:
    cosine, sine = np.cos(angle), np.sin(angle)
    found: Points = square @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y)
    return found


def _least_squares(residual: Callable[[Array], Array], start: Array) -> Array:
    """Return the values with the minimum residual near a start, by the Levenberg-Marquardt algorithm."""
    steps = np.full(len(start), 1e-6)
    steps[8:17] = 1e-4
    values, much, damping = start, residual(start), 1e-3
    for _ in range(ROUNDS):
        slope = np.column_stack([(residual(values + step) - much) / step[n] for n, step in enumerate(np.diag(steps))])
        normal, down = slope.T @ slope, slope.T @ much
        try:
            move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -down)
        except np.linalg.LinAlgError:
            break
        after = residual(values + move)
        if after @ after < much @ much:
            better = 1 - (after @ after) / (much @ much)
            values, much, damping = values + move, after, damping / 4
            if better < 1e-7:
                break
        else:
            damping *= 6
            if damping > 1e8:
                break
    return values
