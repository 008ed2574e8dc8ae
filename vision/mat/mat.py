"""A mat: its places, sheets and markers in millimetres.

Millimetres run from the mat's upper left corner, x to the right and y down, as a person who reads its words sees it.
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
"""How much of its long side a tucked card shows."""


class Slot(msgspec.Struct, frozen=True):
    """Where the cards of one place lie."""

    place: str
    kind: Kind
    x: float
    y: float
    """The upper left corner of the first card, as its reader sees the card: its own top left, wherever it is turned."""
    turn: int = 0
    """Quarter turns clockwise by which cards lie here, as their owner reads them: 2 is upside down on the mat."""
    most: int = 1
    """The most cards that may lie here."""
    step: tuple[float, float] = (0.0, 0.0)
    """From each card to the next, in millimetres of the mat: side by side in a spread, tucked in a row."""
    at: int = 0
    """The position of the first card; above 0 only where a spread's outlines were drawn one by one."""
    seat: int | None = None
    """Whose it is, where it is somebody's."""


class TokenSlot(msgspec.Struct, frozen=True):
    """Where the tokens of one place lie."""

    place: str
    x: float
    y: float
    """Its upper left corner as its owner sees it, wherever it is turned."""
    size: tuple[float, float]
    """Width and height in millimetres, as its owner reads it."""
    turn: int = 0
    """Quarter turns clockwise by which it is turned: 2 is upside down on the mat."""
    most: int = 1
    """The most tokens that may lie here."""
    seat: int | None = None
    """Whose it is, where it is somebody's."""
    bar: float = 0.0
    """Millimetres that the printed bar along its owner's edge is deep; 0: it has none. The bar is part of the place."""

    def corners(self) -> Points:
        """Return its corners in millimetres, clockwise from its own top left, 4 × 2."""
        return card_corners(self.size, self.x, self.y, self.turn)

    def edge(self) -> Points:
        """Return the corners of the printed bar in millimetres, clockwise from its own top left, 4 × 2."""
        return self._strip(self.size[1] - self.bar, self.bar)

    def ground(self) -> Points:
        """Return the corners of what is left for tokens, the place without its bar, 4 × 2."""
        return self._strip(0.0, self.size[1] - self.bar)

    def _strip(self, down: float, height: float) -> Points:
        dx, dy = turn_vector(0.0, down, self.turn)
        return card_corners((self.size[0], height), self.x + dx, self.y + dy, self.turn)


class MatSheet(msgspec.Struct, frozen=True):
    """A sheet of paper, as it lies in the mat. Its upper left corner may lie outside the mat's."""

    number: int
    """From 1, row by row."""
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
    """The number of its sheet, or of its coaster; 0: of none."""
    turn: float = 0.0
    """Degrees clockwise by which it lies turned about its middle; only coasters do."""

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
    """A table's places. Without markers (places drawn by hand) it is found by four corners that a person showed."""

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
    """The board that is printed on it, if it is one."""
    board_at: tuple[float, float] = (0.0, 0.0)
    """The board's upper left corner."""
    seams: tuple[tuple[float, ...], ...] = ()
    """Of a board, where its columns and rows of sheets end: a cell belongs to the sheet in which its middle lies."""
    token_slots: tuple[TokenSlot, ...] = ()
    """The places for tokens; no place is in `slots` too."""
    outline: tuple[tuple[float, float], ...] = ()
    """Of a table with coasters, the corners of its public part, clockwise from the upper left. Cards lie anywhere in
    it, and the table has no slots."""
    places: tuple[Place, ...] = ()
    """Of a table with coasters, the game's places for cards."""

    def corners(self, slot: Slot, nth: int = 0) -> Points:
        """Return the corners in millimetres of the slot's nth card (0: the first), clockwise from its own top left."""
        return card_corners(self.card, slot.x + nth * slot.step[0], slot.y + nth * slot.step[1], slot.turn)

    def hull(self, slot: Slot, grown: float = 0.0) -> Points:
        """Return the rectangle around all the cards of a slot, grown to every side, clockwise from the upper left."""
        return box_around(np.vstack([self.corners(slot), self.corners(slot, slot.most - 1)]), grown)

    def areas(self, grown: float = 0.0) -> Iterator[Points]:
        """Yield what is read or drawn on: the rectangles around slots, piles too, token slots, and around the board."""
        for slot in self.slots:
            yield self.hull(slot, grown)
        for tokens in self.token_slots:
            yield box_around(tokens.corners(), grown)
        if self.board is not None:
            yield self.board_area(grown)
        if self.outline:
            yield box_around(np.array(self.outline), grown)

    def board_area(self, grown: float = 0.0) -> Points:
        """Return the rectangle around the board, grown to every side, clockwise from the upper left."""
        assert self.board is not None
        (x, y), (width, height) = self.board_at, self.board.size
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        return corners + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * grown

    def slot(self, place: str) -> Slot | None:
        """Return the first slot of a place, None where the mat has none."""
        return next((slot for slot in self.slots if slot.place == place), None)

    def token_slot(self, place: str) -> TokenSlot | None:
        """Return the token slot of a place, None where the mat has none."""
        return next((slot for slot in self.token_slots if slot.place == place), None)

    def read(self) -> Iterator[Slot]:
        """Yield the slots that are read: all but piles."""
        return (slot for slot in self.slots if slot.kind != "pile")


def box_around(points: Points, grown: float) -> Points:
    """Return the rectangle around points, grown to every side, clockwise from the upper left."""
    (left, top), (right, bottom) = points.min(axis=0) - grown, points.max(axis=0) + grown
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def card_corners(card: tuple[float, float], x: float, y: float, turn: int) -> Points:
    """Return the corners of a card of this size whose own top left lies at x, y, clockwise from there."""
    (ax, ay), (dx, dy) = turn_vector(card[0], 0.0, turn), turn_vector(0.0, card[1], turn)
    return np.array([[x, y], [x + ax, y + ay], [x + ax + dx, y + ay + dy], [x + dx, y + dy]])


def turn_vector(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a vector turned clockwise (on paper, with y down) by so many quarter turns."""
    for _ in range(turn % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0


def usable_places(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the places a mat has room for; raise `MatError` where a game has none."""
    if not places:
        raise MatError("This game has no places for cards on a table.")
    return places
