"""This machine's current address and names in the local network.

They are looked up each time: a Raspberry Pi starts its services before its Wi-Fi has an address, and a hotspot gives it
another one.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct
from pathlib import Path

DOCUMENTATION = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): connecting a datagram socket to it sends nothing, but shows our own."""
LOOPBACK = "127.0.0.1"
SIOCGIFADDR = 0x8915
"""The kernel's request number for an interface's IPv4 address (netdevice(7))."""
HIDDEN_PREFIXES = ("lo", "docker", "veth", "br-", "virbr", "tun", "tap", "wg")
"""Prefixes of interfaces that lead to no tablet."""


PUBLISHED = "companion"
"""The name that `systemd/address` publishes in addition to the machine's own."""
RESOLVER = Path("/etc/resolv.conf")
"""The file with the network's search domains (resolv.conf(5))."""


def own_names() -> frozenset[str]:
    """Return the names by which other devices may reach this machine, in lower case.

    They are the host name, alone and in full, in `.local` (mDNS) and in each search domain of the network.
    """
    found: set[str] = set()
    for name in (socket.gethostname().lower().strip("."), PUBLISHED):
        bare = name.partition(".")[0]
        found |= {name, bare, f"{bare}.local"} | {f"{bare}.{domain}" for domain in search_domains()}
    return frozenset(found - {""})


def search_domains() -> tuple[str, ...]:
    """Return the domains in which the network looks up bare names, in lower case."""
    try:
        lines = RESOLVER.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    listed = [line.split() for line in lines if line.startswith(("search ", "search\t", "domain ", "domain\t"))]
    return tuple([each.lower().strip(".") for _, *domains in listed for each in domains if each.strip(".")])


def own_address() -> str:
    """Return this machine's address in the local network, or the loopback address if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(DOCUMENTATION)
            address: str = probe.getsockname()[0]
        except OSError:  # no route leads out of this network: a hotspot of our own, a switch without a router
            return next(iter(interfaces().values()), LOOPBACK)
    return address


def interfaces() -> dict[str, str]:
    """Return the IPv4 address of each interface that leads to a network, link-local ones last."""
    found: dict[str, str] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            if name.startswith(HIDDEN_PREFIXES):
                continue
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found[name] = socket.inet_ntoa(answer[20:24])
    return dict(sorted(found.items(), key=lambda each: ipaddress.ip_address(each[1]).is_link_local))


def page_address(host: str, port: int) -> str:
    """Return the address of our first page for a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
