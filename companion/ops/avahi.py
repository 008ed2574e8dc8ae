"""Ask avahi which of this machine's names (mDNS) lead here: another machine may already use one."""

from __future__ import annotations

import socket
from pathlib import Path

from companion.ops.network_address import own_address, published_names, read_interfaces

SOCKET = Path("/run/avahi-daemon/socket")
PATIENCE = 2.0
"""Seconds to wait for an answer. Avahi itself takes five to report an unknown name."""


def address_of(name: str) -> str:
    """Return the IPv4 address to which a name such as `companion.local` leads; empty if nobody answers."""
    return ask(f"RESOLVE-HOSTNAME-IPV4 {name}")


def own_name() -> str:
    """Return the name that avahi gives this machine, such as `pi-2.local` if there is another `pi`; empty: none."""
    return ask(f"RESOLVE-ADDRESS {own_address()}").lower()


def name_to_show() -> str:
    """Return a name that currently leads here, the one easiest to type; empty if there is none."""
    ours = {each.address for each in read_interfaces()}
    for name in published_names():
        if address_of(f"{name}.local") in ours:
            return f"{name}.local"
    own = own_name()
    return own if own and address_of(own) in ours else ""


def ask(question: str) -> str:
    """Return the last word of avahi's answer; empty if there is none."""
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.settimeout(PATIENCE)
            end.connect(str(SOCKET))
            end.sendall(f"{question}\n".encode())
            words = end.recv(1024).decode(errors="replace").split()
    except OSError:
        return ""
    return words[-1] if words[:1] == ["+"] else ""
