"""A connection to the hall's broker shows faults while they last, and falls back to another node."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.hall_link import cluster_link as links
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.cluster_link import ClusterLink
from companion.hall import entries as e
from tests.support.brokers import free_port, until
from tests.support.hall_brokers import pid_of
from tests.support.hall_room import HallRoom, hall_room

pytestmark = pytest.mark.broker


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HallRoom]:
    """Yield a hall without tables."""
    with hall_room(tmp_path) as found:
        yield found


def test_nothing_is_wrong_once_the_broker_is_there(room: HallRoom) -> None:
    """After a restart of the broker neither the hall nor the table reports a fault any more."""
    table = room.add_table(1)
    until(lambda: not room.hall.faults and not table.hall.status().trouble)
    room.kill_broker()
    until(lambda: room.hall.faults and table.hall.status().trouble)
    until(lambda: not room.hall.faults and not table.hall.status().trouble and table.hall.status().connected)


def test_a_broker_that_confirms_nothing_is_a_fault(room: HallRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that confirms no message is reported until it recovers."""
    monkeypatch.setattr(links, "CONFIRM_S", 1.0)
    until(lambda: not room.hall.faults)
    os.kill(pid_of(room.broker), signal.SIGSTOP)
    try:
        until(lambda: any("does not confirm" in fault for fault in room.hall.faults))
    finally:
        os.kill(pid_of(room.broker), signal.SIGCONT)
    until(lambda: not room.hall.faults)


def test_the_next_node_is_tried(room: HallRoom) -> None:
    """If the first node is missing, the next one is used and the fault disappears."""
    address = msgspec.structs.replace(
        room.broker.address, port=free_port(), others=((room.broker.address.host, room.broker.address.port),)
    )
    link = ClusterLink(address, m.HALL, m.up(m.HALL, "here"))
    said: list[str] = []

    def greet() -> None:
        said.append(link.said)
        link.ask(m.down(m.HALL, "here"))

    link.on_connected = greet
    link.start()
    try:
        until(lambda: said and not link.said)
        assert f"No broker answers at 127.0.0.1:{address.port}" in said[0]
        assert link.address.port == room.broker.address.port
    finally:
        link.close()


def test_what_the_broker_had_no_room_for_is_said_again(room: HallRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """A retained message that could not be sent is sent again later without another event."""
    table = room.add_table(1)
    until(lambda: table.hall.status().number == 1)
    with monkeypatch.context() as full:
        full.setattr(room.hall._link, "publish", lambda *args: None)
        room.hall.record("organiser", e.TableNumbered(room.id_of(table), 7))
    until(lambda: table.hall.status().number == 7)
