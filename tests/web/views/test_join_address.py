"""Test the address in the code that phones scan to join."""

from __future__ import annotations

import pytest

from companion.commands import address
from companion.ops import network_address
from tests.web.conftest import Room
from web import commands, context
from web.hall import commands as hall_commands
from web.hall import context as hall_context
from web.views import join_address


@pytest.mark.parametrize(
    ("opened", "shown"),
    [
        ("http://localhost:8080/", "http://192.168.1.20:8080/"),
        ("http://127.0.0.1:8080/", "http://192.168.1.20:8080/"),
        ("http://companion.local:8080/", "http://192.168.1.20:8080/"),
        ("http://192.168.1.20:8080/", "http://192.168.1.20:8080/"),
        ("http://table.example:8080/", "http://table.example:8080/"),
        ("https://table.example/", "http://192.168.1.20:8080/"),
        ("https://localhost:8443/", "http://192.168.1.20:8080/"),
    ],
)
def test_phones_are_led_to_the_number_of_the_machine(
    room: Room, monkeypatch: pytest.MonkeyPatch, opened: str, shown: str
) -> None:
    """The code contains the machine's IP address instead of localhost or a .local name, which not every phone can
    open."""
    monkeypatch.setattr(join_address, "own_address", lambda: "192.168.1.20")
    with room.app.test_request_context(base_url=opened):
        assert join_address.join_address().startswith(f"{shown}join?room=")


def test_phones_are_led_to_https_only_where_it_was_set(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code contains an HTTPS address only if one was set at the start, because other ones cause a warning."""
    monkeypatch.setattr(room.context, "address", "https://table.example")
    for opened in ("https://192.168.1.20/", "https://table.example/", "http://localhost:8080/"):
        with room.app.test_request_context(base_url=opened):
            assert join_address.join_address().startswith("https://table.example/join?room=")


def test_every_code_asks_for_the_same_address() -> None:
    """Table, hall, terminal and console use the same function for the address, so that all of them ignore a VPN."""
    asking = (join_address, context, hall_context, commands, hall_commands, address)
    assert {module.own_address for module in asking} == {network_address.own_address}
