"""Where tablets find this machine."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from companion.commands import address
from companion.ops import network_address as own


def test_without_a_way_out_the_own_hotspot_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hotspot of our own has no router behind it, and its address is the one that tablets need."""
    monkeypatch.setattr(own, "DOCUMENTATION", ("256.0.0.1", 9))  # no such address: as if no way led there
    monkeypatch.setattr(own, "interfaces", lambda: {"wlan0": "10.42.0.1"})
    assert own.own_address() == "10.42.0.1"
    monkeypatch.setattr(own, "interfaces", dict)
    assert own.own_address() == own.LOOPBACK


def test_interfaces_are_those_behind_which_tablets_may_be() -> None:
    """The loop is none of them, and all are numbers."""
    found = own.interfaces()
    assert "lo" not in found and own.LOOPBACK not in found.values()
    assert all(number.count(".") == 3 for number in found.values())


def test_the_address_is_shown_as_text_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code holds the number, for not every phone knows names; the console's text has both."""
    monkeypatch.setattr(address, "own_address", lambda: "192.168.1.20")
    said = CliRunner().invoke(address.command, ["--console"]).stdout
    assert "http://192.168.1.20:8080/" in said and "http://companion.local:8080/" in said and "█" in said
    assert CliRunner().invoke(address.command, ["--number"]).stdout == "192.168.1.20\n"


def test_without_a_network_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, and no code that leads nowhere."""
    monkeypatch.setattr(address, "own_address", lambda: own.LOOPBACK)
    result = CliRunner().invoke(address.command)
    assert result.exit_code == 1 and "companion hotspot on" in result.stderr and not result.stdout


def test_addresses_of_both_kinds_become_pages() -> None:
    """An IPv6 number stands in brackets."""
    assert own.page_address("::1", 8080) == "http://[::1]:8080/"
    assert own.page_address("192.168.1.20", 80) == "http://192.168.1.20:80/"
