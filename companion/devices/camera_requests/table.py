"""Requests about the table under the camera: its pictures, its places, its board and its cards."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.devices.camera_requests.camera_request import ADJUST_SECONDS, CameraAnswer, CameraRequest, Name, Point
from companion.findings import Finding


class Watch(CameraRequest[CameraAnswer], frozen=True, omit_defaults=True):
    """Keep the live picture in the frames folder up to date for some seconds (companion/devices/frames.py)."""

    what = "watch"
    seconds: float = 5.0
    whole: bool = False
    """Show the whole table, so that a board without markers can be tapped; ignored where none can be set."""


class NameCard(CameraRequest[CameraAnswer], frozen=True):
    """Take a person's word on the card at a place; it holds until the card leaves. An empty card takes it back."""

    what = "name"
    place: Name
    at: int = 0
    card: str = ""


class PlaceOutline(msgspec.Struct, frozen=True):
    """The four corners of one place, clockwise."""

    place: str
    corners: tuple[Point, ...]


class PlacesAnswer(CameraAnswer, frozen=True, omit_defaults=True):
    """The table without a mat: width and height in mm, and for how many players. Empty: it is forgotten."""

    size: tuple[float, float] = (0.0, 0.0)
    players: int = 0


class SetPlaces(CameraRequest[PlacesAnswer], frozen=True, omit_defaults=True):
    """Say where the places are on a table without a mat; without corners and slots that is forgotten.

    `corners`: of the rectangle that the places fill, clockwise from its upper left; `size`: its sides in mm (None: as
    large as a mat); `players`: for how many (0: as many as the settings say); `slots`: places outlined one by one.
    """

    what = "places"
    answer = PlacesAnswer
    timeout = ADJUST_SECONDS
    corners: tuple[Point, ...] = ()
    size: tuple[float, float] | None = None
    players: int = 0
    slots: tuple[PlaceOutline, ...] = ()


ACROSS = (50.0, 2500.0)
"""Millimetres between the first two corner cells of a tapped board, least and most."""


class TappedBoard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board without markers, as somebody tapped it in the live picture."""

    board: Name
    corners: tuple[Point, Point, Point, Point]
    """The middles of its corner cells, clockwise from the upper left as people read the board."""
    across: float = 0.0
    """Millimetres between the first two; 0: as the companion prints the board."""
    moved: dict[str, Point] = {}
    """By name, the middles of cells that lie elsewhere than the corners say."""


class BoardAnswer(CameraAnswer, frozen=True, omit_defaults=True):
    """A tapped board and the outlines of all its cells, by name. Empty: no board is set by hand."""

    tapped: TappedBoard | None = None
    cells: dict[str, tuple[Point, ...]] = msgspec.field(default_factory=dict)


class OutlineBoard(CameraRequest[BoardAnswer], frozen=True, omit_defaults=True):
    """Say where the cells of a tapped board lie; without one, those of the board that is set by hand."""

    what = "board_outline"
    answer = BoardAnswer
    tapped: TappedBoard | None = None


class SetBoard(CameraRequest[BoardAnswer], frozen=True, omit_defaults=True):
    """Keep where a board without markers lies, and how it looks; without one, forget it.

    No piece may stand on it the first time; a board that was set before is recognised with pieces on it. Refused as
    `board_seen` while a board with markers is in sight.
    """

    what = "board"
    answer = BoardAnswer
    timeout = ADJUST_SECONDS
    tapped: TappedBoard | None = None


class Calibrate(CameraRequest[CameraAnswer], frozen=True):
    """Set and lock focus, exposure and white balance, and look for the mat again."""

    what = "calibrate"
    timeout = ADJUST_SECONDS


class LaidCard(msgspec.Struct, frozen=True):
    """One card as it lies on a rendered table; of one that lies face down, the name of its back.

    Also one piece on the table's board: its place is a cell, such as `board.C4`, its name its kind and colour.
    """

    place: str
    card: str
    face: Literal["up", "down"] = "up"

    @property
    def shows(self) -> str:
        """What everybody sees of it; empty where it lies face down."""
        return self.card if self.face == "up" else ""


class RenderedTableAnswer(CameraAnswer, frozen=True):
    """How a rendered table lies: its cards and pieces, how many are still to be moved, and the names of its places."""

    cards: tuple[LaidCard, ...] = ()
    moving: int = 0
    places: tuple[str, ...] = ()


class ReadRenderedTable(CameraRequest[RenderedTableAnswer], frozen=True):
    """Say what truly lies on the rendered table; refused as `unknown` where the table is real."""

    what = "lying"
    answer = RenderedTableAnswer


class ExamineAnswer(CameraAnswer, frozen=True):
    """What the camera's examination found, line by line."""

    findings: tuple[Finding, ...]


class Examine(CameraRequest[ExamineAnswer], frozen=True):
    """Examine the camera for the doctor."""

    what = "examine"
    answer = ExamineAnswer
