"""The host names that this table accepts: no website may reach it under its own name (DNS rebinding)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Response, render_template, request

from companion import config
from companion.config import Settings
from companion.ops.network_address import machine_suffix, own_names

TABLE, NAMES, ADDRESS = "web", "names", "address"
"""The settings for further names, such as a proxy's, and for the target of QR codes: `[web]`, `names =
["table.example"]`, `address = "https://table.example"`.
"""
MOST_NAMES = 20
HOST = re.compile(r"(?:\[([0-9a-f:.]+)(?:%[0-9a-z_.-]+)?\]|([0-9a-z_.-]+))(?::[0-9]{0,5})?", re.ASCII)
"""A Host header in lower case: an IPv6 address in brackets, an IPv4 address or a name; with or without a port."""
NAME = re.compile(r"[0-9a-z_-]+(?:\.[0-9a-z_-]+)*", re.ASCII)
LEADS = re.compile(rf"https?://{NAME.pattern}(?::[0-9]{{1,5}})?", re.ASCII)
RENAMED = re.compile(r"-[0-9]{1,3}(?=\.local$)", re.ASCII)
"""The suffix that mDNS adds to a name that another machine already has: `companion-2.local`."""
WHOLE = re.compile(r"[a-z][a-z0-9+.-]*://", re.ASCII | re.IGNORECASE)
"""The prefix of a request target that is a full URL, as proxies send it."""


class WebSettings(NamedTuple):
    """The names in the settings, and the target of QR codes (empty: this machine's IP address), in lower case."""

    names: tuple[str, ...] = ()
    address: str = ""


def read_web_settings(settings: Settings) -> WebSettings:
    """Return the settings about names; raise `ConfigError` for an invalid one."""
    table, place = settings.table(TABLE) or {}, settings.place(TABLE)
    config.check_keys(table, config.TABLES[TABLE], place)
    found = table.get(NAMES, [])
    if not isinstance(found, list) or len(found) > MOST_NAMES:
        raise place.wrong("names", NAMES, most=MOST_NAMES)
    for each in found:
        if not isinstance(each, str) or not NAME.fullmatch(each.lower()):
            raise place.wrong("no_name", NAMES, value=config.format_value(each))
    address = table.get(ADDRESS, "")
    if not isinstance(address, str) or (address and not LEADS.fullmatch(address.lower().rstrip("/"))):
        raise place.wrong("no_address", ADDRESS, value=config.format_value(address))
    return WebSettings(tuple([each.lower() for each in found]), address.lower().rstrip("/"))


def web_settings_in(folder: Path) -> WebSettings:
    """Return a data folder's settings about names; the defaults if they cannot be read."""
    try:
        return read_web_settings(config.read(folder))
    except config.ConfigError:
        return WebSettings()


def ip_version(number: str) -> int:
    """Return the version of an IP address, 4 or 6; 0 if it is none."""
    try:
        return ipaddress.ip_address(number).version
    except ValueError:
        return 0


class HostNames:
    """Decides whether a Host header names this machine. `own` returns its own names, which may change at any time."""

    def __init__(self, further: Collection[str] = (), own: Callable[[], Collection[str]] = own_names) -> None:
        self.further = frozenset(further)
        self.own = own
        suffix = machine_suffix()
        self.ending = f"-{suffix}.local" if suffix else ".local"

    def ours(self, host: str) -> bool | None:
        """Whether a Host header names this machine; None if it is malformed.

        An IP address always does: a website cannot make a browser send one unless it links to it openly.
        """
        found = HOST.fullmatch(host.lower())
        if found is None:
            return None
        number, name = found.groups()
        if number:
            return True if ip_version(number) == 6 else None
        name = name.removesuffix(".")
        if not NAME.fullmatch(name):
            return None
        if ip_version(name) == 4 or name == "localhost" or name in self.further:
            return True
        plain = f"{name.removesuffix(self.ending)}.local" if name.endswith(self.ending) else name
        return bool({plain, RENAMED.sub("", name)} & set(self.own()))


def requested_hosts() -> tuple[str, ...]:
    """Return the hosts that this request names: in its header, and in its target if that is a full URL."""
    target = str(request.environ.get("RAW_URI") or request.environ.get("REQUEST_URI") or "")
    named = [str(request.environ.get("HTTP_HOST", ""))]
    if WHOLE.match(target):
        try:
            named.append(urlsplit(target).netloc)
        except ValueError:
            named.append("")
    return tuple(named)


def refuse_host(hosts: HostNames, address: Callable[[], str]) -> Response | None:
    """Return a page that links to the right `address`; None if the request names this machine."""
    found = [hosts.ours(each) for each in requested_hosts()]
    if all(found):
        return None
    code = HTTPStatus.BAD_REQUEST if None in found else HTTPStatus.MISDIRECTED_REQUEST
    return Response(render_template("wrong_host.html", address=address()), code)
