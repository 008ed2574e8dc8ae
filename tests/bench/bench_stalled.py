"""Measures taps and page loads while attackers hold up the server, beside gunicorn's threads.

`python -m tests.bench.bench_stalled [--moves N] [--server ours|gthread]`. Each attack is compared with quiet times of
the same process just before and after it. The attackers come from one address or from one each (127.0.0.0/8), run in
their own process, and reconnect when they are disconnected.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.processes import HERE, LOOP, free_port, percentile, process, wait_for
from tests.bench.tapping import Browser, Play, measure
from tests.support.paces import write_pace

ATTACKS = {"half a header": 500, "half a body": 500, "streams that never read": 500, "PDFs": 200}
"""The attacks and the number of attackers of each."""
SCREENS = 12
PATIENCE = 5.0
"""The seconds after which a page counts as unanswered."""
AGAIN, REFRESH = 1.0, 3.0
"""The seconds until a disconnected attacker reconnects, and until a page that waits for a PDF asks again."""
PDFS = [f"/print/deck-{game}-{paper}.pdf" for game in ("take-a-train", "trains") for paper in ("a4", "letter", "a3")]


# --- attackers ------------------------------------------------------------------------------------


def words_of(kind: str, number: int, path: str) -> bytes:
    """Return the bytes that an attacker sends."""
    match kind:
        case "half a header":
            return b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: "
        case "half a body":
            return b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nroom="
        case "streams that never read":
            return f"GET {path}stream?page=z{number}&lang=en HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    return f"GET {PDFS[number % len(PDFS)]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def attack(kind: str, port: int, path: str, addresses: int) -> None:
    """Hold connections until standard input ends; print `ready` once all are open."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    due = dict.fromkeys(range(ATTACKS[kind]), 0.0)
    ready = False
    while True:
        now = time.monotonic()
        for number in [number for number, at in due.items() if at <= now]:
            del due[number]
            end = socket.socket()
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with contextlib.suppress(OSError):
                end.bind((f"127.{1 + number % addresses // 250}.1.{1 + number % addresses % 250}", 0))
                end.settimeout(1)
                end.connect((LOOP, port))
                end.sendall(words_of(kind, number, path))
            selector.register(end, selectors.EVENT_READ, number)
        if not ready:
            print("ready", flush=True)
            ready = True
        for key, _ in selector.select(0.1):
            if key.fileobj is sys.stdin:
                return
            end = key.fileobj  # type: ignore[assignment]
            if kind == "streams that never read" and peeked(end):
                selector.unregister(end)  # the attacker now sleeps, even if it was refused
                continue
            with contextlib.suppress(OSError):
                if kind == "PDFs" and b"\r\n\r\n" not in end.recv(65536):
                    continue
            selector.unregister(end)
            end.close()
            due[key.data] = time.monotonic() + (REFRESH if kind == "PDFs" else AGAIN)


def peeked(end: socket.socket) -> bytes:
    """Return the beginning of an answer without consuming it."""
    try:
        return end.recv(16, socket.MSG_PEEK)
    except OSError:
        return b""


@contextmanager
def attacked(kind: str, port: int, path: str, addresses: int) -> Iterator[None]:
    """Attack a server in the background."""
    command = [sys.executable, "-m", "tests.bench.bench_stalled", "--attack", kind, "--port", str(port)]
    command += ["--path", path, "--addresses", str(addresses)]
    with subprocess.Popen(command, cwd=HERE.parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stdin is not None
        assert running.stdout.readline() == b"ready\n"
        time.sleep(AGAIN)
        try:
            yield
        finally:
            running.stdin.close()
            running.wait()


# --- figures --------------------------------------------------------------------------------------


class Found(NamedTuple):
    """Milliseconds from tap to last screen, of a page and of /health, and the number of unanswered pages."""

    taps: list[float]
    pages: list[float]
    health: list[float]
    lost: int


def asked(port: int, path: str) -> float | None:
    """Return the milliseconds of a page on its own connection, or None without an answer."""
    begun = time.perf_counter()
    try:
        with socket.create_connection((LOOP, port), PATIENCE) as end:
            end.settimeout(PATIENCE)
            end.sendall(f"GET {path} HTTP/1.1\r\nHost: {LOOP}\r\nConnection: close\r\n\r\n".encode())
            head = end.recv(65536)
            while end.recv(65536):
                pass
    except OSError:
        return None
    return 1000 * (time.perf_counter() - begun) if b" 200 " in head else None


def look(play: Play, moves: int) -> Found:
    """Measure pages, then taps, and return the figures."""
    pages: list[float | None] = []
    health: list[float | None] = []
    for _ in range(max(5, moves // 4)):
        pages.append(asked(play.port, play.seats[0]))
        health.append(asked(play.port, "/health"))
        if pages[-1] is None and len(pages) >= 3:
            break
    taps: list[float] = []
    try:
        taps = measure(play, SCREENS, 0, moves).times
    except OSError as error:
        print(f"  ({error})")
    lost = sum(each is None for each in (*pages, *health))
    return Found(taps, [p for p in pages if p is not None], [h for h in health if h is not None], lost)


def told(found: Found) -> str:
    """Return figures as a line."""

    def both(times: list[float]) -> str:
        return f"{statistics.median(times):6.1f} / {percentile(times, 0.99):6.1f}" if times else "  none answered"

    lost = f"   {found.lost} not answered" if found.lost else ""
    return f"tap {both(found.taps)}   page {both(found.pages)}   /health {both(found.health)}{lost}"


def spectator(play: Play) -> str:
    """Return a spectator's page that none of the measured screens shows."""
    room = re.search(r'class="pin">(\d+)', play.browser.ask("GET", play.host)[2])
    assert room is not None
    return play.browser.submit("/watch", [("room", room.group(1))], "/join")


def command_of(server: str, folder: Path, port: int) -> list[str]:
    """Return the command that starts a server."""
    if server == "gthread":
        return [sys.executable, "-m", "tests.bench.gthread", str(folder), str(port)]
    words = ["run", "--host", LOOP, "--port", str(port), "--data", str(folder), "--pins", "none", "--camera", "none"]
    return [sys.executable, "-m", "companion", *words]


def run(server: str, kind: str, addresses: int, moves: int) -> None:
    """Run one attack on one server, beside the quiet times."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        port = free_port()
        write_pace(Path(name))
        with process(command_of(server, Path(name), port)):
            wait_for(port)
            play = Play(port, Path(name), Browser(port))
            quiet = look(play, moves)
            with attacked(kind, port, spectator(play), addresses):
                held = look(play, moves)
            time.sleep(AGAIN)
            after = look(play, moves)
            quiet = Found(*(a + b for a, b in zip(quiet, after, strict=True)))
            play.close()
            play.browser.close()
    whence = "one address" if addresses == 1 else f"{addresses} addresses"
    times = f"{statistics.median(held.taps) / statistics.median(quiet.taps):.2f} times" if held.taps else "stands still"
    print(f"{server:9s} {ATTACKS[kind]} {kind}, {whence}: {times}\n  quiet     {told(quiet)}\n  attacked  {told(held)}",
          flush=True)  # fmt: skip


def main(argv: list[str] | None = None) -> None:
    """Measure and print; milliseconds, median / 99th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--server", choices=("ours", "gthread"))
    parser.add_argument("--only", choices=ATTACKS)
    parser.add_argument("--attack", choices=ATTACKS)
    parser.add_argument("--port", type=int)
    parser.add_argument("--path")
    parser.add_argument("--addresses", type=int, default=0)
    words = parser.parse_args(argv)
    if words.attack:
        attack(words.attack, words.port, words.path, words.addresses)
        return
    for server in [words.server] if words.server else ["ours", "gthread"]:
        for kind in [words.only] if words.only else ATTACKS:
            for addresses in [words.addresses] if words.addresses else [1, 500]:
                run(server, kind, addresses, words.moves)


if __name__ == "__main__":
    main()
