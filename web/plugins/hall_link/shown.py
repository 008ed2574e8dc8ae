"""The hall that this table belongs to, as its pages show it. Nothing here needs the programs of a hall."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from companion.devices.hall_link.messages import CONFIRMING_SEATS
from companion.table.snapshot import Snapshot
from web.presenters.match_log import Teller

if TYPE_CHECKING:
    from companion.devices.hall_link.table_hall import HallStatus

SENTENCES = 8
"""Lines of the log that cross to the hall, at most."""
GOING_ON = ("connecting", "waiting")
REFUSED = "hall_link.refused"


class HallView(msgspec.Struct, frozen=True):
    """What the pages of a table know of its hall. Without a `name` the table is in none."""

    name: str = ""
    number: int = 0
    """The table's number there; 0: not known yet."""
    connected: bool = False
    since: str = ""
    """When the hall was lost, such as `18:42`; empty if it has not been reached since the start."""
    trouble: str = ""
    """Why it is not reached, as an English sentence."""
    owed: int = 0
    """Results that the hall has not confirmed."""
    round: int = 0
    players: tuple[str, ...] = ()
    """Who is to play here in this round."""
    joining: str = ""
    """`connecting` or `waiting` (for the organiser); empty: nobody joins."""
    fingerprint: str = ""
    """What the organiser compares while the table waits."""
    fault: str = ""
    """The key of the sentence that says why joining has failed."""
    fields: tuple[tuple[str, str], ...] = ()
    address: str = ""
    """What the host typed last, and the table's name."""
    table_name: str = ""
    call: str = ""
    """The judge's call: `sent`, `waiting` or `taken`; empty: there is none."""
    judge: str = ""
    caller: int = -1
    """The seat that called; -1: the shared tablet."""
    match: str = ""
    """The match whose result is asked about; empty: there is none."""
    confirmed: tuple[int, ...] = ()
    disputed: tuple[int, ...] = ()
    code: str = ""
    """By which players' phones speak for this table in this round."""
    announcement: str = ""
    clock: str = ""
    """The round's clock: `soon` before it begins, `on`, or `over`; empty: there is none."""
    minutes: int = 0
    """The minutes that are left until it begins or ends, the one that has begun included."""
    over: bool = False
    """Whether the round has been played here."""

    @property
    def missing(self) -> int:
        """How many more seats must confirm the result."""
        return max(0, CONFIRMING_SEATS - len(self.confirmed))


class HallTyped(msgspec.Struct, frozen=True):
    """What the host typed to join: the hall's address, and a name for the table."""

    address: str = ""
    name: str = ""


NOTHING_TYPED = HallTyped()


def hall_view(
    status: HallStatus, typed: HallTyped = NOTHING_TYPED, fingerprint: str = "", caller: int = -1, since: str = ""
) -> HallView:
    """Return what pages show of a hall."""
    going_on = status.joining in GOING_ON
    fault, fields = (status.join_fault.key, status.join_fault.fields) if status.join_fault is not None else ("", {})
    if status.joining == "refused":
        fault = REFUSED
    call, result = status.call, status.result
    clock, seconds = round_clock(status)
    return HallView(
        name=status.hall,
        number=status.number,
        connected=status.connected,
        since="" if status.connected else since,
        trouble="" if status.connected else status.fault,
        owed=status.owed,
        round=status.round,
        players=status.players,
        joining=status.joining if going_on else "",
        fingerprint=fingerprint if status.joining == "waiting" else "",
        fault="" if going_on else fault,
        fields=tuple(fields.items()),
        address=typed.address,
        table_name=typed.name,
        call=call.state if call is not None else "",
        judge=call.judge if call is not None else "",
        caller=caller if call is not None else -1,
        match=result.match if result is not None else "",
        confirmed=result.confirmed if result is not None else (),
        disputed=result.disputed if result is not None else (),
        code=status.code,
        announcement=status.announcement,
        clock=clock,
        minutes=ceil(seconds / 60),
        over=status.over,
    )


def round_clock(status: HallStatus) -> tuple[str, float]:
    """Return what the round's clock shows, as `HallView.clock`, and the seconds until it shows something else."""
    if status.begins_s is not None and status.begins_s > 0:
        return "soon", status.begins_s
    if status.ends_s is None:
        return "", 0.0
    return ("on", status.ends_s) if status.ends_s > 0 else ("over", 0.0)


class PublicLog:
    """Tells a hall what everybody at the table may hear. Its memory is its own: no page ever waits for it."""

    def __init__(self) -> None:
        self._teller = Teller()

    def __call__(self, snapshot: Snapshot, lang: str) -> list[str]:
        """Return the last public sentences in a language, the latest first."""
        lines = self._teller.log(snapshot, lang, SENTENCES)
        return [sentence for line in lines for sentence in reversed(line.sentences)]
