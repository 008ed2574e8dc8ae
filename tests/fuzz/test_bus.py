"""Tests of all bus messages with valid, edge and hostile values, sent to the table's end."""

from __future__ import annotations

import logging
import os
import random
import socket
import typing
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from companion import messages
from companion.devices.bus.permissions import ALLOWED
from companion.files.untrusted import printable
from companion.messages import CameraState, Health, Here
from tests.fuzz.test_routes import SEED, Log, alone, log
from tests.fuzz.values import BYTES, TEXTS, record
from tests.fuzz.worlds import World, wait
from web.server import DeviceLines

KINDS = tuple(sorted(typing.get_args(messages.AnyMessage), key=lambda kind: kind.__name__))
"""All messages on the bus."""
MESSAGES = 600
MANY = 25_000
ROUND = 50
HOSTILE = tuple(text for text in TEXTS if printable(text) != text and "\ud7ff" not in text)
PAGES = ("host", "tablet", "seat 0")
__all__ = ["alone", "log"]


class Service:
    """A connection to the table's bus that names its service and then sends anything."""

    def __init__(self, path: Path, name: str) -> None:
        self.end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.end.connect(str(path))
        self.end.settimeout(0.0)
        self.say(messages.encode(Here(name, "s", "b")))

    def say(self, line: bytes) -> bool:
        """Send a line; return False if the table has ended the connection."""
        try:
            while True:
                if not self.end.recv(65536):
                    return False
        except BlockingIOError:
            pass
        except OSError:
            return False
        self.end.settimeout(5.0)
        try:
            self.end.sendall(line)
        except OSError:
            return False
        finally:
            self.end.settimeout(0.0)
        return True

    def close(self) -> None:
        """Close the connection."""
        self.end.close()


def line(luck: random.Random, name: str) -> bytes:
    """Return a line with a message that a service may or may not send, or with hostile bytes."""
    turn = luck.random()
    if turn < 0.05:
        return luck.choice(BYTES).replace(b"\n", b"") + b"\n"
    kind = luck.choice(ALLOWED[name] if turn < 0.8 else KINDS)
    data = record(kind, luck, luck.choice((0.0, 0.0, 0.1)))
    if data.get("service") is not None and luck.random() < 0.8:
        data["service"] = name
    if "source" in data and luck.random() < 0.7:
        data["source"] = luck.choice(("pin", "radio"))
    return msgspec.json.encode(data) + b"\n"


class Lines(logging.Handler):
    """A handler that keeps each line printed or logged by the table's process."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record's line."""
        self.found.append(record.getMessage())


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    """Yield the printed and logged lines."""
    found = Lines()
    monkeypatch.setattr("web.server.say", found.found.append)
    logging.getLogger().addHandler(found)
    yield found
    logging.getLogger().removeHandler(found)


def test_what_a_peer_says_neither_fills_nor_forges_the_log(tmp_path: Path, lines: Lines) -> None:
    """Thousands of changing texts and faults cause only some dozen short, readable log lines without line breaks."""
    luck = random.Random(5)
    with World(tmp_path, "trains", luck) as world:
        printed = DeviceLines()
        world.board.listen(printed.buttons)
        world.board.camera_link.listen(printed.camera)
        path = Path(world.short.name) / "bus"
        service = Service(path, "buttons")
        for at in range(2_000):
            said = f"{luck.choice(HOSTILE)} {at} " + "x" * 20_000 * (at % 7 == 0)
            service.say(messages.encode(Health("buttons", at, said, said=said)))
            service.say(messages.encode(Health(said, at)) if at % 2 else b'{"message":"' + said.encode() + b'"}\n')
        settled(world, path, 2_000)
        service.close()
        assert printable(world.board.buttons.said) == world.board.buttons.said
    assert len(lines.found) > 5
    assert [line for line in lines.found if printable(line) != line] == []
    assert sum(map(len, lines.found)) < 100_000


def fuzz(folder: Path, kind: str, count: int, number: int, log: Log) -> int:
    """Send messages as each service, check the pages in between, and return the number of messages."""
    luck, sent = random.Random(f"{number} bus {kind}"), 0
    with World(folder, kind, luck) as world, ExitStack() as stack:
        world.renew()
        world.watch.written()
        path = Path(world.short.name) / "bus"
        services: dict[str, Service] = {}
        for at in range(count):
            name = luck.choice(sorted(ALLOWED))
            if name not in services:
                services[name] = Service(path, name)
                stack.callback(services[name].close)
            said = line(luck, name)
            if not services[name].say(said):
                services.pop(name).close()
            sent += 1
            if at % ROUND == ROUND - 1:
                settled(world, path, at)
                check(world, log, f"{SEED}={number}, {kind}, message {at}, about: {said[:2000]!r}")
    return sent


def settled(world: World, path: Path, at: int) -> None:
    """Wait until the table has handled all messages: a new service reports it, and the writer completes a cycle."""
    for name in ("buttons", "camera"):
        state = CameraState("still") if name == "camera" else None
        health, service = messages.encode(Health(name, 1, said=f"settled {at}", camera=state)), Service(path, name)

        def heard(name: str = name, service: Service = service, health: bytes = health) -> bool:
            return service.say(health) and getattr(world.board, name).said == f"settled {at}"

        wait(heard)
        service.close()
    world.table.go_round()


def check(world: World, log: Log, where: str) -> None:
    """Check the pages, the journal and the log."""
    found = [f"logged: {each}" for each in log.found]
    # Presses and readings may be moves; no other bus message may write to the journal.
    found += [each for each in world.watch.written() if not each.startswith("record of")]
    world.renew()
    for name in PAGES:
        door = {"host": "h", "tablet": "t"}.get(name, "s")
        for page in ("", "camera", "camera/live.json", "laying", "pins", "now.json", "check"):
            code = world.anybody.get(f"/{door}/{world.tokens[name]}/{page}").status_code
            if code >= 500:
                found.append(f"{name}'s {page or 'page'}: {code}")
    found += [f"logged by a page: {each}" for each in log.found]
    log.found.clear()
    world.watch.written()
    assert not found, where + "\n" + "\n".join(found)


@pytest.mark.parametrize("kind", ["auction", "trains"])
def test_hostile_messages_stop_nothing(tmp_path: Path, kind: str, log: Log) -> None:
    """Services that send arbitrary messages cause no traceback, store nothing and break no page."""
    number = int(os.environ.get(SEED, "1"))
    sent = fuzz(tmp_path, kind, MESSAGES // 2, number, log)
    print(f"{SEED}={number} bus, {kind}: {sent} messages")


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", ["auction", "trains"])
def test_many_hostile_messages(tmp_path: Path, kind: str, log: Log) -> None:
    """The same holds for more messages, with another seed each time."""
    number = int(os.environ.get(SEED, "0")) or int.from_bytes(os.urandom(4), "big")
    print(f"{SEED}={number}")
    sent = fuzz(tmp_path, kind, MANY // 2, number, log)
    print(f"{SEED}={number} bus, {kind}: {sent} messages")
