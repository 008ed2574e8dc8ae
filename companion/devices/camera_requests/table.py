"""Requests about the table under the camera: its pictures, its places, its board and its cards."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.devices.camera_requests.camera_request import (
    ADJUST_SECONDS,
    PICTURE_SECONDS,
    CameraAnswer,
    CameraRequest,
    Name,
    Point,
)
from companion.findings import Finding


class Watch(CameraRequest[CameraAnswer], frozen=True, omit_defaults=True):
    """Update the live picture in the frames folder for some seconds (companion/devices/frames.py)."""

    what = "watch"
    seconds: float = 5.0
    whole: bool = False
    """Whether to show the whole table, so that people can tap a board without markers; ignored if no board can be
    set."""


class NameCard(CameraRequest[CameraAnswer], frozen=True):
    """Accept a person's name for the card at a place until the card leaves. An empty card cancels this."""

    what = "name"
    place: Name
    at: int = 0
    card: str = ""


class PlaceOutline(msgspec.Struct, frozen=True):
    """The four corners of one place, clockwise."""

    place: str
    corners: tuple[Point, ...]


class PlacesAnswer(CameraAnswer, frozen=True, omit_defaults=True):
    """The table without a mat: width and height in mm, and the number of players. Empty: forgotten."""

    size: tuple[float, float] = (0.0, 0.0)
    players: int = 0


class SetPlaces(CameraRequest[PlacesAnswer], frozen=True, omit_defaults=True):
    """Set the places on a table without a mat; without corners and slots, forget them.

    `corners`: of the rectangle that the places fill, clockwise from its upper left; `size`: its sides in mm (None: a
    mat's size); `players`: their number (0: from the settings); `slots`: places outlined one by one.
    """

    what = "places"
    answer = PlacesAnswer
    timeout = ADJUST_SECONDS
    corners: tuple[Point, ...] = ()
    size: tuple[float, float] | None = None
    players: int = 0
    slots: tuple[PlaceOutline, ...] = ()


ACROSS = (50.0, 2500.0)
"""Least and greatest distance in millimetres between the first two corner cells of a tapped board."""


class TappedBoard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board without markers that somebody tapped in the live picture."""

    board: Name
    corners: tuple[Point, Point, Point, Point]
    """The middles of its corner cells, clockwise from the upper left as people read the board."""
    across: float = 0.0
    """Millimetres between the first two; 0: as on a board printed by the companion."""
    moved: dict[str, Point] = {}
    """Centres of cells that do not lie where the corners suggest, by name."""


class BoardAnswer(CameraAnswer, frozen=True, omit_defaults=True):
    """A tapped board and the outlines of all its cells, by name. Empty: nobody has set a board by hand."""

    tapped: TappedBoard | None = None
    cells: dict[str, tuple[Point, ...]] = msgspec.field(default_factory=dict)


class OutlineBoard(CameraRequest[BoardAnswer], frozen=True, omit_defaults=True):
    """Return the cells' outlines of a tapped board; without one, those of the board set by hand."""

    what = "board_outline"
    answer = BoardAnswer
    tapped: TappedBoard | None = None


class SetBoard(CameraRequest[BoardAnswer], frozen=True, omit_defaults=True):
    """Keep the position and the look of a board without markers; without one, forget it.

    The first time, the board must be empty; later it is recognised with pieces on it. Refused as `board_seen` while a
    board with markers is in sight.
    """

    what = "board"
    answer = BoardAnswer
    timeout = ADJUST_SECONDS
    tapped: TappedBoard | None = None


class Calibrate(CameraRequest[CameraAnswer], frozen=True):
    """Set and lock focus, exposure and white balance, and look for the mat again."""

    what = "calibrate"
    timeout = ADJUST_SECONDS


class HandPicture(CameraRequest[CameraAnswer], frozen=True):
    """Read the table in a picture of the frames folder taken with a phone, as if by a fixed camera.

    Refused as `camera_there` if there is such a camera.
    """

    what = "hand_picture"
    timeout = PICTURE_SECONDS
    file: Name


class LaidCard(msgspec.Struct, frozen=True):
    """One card on a rendered table; a face-down card has the name of its back.

    Also one piece on the table's board, with a cell such as `board.C4` for its place, and its kind and colour for its
    name.
    """

    place: str
    card: str
    face: Literal["up", "down"] = "up"

    @property
    def shows(self) -> str:
        """The name of its visible face; empty if it lies face down."""
        return self.card if self.face == "up" else ""


class RenderedTableAnswer(CameraAnswer, frozen=True):
    """A rendered table: its cards and pieces, the number still to be moved, and the names of its places."""

    cards: tuple[LaidCard, ...] = ()
    moving: int = 0
    places: tuple[str, ...] = ()


class ReadRenderedTable(CameraRequest[RenderedTableAnswer], frozen=True):
    """Return the real contents of the rendered table; refused as `unknown` if the table is real."""

    what = "lying"
    answer = RenderedTableAnswer


class ExamineAnswer(CameraAnswer, frozen=True):
    """The findings of the camera's examination, line by line."""

    findings: tuple[Finding, ...]


class Examine(CameraRequest[ExamineAnswer], frozen=True):
    """Examine the camera for the doctor."""

    what = "examine"
    answer = ExamineAnswer
