"""Both kinds of bus, over a real socket and a real broker, deliver messages while peers come and go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.bus import Address, BusClient, BusServer, SocketAddress
from companion.messages import (
    Answered,
    AnyMessage,
    Asked,
    ButtonState,
    CardLaid,
    Count,
    Health,
    Here,
    LampState,
    Leading,
    PinDriven,
    Press,
    Raise,
    Ready,
    Refused,
    Reveal,
    Sighted,
    Sighting,
    Sold,
    Stopped,
    TokensLaid,
    Trouble,
    YourTurn,
)
from tests.support.brokers import Mosquitto, running
from tests.support.bus_ends import PATIENCE, Ear, joining, served

FROM_BUTTONS: tuple[AnyMessage, ...] = (
    Press(2, 123, "held", 100, "radio", 5, 7),
    PinDriven(17, False, 9),
    Health("buttons", 1, "lgpio", False, (ButtonState(-1, 26, "stuck"),), (LampState(0, 18, True),), "Où ?"),
    Answered(4, False, "absent", {"cards": ["steam-4"]}),
)
FROM_CAMERA: tuple[AnyMessage, ...] = (
    Sighted(5, 1, (Sighting("market", "coal-100", 0, confidence=0.9),), ("lots",)),
    Answered(7),
    Health("camera", 1),
)
FROM_TABLE: tuple[AnyMessage, ...] = (
    PinDriven(17, True, 9),
    CardLaid("steam-4", "market"),
    TokensLaid("seat.1.money", ("money-50", "money-500"), True),
    Asked(3, "watch", {"seconds": 5}),
    YourTurn(5, (1, 2)),
    Leading(0, None),
    Leading(0, 3),
    Ready(0, (1,), (0, 2)),
    Trouble(0, "paused"),
    Count(9, 3, None, "reveal"),
    Stopped(),
    Reveal(8),
    Raise(0, 1, 450),
    Sold(0, 2),
    Refused(0, 4),
)
NOT_THEIRS: tuple[AnyMessage, ...] = (
    Sighted(5, 1),
    Count(9, 3),
    Leading(0, 3),
    Asked(3, "examine"),
    CardLaid("steam-4", "market"),
    Health("camera", 1),
    Here("camera", "new"),
    Press(1, 5, source="screen"),
    Press(1, 5, source="bot"),
)
"""Messages that buttons must not send."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Yield a running broker."""
    with running(tmp_path_factory.mktemp("broker")) as found:
        yield found


@pytest.fixture(params=["local", pytest.param("broker", marks=pytest.mark.broker)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Yield the address of a bus of either kind."""
    if request.param == "local":
        return SocketAddress(tmp_path / "bus")
    found: Mosquitto = request.getfixturevalue("broker")
    return found.address


@pytest.fixture
def table(where: Address) -> Iterator[tuple[BusServer, Ear]]:
    """Yield a listening table."""
    server, ear = served(where)
    yield server, ear
    server.close()


@pytest.fixture
def buttons(where: Address, table: tuple[BusServer, Ear]) -> Iterator[tuple[BusClient, Ear]]:
    """Yield a buttons service that has joined."""
    client, ear = joining(where)
    ear.until(lambda: ear.joined == 1)
    table[1].until(lambda: table[1].joined == 1)
    yield client, ear
    client.close()


def test_every_message_arrives_as_it_was_sent_and_in_its_order(
    where: Address, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]
) -> None:
    """All kinds of messages arrive in both directions, unchanged and in order."""
    for message in FROM_TABLE:
        table[0].send(message)
    buttons[1].until(lambda: buttons[1].messages == list(FROM_TABLE))
    assert all([buttons[0].send(message) for message in FROM_BUTTONS])
    table[1].until(lambda: table[1].messages == list(FROM_BUTTONS))
    camera, ear = joining(where, "camera")
    ear.until(lambda: ear.joined == 1)
    assert all([camera.send(message) for message in FROM_CAMERA])
    table[1].until(lambda: table[1].messages == [*FROM_BUTTONS, *FROM_CAMERA])
    camera.close()


def test_a_service_says_only_what_is_its_own_to_say(
    table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear], caplog: pytest.LogCaptureFixture
) -> None:
    """Messages that a service may not send are refused and logged, and its next press arrives."""
    with caplog.at_level(logging.WARNING):
        for message in NOT_THEIRS:
            buttons[0].send(message)
        assert buttons[0].send(Press(1, 5))
        table[1].until(lambda: table[1].messages)
    assert table[1].messages == [Press(1, 5)]
    assert caplog.text.count("refused on the bus") == len(NOT_THEIRS)


def test_the_table_speaks_to_every_service_and_a_service_to_the_table_alone(
    where: Address, table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]
) -> None:
    """The table can send to every service or to one, and services send only to the table."""
    camera, ear = joining(where, "camera")
    table[1].until(lambda: table[1].joined == 2)
    ear.until(lambda: ear.joined == 1)
    assert camera.send(Sighted(5, 1))
    table[1].until(lambda: table[1].messages == [Sighted(5, 1)])
    table[0].send(Reveal())
    for each in (ear, buttons[1]):
        each.until(lambda each=each: each.messages == [Reveal()])  # type: ignore[misc]
    assert [peer.service for peer in table[1].peers] == ["buttons", "camera"]
    assert table[1].peers[1].send(Asked(1, "decks"))
    ear.until(lambda: ear.messages == [Reveal(), Asked(1, "decks")])
    table[0].send(Stopped())
    buttons[1].until(lambda: buttons[1].messages == [Reveal(), Stopped()])
    camera.close()


def test_who_joins_can_be_told_what_stands(table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]) -> None:
    """The table can send the current state to a service that has just joined."""
    assert table[1].peers[0].send(Leading(seat=1))
    buttons[1].until(lambda: buttons[1].messages == [Leading(seat=1)])


def test_threads_do_not_mix_their_messages(table: tuple[BusServer, Ear], buttons: tuple[BusClient, Ear]) -> None:
    """Messages of four threads arrive whole and in each thread's order."""
    waiting = threading.Event()

    def press(seat: int) -> None:
        for n in range(200):
            while not buttons[0].send(Press(seat, n)):
                waiting.wait(0.001)

    senders = [threading.Thread(target=press, args=(seat,)) for seat in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(PATIENCE)
    table[1].until(lambda: len(table[1].messages) == 800)
    for seat in range(4):
        assert [m.at for m in table[1].messages if isinstance(m, Press) and m.seat == seat] == list(range(200))


def test_without_a_table_nothing_is_sent_and_nothing_is_kept(where: Address) -> None:
    """A message sent without a table is refused and never delivered later."""
    client, ear = joining(where)
    assert not client.send(Press(0, 1))
    server, heard = served(where)
    ear.until(lambda: ear.joined == 1)
    assert client.send(Press(0, 2))
    heard.until(lambda: heard.messages == [Press(0, 2)])
    client.close()
    server.close()


def test_a_service_joins_again_when_the_table_is_back(where: Address) -> None:
    """A service rejoins when the table is back, and both ends are notified."""
    server, _ = served(where)
    client, ear = joining(where)
    ear.until(lambda: ear.joined == 1)
    server.close()
    ear.until(lambda: ear.left == 1)
    assert not client.send(Press(0, 1))
    server, heard = served(where)
    ear.until(lambda: ear.joined == 2)
    heard.until(lambda: heard.joined == 1)
    server.send(Reveal())
    ear.until(lambda: ear.messages == [Reveal()])
    client.close()
    heard.until(lambda: heard.left == 1)
    server.close()
