"""People's names in any script: as read from pages, and as written in sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from companion.engine import Player
from companion.engine.names import LONGEST_NAME, composed, look_alike, seen, shortened, why_unfit
from companion.engine.names import in_order as in_order
from companion.engine.names import plain_letters as plain_letters
from web.forms import InvalidForm

RIGHT_TO_LEFT = ("R", "AL", "AN")
ISOLATE, END = "\u2068", "\u2069"
"""Unicode's first strong isolate, and its end (UAX #9)."""


def read_name(text: str) -> str:
    """Return a typed name in composed form, empty for none; raise `InvalidForm` for one that cannot be displayed
    well.
    """
    name = composed(text)
    why = why_unfit(name)
    if why:
        raise InvalidForm(
            f"error.name_{why}", name=seen(name) if why == "unseen" else shortened(name), most=LONGEST_NAME
        )
    return name


def check_alike(names: Sequence[str]) -> None:
    """Raise `InvalidForm` if two names look alike."""
    if alike := look_alike(names):
        key = "error.same_name" if alike[0].casefold() == alike[1].casefold() else "error.names_alike"
        raise InvalidForm(key, one=alike[0], other=alike[1])


def isolated(name: str) -> str:
    """Return a name for use in sentences: isolated, so that right-to-left script does not reorder its neighbours."""
    turns = not name.isascii() and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{ISOLATE}{name}{END}" if turns else name


def as_shown(players: Iterable[Player]) -> tuple[Player, ...]:
    """Return players with their names prepared for sentences."""
    return tuple([msgspec.structs.replace(player, name=isolated(player.name)) for player in players])
