"""A mat: its places, sheets and markers in millimetres.

Millimetres run from the mat's upper left corner, x to the right and y down, as seen by a reader of its words.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from companion.engine import Board, Place
from companion.engine.layout import Kind
from vision.card_size import MatError

Points = npt.NDArray[np.float64]
"""Points in millimetres or pixels: n × 2 of float64."""

SHOWING = 0.25
"""The share of its long side that a tucked card shows."""


class Slot(msgspec.Struct, frozen=True):
    """The position of one place's cards."""

    place: str
    kind: Kind
    x: float
    y: float
    """The upper left corner of the first card: its own top left, even if the card is rotated."""
    turn: int = 0
    """The cards' clockwise quarter turns relative to the mat: 2 is upside down."""
    most: int = 1
    """The maximum number of cards."""
    step: tuple[float, float] = (0.0, 0.0)
    """The step from each card to the next in millimetres of the mat: side by side in a spread, tucked in a row."""
    at: int = 0
    """The position of the first card, above 0 only where a spread's outlines were drawn one by one."""
    seat: int | None = None
    """The owner's seat, or None."""


class TokenSlot(msgspec.Struct, frozen=True):
    """The position of one place's tokens."""

    place: str
    x: float
    y: float
    """Its upper left corner as its owner sees it, even if it is rotated."""
    size: tuple[float, float]
    """Width and height in millimetres, as its owner sees it."""
    turn: int = 0
    """Its clockwise quarter turns: 2 is upside down on the mat."""
    most: int = 1
    """The maximum number of tokens."""
    seat: int | None = None
    """The owner's seat, or None."""
    bar: float = 0.0
    """Depth in millimetres of the printed bar along its owner's edge, as part of the place. It is 0 without a bar."""

    def corners(self) -> Points:
        """Return its corners in millimetres, clockwise from its own top left, 4 × 2."""
        return card_corners(self.size, self.x, self.y, self.turn)

    def edge(self) -> Points:
        """Return the corners of the printed bar in millimetres, clockwise from its own top left, 4 × 2."""
        return self._strip(self.size[1] - self.bar, self.bar)

    def ground(self) -> Points:
        """Return the corners of the place without its bar, 4 × 2."""
        return self._strip(0.0, self.size[1] - self.bar)

    def _strip(self, down: float, height: float) -> Points:
        dx, dy = turn_vector(0.0, down, self.turn)
        return card_corners((self.size[0], height), self.x + dx, self.y + dy, self.turn)


class MatSheet(msgspec.Struct, frozen=True):
    """A sheet of paper at its position in the mat. Its upper left corner may lie outside the mat."""

    number: int
    """Its number from 1, row by row."""
    x: float
    y: float
    width: float
    height: float


class Marker(msgspec.Struct, frozen=True):
    """A printed square by which the mat is found."""

    id: int
    x: float
    y: float
    side: float
    sheet: int = 0
    """The number of its sheet or coaster, or 0 without one."""
    turn: float = 0.0
    """Its clockwise rotation in degrees about its middle, which only coasters have."""

    def corners(self) -> Points:
        """Return its four corners in millimetres, clockwise from its own top left, 4 × 2."""
        x, y, s = self.x, self.y, self.side
        straight = np.array([[x, y], [x + s, y], [x + s, y + s], [x, y + s]])
        if not self.turn:
            return straight
        middle, angle = straight.mean(axis=0), np.radians(self.turn)
        turning = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        found: Points = (straight - middle) @ turning + middle
        return found


class Mat(msgspec.Struct, frozen=True):
    """A table's places. Without markers (places drawn by hand) it is found by four corners that a player set."""

    size: tuple[float, float]
    """Width and height in millimetres."""
    card: tuple[float, float]
    """Width and height of a card in millimetres, as its reader holds it."""
    slots: tuple[Slot, ...]
    markers: tuple[Marker, ...] = ()
    sheets: tuple[MatSheet, ...] = ()
    players: int = 0
    paper: str = ""
    board: Board | None = None
    """The board printed on it, or None."""
    board_at: tuple[float, float] = (0.0, 0.0)
    """The board's upper left corner."""
    seams: tuple[tuple[float, ...], ...] = ()
    """For a board, the ends of its columns and rows of sheets. A cell belongs to the sheet with its middle."""
    token_slots: tuple[TokenSlot, ...] = ()
    """The places for tokens, which are never in `slots` too."""
    outline: tuple[tuple[float, float], ...] = ()
    """For a table with coasters, the corners of its public area, clockwise from the upper left. Cards lie anywhere
    in it, and the table has no slots."""
    places: tuple[Place, ...] = ()
    """For a table with coasters, the game's places for cards."""

    def corners(self, slot: Slot, nth: int = 0) -> Points:
        """Return the corners in millimetres of the slot's nth card (0: the first), clockwise from its own top left."""
        return card_corners(self.card, slot.x + nth * slot.step[0], slot.y + nth * slot.step[1], slot.turn)

    def hull(self, slot: Slot, grown: float = 0.0) -> Points:
        """Return the rectangle around all the cards of a slot, expanded on every side, clockwise from the upper
        left."""
        return box_around(np.vstack([self.corners(slot), self.corners(slot, slot.most - 1)]), grown)

    def areas(self, grown: float = 0.0) -> Iterator[Points]:
        """Yield the rectangles of everything read or drawn on: slots (also piles), token slots and the board."""
        for slot in self.slots:
            yield self.hull(slot, grown)
        for tokens in self.token_slots:
            yield box_around(tokens.corners(), grown)
        if self.board is not None:
            yield self.board_area(grown)
        if self.outline:
            yield box_around(np.array(self.outline), grown)

    def board_area(self, grown: float = 0.0) -> Points:
        """Return the rectangle around the board, expanded on every side, clockwise from the upper left."""
        assert self.board is not None
        (x, y), (width, height) = self.board_at, self.board.size
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        return corners + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * grown

    def slot(self, place: str) -> Slot | None:
        """Return the first slot of a place, or None if the mat has none."""
        return next((slot for slot in self.slots if slot.place == place), None)

    def token_slot(self, place: str) -> TokenSlot | None:
        """Return the token slot of a place, or None if the mat has none."""
        return next((slot for slot in self.token_slots if slot.place == place), None)

    def read(self) -> Iterator[Slot]:
        """Yield the slots that the camera reads: all but piles."""
        return (slot for slot in self.slots if slot.kind != "pile")


def box_around(points: Points, grown: float) -> Points:
    """Return the rectangle around points, expanded on every side, clockwise from the upper left."""
    (left, top), (right, bottom) = points.min(axis=0) - grown, points.max(axis=0) + grown
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def card_corners(card: tuple[float, float], x: float, y: float, turn: int) -> Points:
    """Return the corners of a card with its own top left at x, y, clockwise from there."""
    (ax, ay), (dx, dy) = turn_vector(card[0], 0.0, turn), turn_vector(0.0, card[1], turn)
    return np.array([[x, y], [x + ax, y + ay], [x + ax + dx, y + ay + dy], [x + dx, y + dy]])


def turn_vector(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a vector rotated clockwise (on paper, with y down) by quarter turns."""
    for _ in range(turn % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0


def usable_places(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the places, or raise `MatError` if the game has none."""
    if not places:
        raise MatError("This game has no places for cards on a table.")
    return places
