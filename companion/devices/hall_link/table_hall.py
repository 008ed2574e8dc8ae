"""A table's hall for its own pages: joining, leaving, and the state in between. Play needs no hall."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from companion.devices.hall_link.hall_status import HallStatus
from companion.devices.hall_link.join_client import JoinAttempt
from companion.devices.hall_link.member import HallMember, Health
from companion.devices.hall_link.membership import Membership, MembershipStore
from companion.devices.hall_link.reports import Tell
from companion.devices.hall_link.signing import fingerprint
from companion.table.table import Table
from companion.threads.listeners import Listeners

LOG = logging.getLogger(__name__)


class TableHall:
    """Keeps a table in its hall. Any thread may call it except the table's own; close it before the table."""

    def __init__(
        self, table: Table, journal: Path, tell: Tell = lambda snapshot, lang: (), health: Health = lambda: ()
    ) -> None:
        self._table, self._journal = table, journal
        self._tell, self._health = tell, health
        self._store = MembershipStore(table, journal.parent)
        self._lock = threading.RLock()
        self._attempt: JoinAttempt | None = None
        self._address = ""
        self._listeners: Listeners[[]] = Listeners("a listener of the table's hall failed")
        membership = self._store.read()
        self._member = self._enter(membership) if membership is not None else None

    def close(self) -> None:
        """Stop; the table stays in its hall."""
        with self._lock:
            if self._attempt is not None:
                self._attempt.cancel()
            if self._member is not None:
                self._member.close()

    def listen(self, listener: Callable[[], object]) -> None:
        """Call a function whenever the status may have changed. The function must not block."""
        self._listeners.add(listener)

    @property
    def member(self) -> HallMember | None:
        """The table's end of the hall; None if it is in none."""
        return self._member

    def status(self) -> HallStatus:
        """Return the status for the pages."""
        member, attempt = self._member, self._attempt
        joining, fault = (attempt.state, attempt.fault) if attempt is not None else ("", None)
        if member is None:
            return HallStatus(joining=joining, join_fault=fault)
        return HallStatus(
            member.membership.grant.hall_name,
            member.connected,
            member.fault,
            joining,
            fault,
            member.assigned.number,
            member.assigned.round,
            member.assigned.players,
            member.book.owed,
            member.call,
            member.result(),
            member.assigned.code,
            member.assigned.announcement,
            member.seconds_until(member.assigned.begins),
            member.seconds_until(member.assigned.ends),
            member.round_over and not member.plays_round,
            member.assigned.advice,
        )

    def join(self, address: str, code: str, name: str) -> None:
        """Begin to join a hall; raise `JoinError` for an invalid address or code."""
        with self._lock:
            if self._attempt is not None:
                self._attempt.cancel()
            self._address = address
            self._attempt = JoinAttempt(address, code, name, self._store.key, self._joined)
            self._attempt.start()
        self._listeners.tell()

    def fingerprint(self) -> str:
        """Return the fingerprint of the table's key for this hall; the organiser compares it while the table waits."""
        attempt = self._attempt
        return fingerprint(attempt.public) if attempt is not None and attempt.public else ""

    def cancel(self) -> None:
        """Give up joining."""
        with self._lock:
            if self._attempt is not None:
                self._attempt.cancel()
                self._attempt = None
        self._listeners.tell()

    def leave(self) -> None:
        """Leave the hall and drop unconfirmed results."""
        with self._lock:
            if self._member is not None:
                self._member.close(leave=True)
                self._member = None
                self._store.forget()
        self._listeners.tell()

    def _joined(self, attempt: JoinAttempt) -> None:
        """Handle a new state of the attempt, in the attempt's thread."""
        if attempt.grant is not None:
            with self._lock:
                if attempt is not self._attempt:
                    return
                host = attempt.grant.host or attempt.host
                membership = Membership(attempt.grant, self._address, host)
                if self._member is not None:
                    self._member.close()
                self._store.keep(membership, attempt.public)
                self._member = self._enter(membership)
                self._attempt = None
        self._listeners.tell()

    def _enter(self, membership: Membership) -> HallMember:
        """Return a member that has begun to report."""
        member = HallMember(
            self._table, self._journal, self._store, membership, self._tell, self._health, self._listeners.tell
        )
        member.start()
        return member
