"""Test the unit in which clients are counted: an IPv4 address, or the network of an IPv6 address."""

from __future__ import annotations

import pytest

from web.security.client_network import client_network


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1:2:3:4%wlan0", "fe80::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_a_household_is_one_network(address: str, expected: str) -> None:
    """All IPv6 addresses of a household's network count as one, because a device can have too many to remember."""
    assert client_network(address) == expected


def test_an_ipv6_network_counts_as_one_address() -> None:
    """An IPv6 network counts as one address, and an IPv4-mapped IPv6 address as its IPv4 address."""
    assert client_network("2001:db8:1:2:a::1") == client_network("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert client_network("fe80::1%eth0") == client_network("fe80::2")
    assert client_network("::ffff:192.168.1.20") == client_network("192.168.1.20") == "192.168.1.20"
    assert client_network("") == "" and len(client_network("x" * 999)) == 64
