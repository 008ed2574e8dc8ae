"""Test the real server: sockets, shutdown, sleeping tablets, and a port in use."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.brokers import free_port
from tests.support.web.visitors import COLOURS, HOST_PIN, NAMES, SHAPES
from web.server import PortInUse, open_listener

LOOP = "127.0.0.1"
PATIENCE = 20.0
PROGRAM = """
import sys
from pathlib import Path
from web.server import serve
serve(Path(sys.argv[1]), "127.0.0.1", int(sys.argv[2]))
"""


class Server:
    """A server in a separate process, and a connection to it."""

    def __init__(self, folder: Path, port: int, stack: ExitStack) -> None:
        self.folder, self.port, self.stack = folder, port, stack
        self.cookies: dict[str, str] = {}
        self.host = ""
        self.process = self.stack.enter_context(
            subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), str(port)], stderr=subprocess.PIPE)
        )

    def ask(self, method: str, path: str, form: list[tuple[str, str]] | None = None) -> tuple[int, str, str]:
        """Return the status, the redirection and the body of an answer."""
        from urllib.parse import urlencode

        body = urlencode(form or []).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = f"{method} {path} HTTP/1.1\r\nHost: {LOOP}:{self.port}\r\nCookie: {cookies}\r\nConnection: close\r\n"
        if form is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        with socket.create_connection((LOOP, self.port), PATIENCE) as connection:
            connection.sendall(head.encode() + b"\r\n" + body)
            data = b"".join(iter(lambda: connection.recv(65536), b""))
        told, _, text = data.partition(b"\r\n\r\n")
        for name, value in re.findall(r"(?i)^set-cookie: (\w+)=([^;]*)", told.decode(), re.M):
            self.cookies[name] = value
        where = re.search(r"(?i)^location: (\S+)", told.decode(), re.M)
        return int(told.split()[1]), where.group(1) if where else "", text.decode()

    def submit(self, path: str, form: list[tuple[str, str]], page: str) -> str:
        """Send a page's form, and return the address to which it leads."""
        found = re.search(r'name="csrf" content="([^"]+)"', self.ask("GET", page)[2])
        assert found is not None
        status, where, body = self.ask("POST", path, [("csrf", found.group(1)), *form])
        assert status == 303, body
        return where

    def stream(self, path: str, last: str = "", sleeping: bool = False) -> socket.socket:
        """Open a stream that is closed at the test's end."""
        connection = self.stack.enter_context(socket.socket())
        if sleeping:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(PATIENCE)
        connection.connect((LOOP, self.port))
        page = f"{path}stream?page=p{connection.fileno()}&lang=en&last={last}"
        connection.sendall(f"GET {page} HTTP/1.1\r\nHost: {LOOP}:{self.port}\r\n\r\n".encode())
        return connection


def until(connection: socket.socket, wanted: bytes) -> bytes:
    """Read from a socket until a text arrives, or fail."""
    data = b""
    while wanted not in data:
        more = connection.recv(65536)
        assert more, data[-300:]
        data += more
    return data


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Run a server and end it afterwards."""
    with ExitStack() as stack:
        server = Server(folder, free_port(), stack)
        stack.callback(server.process.kill)
        answering(server)
        yield server


def answering(server: Server) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            assert server.ask("GET", "/health")[0] == 200
            return
        except ConnectionRefusedError:
            ended = server.process.poll() is not None
            assert not ended, server.process.stderr and server.process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.02)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a running server."""
    with running(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture(scope="module")
def seats(server: Server) -> list[str]:
    """Return the addresses of two people's pages at a game on that server."""
    form = [("deck", "dealt"), ("pin", HOST_PIN)]
    for player in zip(NAMES[:2], COLOURS, SHAPES, strict=False):
        form += list(zip(("name", "colour", "shape"), player, strict=True))
    host = server.submit("/setup", form, "/")
    server.host = host
    room = re.search(r'<b class="pin">(\d+)', server.ask("GET", host)[2])
    assert room is not None
    return [
        server.submit("/join", [("room", room.group(1)), ("seat", str(seat)), ("pin", f"000{seat}")], "/join")
        for seat in range(2)
    ]


def begin(server: Server, seats: list[str]) -> None:
    """Advance the game by one public event: the choice of the starter."""
    server.submit(seats[0] + "propose", [("event", "starter_named"), ("seat", "1")], seats[0])


def test_a_tap_reaches_every_screen_even_beside_sleeping_ones(server: Server, seats: list[str]) -> None:
    """While twenty tablets sleep, a move arrives on every open stream and pages load."""
    awake = [server.stream(seat) for seat in seats * 3]
    room = re.search(r'<b class="pin">(\d+)', server.ask("GET", server.host)[2])
    assert room is not None
    watching = [server.submit("/watch", [("room", room.group(1))], "/join") for _ in range(4)]
    asleep = [server.stream(path, sleeping=True) for path in watching * 5]
    for connection in awake:
        assert b'"regions"' in until(connection, b"\n\n\r\n")
    begin(server, seats)
    for connection in awake:
        assert b"event: regions" in until(connection, b"event: regions")
    assert server.ask("GET", seats[1])[0] == 200
    assert len(asleep) == 20


def test_a_stream_resumes_on_the_wire(server: Server, seats: list[str]) -> None:
    """A page that is up to date receives only the greeting, and another page the messages that it missed."""
    shown = re.search(r'data-shown="([^"]+)"', server.ask("GET", seats[0])[2])
    assert shown is not None
    greeted = until(server.stream(seats[0], shown.group(1)), b"retry: 1000\n\n")
    assert b"event: regions" not in greeted
    assert b"event: regions" in until(server.stream(seats[0], "old-1"), b"event: regions")


def test_stopping_ends_streams_and_loses_nothing(tmp_path: Path) -> None:
    """On termination the server ends its streams, exits at once without output, and the game goes on after a new
    start."""
    with running(tmp_path) as first:
        form = [("deck", "dealt"), ("pin", HOST_PIN)]
        for player in zip(NAMES[:2], COLOURS, SHAPES, strict=False):
            form += list(zip(("name", "colour", "shape"), player, strict=True))
        host = first.submit("/setup", form, "/")
        stream = first.stream(host)
        until(stream, b'"regions"')
        first.process.send_signal(signal.SIGTERM)
        while stream.recv(65536):
            pass
        assert first.process.wait(PATIENCE) == 0
        assert first.process.stderr is not None and b"Traceback" not in first.process.stderr.read()
    with running(tmp_path) as second:
        assert second.ask("GET", host)[0] == 200


def test_a_port_that_is_taken_is_said() -> None:
    """A port in use is reported with a sentence instead of a traceback."""
    with socket.create_server((LOOP, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=f"Port {port} on {LOOP} cannot be used: .*Choose another one"):
            open_listener(LOOP, port)
