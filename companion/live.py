"""The live picture's companion: what is drawn over `live.jpg` on the shelf. Written by the camera, read by its page.

Knows no cards and no pages: names are the deck's, outlines are parts of the picture's width and height.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.messages import Sighting
from companion.shelf import put

PICTURE, DRAWING = "live.jpg", "live.json"
"""The names on the shelf."""
Outline = tuple[tuple[float, float], ...]
"""Four corners, clockwise from the upper left one as the thing's own reader sees it, from 0 to 1 of the picture."""


class Drawn(msgspec.Struct, frozen=True):
    """One card in the live picture."""

    sighting: Sighting
    outline: Outline


class Live(msgspec.Struct, frozen=True):
    """What is recognised in the live picture of the same `at`."""

    at: int
    """When the picture was taken, nanoseconds of CLOCK_MONOTONIC; a page loads a picture once."""
    cards: tuple[Drawn, ...] = ()
    places: dict[str, Outline] = {}
    """The places of the mat, or of the table without one, that are read, as far as they are known."""
    covered: tuple[str, ...] = ()
    """Places that cannot be seen now."""
    moving: bool = False
    """Something moves: what is drawn is as of before."""


def show(shelf: Path, picture: bytes, live: Live) -> None:
    """Put a picture (JPEG) and what is drawn over it on the shelf, the drawing last."""
    put(shelf / PICTURE, picture)
    put(shelf / DRAWING, msgspec.json.encode(live))


def shown(shelf: Path) -> Live | None:
    """Return what is drawn over the picture on the shelf; None where there is none."""
    try:
        return msgspec.json.decode((shelf / DRAWING).read_bytes(), type=Live)
    except (OSError, msgspec.DecodeError):
        return None
