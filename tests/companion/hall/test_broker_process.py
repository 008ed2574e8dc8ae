"""The hall's broker as a process: its users change, it restarts when it ends, and it ends with its owner."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.bus import BrokerAddress
from companion.devices.bus.mosquitto import hash_password
from companion.devices.bus.mqtt_link import MqttLink
from companion.devices.bus.protocol import BusError
from companion.devices.hall_link.messages import HALL, down, up
from companion.hall import broker as subject
from companion.hall.broker import HallBroker, mosquitto_path
from tests.support.brokers import PATIENCE, needs_mosquitto, until
from tests.support.hall_brokers import (
    USERS,
    A,
    B,
    HallGuest,
    hall,
    listens,
    no_fault,
    pid_of,
    port_with_neighbour,
    started,
    table,
)  # fmt: skip


@pytest.fixture
def own(tmp_path: Path) -> Iterator[HallBroker]:
    """Yield a broker for this machine only, for a single test."""
    found = started(tmp_path / "broker", "127.0.0.1", port_with_neighbour())
    yield found
    found.close()


# --- users that come and go -----------------------------------------------------------------------


@pytest.mark.broker
def test_a_removed_table_is_out_at_once_and_a_new_one_in(own: HallBroker) -> None:
    """A removed table is disconnected at once, and the connections of others stay."""
    with hall(own).listen("hall/+/up/+") as ear, table(own, A) as removed, table(own, B) as other:
        removed.listen(down(A, "answer"))
        own.set_users({B: USERS[B], "cccccccc": hash_password("password of c")})
        removed.until(lambda: removed.lost)
        with table(own, "cccccccc") as guest, table(own, A) as again:
            assert guest.let_in and again.let_in is False
            assert guest.say(up("cccccccc", "call"), b"x") and other.say(up(B, "call"), b"x")
        ear.until(lambda: len(ear.heard) == 2)
        assert not other.lost and not ear.lost and removed.heard == []


@pytest.mark.broker
def test_a_table_with_a_new_password_is_out_until_it_has_it(own: HallBroker) -> None:
    """A table with a new password is disconnected, and the old password is refused."""
    with table(own) as old:
        own.set_users({A: hash_password("new")})
        old.until(lambda: old.lost)
        with table(own) as again, HallGuest(own, A, "new") as new:
            assert again.let_in is False and new.let_in


@pytest.mark.broker
def test_users_count_that_are_set_while_it_starts(tmp_path: Path) -> None:
    """Users that are set while the broker starts are soon in effect."""
    needs_mosquitto()
    broker = HallBroker(tmp_path, "localhost", port_with_neighbour(), no_fault)

    def let_in() -> bool:
        try:
            with table(broker) as guest:
                return guest.let_in is True
        except OSError:
            return False

    with contextlib.closing(broker):
        broker.start()
        for number in range(20):
            broker.set_users({A: hash_password(f"wrong {number}")})
        broker.set_users(USERS)
        until(let_in)


@pytest.mark.parametrize(
    "users",
    [{"a b": USERS[A]}, {"#": USERS[A]}, {HALL: USERS[A]}, {A: "password"}, {A: f"{USERS[A]}\n{B}:{USERS[B]}"}],
)
def test_what_is_no_user_is_refused(tmp_path: Path, users: dict[str, str]) -> None:
    """Only ids and hashed passwords are accepted as users."""
    with pytest.raises(ValueError, match="not a table's id"):
        HallBroker(tmp_path, "127.0.0.1", 1, no_fault).set_users(users)


# --- it is always there ---------------------------------------------------------------------------


@pytest.mark.broker
def test_a_killed_broker_comes_back_with_its_clients(own: HallBroker) -> None:
    """A killed broker is restarted, and the hall and tables reconnect."""
    joined: list[str] = []
    links = [MqttLink(own.address, HALL, up(HALL, "here"))]
    file = own.folder / "a.password"
    file.write_text("password of a")
    links.append(MqttLink(msgspec.structs.replace(own.address, user=A, password_file=file), "table", up(A, "here")))
    for link in links:
        link.on_connected = lambda link=link: joined.append(link.user)  # type: ignore[misc]
        link.start()
    until(lambda: sorted(joined) == [A, HALL])
    before = pid_of(own)
    os.kill(before, signal.SIGKILL)
    until(lambda: sorted(joined) == [A, A, HALL, HALL])
    assert pid_of(own) != before
    for link in links:
        link.close()


@pytest.mark.broker
def test_it_remembers_nothing(own: HallBroker) -> None:
    """A restart loses retained messages, and the folder contains only its private files."""
    with hall(own) as speaker:
        assert speaker.say(down(A, "assigned"), b"x", retain=True)
        os.kill(pid_of(own), signal.SIGTERM)
        speaker.until(lambda: speaker.lost)
    until(lambda: listens(own.port))
    with hall(own) as speaker, table(own).listen(down(A, "assigned"), down(A, "answer")) as guest:
        assert speaker.say(down(A, "answer"), b"x")
        guest.until(lambda: guest.heard)
        assert guest.heard == [(down(A, "answer"), b"x")]
    found = {path.name: path.stat().st_mode & 0o777 for path in own.folder.iterdir()}
    assert found == {"hall.conf": 0o640, "hall.rights": 0o640, "hall.users": 0o640, "hall.password": 0o600}
    assert own.table_address_fields() == (own.port, False, "")


@pytest.mark.broker
def test_it_ends_with_us(own: HallBroker) -> None:
    """Closing ends the process and frees its port."""
    own.close()
    assert not listens(own.port)
    with pytest.raises(ProcessLookupError):
        os.kill(pid_of(own), 0)


OWNER = """
import signal, sys
from pathlib import Path
from companion.hall.broker import HallBroker
broker = HallBroker(Path(sys.argv[1]), "127.0.0.1", int(sys.argv[2]), print)
broker.start()
while broker._child.process is None:
    pass
print(broker._child.process.pid, flush=True)
signal.pause()
"""


@pytest.mark.broker
@pytest.mark.parametrize("at_once", [False, True])
def test_it_ends_even_if_we_are_killed(tmp_path: Path, at_once: bool) -> None:
    """If its owner is killed, the broker ends, even while it is starting."""
    needs_mosquitto()
    port = port_with_neighbour()
    with subprocess.Popen((sys.executable, "-c", OWNER, str(tmp_path), str(port)), stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        child = os.pidfd_open(int(owner.stdout.readline()))
        if not at_once:
            until(lambda: listens(port))
        owner.kill()
        ended, _, _ = select.select([child], [], [], PATIENCE)
        os.close(child)
    assert ended and not listens(port)


@pytest.mark.broker
def test_a_port_that_is_taken_is_said_until_it_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port in use is reported with a remedy until it is free."""
    needs_mosquitto()
    monkeypatch.setattr(subject, "GRACE_S", 0.0)
    port = port_with_neighbour()
    faults: list[str] = []
    broker = HallBroker(tmp_path, "", port, faults.append)
    with contextlib.closing(broker):
        with socket.create_server(("", port)):
            broker.start()
            until(lambda: any(f"Another program uses port {port}: stop it" in fault for fault in faults))
        until(lambda: faults[-1] == "")
    assert broker.address.port == port + 1


def test_a_missing_mosquitto_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing mosquitto is reported with the command that installs it."""
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    with pytest.raises(BusError, match="sudo apt install mosquitto"):
        HallBroker(tmp_path / "broker", "", 1, no_fault).start()
    assert not (tmp_path / "broker").exists()


def test_mosquitto_is_found_where_only_root_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mosquitto is also found in /usr/sbin, which is not in the path of ordinary users."""
    monkeypatch.setattr(shutil, "which", lambda name, path="/usr/bin": f"{path}/{name}" if path else None)
    assert mosquitto_path() == "/usr/bin/mosquitto"
    sbin = {"/usr/sbin:/usr/local/sbin": "/usr/sbin/mosquitto"}
    monkeypatch.setattr(shutil, "which", lambda name, path="": sbin.get(path))
    assert mosquitto_path() == "/usr/sbin/mosquitto"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be written is reported with the reason."""
    monkeypatch.setattr(subject, "mosquitto_path", lambda: "mosquitto")
    (tmp_path / "file").write_text("")
    with pytest.raises(BusError, match=r"file cannot be written: File exists\."):
        HallBroker(tmp_path / "file", "", 1, no_fault).start()


@pytest.mark.parametrize(
    ("host", "own", "tls"),
    [
        ("127.0.0.1", ("127.0.0.1", 8883), False),
        ("127.0.1.7", ("127.0.1.7", 8883), False),
        ("localhost", ("127.0.0.1", 8883), False),
        ("::1", ("::1", 8883), False),
        ("", ("127.0.0.1", 8884), True),
        ("0.0.0.0", ("127.0.0.1", 8884), True),
        ("192.168.1.5", ("127.0.0.1", 8884), True),
        ("hall.local", ("127.0.0.1", 8884), True),
    ],
)
def test_only_this_machine_goes_without_tls(tmp_path: Path, host: str, own: tuple[str, int], tls: bool) -> None:
    """An address that other machines can reach uses TLS, and the hall itself uses a local port."""
    broker = HallBroker(tmp_path, host, 8883, no_fault)
    assert broker.address == BrokerAddress(*own, "hall", HALL, password_file=tmp_path / "hall.password")
    assert broker.table_address_fields()[:2] == (8883, tls)
    assert (HallBroker(tmp_path, "", 65535, no_fault)).address.port == 65534
