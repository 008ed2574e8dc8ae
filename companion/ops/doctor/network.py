"""Examine the network: this machine's addresses and its name."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion.findings import Finding, bad, look, well
from companion.ops.network_address import interfaces

LOOPBACK_PREFIX = "127."
AVAHI = Path("/run/avahi-daemon/socket")
"""The socket of the service that publishes this machine's name."""
PATIENCE = 2.0


class NetworkReading(msgspec.Struct, frozen=True):
    """A reading of the network."""

    addresses: dict[str, str] = {}
    """IPv4 addresses by interface, of those that lead to a network."""
    page: str = ""
    """The address that tablets open, such as `http://192.168.1.20:8080`; empty: no table is running."""
    name: str = ""
    named: str | None = None
    """The address published as `NAME.local`; empty: no answer; None: names are not published."""


def read(page: str = "") -> NetworkReading:
    """Read the network."""
    name = socket.gethostname().partition(".")[0]
    return NetworkReading(interfaces(), page, name, _resolve_name(name))


def _resolve_name(name: str) -> str | None:
    """Ask the name service for our own name."""
    if not AVAHI.exists():
        return None
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.settimeout(PATIENCE)
            end.connect(str(AVAHI))
            end.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}.local\n".encode())
            words = end.recv(1024).decode(errors="replace").split()
    except OSError:
        return ""
    return words[-1] if words[:1] == ["+"] else ""


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
        return [bad("network.page", "moved", page=found.page)]
    if host.startswith(LOOPBACK_PREFIX) or host in ("localhost", "::1"):
        asked = bool(found.addresses)  # with a network, the loopback address was chosen on purpose
        return [look("network.page", "asked_here" if asked else "only_here", page=found.page)]
    return [well("network.page", page=found.page)]


def _name(found: NetworkReading) -> Finding:
    if found.named is None:
        return well("network.name", "off", name=found.name)
    if found.named and found.addresses and found.named not in found.addresses.values():
        if found.named.startswith(LOOPBACK_PREFIX):
            return well("network.name", name=found.name)
        return look("network.name", "taken", name=found.name, address=found.named)
    return well("network.name", name=found.name) if found.named else look("network.name", "silent", name=found.name)
