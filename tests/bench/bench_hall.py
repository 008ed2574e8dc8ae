"""Measures a hall of fifty tables: from a table's message to the board's row, beside the bare broker, and the cost.

`python -m tests.bench.bench_hall [--seconds N]`. Pages, tables, boards and phones run in separate processes. A table
waits 40 ms before it sends, so that its own pages come first; the figures exclude that time.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psutil

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mosquitto import hash_password
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.signing import TableKey
from companion.hall import broker as brokers
from companion.hall import entries as e
from companion.hall.broker import HallBroker
from companion.hall.hall import Hall
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.journal.journal import JOURNAL
from tests.bench.hall_heard import PEER, Heard, peer, read_board
from tests.bench.hall_load import SEATS, HallJob
from tests.bench.processes import free_port, percentile, process, settle, told, wait_for
from tests.bench.tapping import Browser, Play
from tests.bench.tapping import measure as tap_times
from tests.support.hall_brokers import port_with_neighbour
from tests.support.hall_pages import LOOP
from tests.support.hall_room import HallRoom, enter_table
from tests.support.nats import NatsCluster, nats_server
from tests.support.paces import write_pace

TABLES, RATE = 50, 100.0
"""The number of tables, and the moves per second of all of them together."""
BOARDS, PHONES = 200, 1200
REAL_RATE = 12.0
"""Moves per minute of a table in play."""


class HallBench:
    """A hall with a running broker, its processes, and the messages received by a board and a bare client."""

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
        """Admit the tables and seat a tournament with as many players as there are phones."""
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
        """Start one of the processes and return it."""
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
        """End all processes."""
        self.stack.close()


class Cost(NamedTuple):
    """Processor seconds of the broker and of the hall."""

    broker: float
    hall: float

    def minus(self, other: Cost) -> Cost:
        """Return the difference from an earlier cost."""
        return Cost(self.broker - other.broker, self.hall - other.hall)


def spent(broker: list[int], hall: int) -> Cost:
    """Return the processor time so far."""
    times = [psutil.Process(each).cpu_times() for each in (*broker, hall)]
    seconds = [each.user + each.system for each in times]
    return Cost(sum(seconds[:-1]), seconds[-1])


def measure(label: str, folder: Path, nodes: Any, passwords: dict[str, str], pids: list[int], seconds: float) -> None:
    """Measure a hall with a running broker and print the figures."""
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
            load.terminate()
            load.wait()  # the next tables use the same users
            report(label, board, bare, moves)
            print_cost(idle, seconds / 3, busy, lasted, len(moves), size)
            crowd(label, bench, bare, board, seconds / 2, pids, alone)
    finally:
        closing.set()
        bench.close()
        reading.join()


def make_moves(load: subprocess.Popen[str]) -> tuple[list[tuple[str, int, float]], float]:
    """Let the tables make their moves, and return the time of each and the size of one in bytes."""
    assert load.stdin is not None and load.stdout is not None
    load.stdin.write("go\n")
    load.stdin.flush()
    found = json.loads(load.stdout.readline())
    time.sleep(2)  # wait for messages in transit
    return [(table, move, at) for table, move, at in found["said"]], found["bytes"]


def report(label: str, board: Heard, bare: Heard, moves: list[tuple[str, int, float]]) -> None:
    """Print the delays of moves."""
    for who, heard in (("board's row", board), ("broker alone", bare)):
        times, overtaken = heard.delays(moves)
        lost = len(moves) - len(times)
        line = told(f"{label}: {who}", times)
        print(f"{line}   p95 {percentile(times, 0.95):6.2f} ms   overtaken {overtaken}, never {lost}", flush=True)


def print_cost(idle: Cost, idle_s: float, busy: Cost, busy_s: float, moves: int, size: float) -> None:
    """Print the cost of idle tables and of moves."""
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
        print(
            f"  {tables:5d} tables at {REAL_RATE:.0f} moves a minute: {rate:.0f} messages/s, "
            f"{rate * size / 1000:.1f} kB/s; broker {shares[0]:.1f} %, hall {shares[1]:.1f} % of a processor",
            flush=True,
        )


def crowd(
    label: str, bench: HallBench, bare: Heard, board: Heard, seconds: float, pids: list[int], alone: float
) -> None:
    """Measure again with many boards and phones."""
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
    """End a process and return what it recorded."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.close()
    return json.loads(process.stdout.readline())


def until(true: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait until the condition is true."""
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("it never came about")
        time.sleep(0.05)


def taps(pairs: int = 10, moves: int = 40, screens: int = 12) -> None:
    """Print the time from a tap to the last screen of a table without and with a hall, by turns.

    Each pair consists of new tables with new games, because the game's course has the largest effect.
    """
    times: dict[str, list[float]] = {"without": [], "with": []}
    differences = []
    with tempfile.TemporaryDirectory() as name, closing(HallRoom(Path(name) / "hall")) as room:
        for number in range(pairs):
            medians = {}
            for where in ("without", "with") if number % 2 else ("with", "without"):
                own, user = Path(name) / f"{where}-{number}", ""
                own.mkdir()
                write_pace(own)
                if where == "with":
                    user = enter_table(room.hall, own, number + 1, room.broker.port, journal=JOURNAL)
                found = taps_at(own, user, room.hall, screens, moves)
                times[where] += found
                medians[where] = statistics.median(found)
            differences.append(medians["with"] - medians["without"])
    for where, each in times.items():
        print(told(f"tap to the last of {screens} screens, {where}", each))
    error = statistics.stdev(differences) / len(differences) ** 0.5
    print(f"  with less without, medians of {pairs} pairs: {statistics.mean(differences):+.2f} ms, "
          f"standard error {error:.2f}: " + " ".join(f"{each:+.1f}" for each in differences), flush=True)  # fmt: skip


def taps_at(folder: Path, user: str, hall: Hall, screens: int, moves: int) -> list[float]:
    """Return the milliseconds from each tap at a new table to the last screen."""
    port = free_port()
    command = [sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(port), "--data", str(folder)]
    with process(command) as server:
        wait_for(port)
        settle(server.pid)
        browser = Browser(port)
        play = Play(port, folder, browser)
        if user:
            until(lambda: hall.live(user).summary.stage == "playing")
        found = tap_times(play, screens, 0, moves).times
        play.close()
        browser.close()
    return found


def new_passwords() -> dict[str, str]:
    """Return passwords of the hall, a bare client and the tables."""
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
            time.sleep(10)  # until the nodes have formed a cluster
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
    taps()
    by_mosquitto(asked.seconds)
    if nats_server() is None:
        print("three nodes: there is no nats-server: apt install nats-server")
    else:
        by_nodes(asked.seconds)


if __name__ == "__main__":
    main()
