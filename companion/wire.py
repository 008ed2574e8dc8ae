"""Records exchanged between a demonstration's people, the pages and the stage."""

from __future__ import annotations

import msgspec

DOOR, HEADER = "/stage/people", "X-Stage-Key"
"""The stage's address for reports, and the header that holds the reporter's key."""
VARIABLE = "COMPANION_STAGE"
"""The environment variable for that key; if it is set, the companion has a stage."""


class StageReport(msgspec.Struct, forbid_unknown_fields=True):
    """Report of the people. `pages` are the addresses of the seats' pages, `table` that of the shared tablet's."""

    pages: tuple[str, ...] = ()
    table: str = ""
    host: str = ""
    doing: str = "coming"
    """One of `DOINGS`."""
    events: int = 0
    cards: int = 0
    """How many cards were moved."""
    questions: int = 0
    """How many one-tap questions the companion had to ask."""
    wrong: int = 0
    """How often the companion showed something other than what lay there."""


DOINGS = ("coming", "playing", "puzzled", "stopped", "over")
"""What the people are doing: taking their seats; playing; waiting for a companion that differs from the real table;
stopped; the match is over."""


class StageWishes(msgspec.Struct, frozen=True):
    """Wishes of the viewers."""

    speed: float = 1.0
    """Speed of play; 0: stopped."""
    taken: tuple[int, ...] = ()
    """Seats that a person plays."""
    again: int = 0
    """The number of further matches asked for."""
