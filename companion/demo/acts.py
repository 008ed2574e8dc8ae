"""What people do at a table: move a card, press a button, tap a tablet, take their hands away."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import Event, Seat

Face = Literal["up", "down"]
HIDDEN = ""
"""Stands for any card that lies face down, as nobody sees which one it is."""


class MoveCard(msgspec.Struct, frozen=True):
    """A hand moves a card, or a piece, from a place (empty: from off the table) to a place (empty: off the table).

    `card` is `HIDDEN` for a card that lies face down and whose face nobody knows.
    """

    card: str
    source: str
    place: str
    face: Face = "up"


class PressButton(msgspec.Struct, frozen=True):
    """A seat presses its button."""

    seat: Seat


class TapPage(msgspec.Struct, frozen=True):
    """A seat enters an event on its own tablet; None: somebody enters it on the shared one."""

    seat: Seat | None
    event: Event


class Rest(msgspec.Struct, frozen=True):
    """The hands stay off the table, for at least this many seconds, and until the camera has looked."""

    seconds: float = 0.0
    briefly: bool = False
    """The cards there now are cleared away next, so people first check that the camera has read them."""


Act = MoveCard | PressButton | TapPage | Rest
