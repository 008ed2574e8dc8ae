"""What people and watchers of a demonstration tell one another, at the stage's door. Knows no pages and no truth."""

from __future__ import annotations

import msgspec

DOOR, HEADER = "/stage/people", "X-Stage-Key"
"""Where the people tell, and the header in which they show their key."""
VARIABLE = "COMPANION_STAGE"
"""The environment's name of that key; where it is set, a companion has a stage."""


class StageReport(msgspec.Struct, forbid_unknown_fields=True):
    """What the people tell. `pages` are the addresses of the seats' pages, `table` of the shared tablet's."""

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
    """How often what the companion showed was not what lay there."""


DOINGS = ("coming", "playing", "puzzled", "stopped", "over")
"""What the people are doing: they take their seats; play; wait for a companion that shows something else than lies
there; were stopped; the match is over."""


class StageWishes(msgspec.Struct, frozen=True):
    """What the watchers want."""

    speed: float = 1.0
    """How fast people act; 0: they stop."""
    taken: tuple[int, ...] = ()
    """Seats that a person plays."""
    again: int = 0
    """Counts the matches that were asked for."""
