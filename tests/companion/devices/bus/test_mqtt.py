"""The bus over a real broker: access, two tables, a killed broker, invalid messages, another machine's clock."""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.bus import LONGEST_LINE, BrokerAddress, BusClient, BusServer, mqtt_server, reachable
from companion.devices.bus.clock_sync import read_boot_id
from companion.devices.bus.mosquitto import CONFIGURATION
from companion.devices.bus.mqtt_link import WAITING, WAITING_BYTES, MqttLink, explain_failure, explain_refusal
from companion.messages import (
    SECOND,
    ClockAsked,
    ClockTold,
    Count,
    Health,
    Here,
    Message,
    Press,
    Reveal,
    Sighted,
    Stopped,
    decode,
    encode,
)
from tests.support.bare_bus import Bare
from tests.support.brokers import Mosquitto, free_port, needs_mosquitto, running, until
from tests.support.bus_ends import Ear, joining, served

pytestmark = pytest.mark.broker
HOUR = 3600 * SECOND


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Yield a running broker."""
    with running(tmp_path_factory.mktemp("broker")) as found:
        yield found


@pytest.fixture
def broker(shared: Mosquitto) -> Iterator[Mosquitto]:
    """Yield the broker, and restart it after the test."""
    yield shared
    if shared.process is None:
        shared.start()


@pytest.fixture
def table(broker: Mosquitto) -> Iterator[tuple[BusServer, Ear]]:
    """Yield a connected table."""
    server, ear = served(broker.address)
    until(lambda: not server.said)
    yield server, ear
    server.close()


@pytest.fixture
def buttons(broker: Mosquitto, table: tuple[BusServer, Ear]) -> Iterator[tuple[BusClient, Ear]]:
    """Yield a buttons service that has joined."""
    client, ear = joining(broker.address)
    ear.until(lambda: ear.joined == 1)
    yield client, ear
    client.close()


# --- messages for people ----------------------------------------------------------------------------


@pytest.mark.parametrize(("error", "said"), [
    (socket.gaierror(-2, "Name or service not known"), "There is no host called b:"),
    (ConnectionRefusedError(111, "refused"), "No broker answers at b:1883: is it running there"),
    (TimeoutError("timed out"), "The broker at b:1883 does not answer: check the network"),
    (ssl.SSLCertVerificationError("bad"), "cannot prove who it is"),
    (ssl.SSLError("wrong version"), "does not speak TLS"),
    (FileNotFoundError(2, "No such file"), "The file /ca.pem, named as ca_file, is not there."),
    (OSError(113, "No route to host"), "The broker at b:1883 cannot be reached: No route to host."),
])  # fmt: skip
def test_why_there_is_no_broker_is_one_sentence(error: Exception, said: str) -> None:
    """A failed connection to a broker is explained in one line with the remedy."""
    found = explain_failure(BrokerAddress("b", tls=True, ca_file=Path("/ca.pem")), error)
    assert said in found and "\n" not in found


def test_why_a_broker_refuses_is_one_sentence() -> None:
    """A refusal by the broker names a wrong password, a missing password or its own reason."""
    known = BrokerAddress("b", password_file=Path("/etc/{service}.password"))
    assert explain_refusal(known, "camera", "Not authorized") == (
        "The broker at b:1883 does not let companion-camera in: the password in /etc/camera.password is not the one "
        "that it knows."
    )
    assert "name its file as password_file" in explain_refusal(BrokerAddress("b"), "camera", "Not authorized")
    assert (
        explain_refusal(known, "camera", "Server busy") == "The broker at b:1883 refuses companion-camera: Server busy."
    )


def test_a_doctor_is_told_why_no_table_is_reached(broker: Mosquitto, table: tuple[BusServer, Ear]) -> None:
    """`reachable` reports a missing broker or a wrong user, and nothing if there is a table."""
    nowhere = BrokerAddress("127.0.0.1", free_port())
    assert reachable(nowhere).startswith(f"No broker answers at 127.0.0.1:{nowhere.port}")
    assert "wants a password of me" in reachable(msgspec.structs.replace(broker.address, user="me", password_file=None))
    assert reachable(broker.address) == ""


def test_a_wrong_password_is_said_once_and_tried_again(
    broker: Mosquitto, table: tuple[BusServer, Ear], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A wrong password is reported once, and the service joins as soon as its file has the right one."""
    file = tmp_path / "buttons.password"
    where = msgspec.structs.replace(broker.address, password_file=file)
    with caplog.at_level(logging.WARNING):
        client, ear = joining(where)
        until(lambda: "cannot be read" in client.said)
        file.write_text("wrong")
        until(lambda: "does not let companion-buttons in" in client.said)
        assert not client.send(Press(0, 1))
        file.write_text((broker.folder / "buttons.password").read_text())
        ear.until(lambda: ear.joined == 1)
    assert client.said == "" and caplog.text.count("does not let companion-buttons in") == 1
    client.close()


def test_rights_that_are_missing_are_said(broker: Mosquitto, table: tuple[BusServer, Ear]) -> None:
    """A client with another service's user cannot join under its own name."""
    where = BrokerAddress(
        "127.0.0.1", broker.port, user="companion-camera", password_file=broker.folder / "camera.password"
    )
    client, ear = joining(where, "buttons")
    until(lambda: "does not let companion-camera speak below companion" in client.said)
    assert ear.joined == 0 and not client.send(Press(0, 1))
    client.close()


# --- two tables -------------------------------------------------------------------------------------


def test_a_second_table_says_so_and_the_first_goes_on(
    broker: Mosquitto, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]
) -> None:
    """A second table reports the first one and waits until it closes, and then the buttons rejoin."""
    server, ear = served(broker.address)
    until(lambda: server.said.startswith("Another table uses companion at 127.0.0.1: stop it"))
    server.send(Reveal())
    assert buttons[0].send(Press(1, 5))
    table[1].until(lambda: table[1].messages == [Press(1, 5)])
    assert ear.messages == [] and buttons[1].messages == [] and buttons[1].left == 0
    table[0].close()
    buttons[1].until(lambda: buttons[1].joined == 2)
    ear.until(lambda: ear.joined == 1)
    until(lambda: not server.said)
    server.close()


def test_what_is_left_of_a_dead_table_does_not_stop_the_next(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retained message of a dead table does not keep a new table from taking the place."""
    monkeypatch.setattr(mqtt_server, "SILENT", SECOND // 10)
    with Bare(broker, "table") as user:
        assert user.say("companion/here/table", encode(Here("table", "dead")), retain=True)
    server, _ = served(broker.address)
    client, ear = joining(broker.address)
    until(lambda: not server.said and client.send(Press(0, 1)))
    assert ear.joined >= 1
    server.close()
    client.close()


# --- the broker dies --------------------------------------------------------------------------------


def test_everybody_is_back_after_the_broker_is(
    broker: Mosquitto, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]
) -> None:
    """After a restart of the broker all services rejoin, and messages sent meanwhile are not delivered."""
    broker.stop()
    buttons[1].until(lambda: buttons[1].left == 1)
    table[1].until(lambda: table[1].left == 1)
    until(lambda: "No broker answers" in table[0].said and "No broker answers" in buttons[0].said)
    assert not buttons[0].send(Press(0, 1))
    table[0].send(Reveal())
    broker.start()
    buttons[1].until(lambda: buttons[1].joined == 2)
    table[1].until(lambda: table[1].joined == 2)
    until(lambda: not table[0].said and not buttons[0].said)
    assert buttons[0].send(Press(0, 2))
    table[0].send(Stopped())
    table[1].until(lambda: table[1].messages == [Press(0, 2)])
    buttons[1].until(lambda: buttons[1].messages == [Stopped()])


def test_a_press_on_its_way_when_the_broker_dies_comes_later_and_once(
    broker: Mosquitto, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]
) -> None:
    """A press in transit when the broker dies is sent again with its original moment."""
    assert broker.process is not None
    broker.process.send_signal(signal.SIGSTOP)
    moment = time.monotonic_ns()
    assert buttons[0].send(Press(1, moment))
    broker.process.send_signal(signal.SIGKILL)
    broker.stop()
    buttons[1].until(lambda: buttons[1].left == 1)
    broker.start()
    buttons[1].until(lambda: buttons[1].joined == 2)
    assert buttons[0].send(Press(2, moment))
    table[1].until(lambda: Press(2, moment) in table[1].messages)
    table[1].until(lambda: Press(1, moment) in table[1].messages)
    assert len(table[1].messages) == 2


# --- invalid messages -------------------------------------------------------------------------------


def test_nonsense_is_passed_over_and_the_rest_is_heard(
    broker: Mosquitto, table: tuple[BusServer, Ear], caplog: pytest.LogCaptureFixture
) -> None:
    """Invalid, long, retained, foreign and duplicate messages are refused, and valid ones still arrive."""
    press = encode(Press(1, 5))
    with Bare(broker, "buttons") as user, caplog.at_level(logging.WARNING):
        assert user.say("companion/here/buttons", encode(Here("camera", "x")))
        assert user.say("companion/here/buttons", b"hello")
        assert user.say("companion/up/buttons", encode(Press(9, 9)))  # this service has not announced itself
        assert user.say("companion/here/buttons", encode(Here("buttons", "x", read_boot_id())))
        for line in (b"hello", b"", b"{}", b"\xff", b" " * LONGEST_LINE + press, encode(Sighted(1, 1)),
                     encode(Health("camera", 1)), press, press):  # fmt: skip
            assert user.say("companion/up/buttons", line)
        assert user.say("companion/up/buttons", encode(Press(2, 6)))
        table[1].until(lambda: Press(2, 6) in table[1].messages)
        assert user.say("companion/here/buttons", b"")
        table[1].until(lambda: table[1].left == 1)
    assert table[1].messages == [Press(1, 5), Press(2, 6)]
    assert caplog.text.count("refused on the bus: Sighted is not for buttons to say: buttons (logged once") == 1
    assert caplog.text.count("refused on the bus: Health of 'camera'") == 1


def test_a_hostile_service_neither_fills_the_log_nor_drowns_the_others(
    broker: Mosquitto, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear], caplog: pytest.LogCaptureFixture
) -> None:
    """After thousands of invalid messages the log stays short, and a press arrives.

    The broker may drop a press while its queue for the table is full, so the test repeats the press.
    """
    moments = itertools.count(6)
    deep = b'{"message":"answered","number":1,"fields":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}"
    bad = (b"hello", b'{"message":"here","service":"\xff"}', b"\xff" * 60_000, b'{"message":"press","seat":0,"at":1}',
           b'{"message":"health","service":"camera","at":' + b"9" * 5000 + b"}", deep, b"x" * 500_000)  # fmt: skip
    with Bare(broker, "camera") as user, caplog.at_level(logging.INFO):
        assert user.say("companion/here/camera", encode(Here("camera", "x", read_boot_id())))
        for line in (*bad, encode(Here("table", "y")), encode(Press(7, 7))):
            user.say("companion/here/camera", line, retain=True)
            user.say("companion/up/table", line)
        for number in range(3000):
            user.throw("companion/up/camera", bad[number % len(bad)] if number % 50 == 0 else bad[number % 4])
        assert user.say("companion/up/camera", b"the end")
        until(lambda: buttons[0].send(Press(2, next(moments))) and bool(table[1].messages))
        assert user.say("companion/here/camera", b"", retain=True)
    assert all(isinstance(message, Press) and message.seat == 2 for message in table[1].messages)
    assert table[0].said == "" and "Traceback" not in caplog.text
    assert len(caplog.text) < 6000


def test_what_waits_is_bounded_by_topic_and_in_all(caplog: pytest.LogCaptureFixture) -> None:
    """A flooding peer displaces only its own messages, and large messages are limited by their total size."""
    link = MqttLink(BrokerAddress("127.0.0.1"), "table", "will")
    for number in range(3 * WAITING):
        link.enqueue("up/camera", b"x%d" % number, False, 0)
    link.enqueue("up/buttons", b"press", False, 0)
    assert len(link._events) == WAITING + 1
    for number in range(200):
        link.enqueue(f"here/{number}", b"x" * LONGEST_LINE, False, 0)
    assert len(link._events) * LONGEST_LINE < 2 * WAITING_BYTES + (WAITING + 1) * LONGEST_LINE
    heard: list[bytes] = []
    link.on_message = lambda topic, payload, retained, at: heard.append(payload)
    while link._events:
        event = link._events.get()
        assert event is not None
        event()
    assert b"press" in heard and len(heard) < WAITING + 1 + WAITING_BYTES // LONGEST_LINE + 1
    assert (link._waiting_bytes, dict(link._waiting)) == (0, {})


def test_a_flood_does_not_fill_the_memory(
    table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear], broker: Mosquitto
) -> None:
    """If the broker accepts nothing, `send` returns False after a limited number of messages."""
    assert broker.process is not None
    broker.process.send_signal(signal.SIGSTOP)
    try:
        sent = 0
        while buttons[0].send(Press(1, sent)) and sent < 10_000:
            sent += 1
        assert sent < 1000
    finally:
        os.kill(broker.process.pid, signal.SIGCONT)
    until(lambda: buttons[0].send(Press(2, 1)))
    table[1].until(lambda: Press(2, 1) in table[1].messages)


# --- another machine --------------------------------------------------------------------------------


def test_moments_of_another_machine_are_converted_both_ways(broker: Mosquitto, table: tuple[BusServer, Ear]) -> None:
    """Moments in messages to and from a machine with a clock an hour ahead are converted."""
    heard: list[Message] = []

    def answer(topic: str, payload: bytes) -> None:
        message = decode(payload)
        if isinstance(message, ClockAsked):
            told = ClockTold(message.number, time.monotonic_ns() + HOUR)
            user._client.publish("companion/up/buttons", encode(told))
        else:
            heard.append(message)

    with Bare(broker, "buttons") as user:
        user.on_message = answer
        user.listen("companion/down/buttons", "companion/down/all")
        assert user.say("companion/here/buttons", encode(Here("buttons", "x", "another boot")))
        table[1].until(lambda: table[1].joined == 1)
        peer = table[1].peers[0]
        until(lambda: peer.clock.measured >= mqtt_server.FIRST_EXCHANGES)  # type: ignore[attr-defined]
        pressed = time.monotonic_ns() - 50_000_000
        assert user.say("companion/up/buttons", encode(Press(1, pressed + HOUR)))
        table[1].until(lambda: table[1].messages)
        press = table[1].messages[0]
        assert isinstance(press, Press) and abs(press.at - pressed) <= press.within < SECOND
        moment = time.monotonic_ns() + SECOND
        table[0].send(Count(moment, 2))
        until(lambda: heard)
        assert isinstance(heard[0], Count) and abs(heard[0].at - HOUR - moment) <= press.within + SECOND // 100


# --- encrypted --------------------------------------------------------------------------------------


def certified(folder: Path) -> Path:
    """Create an authority and a certificate for 127.0.0.1 in a folder, and return the authority's file."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl")
    new = [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
           "-addext", "subjectAltName=IP:127.0.0.1"]  # fmt: skip
    for name in ("own", "other"):
        made = [*new, "-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run(made, check=True, capture_output=True)
    return folder / "own.pem"


# paho leaves a socket whose handshake failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_an_encrypted_broker_must_prove_who_it_is(tmp_path: Path) -> None:
    """A table joins an encrypted broker only with the right authority, and otherwise reports the reason."""
    needs_mosquitto()
    ca = certified(tmp_path)
    found = Mosquitto(tmp_path)
    with (tmp_path / CONFIGURATION).open("a", encoding="utf-8") as file:
        file.write(f"certfile {ca}\nkeyfile {tmp_path / 'own.key'}\n")
    found.start()
    where = msgspec.structs.replace(found.address, tls=True, ca_file=ca)
    server, _ = served(where)
    client, ear = joining(where)
    ear.until(lambda: ear.joined == 1)
    for wrong, sentence in (
        (msgspec.structs.replace(where, ca_file=tmp_path / "other.pem"), "cannot prove who it is"),
        (msgspec.structs.replace(where, ca_file=tmp_path / "none.pem"), "named as ca_file, is not there"),
        (msgspec.structs.replace(where, tls=False), "must it be mqtts://?"),
    ):
        assert sentence in reachable(wrong)
    client.close()
    server.close()
    found.stop()
