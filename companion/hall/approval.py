"""Admit tables: the organiser approves a table that knows the code, and the broker learns its password."""

from __future__ import annotations

import contextlib
import logging
import secrets
import string
import threading

from companion.devices.bus.mosquitto import PASSWORD_BYTES, hash_password
from companion.devices.hall_link.joining import JoinError, JoinGrant
from companion.hall.broker import HallBroker
from companion.hall.checks import HallError
from companion.hall.entries import TableAdmitted, TableRemoved
from companion.hall.hall import Hall
from companion.hall.joining_desk import JoinCandidate, JoiningDesk
from companion.hall.state import HallTable
from companion.hall.store import StoreError

LOG = logging.getLogger(__name__)
ID_CHARACTERS, ID_LENGTH = string.ascii_lowercase + string.digits, 8


class TableApproval:
    """The hall's entrance. `desk` shows the code and knows the waiting tables."""

    def __init__(self, hall: Hall, broker: HallBroker) -> None:
        self.desk = JoiningDesk(hall=hall.state.hall, knows=lambda key: self.known(key) is not None)
        self.hall, self._broker = hall, broker
        self._lock = threading.RLock()
        """Held while a table is admitted: two answers to the same table would contradict each other."""
        self.update_users()
        self.desk.listen(self._admit_again)
        hall.listen(lambda table: None if table else self.update_users())

    def candidate(self, exchange: str) -> JoinCandidate:
        """Return a waiting table; raise `HallError` if it no longer waits."""
        for each in self.desk.waiting():
            if each.exchange == exchange:
                return each
        raise HallError("candidate_gone")

    def known(self, key: bytes) -> HallTable | None:
        """Return the table of this hall that has a key."""
        return next((table for table in self.hall.state.present if table.key == key), None)

    def _admit_again(self) -> None:
        """Admit known tables that return with the code for former tables, under their old names and numbers."""
        with self._lock:
            for each in self.desk.waiting():
                table = self.known(each.public) if each.again else None
                if table is not None:
                    # After a failure the organiser sees the table and can try again.
                    with contextlib.suppress(HallError, StoreError):
                        self.admit(each.exchange, table.name, table.number, "hall")

    def admit_numbered(self, by: str) -> None:
        """Admit all tables that joined by a sheet, under its numbers; raise the first error of `admit` at the end.

        This skips a table that no longer waits: it has given up, or a listener has admitted it meanwhile.
        """
        faults: list[HallError] = []
        with self._lock:
            for each in [each for each in self.desk.waiting() if each.number]:
                try:
                    self.admit(each.exchange, each.name, each.number, by)
                except HallError as fault:
                    if fault.key != "hall.fault.candidate_gone":
                        faults.append(fault)
        if faults:
            raise faults[0]

    def admit(self, exchange: str, name: str, number: int, by: str) -> None:
        """Admit a table under a name and a number; raise `HallError` or `StoreError`.

        A table with a known key keeps its id, and with it all its records.
        """
        with self._lock:
            candidate, state = self.candidate(exchange), self.hall.state
            before = next((table for table in state.tables.values() if table.key == candidate.public), None)
            table = before.id if before else "".join(secrets.choice(ID_CHARACTERS) for _ in range(ID_LENGTH))
            password = secrets.token_urlsafe(PASSWORD_BYTES)
            entrance = self._broker.table_address_fields()
            self.hall.record(by, TableAdmitted(table, name, number, candidate.public, hash_password(password)))
            grant = JoinGrant(
                hall=state.hall,
                hall_name=state.name,
                table=table,
                port=entrance.port,
                tls=entrance.tls,
                ca_pem=entrance.ca_pem,
                user=table,
                password=password,
            )
            try:
                self.desk.approve(exchange, grant)
            except JoinError:  # it has left meanwhile and will never get its password
                there = before is not None and not before.removed
                self.hall.record(by, before.admitted() if before and there else TableRemoved(table))
                raise HallError("candidate_gone") from None

    def update_users(self) -> None:
        """Give the broker exactly the tables of the hall's state as users."""
        try:
            self._broker.set_users({table.id: table.secret for table in self.hall.state.present})
        except (OSError, ValueError) as error:
            LOG.error("the broker could not be told who may come in: %s", error)
