"""A cluster of NATS JetStream nodes that speak MQTT, for tests and `make hall NODES=3`."""

from __future__ import annotations

import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link.messages import HALL, PREFIX
from companion.files.atomic_file import replace_file
from tests.support.brokers import free_port, until
from tests.support.must_run import must_run

HOST = "127.0.0.1"
NODE = """\
server_name: "node-{number}"
listen: "{host}:{clients}"
jetstream {{ store_dir: "{store}", max_mem: 64MB, max_file: 256MB }}
cluster {{ name: hall, listen: "{host}:{cluster}", routes: [{routes}] }}
mqtt {{ listen: "{host}:{mqtt}", ack_wait: "5s" }}
authorization {{ users: [
{users}
] }}
"""
USER = '  {{user: "{user}", password: "{password}", allowed_connection_types: ["MQTT"], permissions: {rights}}}'
HALLS = f'{{publish: ["{PREFIX}.>"], subscribe: ["{PREFIX}.>", "$MQTT.sub.>"]}}'
TABLES = (
    f'{{{{publish: ["{PREFIX}.{{user}}.up.*"], '
    f'subscribe: ["{PREFIX}.{{user}}.down.*", "{PREFIX}.{HALL}.up.here", "$MQTT.sub.>"]}}}}'
)
"""The permissions of tables.

NATS separates a topic's levels by dots. It delivers acknowledged messages through a subject of each client below
`$MQTT.sub`. MQTT clients cannot name it (NATS refuses them, and admits only MQTT clients with these users).
"""


def nats_server() -> str | None:
    """Return the path of the executable."""
    return shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin")


def needs_nats() -> None:
    """Skip a test if NATS is not installed, or fail it if it must run."""
    if nats_server() is None:
        assert not must_run("nats"), "there is no nats-server: apt install nats-server"
        pytest.skip("there is no nats-server: apt install nats-server")


class NatsCluster:
    """A cluster of nodes on this machine that replicate everything. Tests start and kill each node by its index,
    from 0."""

    def __init__(self, folder: Path, nodes: int = 3) -> None:
        """Prepare the nodes; tests must fill `users` with the tables' passwords before they start."""
        program = nats_server()
        assert program is not None
        self.program, self.folder = program, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.users, self.halls = {HALL: secrets.token_urlsafe(16)}, {HALL}
        """The passwords of all users, and the users that may access everything."""
        self.processes: list[subprocess.Popen[bytes] | None] = [None] * nodes
        ports = [free_port() for _ in range(3 * nodes)]
        self.ports, self._clients, self._cluster = ports[:nodes], ports[nodes : 2 * nodes], ports[2 * nodes :]

    @property
    def address(self) -> BrokerAddress:
        """The hall's address: the first node, with the others as alternatives."""
        file = self.folder / "hall.password"
        replace_file(file, f"{self.users[HALL]}\n", 0o600)
        return BrokerAddress(HOST, self.ports[0], PREFIX, HALL, password_file=file, others=self.others(0))

    def others(self, place: int) -> tuple[tuple[str, int], ...]:
        """Return the nodes to try after one, in turn."""
        return tuple([(HOST, port) for port in (*self.ports[place + 1 :], *self.ports[:place])])

    def start(self, *places: int) -> None:
        """Start nodes, or all if none is named, and wait until they listen for MQTT."""
        for place in places or range(len(self.ports)):
            path = self.folder / f"node-{place + 1}.conf"
            replace_file(path, self._configuration(place), 0o600)
            with path.with_suffix(".log").open("ab") as log:
                command = [self.program, "-c", str(path)]
                self.processes[place] = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        for place in places or range(len(self.ports)):
            until(partial(self._listens, self.ports[place]))

    def kill(self, place: int) -> None:
        """Kill a node, as a power cut would."""
        process = self.processes[place]
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.processes[place] = None

    def close(self) -> None:
        """Stop all nodes."""
        for place in range(len(self.ports)):
            self.kill(place)

    def _configuration(self, place: int) -> str:
        users = [
            USER.format(user=user, password=password, rights=HALLS if user in self.halls else TABLES.format(user=user))
            for user, password in self.users.items()
        ]
        return NODE.format(
            number=place + 1, host=HOST, clients=self._clients[place], cluster=self._cluster[place],
            mqtt=self.ports[place], store=self.folder / f"store-{place + 1}", users="\n".join(users),
            routes=", ".join(f'"nats-route://{HOST}:{each}"' for each in self._cluster),
        )  # fmt: skip

    @staticmethod
    def _listens(port: int) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, port)) == 0


@contextmanager
def nats_cluster(folder: Path) -> Iterator[NatsCluster]:
    """Yield a cluster that is not started yet; skip the test if NATS is not installed."""
    needs_nats()
    cluster = NatsCluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()
