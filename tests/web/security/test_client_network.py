"""The unit of a client: an IPv4 address, or the network of an IPv6 one."""

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
    """With IPv6 a device has more addresses than can be remembered."""
    assert client_network(address) == expected


def test_an_ipv6_network_counts_as_one_address() -> None:
    """A machine can use any number of addresses in its network; an IPv4-mapped IPv6 address is the IPv4 address."""
    assert client_network("2001:db8:1:2:a::1") == client_network("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert client_network("fe80::1%eth0") == client_network("fe80::2")
    assert client_network("::ffff:192.168.1.20") == client_network("192.168.1.20") == "192.168.1.20"
    assert client_network("") == "" and len(client_network("x" * 999)) == 64
