"""The table's hall as its pages show it. Nothing here needs the hall's dependencies."""

from __future__ import annotations

from math import ceil

import msgspec
from msgspec.structs import asdict, replace

from companion.devices.hall_link.hall_status import HallStatus
from companion.devices.hall_link.messages import CONFIRMING_SEATS
from companion.table.snapshot import Snapshot
from web.presenters.match_log import Teller

SENTENCES = 8
"""The most log lines sent to the hall."""
GOING_ON = ("connecting", "waiting")
REFUSED = "hall_link.refused"


class HallTyped(msgspec.Struct, frozen=True):
    """The host's input for joining: the hall's address, and a name for the table."""

    address: str = ""
    name: str = ""


class HallView(HallStatus, frozen=True):
    """The status without its ever-changing seconds, and without an attempt to join that has ended."""

    since: str = ""
    """When the connection to the hall was lost, such as `18:42`; empty if it was never reached since the start."""
    fingerprint: str = ""
    """The code that the organiser compares while the table waits."""
    fault: str = ""
    """The key of the sentence that says why joining failed, with its fields."""
    fields: tuple[tuple[str, str], ...] = ()
    typed: HallTyped = HallTyped()
    caller: int = -1
    """The seat that called a judge; -1: the shared tablet."""
    clock: str = ""
    """The round's clock: `soon` before it begins, `on`, or `over`; empty: there is none."""
    minutes: int = 0
    """The minutes left until it begins or ends, rounded up."""

    @property
    def missing(self) -> int:
        """The number of seats that still have to confirm the result."""
        return max(0, CONFIRMING_SEATS - len(self.result.confirmed)) if self.result is not None else 0


def hall_view(status: HallStatus, typed: HallTyped, fingerprint: str, caller: int, since: str) -> HallView:
    """Return the facts that pages show about a hall."""
    error, fault, fields = status.join_fault, "", {}
    if status.joining == "refused":
        fault = REFUSED
    elif status.joining not in GOING_ON and error is not None:
        fault, fields = error.key, error.fields
    joining = status.joining if status.joining in GOING_ON else ""
    clock, seconds = round_clock(status)
    known = asdict(replace(status, joining=joining, join_fault=None, begins_s=None, ends_s=None))
    return HallView(
        **known, since=since, fingerprint=fingerprint, fault=fault, fields=tuple(fields.items()), typed=typed,
        caller=caller, clock=clock, minutes=ceil(seconds / 60),
    )  # fmt: skip


def round_clock(status: HallStatus) -> tuple[str, float]:
    """Return the round's clock, as in `HallView.clock`, and the seconds until it changes."""
    if status.begins_s is not None and status.begins_s > 0:
        return "soon", status.begins_s
    if status.ends_s is None:
        return "", 0.0
    return ("on", status.ends_s) if status.ends_s > 0 else ("over", 0.0)


class PublicLog:
    """Tells a hall the public news of the table. It has its own state, so that no page waits for it."""

    def __init__(self) -> None:
        self._teller = Teller()

    def __call__(self, snapshot: Snapshot, lang: str) -> list[str]:
        """Return the last public sentences in a language, the latest first."""
        lines = self._teller.log(snapshot, lang, SENTENCES)
        return [sentence for line in lines for sentence in reversed(line.sentences)]
