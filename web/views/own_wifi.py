"""The machine's own Wi-Fi on pages, while it is on. Its code is beside the address's code."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import NamedTuple

import segno
from flask import request
from markupsafe import Markup

from companion.ops.hotspot import Hotspot, read_hotspot
from web.security.client_network import request_address

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Proxy headers: a client behind a proxy may be anywhere."""
NEIGHBOURS = 24
"""Bits of an address shared by all devices in the hotspot."""


class OwnWifi(NamedTuple):
    """The facts about the machine's own Wi-Fi on a page."""

    name: str
    password: str
    picture: Markup
    """The code as an inline drawing."""


def own_wifi() -> OwnWifi | None:
    """Return the machine's own Wi-Fi for a page that only people in the room see; None if it is off."""
    found = read_hotspot()
    if found is None or not found.address:
        return None
    drawn = segno.make(found.code(), error="m").svg_inline(border=2, omitsize=True, light="#fff")
    return OwnWifi(found.name, found.password, Markup(drawn))


def wifi_for_anybody() -> OwnWifi | None:
    """Return the Wi-Fi for a public page, but only on the machine's own screen and to clients in that Wi-Fi."""
    found = read_hotspot()
    return own_wifi() if found is not None and is_here(found) else None


def is_here(hotspot: Hotspot) -> bool:
    """Whether the client is this machine or in its Wi-Fi, and not behind a proxy."""
    if any(name in request.headers for name in FORWARDED):
        return False
    with suppress(ValueError):
        asking = ip_address(request_address())
        return asking.is_loopback or asking in ip_network(f"{hotspot.address}/{NEIGHBOURS}", strict=False)
    return False
