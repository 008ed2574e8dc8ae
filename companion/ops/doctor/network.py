"""Examine the network: this machine's addresses and its name."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import msgspec

from companion.findings import Finding, bad, look, well
from companion.ops import avahi
from companion.ops.network_address import interfaces, read_interfaces

LOOPBACK_PREFIX = "127."


class NetworkReading(msgspec.Struct, frozen=True):
    """A reading of the network."""

    addresses: dict[str, str] = {}
    """IPv4 addresses that lead to a network, by interface."""
    page: str = ""
    """The address that tablets open, such as `http://192.168.1.20:8080`; empty: no table is running."""
    hidden: dict[str, str] = {}
    """Interfaces that lead into VPNs or to containers, by IPv4 address."""
    name: str = ""
    named: str | None = None
    """The address published as `NAME.local`; empty: no answer; None: names are not published."""
    known_as: str = ""
    """The name that the name service really gives this machine, such as `NAME-2.local`."""


def read(page: str = "") -> NetworkReading:
    """Read the network."""
    name, addresses = socket.gethostname().partition(".")[0], interfaces()
    hidden = {each.address: each.name for each in read_interfaces() if each.address not in addresses.values()}
    if not avahi.SOCKET.exists():
        return NetworkReading(addresses, page, hidden, name)
    return NetworkReading(addresses, page, hidden, name, avahi.address_of(f"{name}.local"), avahi.own_name())


def judge(found: NetworkReading) -> list[Finding]:
    """Return the findings about the network."""
    return [_addresses(found), *_page(found), _name(found)]


def _addresses(found: NetworkReading) -> Finding:
    if not found.addresses:
        return look("network.addresses", "none")
    return well("network.addresses", addresses=", ".join(f"{a} ({n})" for n, a in found.addresses.items()))


def _page(found: NetworkReading) -> list[Finding]:
    host = urlsplit(found.page).hostname or ""
    if not host:
        return []
    numbers = host.replace(".", "").isdigit()
    if numbers and not host.startswith(LOOPBACK_PREFIX) and host not in found.addresses.values():
        return [_elsewhere(found, host)]
    if host.startswith(LOOPBACK_PREFIX) or host in ("localhost", "::1"):
        asked = bool(found.addresses)  # with a network, somebody chose the loopback address on purpose
        return [look("network.page", "asked_here" if asked else "only_here", page=found.page)]
    return [well("network.page", page=found.page)]


def _elsewhere(found: NetworkReading, host: str) -> Finding:
    """Return the finding about a manually set address. Detected addresses are always reachable and need no check."""
    if host not in found.hidden:
        return bad("network.page", "moved", page=found.page)
    return look("network.page", "hidden", page=found.page, interface=found.hidden[host])


def _name(found: NetworkReading) -> Finding:
    if found.named is None:
        return well("network.name", "off", name=found.name)
    if not found.named:
        return look("network.name", "silent", name=found.name)
    ours = {*found.addresses.values(), *found.hidden}
    if not found.addresses or found.named in ours or found.named.startswith(LOOPBACK_PREFIX):
        return well("network.name", name=found.name)
    if found.known_as and found.known_as != f"{found.name}.local".lower():
        return look("network.name", "renamed", name=found.name, address=found.named, known_as=found.known_as)
    return look("network.name", "taken", name=found.name, address=found.named)
