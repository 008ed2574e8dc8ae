"""A table's records about its hall, in its own journal: how to enter, its keys, and a report of every match."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link.joining import JoinGrant
from companion.devices.hall_link.messages import PREFIX, Assigned, Result
from companion.devices.hall_link.signing import TableKey
from companion.files.atomic_file import replace_file
from companion.table.table import Table

MEMBERSHIP, KEY, KNOWING = "hall.membership", "hall.key", "hall.knowing"
ASSIGNED, MATCHES = "hall.assigned", "hall.match."
"""Keys in the journal; the match's id follows the last one."""
FOLDER = "hall"
"""The folder, beside the journal, of the files that the connection to the broker needs."""


class Membership(msgspec.Struct, frozen=True):
    """The hall that a table belongs to. `address` is the hall's page as somebody typed it."""

    grant: JoinGrant
    address: str
    host: str
    """The broker's host."""


class MatchReport(msgspec.Struct, frozen=True):
    """A match's report for the hall: its round, its result, and whether that is still owed."""

    round: int = 0
    result: Result | None = None
    owed: bool = False
    tournament: int = -1


class MembershipStore:
    """Keeps membership and reports. The table's own thread must not call it."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table, self._folder = table, folder / FOLDER

    def key(self, hall: str) -> TableKey:
        """Return the table's key for a hall's id: each hall knows a different key.

        A hall gets the first key itself if it already knows it, having admitted the table before keys differed, or if
        it sends no id (empty).
        """
        kept, halls = self._table.read_value(KEY), self._knowing()
        key = TableKey.generate() if kept is None else TableKey.from_bytes(kept)
        if kept is None or self._table.read_value(KNOWING) is None:
            self._table.keep_all({KEY: key.raw, KNOWING: msgspec.json.encode(halls)})
        return key if not hall or hall in halls else key.for_hall(hall)

    def _knowing(self) -> list[str]:
        """Return the halls that know the first key."""
        kept, membership = self._table.read_value(KNOWING), self.read()
        if kept is not None:
            return msgspec.json.decode(kept, type=list[str])
        return [] if membership is None else [membership.grant.hall]

    def read(self) -> Membership | None:
        """Return the hall that the table belongs to."""
        kept = self._table.read_value(MEMBERSHIP)
        try:
            return None if kept is None else msgspec.json.decode(kept, type=Membership)
        except (msgspec.DecodeError, msgspec.ValidationError):
            return None

    def keep(self, membership: Membership, public: bytes) -> None:
        """Keep the hall that the table has joined with a key; drop reports for another hall."""
        halls, hall, before = self._knowing(), membership.grant.hall, self.read()
        same = before is not None and (before.grant.hall, before.grant.table) == (hall, membership.grant.table)
        if self.key("").public == public and hall not in halls:
            halls.append(hall)
        kept = {MEMBERSHIP: msgspec.json.encode(membership), KNOWING: msgspec.json.encode(halls)}
        self._table.keep_all(kept if same else {**self._no_reports(), **kept})

    def forget(self) -> None:
        """Drop the hall and the reports still owed to it."""
        self._table.keep_all({**self._no_reports(), MEMBERSHIP: None})
        for name in ("password", "hall.crt"):
            with contextlib.suppress(OSError):
                (self._folder / name).unlink()

    def _no_reports(self) -> dict[str, bytes | None]:
        return {ASSIGNED: None, **dict.fromkeys(self._table.read_values(MATCHES))}

    def assigned(self) -> Assigned:
        """Return the hall's last message about number, round and players, for matches that begin offline."""
        kept = self._table.read_value(ASSIGNED)
        return Assigned() if kept is None else msgspec.json.decode(kept, type=Assigned)

    def keep_assigned(self, assigned: Assigned) -> None:
        """Keep the hall's message about number, round and players."""
        self._table.keep(ASSIGNED, msgspec.json.encode(assigned))

    def reports(self) -> dict[str, MatchReport]:
        """Return the reports by match."""
        kept = self._table.read_values(MATCHES)
        return {key.removeprefix(MATCHES): msgspec.json.decode(value, type=MatchReport) for key, value in kept.items()}

    def keep_report(self, match: str, report: MatchReport) -> None:
        """Keep a report, durably."""
        self._table.keep(f"{MATCHES}{match}", msgspec.json.encode(report))

    def _require(self, path: Path, text: str) -> None:
        """Write a file that only its owner may read, unless it exists: a full disk must not cut off the hall."""
        try:
            if path.read_text(encoding="utf-8") == text:
                return
        except (OSError, UnicodeError):
            pass
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, text, 0o600)
        os.chmod(self._folder, 0o700)

    def broker(self, membership: Membership) -> BrokerAddress:
        """Return the broker's address for this table, writing the required files if they are missing."""
        grant = membership.grant
        password, certificate = self._folder / "password", self._folder / "hall.crt"
        self._require(password, f"{grant.password}\n")
        if grant.tls:
            self._require(certificate, grant.ca_pem)
        return BrokerAddress(
            membership.host,
            grant.port,
            PREFIX,
            user=grant.user,
            tls=grant.tls,
            password_file=password,
            ca_file=certificate if grant.tls else None,
            pinned=grant.tls,
        )
