"""What all wagons of Game of Trains share: a livery, a floor, their middle."""

from __future__ import annotations

import msgspec

from companion.drawing import Fill, Mark, rectangle
from companion.drawing.pictures.wagons import FLOOR, FROM, TO

MIDDLE = (FROM + TO) / 2
"""Millimetres from the left: the middle of a wagon."""


class Livery(msgspec.Struct, frozen=True):
    """Colours of a wagon, and who travels on it."""

    body: str
    trim: str
    beast: str
    other: str
    """A second animal, for wagons with several."""


def deck(colour: str, thick: float = 2.0) -> Mark:
    """Return the floor of a flat wagon."""
    return Fill((rectangle(FROM - 0.5, FLOOR - thick, TO - FROM + 1, thick, 0.5),), colour)


def space_evenly(start: float, end: float, step: float) -> list[float]:
    """Return places at equal distances."""
    return [start + n * step for n in range(int((end - start) / step) + 1)]
