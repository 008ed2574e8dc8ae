"""This machine's own address in the local network, as it is now. Sends nothing; knows no pages.

It is asked again each time: a Raspberry Pi starts its services before its Wi-Fi has an address, and a hotspot gives it
another one.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct

ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): connecting a datagram socket to it sends nothing, and tells our own."""
LOOP = "127.0.0.1"
SIOCGIFADDR = 0x8915
"""The kernel's name for the question which IPv4 address an interface has (netdevice(7))."""
OUT_OF_SIGHT = ("lo", "docker", "veth", "br-", "virbr", "tun", "tap", "wg")
"""Interfaces behind which no tablet is."""


def own_address() -> str:
    """Return this machine's address in the local network, or its own loop where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            address: str = probe.getsockname()[0]
        except OSError:  # no way leads out of this network: a hotspot of our own, a switch without a router
            return next(iter(interfaces().values()), LOOP)
    return address


def interfaces() -> dict[str, str]:
    """Return the IPv4 address of each interface that leads to a network, those that devices take by themselves last."""
    found: dict[str, str] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            if name.startswith(OUT_OF_SIGHT):
                continue
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found[name] = socket.inet_ntoa(answer[20:24])
    return dict(sorted(found.items(), key=lambda each: ipaddress.ip_address(each[1]).is_link_local))


def page(host: str, port: int) -> str:
    """Return how a browser names our first page."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
