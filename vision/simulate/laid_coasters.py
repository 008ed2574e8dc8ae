"""A rendered table with coasters, where cards lie without printed places."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from zlib import crc32

import cv2
import numpy as np

from companion.engine import Place
from vision.image import Image
from vision.mat import Mat, Slot
from vision.mat.aruco import modules
from vision.mat.coasters import SIDE, coaster_numbers
from vision.mat.mat import SHOWING, Marker
from vision.simulate.camera_geometry import Points
from vision.simulate.lying import Heap, LyingCard

PAPER = (92.0, 112.0)
"""Width and height of a coaster after cutting, in millimetres."""
RIM = 62.0
"""The distance in millimetres from a coaster's middle to the nearest card, because players keep coasters free."""
APART, BETWEEN = 84.0, 30.0
"""The distances in millimetres between rows of one seat, and between two seats."""
BESIDE = 8.0
"""The gap in millimetres between two cards of a line."""
FREE = 205.0
"""The distance in millimetres from a line's edge of the table to the nearest card's middle in the middle of the
table."""
ASKEW, SHIFTED = 4.0, 8.0
"""The maximum rotation of a row in degrees, and its maximum shift in millimetres."""
SLANTED = 2.0
"""The maximum rotation of a whole line in degrees."""
CARELESS = 12.0
"""The maximum rotation of a card in the middle, in degrees."""
TRAPEZE = 14.0
"""The maximum distance in millimetres of a coaster from the corner of an exact rectangle."""


def lay_coasters(places: Sequence[Place], players: int, card: tuple[float, float], seed: int) -> Mat:
    """Return a table with imprecisely laid coasters, and slots for the cards of each place."""
    near = (players + 1) // 2
    owned = [[place for place in places if place.seat == seat] for seat in range(players)]
    common = [place for place in places if place.seat is None and place.kind == "spread"]
    apart = card[0] + BESIDE if owned[0][0].in_line else APART
    seat_width = max(card[0] + (len(own) - 1) * apart for own in owned)
    deep = max(card[1] + (place.most - 1) * card[1] * SHOWING for own in owned for place in own)
    fits = max(place.most for place in common)
    if owned[0][0].in_line:  # wrap the middle, so that it is no wider than the lines, and keep its distance from them
        deep = FREE - card[1] / 2 - 29
        fits = int(near * (seat_width + BETWEEN) // (card[0] + 8))
    lines = [(place, at) for place in common for at in range(0, place.most, fits)]
    line = max(min(fits, place.most) * (card[0] + 8) for place in common)
    wide = max(near * (seat_width + BETWEEN) + 2 * RIM, line + 20, 400.0)
    high = 2 * (deep + 12) + len(lines) * (card[1] + 14) + 20
    slots = [slot for seat, own in enumerate(owned) for slot in _seat(own, seat, players, (wide, high), card, apart)]
    for nth, (place, at) in enumerate(lines):
        most = min(fits, place.most - at)
        top = high / 2 + (nth - len(lines) / 2) * (card[1] + 14) + 7
        left = (wide - most * (card[0] + 8)) / 2
        slots.append(Slot(place.name, "spread", left, top, 0, most, (card[0] + 8, 0.0), at))
    luck = Random(f"{seed} coasters")
    corners = [(wide, high), (0.0, high), (0.0, 0.0), (wide, 0.0)]
    markers = [
        Marker(number, x + luck.uniform(-TRAPEZE, TRAPEZE) - SIDE / 2, y + luck.uniform(-TRAPEZE, TRAPEZE) - SIDE / 2,
               SIDE, nth, luck.choice((0, 90, 180, 270)) + luck.uniform(-20, 20))
        for nth, (number, (x, y)) in enumerate(zip(coaster_numbers(players), corners, strict=True), 1)
    ]  # fmt: skip
    outline = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    return Mat((wide, high), card, tuple(slots), tuple(markers), players=players, outline=outline, places=tuple(places))


def _seat(
    own: Sequence[Place], seat: int, players: int, size: tuple[float, float], card: tuple[float, float], apart: float
) -> list[Slot]:
    """Return a seat's rows or line, from its left to its right."""
    near = (players + 1) // 2
    lower = seat < near
    there = near if lower else players - near
    nth = near - 1 - seat if lower else seat - near
    middle = RIM + (size[0] - 2 * RIM) * (nth + 0.5) / there
    slots = []
    for place, along in zip(own, np.arange(len(own)) - (len(own) - 1) / 2, strict=True):
        x = middle + (1 if lower else -1) * along * apart
        step = card[1] * SHOWING
        left, top, turn = (x - card[0] / 2, size[1] - card[1] - 12, 0) if lower else (x + card[0] / 2, card[1] + 12, 2)
        away = (0.0, -step if lower else step) if place.kind == "row" else (0.0, 0.0)
        slots.append(Slot(place.name, place.kind, left, top, turn, place.most, away, seat=seat))
    return slots


class FreeHeap(Heap):
    """Cards on a table without printed places. Rows are slightly askew, and cards in the middle are rotated."""

    def corners(self, lying: LyingCard) -> Points:
        """Return a card's corners in millimetres, clockwise from its own top left."""
        corners = super().corners(lying)
        slot = self.slot(lying.place)
        if any(place.in_line for place in self.mat.places if place.name == slot.place):
            return self._in_line(corners, slot)
        first = self.at(lying.place)[0].card if slot.kind == "row" else f"{lying.card} {lying.at}"
        luck = Random(crc32(f"{lying.place} {first} {self.mat.size}".encode()))
        if slot.kind != "row":
            return _turn(corners, corners.mean(axis=0), luck.uniform(-CARELESS, CARELESS))
        away = np.array([luck.uniform(-SHIFTED, SHIFTED), luck.uniform(-4, 4)])
        found: Points = _turn(corners, self.mat.corners(slot).mean(axis=0), luck.uniform(-ASKEW, ASKEW)) + away
        return found

    def _in_line(self, corners: Points, slot: Slot) -> Points:
        """Return a card's corners in its owner's line, which is slightly askew as a whole."""
        own = [each for each in self.mat.slots if each.seat == slot.seat]
        about = np.mean([self.mat.corners(each).mean(axis=0) for each in own], axis=0)
        luck = Random(crc32(f"{slot.seat} {self.mat.size}".encode()))
        slant, away = luck.uniform(-SLANTED, SLANTED), (luck.uniform(-SHIFTED, SHIFTED), luck.uniform(-4, 4))
        found: Points = _turn(corners, about, slant) + away
        return found


def _turn(corners: Points, about: Points, degrees: float) -> Points:
    a = np.radians(degrees)
    found: Points = (corners - about) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + about
    return found


def paint_coasters(picture: Image, mat: Mat, corner: tuple[float, float], px_per_mm: float) -> None:
    """Paint a table's coasters on its surface.

    corner: the surface's upper left corner in millimetres of the table.
    """
    fine = 4.0
    for marker in mat.markers:
        wide, high = (round(side * fine) for side in PAPER)
        paper: Image = np.full((high, wide, 3), (246, 250, 251), np.uint8)
        square: Image = np.where(np.kron(modules(marker.id), np.ones((40, 40))) > 0, 22, 246).astype(np.uint8)
        side = round(SIDE * fine)
        top = left = (wide - side) // 2
        printed = np.asarray(cv2.resize(square, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
        paper[top : top + side, left : left + side] = printed[:, :, None]
        rim = (PAPER[0] - SIDE) / 2
        straight = np.array([[-rim, -rim], [PAPER[0] - rim, -rim], [-rim, PAPER[1] - rim]])
        here, middle = straight - SIDE / 2, np.array([marker.x, marker.y]) + SIDE / 2
        to = (_turn(here, np.zeros(2), marker.turn) + middle - corner) * px_per_mm - 0.5
        ends = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [-0.5, high - 0.5]], np.float32)
        factor = fine / px_per_mm
        if factor > 1.5:
            paper = np.asarray(cv2.GaussianBlur(paper, (0, 0), factor / 3), np.uint8)
        turned = cv2.getAffineTransform(ends, to.astype(np.float32))
        size = (picture.shape[1], picture.shape[0])
        covers = cv2.warpAffine(np.full((high, wide), 1.0, np.float32), turned, size, flags=cv2.INTER_LINEAR)
        over = cv2.warpAffine(paper, turned, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        picture[:] = cv2.blendLinear(over, picture, covers, 1 - covers)
