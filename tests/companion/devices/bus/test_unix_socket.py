"""The bus over a real socket: invalid lines, stalled readers, restarted tables, and access rights."""

from __future__ import annotations

import logging
import os
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import companion.devices.bus.unix_socket
from companion.devices.bus import LONGEST_LINE, BusClient, BusError, BusPeer, BusServer, SocketAddress, reachable, serve
from companion.devices.bus.address import LONGEST_PATH
from companion.devices.bus.socket_path import explain_failure, listen
from companion.devices.bus.unix_socket import UnixClient
from companion.messages import (
    AnyMessage,
    Health,
    Here,
    Message,
    Press,
    Raise,
    Sighted,
    encode,
)
from tests.support import bus_ends
from tests.support.brokers import until
from tests.support.bus_ends import PATIENCE, Ear


def served(path: Path) -> tuple[BusServer, Ear]:
    """Return a table's end of a socket, and the recorder of its messages."""
    return bus_ends.served(SocketAddress(path))


def joining(path: Path) -> tuple[BusClient, Ear]:
    """Return a service's end of a socket, and the recorder of its messages."""
    return bus_ends.joining(SocketAddress(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a socket in a folder that does not exist yet."""
    return tmp_path / "deep" / "bus"


@pytest.fixture
def table(path: Path) -> Iterator[tuple[BusServer, Ear]]:
    """Yield a listening table."""
    server, ear = served(path)
    yield server, ear
    server.close()


@pytest.fixture
def service(path: Path, table: tuple[BusServer, Ear]) -> Iterator[tuple[BusClient, Ear]]:
    """Yield a service that has joined."""
    client, ear = joining(path)
    ear.until(lambda: ear.joined == 1)
    table[1].until(lambda: table[1].joined == 1)
    yield client, ear
    client.close()


def raw(path: Path) -> socket.socket:
    """Return a raw connection to the table that identifies itself as the buttons service."""
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    end.connect(str(path))  # a timeout would turn a full queue into an immediate error
    end.sendall(encode(Here("buttons")))
    end.settimeout(PATIENCE)
    return end


# --- invalid lines --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", [b"hello", b"{}", b'{"message":"bid","amount":3}', b'{"message":"press","seat":"one","at":1}', b"\xff\xfe"]
)
def test_a_line_that_is_no_message_is_passed_over(
    path: Path, table: tuple[BusServer, Ear], caplog: pytest.LogCaptureFixture, line: bytes
) -> None:
    """An invalid line is logged and skipped, and the next message arrives."""
    with raw(path) as end, caplog.at_level(logging.WARNING):
        end.sendall(line + b"\n" + encode(Press(0, 1)))
        table[1].until(lambda: table[1].messages == [Press(0, 1)])
    assert "skipped a" in caplog.text


@pytest.mark.parametrize("first", [Press(0, 1), Health("buttons", 1), Here("kettle"), Here("table")])
def test_who_does_not_say_who_it_is_is_cut_off(
    path: Path, table: tuple[BusServer, Ear], caplog: pytest.LogCaptureFixture, first: Message
) -> None:
    """A client that does not identify itself first is disconnected, and the log names its user."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end, caplog.at_level(logging.WARNING):
        end.settimeout(PATIENCE)
        end.connect(str(path))
        end.sendall(encode(first) + encode(Here("buttons")) + encode(Press(0, 2)))
        assert end.recv(1) == b""
    client, _ = joining(path)
    table[1].until(lambda: table[1].joined == 1)
    assert table[1].messages == [] and table[1].left == 0
    assert f"disconnected a client that did not identify itself: user {os.getuid()} (logged once" in caplog.text
    client.close()


def test_a_message_may_come_in_pieces(path: Path, table: tuple[BusServer, Ear]) -> None:
    """A message can arrive byte by byte."""
    with raw(path) as end:
        for byte in encode(Press(3, 4)) + encode(Press(5, 6)):
            end.sendall(bytes([byte]))
        table[1].until(lambda: table[1].messages == [Press(3, 4), Press(5, 6)])


def test_a_line_without_end_is_cut_off(
    path: Path, table: tuple[BusServer, Ear], service: tuple[BusClient, Ear], caplog: pytest.LogCaptureFixture
) -> None:
    """A client that sends an endless line is disconnected, and other services continue."""
    with raw(path) as end, caplog.at_level(logging.WARNING):
        try:
            end.sendall(b"x" * (4 * LONGEST_LINE))
            assert end.recv(1) == b""
        except (BrokenPipeError, ConnectionResetError):
            pass
        table[1].until(lambda: table[1].left == 1)
    assert "endless line" in caplog.text
    assert service[0].send(Press(1, 1))
    table[1].until(lambda: table[1].messages == [Press(1, 1)])


def test_a_service_that_takes_nothing_is_cut_off_and_the_others_are_served(
    path: Path, table: tuple[BusServer, Ear], service: tuple[BusClient, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that reads nothing is disconnected, and the others get every message."""
    monkeypatch.setattr(companion.devices.bus.unix_socket, "SLOW", 0.05)
    said = "x" * 50_000
    with raw(path):
        table[1].until(lambda: table[1].joined == 2)
        count = 0
        while table[1].left == 0:
            assert count < 1000
            table[0].send(Health("camera", count, said=said))
            count += 1
        service[1].until(lambda: len(service[1].messages) == count)


def test_an_error_while_hearing_ends_that_connection_alone(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An error while a message is handled closes only that connection, and the service rejoins."""
    ear = Ear()

    def hear(peer: BusPeer, message: AnyMessage) -> None:
        if message == Press(0, 13):
            raise ArithmeticError("thirteen")
        ear.hear(message)

    server = serve(SocketAddress(path), hear, ear.join, ear.leave)
    client, own = joining(path)
    own.until(lambda: own.joined == 1)
    with caplog.at_level(logging.ERROR):
        assert client.send(Press(0, 13))
        own.until(lambda: own.joined == 2)
    assert client.send(Press(0, 14))
    ear.until(lambda: ear.messages == [Press(0, 14)])
    client.close()
    server.close()
    assert "thirteen" in caplog.text


def test_a_flood_of_bad_lines_neither_fills_the_log_nor_ends_the_connection(
    path: Path, table: tuple[BusServer, Ear], caplog: pytest.LogCaptureFixture
) -> None:
    """After 20,000 invalid lines the log is short, and later messages still arrive."""
    deep = b'{"message":"answered","number":1,"fields":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}"
    bad = (b"hello", b'{"message":"here","service":"\xff"}', b'{"message":"press","seat":1,"at":' + b"9" * 30 + b"}",
           b'{"message":"press","seat":100,"at":1}', encode(Sighted(1, 1)).strip())  # fmt: skip
    with raw(path) as end, caplog.at_level(logging.INFO):
        for _ in range(4000):
            end.sendall(b"\n".join(bad) + b"\n")
        for _ in range(3):
            end.sendall(deep + b"\n")
        end.sendall(encode(Press(0, 1)))
        table[1].until(lambda: table[1].messages == [Press(0, 1)])
    assert len(caplog.text) < 3000 and "(10000 times by now)" in caplog.text
    assert "Traceback" not in caplog.text


def test_connections_that_say_nothing_are_cut_off_and_are_not_many(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unidentified connections are limited in number and closed after a while, and identified ones stay open."""
    monkeypatch.setattr(companion.devices.bus.unix_socket, "FIRST_WORD", 0.2)
    server, ear = served(path)
    with raw(path) as known, ExitStack() as stack, caplog.at_level(logging.WARNING):
        ear.until(lambda: ear.joined == 1)
        silent = []
        for _ in range(100):
            end = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            end.connect(str(path))
            end.settimeout(PATIENCE)
            silent.append(end)
        assert threading.active_count() < 100
        assert all(end.recv(1) == b"" for end in silent)
        known.sendall(encode(Press(0, 1)))
        ear.until(lambda: ear.messages == [Press(0, 1)])
    server.close()
    assert len(caplog.text.splitlines()) < 10


# --- coming and going -----------------------------------------------------------------------------


def test_a_table_that_was_killed_leaves_a_socket_that_the_next_one_takes(path: Path) -> None:
    """A new table takes over the socket of one that was killed."""
    path.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    assert path.exists()
    server, ear = served(path)
    with raw(path) as end:
        end.sendall(encode(Press(0, 1)))
        ear.until(lambda: len(ear.messages) == 1)
    server.close()
    assert not path.exists()


def test_a_table_that_ends_late_leaves_its_successors_socket_alone(path: Path) -> None:
    """A table that closes late leaves the socket of its successor in place."""
    old, _ = served(path)
    path.unlink()
    new, ear = served(path)
    old.close()
    with raw(path) as end:
        end.sendall(encode(Press(0, 1)))
        ear.until(lambda: len(ear.messages) == 1)
    new.close()


def test_a_client_that_closes_at_once_ends(path: Path, table: tuple[BusServer, Ear]) -> None:
    """A client that closes right after opening ends its thread."""
    for _ in range(20):
        client, _ = joining(path)
        client.close()
        assert not client._thread.is_alive()
    with raw(path) as end:
        end.sendall(encode(Press(0, 1)))
        table[1].until(lambda: table[1].messages == [Press(0, 1)])


# --- the address ----------------------------------------------------------------------------------


def test_others_on_the_machine_cannot_reach_the_bus(path: Path, table: tuple[BusServer, Ear]) -> None:
    """Only its user and group can open the socket of the bus."""
    assert stat.S_IMODE(path.stat().st_mode) & 0o007 == 0


def test_a_file_in_the_way_is_not_taken(path: Path) -> None:
    """A file at the socket's path is left alone, and the error names it."""
    path.parent.mkdir()
    path.write_text("a game")
    with pytest.raises(BusError, match=r"The bus cannot be opened at .*bus: "):
        served(path)
    assert path.read_text() == "a game"


def test_a_path_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    """A path that is too long for a socket is refused with a remedy."""
    with pytest.raises(BusError, match="choose a shorter data folder"):
        served(tmp_path / ("x" * LONGEST_PATH))


def test_a_doctor_is_told_why_no_table_can_be_reached(path: Path) -> None:
    """A missing table and a leftover socket are reported with a remedy, and a listening table is not."""
    assert (
        reachable(SocketAddress(path)) == f"No table listens at {path}: start one (companion table, or companion run)."
    )
    server, _ = served(path)
    assert reachable(SocketAddress(path)) == ""
    server.close()
    listen(path).close()
    assert path.exists() and "No table listens" in reachable(SocketAddress(path))


def test_a_service_that_finds_no_table_says_why(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A service that finds no table reports it once after a while, until there is one."""
    monkeypatch.setattr(UnixClient, "ALONE", 0.0)
    with caplog.at_level(logging.WARNING):
        client, ear = joining(path)
        until(lambda: client.said.startswith(f"No table listens at {path}: start one"))
        server, _ = served(path)
        ear.until(lambda: ear.joined == 1)
    assert client.said == "" and caplog.text.count("No table listens") == 1
    assert "must be in the group" in explain_failure(path, PermissionError(13, "Permission denied"))
    client.close()
    server.close()


def test_a_second_table_leaves_the_first_ones_socket_alone(
    path: Path, table: tuple[BusServer, Ear], service: tuple[BusClient, Ear]
) -> None:
    """A second table is refused, and the first one keeps its socket and its services."""
    with pytest.raises(BusError, match=r"Another table listens at .*bus already: stop it first"):
        served(path)
    assert service[0].send(Raise(0, 1, 300)) and service[1].left == 0
    client, ear = joining(path)
    ear.until(lambda: ear.joined == 1)
    client.close()
