"""Human actions at a table: moving a card, laying tokens, pressing a button, tapping a tablet, taking hands away."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import Event, Seat

Face = Literal["up", "down"]
HIDDEN = ""
"""Any face-down card: nobody sees which one it is."""


class MoveCard(msgspec.Struct, frozen=True):
    """A hand moves a card or a piece from one place to another; an empty place is off the table.

    `card` is `HIDDEN` for a face-down card with an unknown face.
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
"""A mistake in laying tokens: they overlap, the old ones are left in place, or they come before the signal."""


class LayTokens(msgspec.Struct, frozen=True):
    """Hands lay exactly these tokens at a place."""

    place: str
    tokens: tuple[str, ...] = ()
    slip: Slip = ""


class TakeClaim(msgspec.Struct, frozen=True):
    """A seat claims what its tokens suggest: with its button if a press has no other meaning, else on its tablet."""

    seat: Seat


class Rest(msgspec.Struct, frozen=True):
    """The hands stay off the table for at least this many seconds, and until the camera has taken a reading."""

    seconds: float = 0.0
    briefly: bool = False
    """Whether the cards there are cleared away next; people then first check that the camera has read them."""


Act = MoveCard | PressButton | TapPage | LayTokens | TakeClaim | Rest
