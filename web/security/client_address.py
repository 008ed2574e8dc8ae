"""Where requests come from: the client's address, and what counts as one client."""

from __future__ import annotations

import ipaddress

from flask import request

NETWORK = 64
"""Bits of an IPv6 address that one household has for itself: all addresses below are one client."""


def request_address() -> str:
    """Return the network address from which this request came; empty where there is none."""
    return request.remote_addr or ""


def client_network(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the network of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:NETWORK]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, NETWORK), strict=False))
