"""Measures twenty honest tables that join and call judges, in a quiet hall and in one under all attacks at once.

`python -m tests.bench.bench_joining`. Hall and attackers run in separate processes; see `hall_attack.py`.
"""

from __future__ import annotations

import json
import secrets
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.devices.hall_link import messages as m
from companion.devices.hall_link.joining import APPROVED, JoinGrant, JoiningTable
from companion.devices.hall_link.signing import TableKey
from tests.bench.hall_attack import ask, table_link
from tests.bench.processes import free_port, told, wait_for
from tests.support.hall_brokers import port_with_neighbour
from tests.support.hall_pages import LOOP
from web.hall.roles import SECURE_COOKIE

TABLES, CALLS, WARM_S, PATIENCE_S = 20, 20, 15.0, 60.0


class JoiningBench:
    """A running hall."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.port, self.broker_port = free_port(), port_with_neighbour()
        hall = self.run("hall")
        assert hall.stdout is not None
        given = json.loads(hall.stdout.readline())
        self.cookies, self.codes, self.secure_port = given["cookies"], given["codes"], given["secure_port"]
        self.times: list[float] = []
        wait_for(self.port)

    def run(self, kind: str) -> subprocess.Popen[str]:
        """Start one of the processes and return it."""
        command = [sys.executable, "-m", "tests.bench.hall_attack", kind, str(self.folder)]
        command += [str(self.port), str(self.broker_port)]
        found = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.stack.callback(found.kill)
        self.stack.callback(found.wait, PATIENCE_S)
        self.stack.callback(found.terminate)
        return found

    def join(self, number: int, key: TableKey) -> JoinGrant | None:
        """Let a table join by its code of the sheet, as the companion does, and record the time."""
        begun, source = time.monotonic(), f"127.1.0.{number}"
        table = JoiningTable(self.codes[number - 1], f"Table {number}", lambda hall: key)
        body, confirmed = table.opening(), False
        while time.monotonic() < begun + PATIENCE_S:
            status, answer = ask(source, self.port, "POST", "/join", body)
            if status == 200 and not confirmed:
                body, confirmed = table.confirmation(answer), True
                continue
            verdict = table.verdict(answer) if status == 200 else None
            if verdict is not None and verdict.state == APPROVED:
                self.times.append(1000 * (time.monotonic() - begun))
                return verdict.grant
            time.sleep(0.5)
            body = table.poll() if verdict is not None else body
        return None


def attacked(bench: JoiningBench) -> subprocess.Popen[str]:
    """Admit one table, let it and strangers attack, and return the attackers' process."""
    key = TableKey.generate()
    grant = bench.join(TABLES + 1, key)
    assert grant is not None
    found = bench.run("attackers")
    assert found.stdin is not None
    viewer, raw = bench.cookies["viewer"], key.raw.hex()
    given = {"viewer": viewer, "table": grant.table, "hall": grant.hall, "key": raw, "password": grant.password}
    print(json.dumps(given), file=found.stdin, flush=True)
    time.sleep(WARM_S)
    return found


def judge_stream(bench: JoiningBench) -> ssl.SSLSocket:
    """Open the judge's page, which needs HTTPS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection((LOOP, bench.secure_port), PATIENCE_S, ("127.1.1.1", 0))
    stream = context.wrap_socket(plain)
    cookie = f"Cookie: {SECURE_COOKIE}={bench.cookies['judge']}"
    stream.sendall(f"GET /stream/judge?lang=en HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n\r\n".encode())
    head = stream.recv(1 << 16)
    assert head.startswith(b"HTTP/1.1 200 "), head
    return stream


def call_times(bench: JoiningBench, grant: JoinGrant) -> list[float]:
    """Return the milliseconds from a table's calls to the judge's open page, for calls that arrive."""
    stream, end = judge_stream(bench), time.monotonic() + PATIENCE_S
    link = table_link(bench.folder, bench.broker_port, grant.user, grant.password)
    times: list[float] = []
    read = b""
    while not link.connected and time.monotonic() < end:
        time.sleep(0.05)
    for _ in range(CALLS):
        name, begun = secrets.token_hex(8), time.monotonic()
        link.publish(m.up(grant.user, "call"), m.encode(m.JudgeCall(name)))
        while name.encode() not in read:
            if time.monotonic() > end:
                return times
            came = stream.recv(1 << 16)
            assert came, "the judge's stream has ended"
            read = read[-100_000:] + came
        times.append(1000 * (time.monotonic() - begun))
        link.publish(m.up(grant.user, "call"), m.encode(m.JudgeCall(name, withdrawn=True)))
        time.sleep(0.3)
    link.close("")
    stream.close()
    return times


def measure(label: str, attack: bool) -> None:
    """Measure one hall and print the figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bench = JoiningBench(folder, stack)
        attackers = attacked(bench) if attack else None
        bench.times.clear()
        grants: list[Any] = [None] * TABLES

        def join(number: int) -> None:
            grants[number - 1] = bench.join(number, TableKey.generate())

        threads = [threading.Thread(target=join, args=(number,)) for number in range(1, TABLES + 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(told(f"{label}: {len(bench.times)} of {TABLES} tables join", bench.times), flush=True)
        calls = call_times(bench, next(filter(None, grants)))
        print(told(f"{label}: {len(calls)} of {CALLS} calls, to the judge", calls), flush=True)
        if attackers is not None:
            assert attackers.stdin is not None and attackers.stdout is not None
            attackers.stdin.close()
            print(f"  what the attackers were answered: {attackers.stdout.readline()}", flush=True)


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    measure("quiet", attack=False)
    measure("attacked", attack=True)


if __name__ == "__main__":
    main()
