"""What a table knows of its hall, for its pages. Nothing here needs the programs of a hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.devices.hall_link.messages import CallAnswered, Result

if TYPE_CHECKING:
    from companion.devices.hall_link.joining import JoinError


class HallStatus(msgspec.Struct, frozen=True):
    """What a table's pages show of its hall."""

    name: str = ""
    """The hall's name; empty: this table is in none."""
    connected: bool = False
    trouble: str = ""
    """Why the hall is not reached, as an English sentence."""
    joining: str = ""
    """The state of an attempt to join, as of `JoinAttempt`; empty if there is none."""
    join_fault: JoinError | None = None
    number: int = 0
    """The table's number in the hall; 0: not known yet."""
    round: int = 0
    players: tuple[str, ...] = ()
    """Who is to play here in this round."""
    owed: int = 0
    """Results that the hall has not confirmed."""
    call: CallAnswered | None = None
    result: Result | None = None
    """The result of the match that is over on the table, and which seats confirm or dispute it."""
    code: str = ""
    """By which players' phones speak for this table in this round."""
    announcement: str = ""
    begins_s: float | None = None
    """Seconds until the round begins, 0 or less once it has; None: nobody has called it."""
    ends_s: float | None = None
    """Seconds until its clock ends; None: it has none."""
    over: bool = False
    """Whether the round has been played here: a further match does not belong to it."""
