"""Lets tables in: the organiser approves a table that knows the code, and the broker learns its password."""

from __future__ import annotations

import logging
import secrets
import string

from companion.devices.bus.mosquitto import PASSWORD_BYTES, hash_password
from companion.hall.broker import HallBroker
from companion.hall.checks import HallError
from companion.hall.entries import TableAdmitted, TableRemoved
from companion.hall.joining import JoinError, JoinGrant
from companion.hall.joining_desk import JoinCandidate, JoiningDesk
from companion.hall.service import Hall

LOG = logging.getLogger(__name__)
ID_CHARACTERS, ID_LENGTH = string.ascii_lowercase + string.digits, 8


class TableAdmission:
    """The hall's entrance. `desk` shows the code and knows the tables that wait."""

    def __init__(self, hall: Hall, broker: HallBroker, desk: JoiningDesk | None = None) -> None:
        self.desk = desk or JoiningDesk()
        self._hall, self._broker = hall, broker
        self.hall = hall
        self.update_users()
        hall.listen(lambda table: None if table else self.update_users())

    def candidate(self, exchange: str) -> JoinCandidate:
        """Return a table that waits; raise `HallError` if it does not wait any more."""
        for each in self.desk.waiting():
            if each.exchange == exchange:
                return each
        raise HallError("candidate_gone")

    def free_number(self) -> int:
        """Return the lowest number that no table has."""
        taken = {table.number for table in self._hall.state.present}
        return next(number for number in range(1, len(taken) + 2) if number not in taken)

    def admit(self, exchange: str, name: str, number: int, by: str) -> None:
        """Let a table in under a name and a number; raise `HallError` or `StoreError` if that is impossible.

        A table whose key is known keeps its id, and with it everything that was recorded of it.
        """
        candidate = self.candidate(exchange)
        state = self._hall.state
        known = [table for table in state.tables.values() if table.key == candidate.public]
        table = known[0].id if known else "".join(secrets.choice(ID_CHARACTERS) for _ in range(ID_LENGTH))
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        entrance = self._broker.table_address_fields()
        self._hall.record(by, TableAdmitted(table, name, number, candidate.public, hash_password(password)))
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
        except JoinError:  # it has gone meanwhile, and will never hear its password
            self._hall.record(by, TableRemoved(table))
            raise HallError("candidate_gone") from None

    def remove(self, table: str, by: str) -> None:
        """Let a table not come in any more, and disconnect it."""
        self._hall.record(by, TableRemoved(table))

    def update_users(self) -> None:
        """Let in exactly the tables of the hall's state."""
        try:
            self._broker.set_users({table.id: table.secret for table in self._hall.state.present})
        except (OSError, ValueError) as error:
            LOG.error("the broker could not be told who may come in: %s", error)
