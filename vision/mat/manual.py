"""A table without a mat: a rectangle set by four taps, with places arranged in it or drawn by hand. Stored as JSON.

Taps are fractions of the picture, from 0 to 1, so that they hold for every picture size. Nothing detects a bumped
camera. Players must then tap again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.engine import Place
from vision.card_size import MatError
from vision.image import Matrix
from vision.mat.arrangement import arrangements
from vision.mat.block import Block
from vision.mat.mat import Mat, Points, Slot
from vision.mat.pose import MatPose, least_scale, perspective

NAME = "places.json"
"""The file's name in the data folder."""
Tap = tuple[float, float]
FLAT = 0.02
"""The minimum deviation of a corner from the line of its neighbours, as a share of the picture's height and width."""


class DrawnSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place drawn by hand: four taps around all its cards, clockwise from the upper left as its owner sees it."""

    place: str
    corners: tuple[Tap, Tap, Tap, Tap]


class ManualPlaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places set by hand."""

    corners: tuple[Tap, Tap, Tap, Tap]
    """The corners of the rectangle, clockwise from the upper left as seen from the lower long side."""
    size: tuple[float, float]
    """Width and height of that rectangle in millimetres."""
    players: int
    slots: tuple[DrawnSlot, ...] = ()
    """The places drawn by hand. Without any, places are arranged as on a mat, in the middle of the rectangle."""


def check_places(corners: object, size: object, players: int, slots: object = ()) -> ManualPlaces:
    """Return the places for these taps, or raise `MatError` with a sentence if they form no table."""
    try:
        found = msgspec.convert(
            {"corners": corners, "size": size, "players": players, "slots": slots}, ManualPlaces, strict=False
        )
    except msgspec.ValidationError as error:
        raise MatError(f"These are not four corners of a table: {error}.") from None
    for quad in (found.corners, *[slot.corners for slot in found.slots]):
        check_quad(quad)
    if not all(100 <= side <= 3000 for side in found.size):
        raise MatError("The rectangle's sides must be from 10 to 300 cm.")
    return found


def check_quad(quad: Sequence[Tap]) -> None:
    """Raise `MatError` unless four taps go clockwise around an area."""
    points = np.array(quad)
    if points.min() < -0.5 or points.max() > 1.5:
        raise MatError("A corner lies far outside the picture.")
    along, onward = np.roll(points, -1, axis=0) - points, np.roll(points, -2, axis=0) - np.roll(points, -1, axis=0)
    turn = along[:, 0] * onward[:, 1] - along[:, 1] * onward[:, 0]
    if not (turn > FLAT**2).all():
        raise MatError("The four corners must go clockwise around, from the upper left.")


def mat_of(by_hand: ManualPlaces, places: Sequence[Place], card: tuple[float, float]) -> Mat:
    """Return the mat set by hand, or raise `MatError` if its places do not fit."""
    known = {place.name: place for place in places}
    if not by_hand.slots:
        return Mat(by_hand.size, card, _arrange(by_hand.size, places, card), players=by_hand.players)
    plane = _plane(by_hand, (1, 1))
    slots = []
    for drawn in by_hand.slots:
        place = known.get(drawn.place)
        if place is None:
            raise MatError(f"There is no place {drawn.place!r} on this table.")
        back: Matrix = np.linalg.inv(plane).astype(np.float64)
        slots.append(_slot(place, perspective(back, np.array(drawn.corners)), card))
    return Mat(by_hand.size, card, tuple(slots), players=by_hand.players)


def _arrange(size: tuple[float, float], places: Sequence[Place], card: tuple[float, float]) -> tuple[Slot, ...]:
    """Return the places as on a mat, in the middle of a rectangle."""
    blocks = list(arrangements(places, card))

    def room(block: Block) -> float:
        return min(size[0] - block.width, size[1] - block.height)

    best = max(blocks, key=room)
    if room(best) < 0:
        raise MatError(
            f"The rectangle of {size[0] / 10:.0f} × {size[1] / 10:.0f} cm is too small: these places need"
            f" {best.width / 10:.0f} × {best.height / 10:.0f} cm."
        )
    return tuple(best.slots_at((size[0] - best.width) / 2, (size[1] - best.height) / 2))


def _slot(place: Place, quad: Points, card: tuple[float, float]) -> Slot:
    """Return a place from the rectangle drawn around all its cards, in millimetres."""
    across = quad[1] - quad[0]
    turn = round(np.degrees(np.arctan2(across[1], across[0])) / 90) % 4
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    wide, high = (right - left, bottom - top) if turn % 2 == 0 else (bottom - top, right - left)
    # As its owner sees it: from the upper left of the rectangle, then rotated about the rectangle's middle.
    upright = card[1] >= card[0]
    free = max(0.0, high - card[1]) if place.kind == "row" and upright else max(0.0, wide - card[0])
    apart = free / (place.most - 1) if place.most > 1 and place.kind != "pile" else 0.0
    first, step = (-wide / 2, -high / 2), (apart, 0.0)
    if place.kind == "row" and upright:
        first, step = (-wide / 2, high / 2 - card[1]), (0.0, -apart)
    middle = quad.mean(axis=0)
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    (x, y), (dx, dy) = ((cos * a - sin * b, sin * a + cos * b) for a, b in (first, step))
    seat = None if place.seat is None else int(place.seat)
    return Slot(
        place.name, place.kind, float(middle[0] + x), float(middle[1] + y), turn, max(1, place.most),
        (float(dx) + 0.0, float(dy) + 0.0), seat=seat,
    )  # fmt: skip


def pose_of(by_hand: ManualPlaces, mat: Mat, picture: tuple[int, int]) -> MatPose:
    """Return the rectangle's pose in pictures of this width and height."""
    pose = MatPose(_plane(by_hand, picture), picture)
    return msgspec.structs.replace(pose, scale=least_scale(pose, mat))


def _plane(by_hand: ManualPlaces, picture: tuple[int, int]) -> Points:
    """Return the homography from millimetres to pixels of a picture of this size, or to fractions of it for 1 × 1."""
    width, height = by_hand.size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    half = 0.0 if picture == (1, 1) else 0.5
    taps = (np.array(by_hand.corners) * picture - half).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, taps), dtype=np.float64)


def load(folder: Path) -> ManualPlaces | None:
    """Load the places of a data folder, or return None if the file is missing or unreadable."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=ManualPlaces)
    except (OSError, msgspec.DecodeError):
        return None


def keep(folder: Path, by_hand: ManualPlaces | None) -> None:
    """Store the places atomically, or delete them (None)."""
    path = folder / NAME
    if by_hand is None:
        path.unlink(missing_ok=True)
        return
    half = path.with_name(f".{NAME}.{os.getpid()}")
    half.write_bytes(msgspec.json.format(msgspec.json.encode(by_hand)))
    half.replace(path)
