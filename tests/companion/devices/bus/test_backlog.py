"""Unread messages of a broker: meanwhile nobody counts as gone."""

from __future__ import annotations

import pytest

from companion.devices.bus import BrokerAddress
from companion.devices.bus.mqtt_client import MqttClient
from companion.devices.bus.mqtt_server import MqttServer
from companion.devices.bus.mqtt_topics import SILENT
from tests.support.brokers import free_port


@pytest.fixture
def nobody() -> BrokerAddress:
    """Yield the address of a missing broker: the test supplies what arrives."""
    return BrokerAddress("127.0.0.1", free_port())


def test_a_service_leaves_no_table_whose_word_it_has_not_read(nobody: BrokerAddress) -> None:
    """The service could not run while the table spoke."""
    left: list[bool] = []
    client = MqttClient(nobody, "buttons", lambda message: None, on_left=lambda: left.append(True))
    try:
        client._table = "session"
        client._silence._silent = SILENT + 1
        client._link._events.put(lambda: None)
        assert client._link.behind
        client._on_tick()
        assert (client._table, left) == ("session", [])
        client._link._events.get()
        client._silence._silent = SILENT + 1
        client._on_tick()
        assert (client._table, left) == ("", [True])
    finally:
        client.close()


def test_a_table_claims_no_place_whose_owner_it_has_not_heard_yet(nobody: BrokerAddress) -> None:
    """Another table has the place, and its message has arrived."""
    server = MqttServer(nobody, lambda peer, message: None)
    try:
        server._other_there = True
        server._other_silence._silent = SILENT + 1
        server._link._events.put(lambda: None)
        server._on_tick()
        assert server._table_since is None
        server._link._events.get()
        server._other_silence._silent = SILENT + 1
        server._on_tick()
        assert server._table_since is not None
    finally:
        server.close()
