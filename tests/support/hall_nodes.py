"""A hall and tables on a cluster: each table has its own node, and switches to the next if that node is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.devices.hall_link.membership import MEMBERSHIP, Membership
from companion.hall.hall import Hall
from companion.hall.self_play import JOURNAL, SelfPlayingTable
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.journal.journal import Journal
from tests.support.hall_room import enter_table
from tests.support.nats import NatsCluster, nats_cluster


class HallOnNodes:
    """A hall on a running cluster, and the folders of its tables."""

    def __init__(self, folder: Path, cluster: NatsCluster, tables: int) -> None:
        self.cluster = cluster
        self.hall = Hall(EntryStore(sqlite_url(folder / "hall.sqlite")), cluster.address, "The club")
        self.folders = [folder / f"table-{number}" for number in range(1, tables + 1)]
        self.tables: list[SelfPlayingTable] = []
        for number, own in enumerate(self.folders, 1):
            node = (number - 1) % len(cluster.ports)
            user = enter_table(self.hall, own, number, cluster.ports[node], others=cluster.others(node))
            with Journal(own / JOURNAL, read_only=True) as journal:
                kept = journal.read_value(MEMBERSHIP)
            assert kept is not None
            cluster.users[user] = msgspec.json.decode(kept, type=Membership).grant.password
        cluster.start()
        self.hall.start()

    def sit_down(self, games: Sequence[str] = ("game-of-trains",), pace_s: float = 0.0) -> None:
        """Open the tables."""
        for number, own in enumerate(self.folders, 1):
            self.tables.append(SelfPlayingTable(own, number, pace_s, games[number % len(games)]))

    @property
    def right(self) -> bool:
        """Whether the hall and all tables see one another without problems."""
        here = [self.hall.live(table.id).here for table in self.hall.state.present]
        status = [table.hall.status() for table in self.tables]
        return not self.hall.faults and all(here) and all(each.connected and not each.trouble for each in status)

    @property
    def place_of_hall(self) -> int:
        """The index of the hall's current node."""
        return self.cluster.ports.index(self.hall._link.address.port)

    def close(self) -> None:
        """Close everything except the cluster."""
        for table in self.tables:
            table.close()
        self.hall.close()


@contextmanager
def hall_on_nodes(folder: Path, tables: int) -> Iterator[HallOnNodes]:
    """Yield a hall on three nodes; skip the test if NATS is not installed."""
    with nats_cluster(folder / "nodes") as cluster:
        found = HallOnNodes(folder, cluster, tables)
        try:
            yield found
        finally:
            found.close()
