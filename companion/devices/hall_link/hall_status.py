"""A table's knowledge of its hall, for its pages. This needs no program of a hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.devices.hall_link.messages import CallAnswered, Result

if TYPE_CHECKING:
    from companion.devices.hall_link.joining import JoinError


class HallStatus(msgspec.Struct, frozen=True):
    """The hall as shown on a table's pages."""

    name: str = ""
    """The hall's name; empty: this table is in none."""
    connected: bool = False
    trouble: str = ""
    """The reason why the hall cannot be reached, as an English sentence."""
    joining: str = ""
    """The state of a `JoinAttempt`; empty if there is none."""
    join_fault: JoinError | None = None
    number: int = 0
    """The table's number in the hall; 0: not known yet."""
    round: int = 0
    players: tuple[str, ...] = ()
    """The people who are to play here in this round."""
    owed: int = 0
    """Number of results that the hall has not confirmed."""
    call: CallAnswered | None = None
    result: Result | None = None
    """The result of the finished match on the table, and the seats that confirm or dispute it."""
    code: str = ""
    """The code by which players' phones speak for this table in this round."""
    announcement: str = ""
    begins_s: float | None = None
    """Seconds until the round begins, 0 or less afterwards; None: nobody has called it."""
    ends_s: float | None = None
    """Seconds until the round's clock ends; None: it has none."""
    over: bool = False
    """Whether the round has been played here: a further match does not belong to it."""
    advice: bool = False
    """Whether the organiser lets hosts allow advice."""
