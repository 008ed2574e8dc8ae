"""A hall for tests: a real mosquitto, the hall's service with a database in a folder, and its tables."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.devices.bus.mosquitto import hash_password
from companion.devices.hall_link.joining import JoinGrant
from companion.devices.hall_link.membership import MEMBERSHIP, Membership, MembershipStore
from companion.hall.approval import TableApproval
from companion.hall.broker import HallBroker
from companion.hall.entries import TableAdmitted
from companion.hall.hall import Hall
from companion.hall.self_play import JOURNAL, SelfPlayingTable
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.table.table import Table
from tests.support.brokers import needs_mosquitto, until
from tests.support.hall_brokers import port_with_neighbour


class HallRoom:
    """A hall that a test can kill and start again in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.faults: list[str] = []
        self.broker = HallBroker(folder / "broker", "127.0.0.1", port_with_neighbour(), self.faults.append)
        self.tables: list[SelfPlayingTable] = []
        self.open_hall()
        self.broker.start()

    def open_hall(self) -> None:
        """Open the hall's service on its database."""
        self.hall = Hall(EntryStore(sqlite_url(self.folder / "hall.sqlite")), self.broker.address, "The club")
        self.approval = TableApproval(self.hall, self.broker)
        self.refused = refusals(self.hall)
        self.hall.start()

    def restart_hall(self) -> None:
        """Close the hall's service and open it again, with only its database."""
        self.hall.close()
        self.open_hall()

    def kill_broker(self) -> None:
        """Kill mosquitto; the hall's service restarts it."""
        child = self.broker._child
        assert child is not None and child.process is not None
        child.process.kill()

    def enter(self, folder: Path, number: int, name: str = "") -> str:
        """Make the table of a folder a member, as joining by code does; return its id."""
        return enter_table(self.hall, folder, number, self.broker.port, name)

    def add_table(self, number: int, pace_s: float = 0.0, game: str = "game-of-trains") -> SelfPlayingTable:
        """Return a connected table that belongs to the hall."""
        folder = self.folder / f"table-{number}"
        self.enter(folder, number)
        found = SelfPlayingTable(folder, number, pace_s, game)
        self.tables.append(found)
        until(lambda: found.hall.status().connected)
        return found

    def id_of(self, table: SelfPlayingTable) -> str:
        """Return a table's id."""
        member = table.hall.member
        assert member is not None
        return member.membership.grant.table

    def close(self) -> None:
        """Close everything."""
        for table in self.tables:
            table.close()
        self.hall.close()
        self.broker.close()


def refusals(hall: Hall) -> list[tuple[str, str]]:
    """Return a growing list of the messages that a hall refuses, with sender and reason."""
    found: list[tuple[str, str]] = []
    written = hall._refuse

    def refuse(table: str, why: str) -> None:
        written(table, why)
        found.append((table, why))

    hall._refuse = refuse  # type: ignore[method-assign]
    return found


def enter_table(
    hall: Hall, folder: Path, number: int, port: int, name: str = "", journal: str = JOURNAL, **more: Any
) -> str:
    """Make the table of a folder a member of a hall, as joining by code does; return its id. `more` adds to its
    grant."""
    table_id, password = f"{number:04d}{secrets.token_hex(2)}", secrets.token_urlsafe(16)
    folder.mkdir(parents=True, exist_ok=True)
    with Table(folder / journal) as table:
        key = MembershipStore(table, folder).key(hall.state.hall).public
        hall.record(
            "organiser", TableAdmitted(table_id, name or f"Table {number}", number, key, hash_password(password))
        )
        grant = JoinGrant(
            hall=hall.state.hall, hall_name=hall.state.name, table=table_id, port=port, tls=False,
            user=table_id, password=password, **more,
        )  # fmt: skip
        table.keep(MEMBERSHIP, msgspec.json.encode(Membership(grant, "127.0.0.1", "127.0.0.1")))
    return table_id


@contextmanager
def hall_room(folder: Path) -> Iterator[HallRoom]:
    """Yield a hall; skip the test if mosquitto is not installed."""
    needs_mosquitto()
    room = HallRoom(folder)
    try:
        yield room
    finally:
        room.close()
