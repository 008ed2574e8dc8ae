"""Test that no secret reaches logs, the bus or the process list.

Whole games use tokens, PINs, sealed amounts and hands, with full logging.
"""

from __future__ import annotations

import io
import logging
import random
import re
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.devices.bus import SocketAddress
from companion.devices.registry import DeviceRegistry
from companion.engine import legal, name_of
from companion.messages import STANDING, Count, Raise, Refused, Reveal, Sold, Stopped, decode
from tests.support.paces import HURRIED
from tests.support.web.visitors import COLOURS, HOST_PIN, JOURNAL, NAMES, SHAPES, Room, Visitor, said
from tests.web.security.test_secrecy import step
from tests.web.serving.test_server import Server, running
from web.app import create_app

PLAYERS = 3
PUBLIC = (*STANDING, Count, Raise, Refused, Reveal, Sold, Stopped)
"""The messages that the table sends on the bus."""
OWN_PINS = ("8135", "9246", "7357")
PATIENCE = 20.0


class Overheard:
    """An outsider on the bus who records every line that the table sends."""

    def __init__(self, path: Path) -> None:
        self.end = socket.socket(socket.AF_UNIX)
        self.end.settimeout(PATIENCE)
        self.end.connect(str(path))
        self.end.sendall(b'{"message":"here","service":"buttons"}\n')

    def lines(self) -> list[bytes]:
        """Return every line until the table disconnects."""
        data = b"".join(iter(lambda: self.end.recv(65536), b""))
        self.end.close()
        return data.splitlines()


class Wired(Room):
    """A room whose table has a bus."""

    def open(self) -> None:
        """Open the application with a device registry."""
        from companion.table.table import Table

        self.table = Table(self.folder / JOURNAL, pace=HURRIED)
        self.board = DeviceRegistry(self.table, SocketAddress(self.folder / "bus"))
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True, registry=self.board)
        self.anybody = Visitor(self.app.test_client())

    def close(self) -> None:
        """Close the bus before the table."""
        self.board.close()
        super().close()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Yield all log lines, at every level."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.removeHandler(handler)
    root.setLevel(level)


def secrets_of(room: Room, found: set[str]) -> None:
    """Record the secrets that are now behind screens: sealed amounts, hands and money."""
    state = room.table.snapshot().state
    assert state is not None
    for field in ("amounts", "hands", "placed"):
        for each in getattr(state.agenda[0], field, ()) if state.agenda else ():
            found |= set(map(str, each)) if isinstance(each, tuple) else {str(each)} - {"None"}


def test_a_whole_game_leaves_no_secret_in_logs_and_on_the_bus(log: io.StringIO, capfd: Any) -> None:
    """With full logging, no PIN, token, sealed amount or hand appears in logs or on the bus."""
    with tempfile.TemporaryDirectory(prefix="companion-") as name, Wired(Path(name)) as room:
        bus = Overheard(Path(name) / "bus")
        room.set_up(PLAYERS)
        room.seats = [room.join(seat, pin).headers["Location"] for seat, pin in enumerate(OWN_PINS)]
        for wrong in ("0000", "12"):
            room.join(1, wrong, room.visitor())
        pages = [room.host, *room.seats, room.page("tablet"), room.page("watch")]
        luck, hidden = random.Random(3), set[str]()
        played = 0
        while step(room, luck):
            secrets_of(room, hidden)
            played += 1
            if played % 20 == 0:
                for page in pages:
                    assert room.anybody.get(page).status_code == 200
                    room.anybody.say(page, "opened", seat=0, price="7357")
                    room.anybody.get(page + "nowhere")
        private = committed(room)
        room.restart()
        tokens = [page.strip("/").split("/")[-1] for page in pages]
        pin = room.pin
    told = log.getvalue() + "".join(capfd.readouterr())
    assert played > 60 and len(hidden) > 5 and private
    for token in tokens:
        assert token not in told
    for secret in (*OWN_PINS, HOST_PIN, pin):
        assert not re.search(rf"\b{secret}\b", told), secret
    heard = bus.lines()
    assert len(heard) > played / 10
    search(heard, private, hidden, tokens + [*OWN_PINS, HOST_PIN, pin])


def committed(room: Room) -> set[str]:
    """Return every sealed amount of the game."""
    entries = room.table.snapshot().entries
    return {str(entry.event.amount) for entry in entries if name_of(entry.event) == "committed"}  # type: ignore[attr-defined]


def search(lines: list[bytes], private: set[str], hidden: set[str], more: list[str]) -> None:
    """Fail if a line of the bus is not public or contains secrets."""
    for line in lines:
        if b'"message":"here"' in line or b"clock" in line:
            continue
        message = decode(line)
        assert isinstance(message, PUBLIC), line
        data = msgspec.to_builtins(message)
        data.pop("at", None)  # a moment may contain any figures
        if isinstance(message, Raise):
            data.pop("amount")  # everybody heard this one
        text = re.sub(rb"[^\w-]+", b" ", msgspec.json.encode(data)).decode().split()
        assert not set(text) & {secret for secret in (private | hidden) if len(secret) > 2}, line
        assert not set(text) & set(more), line


def test_the_search_finds_what_is_there() -> None:
    """The search finds a cue that contains a sealed amount."""
    with pytest.raises(AssertionError):
        search([b'{"message":"refused","seat":750}'], {"750"}, set(), [])
    with pytest.raises(AssertionError):
        search([b'{"message":"press","seat":0,"at":1}'], set(), set(), [])


def test_a_real_server_writes_no_secret_and_has_none_in_its_command(tmp_path: Path) -> None:
    """Neither a server's output nor its entry in the process list contains secrets."""
    with running(tmp_path) as server:
        host, seat = begun(server)
        tokens = [page.strip("/").split("/")[-1] for page in (host, seat)]
        for path in (host + "nowhere", seat + "propose", f"/s/{tokens[1]}x/", host + "amend?line=999&seen=x"):
            server.ask("GET", path)
            server.ask("POST", path, [("event", "opened"), ("price", "7357")])
        broken(server, f"GET {seat} HTTP/9.9\r\nHost: localhost\r\n\r\n")
        broken(server, f"GE\0T {seat} HTTP/1.1\r\n\r\n")
        broken(server, f"GET {seat}{'x' * 5000} HTTP/1.1\r\nHost: localhost\r\n\r\n")
        commands = b"".join(path.read_bytes() for path in family(server.process.pid))
        server.process.send_signal(signal.SIGTERM)
        told = server.process.communicate(timeout=PATIENCE)[1].decode()
    for token in (*tokens, HOST_PIN, OWN_PINS[0], "7357"):
        assert token not in told and token.encode() not in commands, told
    assert b"serve" in commands


def begun(server: Server) -> tuple[str, str]:
    """Set up a game, and return the host's and the first seat's pages."""
    form = [("deck", "dealt"), ("pin", HOST_PIN)]
    for player in zip(NAMES[:2], COLOURS, SHAPES, strict=False):
        form += list(zip(("name", "colour", "shape"), player, strict=True))
    host = server.submit("/setup", form, "/")
    room = re.search(r'<b class="pin">(\d+)', server.ask("GET", host)[2])
    assert room is not None
    return host, server.submit("/join", [("room", room.group(1)), ("seat", "0"), ("pin", OWN_PINS[0])], "/join")


def broken(server: Server, request: str) -> None:
    """Send a malformed request, and read the answer."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        connection.sendall(request.encode())
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def family(pid: int) -> list[Path]:
    """Return the files with the commands of a process and of its children."""
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [Path(f"/proc/{number}/cmdline") for number in (pid, *map(int, done.stdout.split()))]


def test_what_is_said_of_a_wrong_pin_does_not_repeat_it(game: Room) -> None:
    """The page that refuses a PIN does not repeat it."""
    answer = game.join(1, "9071", game.visitor())
    assert answer.status_code == 403 and "9071" not in answer.text and said(answer)


def test_legal_offers_are_not_logged(game: Room, log: io.StringIO) -> None:
    """The log contains no legal bids, because they would reveal the cash."""
    game.begin()
    snapshot = game.table.snapshot()
    assert snapshot.state is not None
    most = [str(offer) for offer in legal(snapshot.game, snapshot.state)]
    game.anybody.say(game.seats[0], "opened", seat=0, price="99999999")
    assert not [offer for offer in most if offer in log.getvalue()]
