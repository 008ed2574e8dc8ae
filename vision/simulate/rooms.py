"""Realistic rooms: one picture of cards on a table, without a mat, in uncontrolled light.

Each kind of room has one difficulty. The cards' positions and the camera's pose follow from a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.features.pixels import Floats
from vision.image import Image
from vision.simulate.camera_geometry import CameraAngles, CameraGeometry, camera_above
from vision.simulate.surfaces import cloudy, table_top

AREA = (480.0, 300.0)
"""The area of the table with cards in millimetres, which just fills the picture."""
BEYOND = 110.0
"""The margin of the table in millimetres to paint around that area."""
PX = 3.6
"""Pixels per millimetre of the painted table."""
SIZE = (1920, 1080)
"""Width and height of a picture in pixels."""
PLACES = (4, 2)
"""The numbers of columns and rows of cards. Each card has its own field, so that none covers another."""
ROUND = 0.045
"""The radius of a card's corners as a share of its width."""
SLEEVE = 2.5
"""The width in millimetres by which a sleeve exceeds its card."""
FAR = 0.55
"""The share of its own colour that a reflective surface shows."""


class RoomKind(NamedTuple):
    """A kind of room, with its difficulty."""

    name: str
    surface: str = "white"
    """One of `surfaces.TABLES`, `glass` or `flowers`."""
    light: str = "lamp"
    """`lamp`, `two lamps`, `window` or `dusk`."""
    card: tuple[float, float] = (63.0, 63.0)
    """Minimum and maximum width of the cards in millimetres."""
    sleeved: bool = False
    worn: bool = False
    bend: float = 0.02
    """The lens distortion (`CameraGeometry`)."""
    tilt: float = 12.0
    """The maximum tilt of the camera from the vertical in degrees."""


ROOMS = (
    RoomKind("a wooden table", "walnut"),
    RoomKind("a glass table", "glass"),
    RoomKind("a patterned cloth", "flowers"),
    RoomKind("two lamps", "oak", "two lamps"),
    RoomKind("window light", "oak", "window"),
    RoomKind("dusk", "felt", "dusk"),
    RoomKind("sleeves", "slate", sleeved=True),
    RoomKind("worn corners", "felt", worn=True),
    RoomKind("cards from 45 to 70 mm", "cloth", card=(45.0, 70.0)),
    RoomKind("a wide phone", "oak", bend=-0.12, tilt=25.0),
)
"""All kinds of rooms."""


class RoomCard(NamedTuple):
    """A card in a picture of a room: its name and its corners in pixels, clockwise from its own upper left."""

    name: str
    corners: Floats


class RoomPicture(NamedTuple):
    """A picture of a room in BGR, and the cards in it."""

    picture: Image
    cards: list[RoomCard]


def room_picture(kind: RoomKind, faces: Mapping[str, Image], seed: int) -> RoomPicture:
    """Return a picture of up to eight cards of a deck in a room, the same for the same seed.

    faces: the deck's pictures without margins, by name.
    """
    luck = np.random.default_rng([seed, ROOMS.index(kind)])
    width, height = (round((side + 2 * BEYOND) * PX) for side in AREA)
    table = _surface(kind.surface, width, height, luck)
    names = [sorted(faces)[at] for at in luck.permutation(len(faces))[: PLACES[0] * PLACES[1]]]
    cards = [RoomCard(name, corners) for name, corners in zip(names, _places(kind, faces, names, luck), strict=True)]
    for card in cards:
        low = (card.corners.min(axis=0) - 2 * SLEEVE * PX).astype(int)
        high = (card.corners.max(axis=0) + 2 * SLEEVE * PX).astype(int)
        around = table[low[1] : high[1], low[0] : high[0]]
        _lay(around, faces[card.name], (card.corners - low).astype(np.float32), kind, luck)
    toward, roll = float(luck.uniform(0, 360)), float(luck.uniform(-4, 4))
    angles = CameraAngles(float(luck.uniform(0, kind.tilt)), toward, roll)
    camera = camera_above(AREA, SIZE, angles, 0.01, kind.bend)
    lit = _lit(table, kind.light, luck)
    seen = [RoomCard(card.name, camera.to_picture(card.corners.astype(np.float64) / PX - BEYOND).astype(np.float32))
            for card in cards]  # fmt: skip
    return RoomPicture(_sensed(_through_lens(lit, camera), kind.light, luck), seen)


# --- the table ------------------------------------------------------------------------------------


def _surface(kind: str, width: int, height: int, luck: np.random.Generator) -> Image:
    if kind == "glass":
        return _glass(width, height, luck)
    if kind == "flowers":
        return _flowers(width, height, luck)
    return table_top(kind, width, height, PX, luck)


def _glass(width: int, height: int, luck: np.random.Generator) -> Image:
    """Return dark glass that reflects a lit room."""
    under = table_top("slate", width, height, PX, luck).astype(np.float32) * FAR
    mirrored = 40 + 30 * cloudy(luck, width, height, 110 * PX, 70 * PX)
    x, y = float(luck.uniform(0.1, 0.6)) * width, float(luck.uniform(0.1, 0.5)) * height
    pane = np.array([[x, y], [x + 90 * PX, y + 8 * PX], [x + 84 * PX, y + 90 * PX], [x - 6 * PX, y + 80 * PX]])
    cv2.fillConvexPoly(mirrored, pane.astype(np.int32), 190)
    mirrored = cv2.GaussianBlur(mirrored, (0, 0), 1.5 * PX)
    bright = under + np.stack([mirrored, 0.97 * mirrored, 0.9 * mirrored], axis=2)
    return np.asarray(np.clip(bright, 0, 255), np.uint8)


def _flowers(width: int, height: int, luck: np.random.Generator) -> Image:
    """Return a cloth printed all over with flowers and leaves."""
    cloth = table_top("cloth", width, height, PX, luck)
    for _ in range(260):
        x, y = int(luck.integers(0, width)), int(luck.integers(0, height))
        colour = [int(one) for one in luck.integers(40, 230, 3)]
        reach = int(luck.integers(3, 9) * PX)
        for turn in range(0, 360, 72):
            at = (round(x + reach * np.cos(np.radians(turn))), round(y + reach * np.sin(np.radians(turn))))
            cv2.ellipse(cloth, at, (reach, reach // 2), turn, 0, 360, colour, -1, cv2.LINE_AA)
        cv2.circle(cloth, (x, y), reach // 2, (60, 190, 220), -1, cv2.LINE_AA)
    return cloth


# --- the cards ------------------------------------------------------------------------------------


def _places(
    kind: RoomKind, faces: Mapping[str, Image], names: Sequence[str], luck: np.random.Generator
) -> list[Floats]:
    """Return the corners of each card on the painted table, in its pixels."""
    step = np.array([AREA[0] / PLACES[0], AREA[1] / PLACES[1]])
    width = float(luck.uniform(*kind.card))
    found = []
    for nth, name in enumerate(names):
        high, wide = faces[name].shape[:2]
        size = np.array([width, width * high / wide])
        angle = np.radians(luck.uniform(-12, 12) + 180 * luck.integers(0, 2))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        middle = (np.array([nth % PLACES[0], nth // PLACES[0]]) + 0.5) * step + luck.uniform(-5, 5, 2)
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
        found.append(((box @ turn + middle + BEYOND) * PX).astype(np.float32))
    return found


def _lay(table: Image, face: Image, corners: Floats, kind: RoomKind, luck: np.random.Generator) -> None:
    """Paint a card on the table, with its shadow and, if it has one, its sleeve."""
    high, wide = face.shape[:2]
    drawn = _worn(face, luck) if kind.worn else face
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32), corners)
    size = (table.shape[1], table.shape[0])
    shape: Image = np.zeros((high, wide), np.uint8)
    corner = round(ROUND * wide)
    cv2.rectangle(shape, (corner, 0), (wide - corner - 1, high), 255, -1)
    cv2.rectangle(shape, (0, corner), (wide, high - corner - 1), 255, -1)
    for at in (
        (corner, corner),
        (wide - corner - 1, corner),
        (corner, high - corner - 1),
        (wide - corner - 1, high - corner - 1),
    ):
        cv2.circle(shape, at, corner, 255, -1, cv2.LINE_AA)
    part = cv2.warpPerspective(shape, matrix, size, flags=cv2.INTER_LINEAR)
    shadows = ((6, 3), (-5, 4)) if kind.light == "two lamps" else ((3, 3),)
    for x, y in shadows:
        moved = cv2.warpAffine(part, np.array([[1, 0, x], [0, 1, y]], np.float64), size)
        soft = cv2.GaussianBlur(moved, (0, 0), 3).astype(np.float32)[:, :, None] / 255
        table[:] = (table * (1 - 0.35 * soft)).astype(np.uint8)
    if kind.sleeved:
        _sleeve(table, corners, luck)
    moved = cv2.warpPerspective(drawn, matrix, size, flags=cv2.INTER_AREA)
    share = part.astype(np.float32)[:, :, None] / 255
    table[:] = (moved * share + table * (1 - share)).astype(np.uint8)


def _sleeve(table: Image, corners: Floats, luck: np.random.Generator) -> None:
    """Paint the rim of a clear sleeve around a card, with a highlight along its edge."""
    middle = corners.mean(axis=0)
    away = corners - middle
    long = np.linalg.norm(away, axis=1, keepdims=True)
    rim = (middle + away * (1 + 1.4 * SLEEVE * PX / long)).astype(np.int32)
    glossy = table.copy()
    cv2.fillConvexPoly(glossy, rim, (205, 208, 210), cv2.LINE_AA)
    cv2.addWeighted(glossy, 0.35, table, 0.65, 0, table)
    bright = int(luck.integers(0, 4))
    ends = [(int(x), int(y)) for x, y in (rim[bright], rim[(bright + 1) % 4])]
    cv2.line(table, ends[0], ends[1], (240, 242, 244), 2, cv2.LINE_AA)


def _worn(face: Image, luck: np.random.Generator) -> Image:
    """Return a used card with white corners and edges, and with scratches."""
    high, wide = face.shape[:2]
    worn = face.copy()
    for x in (0, wide):
        for y in (0, high):
            cv2.circle(worn, (x, y), round(float(luck.uniform(0.05, 0.14)) * wide), (228, 232, 236), -1, cv2.LINE_AA)
    for _ in range(7):
        at = [(int(luck.integers(0, wide)), int(luck.integers(0, high))) for _ in range(2)]
        cv2.line(worn, at[0], at[1], (215, 220, 224), 1, cv2.LINE_AA)
    return worn


# --- light and camera -----------------------------------------------------------------------------


def _lit(table: Image, light: str, luck: np.random.Generator) -> Floats:
    """Return the table under its light: h × w × 3."""
    height, width = table.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    side = float(luck.choice((-1, 1)))
    spot = np.exp(-((x - 0.5 * side) ** 2 + (y + 0.4) ** 2) / 0.8)
    if light == "two lamps":
        other = np.exp(-((x + 0.6 * side) ** 2 + (y - 0.3) ** 2) / 0.5)
        field = np.stack(
            [0.4 + 0.35 * spot + 0.3 * other, 0.4 + 0.4 * spot + 0.45 * other, 0.4 + 0.4 * spot + 0.6 * other]
        )
    elif light == "window":
        slope = 0.55 + 0.4 * side * x
        pane = 0.35 / (1 + np.exp((np.abs(x - 0.35 * side + 0.3 * y) - 0.3) * 40))
        field = np.stack([(slope + pane) * 1.08, slope + pane, (slope + pane) * 0.94])
    else:
        even = 0.7 + 0.25 * spot
        field = np.stack([0.9 * even, even, 1.06 * even])
    found: Floats = table * field.transpose(1, 2, 0) * np.float32(0.3 if light == "dusk" else 1.0)
    return found


def _through_lens(lit: Floats, camera: CameraGeometry) -> Floats:
    """Return the light on the sensor from a table painted at `PX`."""
    canvas = camera.canvas()
    matrix = canvas.from_corner(BEYOND, BEYOND).matrix @ np.diag([1 / PX, 1 / PX, 1.0])
    seen = cv2.warpPerspective(lit, matrix, canvas.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    across, down = camera.lens(0, camera.size[1])
    found: Floats = cv2.remap(seen, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return found


def _sensed(seen: Floats, light: str, luck: np.random.Generator) -> Image:
    """Return a phone's picture: slightly soft, noisy and compressed as JPEG."""
    soft = cv2.GaussianBlur(seen, (0, 0), float(luck.uniform(0.6, 1.1)))
    noise = np.float32(5.0 if light == "dusk" else 2.0) * luck.standard_normal(soft.shape, np.float32)
    noisy = (soft + noise).clip(0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
