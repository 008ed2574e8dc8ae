"""The client's address, and the addresses that count as the same client."""

from __future__ import annotations

import ipaddress

from flask import request

NETWORK = 64
"""Bits of an IPv6 address that identify a household: all its addresses count as one client."""


def request_address() -> str:
    """Return the client's address for this request; empty if there is none."""
    return request.remote_addr or ""


def client_network(address: str) -> str:
    """Return the client behind an address: an IPv4 address, or the network of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:NETWORK]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, NETWORK), strict=False))
