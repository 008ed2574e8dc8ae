"""From a tap to the change on every screen: a real server, real sockets, beside a bare peer in the same run.

`python -m tests.bench.bench_push [--moves N]`. Journal and rendering are part of what is measured; the peer only
hands bytes of the same size on. The client is one thread with a selector, in a process of its own like the server.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import select
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.bots.bot import policy_of
from companion.commands.terminal import JOURNAL
from companion.engine import Event, legal
from companion.journal.journal import Journal
from companion.match.match import Match
from tests.support.paces import write_pace

HERE = Path(__file__).resolve()
LOOP = "127.0.0.1"
NAMES = ("Jane", "Bill", "Tom", "Céline")
COLOURS = ("red", "blue", "green", "yellow")
SHAPES = ("circle", "square", "triangle", "diamond")
CASES = ((12, 0), (50, 0), (12, 20))
"""Streams that read, and sleeping ones besides."""
PATIENCE = 10.0
"""Seconds after which a change counts as lost."""


class Figures(NamedTuple):
    """Milliseconds from tap to the last screen, for each move, and bytes a message has in the middle."""

    times: list[float]
    size: int


# --- a small browser ------------------------------------------------------------------------------


class Browser:
    """Cookies, forms and one kept-alive connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self._connect()

    def _connect(self) -> None:
        self.connection = socket.create_connection((LOOP, self.port), PATIENCE)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Close the connection that is open now: it may be another one than at first."""
        self.connection.close()

    def ask(
        self, method: str, path: str, form: list[tuple[str, str]] | None = None, script: bool = False
    ) -> tuple[int, str, str]:
        """Return status, address to go on to, and body."""
        self.send(method, path, form, script)
        return self.answer()

    def send(self, method: str, path: str, form: list[tuple[str, str]] | None = None, script: bool = False) -> None:
        """Send a request, on a new connection where the server has closed the idle one, as browsers do."""
        if select.select([self.connection], [], [], 0)[0]:
            self.connection.close()
            self._connect()
        body = urllib.parse.urlencode(form or []).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = [f"{method} {path} HTTP/1.1", f"Host: {LOOP}:{self.port}", f"Cookie: {cookies}"]
        if form is not None:
            head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        if script:
            head.append("HX-Request: true")
        self.connection.sendall("\r\n".join([*head, "", ""]).encode() + body)

    def answer(self) -> tuple[int, str, str]:
        """Read an answer."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields: dict[str, str] = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
            fields[name.lower()] = value
        status = int(lines[0].split()[1])
        length = int(fields.get("content-length", 0)) if status != 204 else 0
        while len(body) < length:
            body += self._more()
        return status, fields.get("location", ""), body.decode()

    def _more(self) -> bytes:
        data = self.connection.recv(65536)
        if not data:
            raise ConnectionError("the server hung up")
        return data

    def csrf(self, path: str) -> str:
        """Return the form token of a page."""
        found = re.search(r'name="csrf" content="([^"]+)"', self.ask("GET", path)[2])
        assert found is not None
        return found.group(1)

    def submit(self, path: str, form: list[tuple[str, str]], page: str) -> str:
        """Send a page's form and return where it leads."""
        status, where, body = self.ask("POST", path, [("csrf", self.csrf(page)), *form])
        assert status == 303, (status, body)
        return where


class Screen:
    """One open stream. It counts messages, and sleeps when it is told to."""

    def __init__(self, port: int, path: str, lang: str, page: str, sleeping: bool = False) -> None:
        self.socket = socket.socket()
        if sleeping:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.connect((LOOP, port))
        self.socket.sendall(f"GET {path}stream?page={page}&lang={lang} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.rest = b""
        self.messages = 0
        self.size = 0

    def read(self) -> int:
        """Take what has come; return how many messages were completed."""
        data = self.rest + self.socket.recv(1 << 18)
        if data == self.rest:
            raise ConnectionError("a stream ended")
        count = data.count(b"\nevent: regions\n")
        whole = data.endswith(b"\n\n") or data.endswith(b"\n\n\r\n")
        if not count or not whole:
            self.rest = data
            return 0
        self.rest = b""
        self.size = len(data)
        self.messages += count
        return count


# --- a game ---------------------------------------------------------------------------------------


class Play:
    """A game on the server, played by bots in this process, who look into the journal for what they need."""

    def __init__(self, port: int, folder: Path, browser: Browser) -> None:
        self.port = port
        self.browser = browser
        self.luck = random.Random(7).random
        form = [("deck", "dealt"), ("pin", "1234"), ("edition", "en")]
        for player in zip(NAMES, COLOURS, SHAPES, strict=True):
            form += list(zip(("name", "colour", "shape"), player, strict=True))
        self.host = browser.submit("/setup", form, "/setup")
        room = re.search(r'class="pin">(\d+)', browser.ask("GET", self.host)[2])
        assert room is not None
        self.seats = []
        for seat in range(len(NAMES)):
            own = [("room", room.group(1)), ("seat", str(seat)), ("pin", f"000{seat}")]
            self.seats.append(browser.submit("/join", own, "/join"))
        self.table = browser.submit("/tablet", [("room", room.group(1))], "/join")
        self.watch = browser.submit("/watch", [("room", room.group(1))], "/join")
        self.tokens = {page: browser.csrf(page) for page in (*self.seats, self.table)}
        self.journal = Journal(folder / JOURNAL, read_only=True)

    def close(self) -> None:
        """Close what was opened."""
        self.journal.close()

    def next(self) -> tuple[str, list[tuple[str, str]]] | None:
        """Return the page and the form of the next move, None at the end."""
        match = Match.open(self.journal, self.journal.matches()[0].id)
        state, game = match.state, match.game
        if state.over:
            return None
        mind = policy_of(game, "sensible")
        for seat in mind.asked(state):
            event = mind.choose(mind.look(state, seat), self.luck)
            if event is not None:
                return self.seats[seat] + "propose", self.form(self.seats[seat], event)
        offer = next(o for o in legal(game, state) if o.chance)
        event = offer.pick(self.luck)
        if event.facts.entered:
            return self.table + "propose", self.form(self.table, event)
        return self.table + "draw", [("csrf", self.tokens[self.table])]

    def form(self, page: str, event: Event) -> list[tuple[str, str]]:
        """Return an event as a page's form."""
        found = [("csrf", self.tokens[page])]
        for name, value in msgspec.to_builtins(event).items():
            found += [
                (name, "" if item is None else str(item))
                for item in (value if isinstance(value, list | tuple) else [value])
            ]
        return found

    def pages(self, count: int) -> list[tuple[str, str]]:
        """Return as many pages with their languages: every seat, then table, spectators and host in turn."""
        kinds = [*((seat, "en") for seat in self.seats), (self.table, "en"), (self.host, "en"), (self.watch, "fr")]
        kinds += [(seat, "fr") for seat in self.seats[:2]]
        return [kinds[n % len(kinds)] for n in range(count)]


def measure(play: Play, count: int, sleeping: int, moves: int) -> Figures:
    """Return how long each move takes to reach the last of the screens."""
    screens = [Screen(play.port, path, lang, f"p{n}") for n, (path, lang) in enumerate(play.pages(count))]
    asleep = [Screen(play.port, path, lang, f"z{n}", True) for n, (path, lang) in enumerate(play.pages(sleeping))]
    selector = selectors.DefaultSelector()
    for screen in screens:
        while not screen.read():  # the first message: every region
            pass
        selector.register(screen.socket, selectors.EVENT_READ, screen)
    times: list[float] = []
    sizes: list[int] = []
    for _ in range(moves):
        move = play.next()
        if move is None:
            break
        drain(selector)
        before = [screen.messages for screen in screens]
        begun = time.perf_counter()
        play.browser.send("POST", *move, script=True)
        try:
            times.append(1000 * (arrived(selector, screens, before) - begun))
        except TimeoutError as error:
            raise TimeoutError(f"{error} of {move}: {play.browser.answer()}") from None
        sizes += [screen.size for screen in screens]
        status, _, said = play.browser.answer()
        assert status == 204, (status, said, move)
    selector.close()
    for screen in (*screens, *asleep):
        screen.socket.close()
    return Figures(times, int(statistics.median(sizes)))


def drain(selector: selectors.BaseSelector) -> None:
    """Take what is left over."""
    while ready := selector.select(0):
        for key, _ in ready:
            key.data.read()


def arrived(selector: selectors.BaseSelector, screens: list[Screen], before: list[int]) -> float:
    """Wait until every screen has a message more than before; return when the last one had it."""
    end = time.perf_counter() + PATIENCE
    waiting = {id(screen) for screen in screens}
    count = dict(zip(map(id, screens), before, strict=True))
    while waiting:
        if time.perf_counter() > end:
            raise TimeoutError(f"{len(waiting)} screens saw nothing")
        for key, _ in selector.select(0.5):
            screen = key.data
            if screen.read() and screen.messages > count[id(screen)]:
                waiting.discard(id(screen))
    return time.perf_counter()


# --- the bare peer --------------------------------------------------------------------------------


def peer(port: int) -> None:
    """Serve streams and pushes from one thread: POST N hands N bytes to every stream."""
    selector = selectors.DefaultSelector()
    listener = socket.create_server((LOOP, port))
    selector.register(listener, selectors.EVENT_READ)
    streams: list[socket.socket] = []
    while True:
        for key, _ in selector.select():
            found: Any = key.fileobj
            if found is listener:
                connection, _ = listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                selector.register(connection, selectors.EVENT_READ)
                continue
            data = found.recv(65536)
            if not data:
                selector.unregister(found)
                found.close()
                streams = [s for s in streams if s is not found]
            elif data.startswith(b"GET"):
                found.sendall(b"HTTP/1.1 200 OK\r\n\r\nid: 0\nevent: regions\ndata: \n\n")
                streams.append(found)
            else:
                size = int(data.split()[1][1:])
                message = b"id: 1\nevent: regions\ndata: %s\n\n" % (b"x" * size)
                for stream in streams:
                    stream.sendall(message)
                found.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


def measure_peer(count: int, size: int, moves: int) -> list[float]:
    """Return the same for the bare peer."""
    port = free_port()
    with process([sys.executable, "-m", "tests.bench.bench_push", "--peer", str(port)]):
        wait_for(port)
        screens = [Screen(port, "/", "en", str(n)) for n in range(count)]
        selector = selectors.DefaultSelector()
        for screen in screens:
            while not screen.read():
                pass
            selector.register(screen.socket, selectors.EVENT_READ, screen)
        browser = Browser(port)
        times = []
        for _ in range(moves):
            before = [screen.messages for screen in screens]
            begun = time.perf_counter()
            browser.send("POST", f"/{size}", [])
            times.append(1000 * (arrived(selector, screens, before) - begun))
            browser.answer()
        selector.close()
        for screen in screens:
            screen.socket.close()
        browser.close()
    return times


# --- processes ------------------------------------------------------------------------------------


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server((LOOP, 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def process(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and end it afterwards."""
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=HERE.parents[2])
    try:
        yield running
    finally:
        running.terminate()
        running.wait(PATIENCE)


def wait_for(port: int) -> float:
    """Wait until something answers there, and return how long that took, in seconds."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < PATIENCE:
        try:
            with socket.create_connection((LOOP, port), PATIENCE) as probe:
                probe.sendall(b"GET / HTTP/1.0\r\n\r\n")
                if probe.recv(1 << 16):
                    return time.perf_counter() - begun
        except OSError:
            time.sleep(0.01)
    raise TimeoutError("the server did not start")


def resident(running: int) -> tuple[float, float]:
    """Return what a process and its children hold in memory, in MB: all of it, and its fair share (PSS)."""
    family = [running]
    for line in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = line.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(parts[1]) == running:
            family.append(int(line.parent.name))
    whole = share = 0
    for each in family:
        text = Path(f"/proc/{each}/smaps_rollup").read_text()
        whole += int(re.findall(r"^Rss:\s+(\d+)", text, re.M)[0])
        share += int(re.findall(r"^Pss:\s+(\d+)", text, re.M)[0])
    return whole / 1024, share / 1024


def worked(running: int) -> float:
    """Return how long a process and its children have computed, in milliseconds."""
    ticks = 0
    for line in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = line.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(line.parent.name) == running or int(parts[1]) == running:
            ticks += int(parts[11]) + int(parts[12])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def settle(running: int) -> None:
    """Wait until a process computes no more: people sit down long after it has made ready what it shows."""
    late, before = time.perf_counter() + PATIENCE, -1.0
    while time.perf_counter() < late and (now := worked(running)) > before:
        before = now
        time.sleep(0.5)


def percentile(times: list[float], part: float) -> float:
    """Return the value below which that part of the times lies."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def told(label: str, times: list[float]) -> str:
    """Return times as a line."""
    if not times:
        return f"{label:34s} none"
    return (
        f"{label:34s} p50 {statistics.median(times):6.2f} ms   p99 {percentile(times, 0.99):6.2f} ms   n {len(times)}"
    )


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--peer", type=int)
    asked = parser.parse_args(argv)
    if asked.peer:
        peer(asked.peer)
        return
    for count, sleeping in CASES:
        with tempfile.TemporaryDirectory() as name:
            run(Path(name), count, sleeping, asked.moves)


def run(folder: Path, count: int, sleeping: int, moves: int) -> None:
    """Measure one case: so many screens, so many of them asleep."""
    port = free_port()
    write_pace(folder)
    command = [sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(port), "--data", str(folder)]
    with process(command) as server:
        started = wait_for(port)
        settle(server.pid)
        idle = resident(server.pid)
        browser = Browser(port)
        play = Play(port, folder, browser)
        quiet = resident(server.pid)
        before = worked(server.pid)
        found = measure(play, count, sleeping, moves)
        work = (worked(server.pid) - before) / len(found.times)
        busy = resident(server.pid)
        begun = time.perf_counter()
        browser.ask("GET", play.table)
        page = 1000 * (time.perf_counter() - begun)
        play.close()
        browser.close()
    print(told(f"{count} screens" + (f" and {sleeping} asleep" if sleeping else ""), found.times))
    print(f"  the server computes {work:.1f} ms a move, streams opened and pages read included")
    if not sleeping:
        print(told(f"  bare peer, {found.size} bytes each", measure_peer(count, found.size, moves)))
    print(f"  start to first page {started:.2f} s; idle {idle[0]:.0f} MB resident ({idle[1]:.0f} MB its own share); "
          f"with a game {quiet[0]:.0f}, after {busy[0]:.0f} MB; a page then {page:.1f} ms", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
