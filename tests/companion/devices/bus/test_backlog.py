"""While messages of a broker are unread, no peer counts as lost."""

from __future__ import annotations

import pytest

from companion.devices.bus import BrokerAddress
from companion.devices.bus.mqtt_client import MqttClient
from companion.devices.bus.mqtt_server import MqttServer
from companion.devices.bus.mqtt_topics import SILENT
from tests.support.brokers import free_port


@pytest.fixture
def nobody() -> BrokerAddress:
    """Return the address of a broker that does not exist, because the tests insert its messages themselves."""
    return BrokerAddress("127.0.0.1", free_port())


def test_a_service_leaves_no_table_whose_word_it_has_not_read(nobody: BrokerAddress) -> None:
    """A service does not leave a silent table while messages of it may be unread."""
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
    """A table does not claim the place while messages of its owner may be unread."""
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
