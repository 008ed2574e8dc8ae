"""What people do at a table: move a card, press a button, tap on a tablet, take their hands away. Knows no games."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import Event, Seat

Face = Literal["up", "down"]
HIDDEN = ""
"""Stands for any card that lies face down: which one it is nobody sees."""


class MoveCard(msgspec.Struct, frozen=True):
    """A hand moves a card from a place (empty: from off the table) to a place (empty: off the table).

    `card` is `HIDDEN` for one that lies face down and whose face nobody knows.
    """

    card: str
    source: str
    place: str
    face: Face = "up"


class PressButton(msgspec.Struct, frozen=True):
    """A seat presses its button."""

    seat: Seat


class TapPage(msgspec.Struct, frozen=True):
    """A seat says an event on its own tablet; None: somebody says it on the shared one."""

    seat: Seat | None
    event: Event


class Rest(msgspec.Struct, frozen=True):
    """The hands are off the table, for so many seconds at least, and until the camera has looked."""

    seconds: float = 0.0
    briefly: bool = False
    """What lies there now is cleared away at once: people see to it that the camera has read it."""


Act = MoveCard | PressButton | TapPage | Rest
