"""The hall's broker: access, each client's permissions, and encryption for other machines."""

from __future__ import annotations

import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from companion.devices.bus import BrokerAddress
from companion.devices.bus.mosquitto import hash_password
from companion.devices.bus.mqtt_link import MqttLink
from companion.devices.hall_link.messages import HALL, MESSAGE_BYTES, down, up
from companion.hall.broker import HallBroker
from companion.hall.certificates import ensure_certificate
from tests.support.brokers import PATIENCE, needs_mosquitto, until
from tests.support.hall_brokers import A, B, HallGuest, hall, listens, port_with_neighbour, started, table


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallBroker]:
    """Yield a broker for this machine and others, which no test changes."""
    found = started(tmp_path_factory.mktemp("hall") / "with a space", "0.0.0.0", port_with_neighbour())
    until(lambda: listens(found.port))
    yield found
    found.close()


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.broker
@pytest.mark.parametrize(
    ("topic", "taken"),
    [
        (up(A, "summary"), True),
        (up(A, "of a newer table"), True),
        (up(B, "summary"), False),
        (up(HALL, "here"), False),
        (down(A, "watched"), False),
        (down(B, "watched"), False),
        (f"hall/{A}/up", False),
        (f"hall/{A}/up/summary/more", False),
        ("elsewhere", False),
        ("$SYS/broker/uptime", False),
    ],
)
def test_a_table_speaks_for_itself_alone(shared: HallBroker, topic: str, taken: bool) -> None:
    """A table can write only its own topics, not another table's or the hall's."""
    with table(shared) as guest, hall(shared).listen("#") as ear:
        assert guest.say(topic, b"x") == taken
        assert guest.say(up(A, "call"), b"last")
        ear.until(lambda: (up(A, "call"), b"last") in ear.heard)
        assert ((topic, b"x") in ear.heard) == taken


@pytest.mark.broker
@pytest.mark.parametrize("version", [4, 5])
def test_a_table_hears_what_is_said_to_it_alone(shared: HallBroker, version: int) -> None:
    """A table receives only its own messages, even if it subscribes to all."""
    with hall(shared, version=version) as speaker, table(shared, version=version).listen("#", "hall/#") as guest:
        for topic in (up(B, "summary"), down(B, "watched"), up(HALL, "call"), up(HALL, "here"), down(A, "answer")):
            assert speaker.say(topic, b"x")
        guest.until(lambda: (down(A, "answer"), b"x") in guest.heard)
        assert {topic for topic, _ in guest.heard} == {up(HALL, "here"), down(A, "answer")}


@pytest.mark.broker
def test_what_is_retained_is_also_for_its_table_alone(shared: HallBroker) -> None:
    """A table receives retained messages of its own topics only."""
    standing = (down(B, "assigned"), down(A, "assigned"))
    with hall(shared) as speaker:
        assert all(speaker.say(topic, b"x", retain=True) for topic in standing)
        with table(shared).listen(*standing) as guest:
            assert speaker.say(down(A, "answer"), b"x")
            guest.listen(down(A, "answer"))
            assert speaker.say(down(A, "answer"), b"last")
            guest.until(lambda: (down(A, "answer"), b"last") in guest.heard)
            assert {topic for topic, payload in guest.heard if payload == b"x"} == {down(A, "assigned")}
        assert all(speaker.say(topic, b"", retain=True) for topic in standing)


@pytest.mark.broker
@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize(
    ("user", "password"),
    [("", ""), (A, ""), (A, "password of b"), ("cccccccc", "password of a"), (HALL, ""), (HALL, "password of a")],
)
def test_nobody_else_gets_in(shared: HallBroker, user: str, password: str, version: int) -> None:
    """The broker admits only a known user with that user's password."""
    with HallGuest(shared, user, password, version=version) as guest:
        assert guest.let_in is False


@pytest.mark.broker
def test_a_table_cannot_take_over_another_connection(shared: HallBroker) -> None:
    """Clients with the same client id but different users do not displace each other."""
    with table(shared, A, client="same").listen(down(A, "answer")) as first, table(shared, B, client="same") as second:
        with hall(shared, client="same") as speaker:
            assert speaker.say(down(A, "answer"), b"still there?") and second.say(up(B, "call"), b"x")
            first.until(lambda: first.heard == [(down(A, "answer"), b"still there?")])
        assert not first.lost and not second.lost


@pytest.mark.broker
@pytest.mark.parametrize("version", [4, 5])
def test_the_largest_message_gets_through_and_a_larger_one_does_not(shared: HallBroker, version: int) -> None:
    """A message of the largest size is forwarded, and the sender of a larger one is disconnected."""
    with hall(shared).listen("hall/+/up/+") as ear:
        with table(shared, A, version=version) as guest:
            assert guest.say(up(A, "result"), b"x" * MESSAGE_BYTES)
            guest.throw(up(A, "result"), b"y" * 2 * MESSAGE_BYTES)
            guest.until(lambda: guest.lost)
        with table(shared, B) as guest:
            assert guest.say(up(B, "call"), b"last")
        ear.until(lambda: (up(B, "call"), b"last") in ear.heard)
        assert {payload[:1] for _, payload in ear.heard} == {b"x", b"l"}


# --- from other machines --------------------------------------------------------------------------


# paho leaves a socket with a failed handshake open until it is garbage-collected.
leaves_sockets = pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket")


def linked(address: BrokerAddress) -> MqttLink:
    """Return a table's link, which starts to connect."""
    link = MqttLink(address, "table", up(A, "here"))
    link.start()
    return link


@pytest.fixture
def entrance(shared: HallBroker, tmp_path: Path) -> BrokerAddress:
    """Return the address of the TLS port as a joined table stores it."""
    port, tls, pem = shared.table_address_fields()
    assert port == shared.port != shared.address.port
    (tmp_path / "hall.pem").write_text(pem)
    (tmp_path / "password").write_text("password of a")
    return BrokerAddress("127.0.0.1", port, "hall", A, tls, tmp_path / "password", tmp_path / "hall.pem", pinned=True)


def acknowledges(port: int) -> bool:
    """Return whether a broker answers a CONNECT of MQTT 3.1.1 without TLS."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04only")
        try:
            return plain.recv(1) == b"\x20"
        except ConnectionResetError:
            return False


@pytest.mark.broker
def test_other_machines_see_the_pinned_certificate_alone(shared: HallBroker) -> None:
    """The port for other machines uses TLS with the certificate that tables receive."""
    _, tls, pem = shared.table_address_fields()
    assert tls and ssl.get_server_certificate(("127.0.0.1", shared.port)) == pem
    assert acknowledges(shared.address.port) and not acknowledges(shared.port)


@pytest.mark.broker
def test_a_pinned_certificate_admits_by_any_name(entrance: BrokerAddress) -> None:
    """With a pinned certificate a table can use any address of the hall."""
    link = linked(entrance)
    until(lambda: link.connected)
    link.close()


@pytest.mark.broker
@leaves_sockets
def test_a_name_is_compared_unless_the_certificate_is_pinned(entrance: BrokerAddress) -> None:
    """Without pinning, the name in the certificate must match the address."""
    link = linked(msgspec.structs.replace(entrance, pinned=False))
    until(lambda: "cannot prove who it is" in link.said)
    assert not link.connected
    link.close()


@pytest.mark.broker
@leaves_sockets
def test_another_certificate_is_refused(entrance: BrokerAddress, tmp_path: Path) -> None:
    """A certificate of another hall is refused before the password is sent."""
    link = linked(msgspec.structs.replace(entrance, ca_file=ensure_certificate(tmp_path / "another").file))
    until(lambda: "is not the one that was joined" in link.said)
    assert not link.connected
    link.close()


@pytest.mark.broker
def test_pinning_without_a_certificate_pins_nothing(entrance: BrokerAddress) -> None:
    """Pinning without a certificate file still compares names, because public authorities certify every host."""
    link = MqttLink(msgspec.structs.replace(entrance, ca_file=None), "table", up(A, "here"))
    context = link._create_client()._ssl_context
    assert context is not None and context.check_hostname and context.verify_mode == ssl.CERT_REQUIRED


@pytest.mark.broker
def test_a_convention_of_tables_gets_in(tmp_path: Path) -> None:
    """More than a thousand tables can be connected, above the default limit of open files."""
    needs_mosquitto()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    tables, stored = [f"t{number:07d}" for number in range(1100)], hash_password("p")
    broker = HallBroker(tmp_path, "127.0.0.1", port_with_neighbour(), lambda sentence: None)
    broker.set_users(dict.fromkeys(tables, stored))
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2048)), hard))
    try:
        with ExitStack() as stack:
            stack.callback(broker.close)
            broker.start()
            broker.wait(PATIENCE)
            for table in tables:
                texts = b"".join(len(text).to_bytes(2, "big") + text for text in (table.encode(), table.encode(), b"p"))
                body = b"\x00\x04MQTT\x04\xc2\x00\x3c" + texts
                link = stack.enter_context(socket.create_connection(("127.0.0.1", broker.port), timeout=PATIENCE))
                link.sendall(bytes([0x10, len(body)]) + body)
                assert link.recv(4) == b"\x20\x02\x00\x00", table  # connected without an error
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
