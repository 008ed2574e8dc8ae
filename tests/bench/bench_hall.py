"""A hall of fifty tables: from a table's message to the board's row, beside the broker alone, and what it all costs.

`python -m tests.bench.bench_hall [--seconds N]`. The pages, the tables, the boards and the phones are processes of
their own. A table itself waits for 40 ms before it speaks, so that its own pages go first; that is not in the figures.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import paho.mqtt.client as mqtt
import psutil
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mosquitto import hash_password
from companion.hall import broker as brokers
from companion.hall import entries as e
from companion.hall import messages as m
from companion.hall.broker import HallBroker
from companion.hall.service import Hall
from companion.hall.signing import TableKey
from companion.hall.store import EntryStore, sqlite_url
from tests.bench.bench_push import free_port, percentile, told, wait_for
from tests.bench.hall_load import SEATS, HallJob, open_board
from tests.support.hall_brokers import port_with_neighbour
from tests.support.hall_pages import LOOP
from tests.support.nats import NatsCluster, nats_server

TABLES, RATE = 50, 100.0
"""Tables, and moves per second of all of them together."""
BOARDS, PHONES = 200, 1200
REAL_RATE = 12.0
"""Moves per minute of a table at which people play."""
PEER = "peer0000"
"""A bare client of the broker that hears what the hall hears."""
NAME = re.compile(r"[a-z]{4}\d{4}-\d")


class HallBench:
    """A hall around a broker that runs, its processes, and what a board and a bare client hear."""

    def __init__(self, folder: Path, nodes: tuple[tuple[str, int], ...], passwords: dict[str, str]) -> None:
        self.folder, self.port = folder, free_port()
        for user, password in passwords.items():
            (folder / f"{user}.password").write_text(password)
        self.tables = tuple([user for user in passwords if user not in (m.HALL, PEER)])
        self.job = HallJob(sqlite_url(folder / "hall.sqlite"), self.port, nodes, str(folder), self.tables)
        self._fill()
        self.stack = ExitStack()
        self.pages = self.run("pages", self.job)
        wait_for(self.port)

    def _fill(self) -> None:
        """Admit the tables, and seat a tournament of as many players as there are phones."""
        store = EntryStore(self.job.database)
        hall = Hall(store, BrokerAddress(LOOP, 1), "The bench")
        for number, table in enumerate(self.tables, 1):
            key = TableKey.generate().public
            hall.record("organiser", e.TableAdmitted(table, f"Table {number}", number, key, hash_password("-")))
        hall.record("organiser", e.TournamentPlanned("Cup", "game-of-trains", 3, "random", (SEATS,), SEATS))
        hall.record("organiser", e.PlayersEntered(tuple([f"Player {number}" for number in range(1, PHONES + 1)])))
        seated = [
            e.SeatedTable(1 + first // SEATS, tuple(range(1 + first, 1 + first + SEATS)))
            for first in range(0, PHONES, SEATS)
        ]
        hall.record("organiser", e.RoundSeated(1, tuple(seated)))
        store.close()

    def run(self, kind: str, job: HallJob) -> subprocess.Popen[str]:
        """Start one of the processes."""
        file = self.folder / f"{kind}.json"
        file.write_bytes(msgspec.json.encode(job))
        command = [sys.executable, "-m", "tests.bench.hall_load", kind, str(file)]
        found = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.stack.callback(found.wait)
        self.stack.callback(found.terminate)
        return found

    def close(self) -> None:
        """End everything."""
        self.stack.close()


class Heard:
    """When each table's move was heard: `at[(table, seat)]` are the times at which it became that seat's turn."""

    def __init__(self) -> None:
        self.at: dict[tuple[str, int], list[float]] = {}
        self.messages = self.size = 0

    def note(self, table: str, seat: int) -> None:
        """Note that it is a seat's turn, as of now."""
        self.at.setdefault((table, seat), []).append(time.monotonic())

    def delays(self, said: list[tuple[str, int, float]]) -> tuple[list[float], int]:
        """Return in milliseconds how long each move took to be seen, and how many never were on their own.

        A move that the next one of the same table overtook was seen with that.
        """
        found, overtaken, seen_later = [], 0, {table: float("inf") for table, _, _ in said}
        for table, move, at in reversed(said):
            times = [each for each in self.at.get((table, move % SEATS), []) if at <= each < at + 1.9]
            if times and times[0] <= seen_later[table]:
                seen_later[table] = times[0]
            else:
                overtaken += 1
            found.append(1000 * (seen_later[table] - at))
        return [each for each in found if each != float("inf")], overtaken


def read_board(port: int, heard: Heard, closing: threading.Event) -> None:
    """Read a board's stream and note whose turn its rows say it is."""
    stream, rest, turns = open_board(port), b"", dict[str, int]()
    stream.settimeout(0.5)
    tables: dict[str, str] = {}
    while not closing.is_set():
        try:
            data = stream.recv(1 << 18)
        except TimeoutError:
            continue
        *messages, rest = (rest + data).split(b"\n\n")
        heard.size += len(data)
        for message in messages:
            heard.messages += b"event: parts" in message
            for line in message.split(b"\n"):
                if not line.startswith(b"data: "):
                    continue
                parts = json.loads(line[6:])
                for name, html in parts.get("parts", parts).items():
                    turn = NAME.search(html) if isinstance(html, str) and name.startswith("row-") else None
                    if turn is not None:
                        table, seat = turn[0].rsplit("-", 1)
                        tables[name] = table
                        if turns.get(table) != int(seat):
                            turns[table] = int(seat)
                            heard.note(table, int(seat))
    stream.close()


@contextmanager
def peer(address: BrokerAddress, heard: Heard) -> Iterator[None]:
    """Hear everything that tables say, with a bare client."""
    assert address.password_file is not None
    client = mqtt.Client(CallbackAPIVersion.VERSION2, PEER, protocol=MQTTProtocolVersion.MQTTv311)
    client.username_pw_set(PEER, address.password_file.read_text())

    def listen(client: Any, *said: Any) -> None:
        client.subscribe(m.up("+", "+"), 0)

    def take(client: Any, data: Any, message: mqtt.MQTTMessage) -> None:
        heard.messages += 1
        table, _, kind = m.split_topic(message.topic)
        if kind == "summary" and message.payload:
            heard.note(table, m.decode(kind, bytes(message.payload)).awaited[0])

    client.on_connect, client.on_message = listen, take
    client.connect(address.host, address.port)
    client.loop_start()
    try:
        yield
    finally:
        client.disconnect()
        client.loop_stop()


class Cost(NamedTuple):
    """Seconds of computing, of the broker and of the hall."""

    broker: float
    hall: float

    def minus(self, other: Cost) -> Cost:
        """Return what was spent in between."""
        return Cost(self.broker - other.broker, self.hall - other.hall)


def spent(broker: list[int], hall: int) -> Cost:
    """Return what was spent so far."""
    times = [psutil.Process(each).cpu_times() for each in (*broker, hall)]
    seconds = [each.user + each.system for each in times]
    return Cost(sum(seconds[:-1]), seconds[-1])


def measure(label: str, folder: Path, nodes: Any, passwords: dict[str, str], pids: list[int], seconds: float) -> None:
    """Measure a hall around a broker that runs, and print."""
    bench = HallBench(folder, nodes, passwords)
    hall = bench.pages.pid
    closing, board, bare = threading.Event(), Heard(), Heard()
    try:
        load = bench.run("tables", msgspec.structs.replace(bench.job, rate=RATE, seconds=seconds))
        assert load.stdin is not None and load.stdout is not None and load.stdout.readline() == "ready\n"
        reading = threading.Thread(target=read_board, args=(bench.port, board, closing))
        reading.start()
        until(lambda: len({table for table, _ in board.at}) == TABLES)
        with peer(bench.job.address(PEER), bare):
            time.sleep(2)
            before = spent(pids, hall)
            time.sleep(seconds / 3)
            idle = spent(pids, hall).minus(before)
            before, started = spent(pids, hall), time.monotonic()
            moves, size = make_moves(load)
            lasted, busy = time.monotonic() - started, spent(pids, hall).minus(before)
            alone = psutil.Process(hall).memory_info().rss / 1e6
            ended(load)
            report(label, board, bare, moves)
            print_cost(idle, seconds / 3, busy, lasted, len(moves), size)
            crowd(label, bench, bare, board, seconds / 2, pids, alone)
    finally:
        closing.set()
        bench.close()
        reading.join()


def make_moves(load: subprocess.Popen[str]) -> tuple[list[tuple[str, int, float]], float]:
    """Have the tables make their moves; return when each was made, and the bytes of one."""
    assert load.stdin is not None and load.stdout is not None
    load.stdin.write("go\n")
    load.stdin.flush()
    found = json.loads(load.stdout.readline())
    time.sleep(2)  # for what is still on its way
    return [(table, move, at) for table, move, at in found["said"]], found["bytes"]


def report(label: str, board: Heard, bare: Heard, moves: list[tuple[str, int, float]]) -> None:
    """Print how long moves took."""
    for who, heard in (("board's row", board), ("broker alone", bare)):
        times, overtaken = heard.delays(moves)
        lost = len(moves) - len(times)
        line = told(f"{label}: {who}", times)
        print(f"{line}   p95 {percentile(times, 0.95):6.2f} ms   overtaken {overtaken}, never {lost}", flush=True)


def print_cost(idle: Cost, idle_s: float, busy: Cost, busy_s: float, moves: int, size: float) -> None:
    """Print what tables cost that are there, and what moves cost."""
    per_minute = [each * 60 / idle_s / TABLES for each in idle]
    per_move = [max(0.0, each - spare * busy_s / idle_s) / moves for each, spare in zip(busy, idle, strict=True)]
    print(
        f"  a table that is there: broker {1000 * per_minute[0]:.1f} ms, hall {1000 * per_minute[1]:.1f} ms a minute\n"
        f"  a move: {size:.0f} bytes, broker {1000 * per_move[0]:.2f} ms, hall with a board {1000 * per_move[1]:.2f} ms"
    )
    for tables in (50, 500, 5000):
        shares = [100 * tables * (there + REAL_RATE * move) / 60 for there, move in
                  zip(per_minute, per_move, strict=True)]  # fmt: skip
        rate = tables * REAL_RATE / 60
        print(f"  {tables:5d} tables at {REAL_RATE:.0f} moves a minute: {rate:.0f} messages/s, "
              f"{rate * size / 1000:.1f} kB/s; broker {shares[0]:.1f} %, hall {shares[1]:.1f} % of a processor", flush=True)  # fmt: skip


def crowd(
    label: str, bench: HallBench, bare: Heard, board: Heard, seconds: float, pids: list[int], alone: float
) -> None:
    """Measure once more, with many boards and phones."""
    job = bench.job
    others = bench.run("boards", msgspec.structs.replace(job, count=BOARDS - 1))
    asking = bench.run("phones", msgspec.structs.replace(job, count=PHONES))
    for each in (others, asking):
        assert each.stdout is not None and each.stdout.readline() == "ready\n"
    load = bench.run("tables", msgspec.structs.replace(job, rate=RATE, seconds=seconds))
    assert load.stdout is not None and load.stdout.readline() == "ready\n"
    time.sleep(4)
    before, started = spent(pids, bench.pages.pid), time.monotonic()
    moves, _ = make_moves(load)
    lasted, busy = time.monotonic() - started, spent(pids, bench.pages.pid).minus(before)
    crowded = psutil.Process(bench.pages.pid).memory_info().rss / 1e6
    report(f"{label}, {BOARDS} boards, {PHONES} phones", board, bare, moves)
    seen = ended(others)
    answers = ended(asking)
    times = [1000 * each for each in answers["times"]]
    print(told(f"  a phone's answer ({answers['statuses']})", times))
    print(f"  hall: {100 * busy.hall / lasted:.0f} % of a processor, broker {100 * busy.broker / lasted:.0f} %; "
          f"hall {alone:.0f} MB with one board, {crowded:.0f} MB with all; "
          f"{seen['bytes'] / 1e6:.0f} MB sent to boards, {seen['ended']} of them ended", flush=True)  # fmt: skip


def ended(process: subprocess.Popen[str]) -> Any:
    """Have a process end; return what it has seen."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.close()
    return json.loads(process.stdout.readline())


def until(true: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("it never came about")
        time.sleep(0.05)


def new_passwords() -> dict[str, str]:
    """Return passwords of the hall, of a bare client and of the tables."""
    return {user: secrets.token_urlsafe(12) for user in (m.HALL, PEER, *[f"tabl{n:04d}" for n in range(TABLES)])}


def by_mosquitto(seconds: float) -> None:
    """Measure with the hall's own broker."""
    with tempfile.TemporaryDirectory() as name:
        folder, passwords = Path(name), new_passwords()
        ordinary = brokers.rights()
        brokers.rights = lambda: f"user {PEER}\ntopic read {m.PREFIX}/#\n{ordinary}"
        broker = HallBroker(folder / "broker", LOOP, port_with_neighbour(), lambda fault: None)
        broker.set_users({user: hash_password(password) for user, password in passwords.items() if user != m.HALL})
        broker.start()
        try:
            own = broker.address
            until(lambda: brokers._listens(own.host, own.port))
            assert own.password_file is not None and broker._child is not None and broker._child.process is not None
            passwords[m.HALL] = own.password_file.read_text().strip()
            measure("mosquitto", folder, ((own.host, own.port),), passwords, [broker._child.process.pid], seconds)
        finally:
            broker.close()
            brokers.rights = lambda: ordinary


def by_nodes(seconds: float) -> None:
    """Measure with three nodes."""
    with tempfile.TemporaryDirectory() as name:
        folder, passwords = Path(name), new_passwords()
        cluster = NatsCluster(folder / "nodes")
        cluster.users, cluster.halls = passwords, {m.HALL, PEER}
        try:
            cluster.start()
            time.sleep(10)  # until they have agreed
            nodes = tuple([(LOOP, port) for port in cluster.ports])
            pids = [each.pid for each in cluster.processes if each is not None]
            measure("three nodes", folder, nodes, passwords, pids, seconds)
        finally:
            cluster.close()


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    asked = parser.parse_args(argv)
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        print("there is no mosquitto: apt install mosquitto")
        return
    by_mosquitto(asked.seconds)
    if nats_server() is None:
        print("three nodes: there is no nats-server: apt install nats-server")
    else:
        by_nodes(asked.seconds)


if __name__ == "__main__":
    main()
