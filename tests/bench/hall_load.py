"""Runs processes for the bench of the hall: its pages, simulated tables, boards and phones.

`python -m tests.bench.hall_load pages|tables|boards|phones JOB`: JOB is a file of `HallJob` as JSON. Each process ends
with its standard input, and then prints its records.
"""

from __future__ import annotations

import http.client
import json
import selectors
import socket
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.cluster_link import ClusterLink
from companion.hall.hall import Hall
from companion.hall.sqlite import EntryStore
from tests.support.hall_pages import LOOP, serve_pages

SEATS, POLL_S = 4, 12.0
"""The players of a table, and the seconds between two requests of a phone."""
Node = tuple[str, int]


class HallJob(msgspec.Struct, frozen=True):
    """The parameters of the processes."""

    database: str
    port: int
    nodes: tuple[Node, ...]
    passwords: str
    """The folder with USER.password of the hall and of the tables."""
    tables: tuple[str, ...]
    rate: float = 0.0
    """The moves per second of all tables together."""
    seconds: float = 0.0
    count: int = 0
    """The number of boards or phones."""

    def address(self, user: str, place: int = 0) -> BrokerAddress:
        """Return a user's address of the broker, beginning at one of its nodes."""
        (host, port), *others = (*self.nodes[place:], *self.nodes[:place])
        file = Path(self.passwords) / f"{user}.password"
        return BrokerAddress(host, port, m.PREFIX, user, password_file=file, others=tuple(others))


def names_of(table: str) -> tuple[str, ...]:
    """Return the names at a table, all different."""
    return tuple([f"{table}-{seat}" for seat in range(SEATS)])


def pages(job: HallJob) -> None:
    """Serve the hall."""
    hall = Hall(EntryStore(job.database), job.address(m.HALL), "The bench")
    hall.start()
    serve_pages(hall, job.port)
    hall.close()


def tables(job: HallJob) -> None:
    """Simulate all tables: report their presence, make moves, and print the time of each by table and move."""
    links = [ClusterLink(job.address(t, n % len(job.nodes)), t, m.up(t, "here")) for n, t in enumerate(job.tables)]
    made = dict.fromkeys(job.tables, 0)
    for table, link in zip(job.tables, links, strict=True):
        link.on_connected = partial(_greet, link, table, made)
        link.start()
    print("ready", flush=True)
    sys.stdin.readline()
    said: list[tuple[str, int, float]] = []
    size, begun = 0, time.monotonic()
    for number in range(int(job.rate * job.seconds)):
        time.sleep(max(0.0, begun + number / job.rate - time.monotonic()))
        place, move = number % len(links), 1 + number // len(links)
        made[job.tables[place]] = move
        payload = m.encode(_summary(move))
        said.append((job.tables[place], move, time.monotonic()))
        links[place].publish(m.up(job.tables[place], "summary"), payload, 1, True)
        size += len(payload) + len(m.up(job.tables[place], "summary"))
    print(json.dumps({"said": said, "bytes": size / max(len(said), 1)}), flush=True)
    sys.stdin.readline()


def _greet(link: ClusterLink, table: str, made: dict[str, int]) -> None:
    link.subscribe(m.down(table, "+"), m.up(m.HALL, "here"))
    link.publish(m.up(table, "here"), m.encode(m.Presence(table)), 1, True)
    link.publish(m.up(table, "players"), m.encode(m.Players("1", names_of(table))), 1, True)
    link.publish(m.up(table, "summary"), m.encode(_summary(made[table])), 1, True)


def _summary(move: int) -> m.TableSummary:
    """Return a table's summary after a move."""
    return m.TableSummary("playing", "game-of-trains", "1", 1, "act", (move % SEATS,), 0, ((move + 1) % SEATS,), move)


def boards(job: HallJob) -> None:
    """Simulate many boards that read."""
    selector, streams = selectors.DefaultSelector(), []
    for _ in range(job.count):
        streams.append(open_board(job.port))
        selector.register(streams[-1], selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    print("ready", flush=True)
    size = ended = 0
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:
                print(json.dumps({"bytes": size, "ended": ended}), flush=True)
                return
            data = key.fileobj.recv(1 << 18)  # type: ignore[union-attr]
            size += len(data)
            if not data:
                ended += 1
                selector.unregister(key.fileobj)


def open_board(port: int, page: str = "board") -> socket.socket:
    """Return the stream of a board."""
    stream = socket.create_connection((LOOP, port), 10)
    stream.sendall(f"GET /stream/{page}?lang=en HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return stream


def phones(job: HallJob) -> None:
    """Simulate many phones that poll on separate connections, and print the times of the answers."""
    times: list[float] = []
    statuses: dict[int, int] = {}
    marks: dict[int, str] = {}
    closing = threading.Event()

    def ask(first: int, step: int) -> None:
        begun, number = time.monotonic(), 0
        mine = range(first, job.count + 1, step)
        while not closing.is_set():
            player = mine[number % len(mine)]
            number += 1
            if closing.wait(max(0.0, begun + number * POLL_S / len(mine) - time.monotonic())):
                return
            at = time.monotonic()
            headers = {"If-None-Match": marks[player]} if player in marks else {}
            try:
                connection = http.client.HTTPConnection(LOOP, job.port, timeout=10)
                connection.request("GET", f"/p/{player}/now", headers=headers)
                answer = connection.getresponse()
                answer.read()
                connection.close()
            except OSError:
                statuses[0] = statuses.get(0, 0) + 1
                continue
            times.append(time.monotonic() - at)
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            marks[player] = answer.headers.get("ETag") or ""

    asking = [threading.Thread(target=ask, args=(first, 8), daemon=True) for first in range(1, 9)]
    for each in asking:
        each.start()
    print("ready", flush=True)
    sys.stdin.readline()
    closing.set()
    for each in asking:
        each.join()
    print(json.dumps({"times": times, "statuses": statuses}), flush=True)


def main() -> None:
    """Run the requested process."""
    kind, file = sys.argv[1:]
    job = msgspec.json.decode(Path(file).read_bytes(), type=HallJob)
    work: dict[str, Any] = {"pages": pages, "tables": tables, "boards": boards, "phones": phones}
    work[kind](job)


if __name__ == "__main__":
    main()
