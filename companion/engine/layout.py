"""Layout: which cards the rules say lie where, to be compared with what a camera sees. Knows no game and no picture."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.event import Seat

Kind = Literal["spread", "row", "pile"]
"""Cards side by side in any order; a row of cards tucked behind one another, the first one whole; a pile that is
not read."""


class Place(msgspec.Struct, frozen=True):
    """A named place on the table."""

    name: str
    """Such as `market` or `seat.1.train.3`: numbers count from 1, as people do."""
    kind: Kind
    most: int = 1
    """The most cards that may lie there."""
    seat: Seat | None = None
    """Whose it is, where it is somebody's."""


class Spot(msgspec.Struct, frozen=True):
    """What the rules say lies at one place."""

    up: tuple[str, ...] = ()
    """Cards face up, by their names; in a row the first one first, the others in any order."""
    down: int = 0
    """How many lie face down."""


class Layout(msgspec.Struct, frozen=True):
    """What the rules say lies on the whole table. A place that is not in it is not spoken of and not compared."""

    spots: dict[str, Spot]
    loose: bool = False
    """Whether people are clearing or dealing now: nothing has to match until the next event."""

    def matches(self, other: Layout) -> bool:
        """Whether the other layout has the same cards at every place that both speak of."""
        return all(spot == other.spots[name] for name, spot in self.spots.items() if name in other.spots)
