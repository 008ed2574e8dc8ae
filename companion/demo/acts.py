"""What people do at a table: move a card, lay tokens, press a button, tap a tablet, take their hands away."""

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


Slip = Literal["", "heaped", "left", "early"]
"""How people lay tokens before the companion asks them to do it properly: over one another, not at all (they leave what
lies there), or before the signal."""


class LayTokens(msgspec.Struct, frozen=True):
    """Hands have exactly these tokens at a place."""

    place: str
    tokens: tuple[str, ...] = ()
    slip: Slip = ""


class TakeClaim(msgspec.Struct, frozen=True):
    """A seat takes what its tokens suggest: with its button where a press means nothing else, or on its tablet."""

    seat: Seat


class Rest(msgspec.Struct, frozen=True):
    """The hands stay off the table, for at least this many seconds, and until the camera has looked."""

    seconds: float = 0.0
    briefly: bool = False
    """The cards there now are cleared away next, so people first check that the camera has read them."""


Act = MoveCard | PressButton | TapPage | LayTokens | TakeClaim | Rest
