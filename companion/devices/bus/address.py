"""Where the bus is: an address in words, from the environment, the settings, or the data folder. Opens nothing."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from companion import config
from companion.config import ConfigError, Settings
from companion.devices.bus.protocol import BusError
from companion.findings import sentences
from companion.i18n import LANGUAGES

LONGEST_PATH = 100
"""Bytes that the address of a Unix socket may have, with some to spare (the kernel takes 108)."""
NAMED = "COMPANION_BUS"
"""The environment's word for where the bus is."""
SOCKET = "COMPANION_SOCKET"
"""A system's word for where its services have their socket, if the settings name no other bus."""
UNIX = "unix:"
PORTS = {"mqtt": 1883, "mqtts": 8883}
PREFIX = "companion"
"""What all topics begin with if nobody says otherwise."""
LONGEST_PREFIX = 100
SERVICE = "{service}"
"""Stands for the service's name in a password file's path: one settings file for all services of a machine."""


class SocketAddress(msgspec.Struct, frozen=True):
    """A Unix socket."""

    path: Path

    def __str__(self) -> str:
        """Return the address in words."""
        return f"{UNIX}{self.path}"


class BrokerAddress(msgspec.Struct, frozen=True):
    """An MQTT broker, and what all topics there begin with."""

    host: str
    port: int = PORTS["mqtt"]
    prefix: str = PREFIX
    user: str = ""
    """Empty: the prefix and the service's name, such as `companion-buttons`."""
    tls: bool = False
    password_file: Path | None = None
    """Whose path may hold `{service}`."""
    ca_file: Path | None = None
    """Who vouches for the broker; None: whom the system trusts."""

    def __str__(self) -> str:
        """Return the address in words."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{'mqtts' if self.tls else 'mqtt'}://{user}{host}:{self.port}/{self.prefix}"

    def user_of(self, service: str) -> str:
        """Return as whom a service speaks to the broker."""
        return self.user or user_of(self.prefix, service)

    def password_file_of(self, service: str) -> Path | None:
        """Return where a service's password stands."""
        return None if self.password_file is None else Path(str(self.password_file).replace(SERVICE, service))

    def topic(self, *parts: str) -> str:
        """Return a topic."""
        return "/".join((self.prefix, *parts))


Address = SocketAddress | BrokerAddress
"""Where a bus is."""


def user_of(prefix: str, service: str) -> str:
    """Return a service's user at a broker, where nobody says otherwise."""
    return f"{prefix.replace('/', '-')}-{service}"


class AddressError(BusError):
    """A text is no address; `state` and `fields` say why in every language, the message in English."""

    def __init__(self, state: str, where: str, /, **fields: str) -> None:
        self.state, self.fields = state, fields
        super().__init__(f"{where}: {sentences(LANGUAGES[0])(f'check.settings.{state}', **fields)}.")


def parsed(text: str, where: str = "The bus's address") -> Address:
    """Return an address: `unix:PATH`, a bare path, or `mqtt://USER@HOST:PORT/PREFIX`; raise `BusError` for no such."""
    if "\0" in text or not text.isprintable():
        raise AddressError("address_unprintable", where)
    if not text.startswith(tuple(f"{scheme}:" for scheme in PORTS)):
        if not text.startswith((UNIX, "/", "~", ".")) and text:  # a mistyped broker must not become a socket's name
            raise AddressError("address_kind", where, text=_shown(text))
        if not text.removeprefix(UNIX):
            raise AddressError("address_empty", where)
        return _local(text.removeprefix(UNIX), where)
    try:
        parts = urlsplit(text)
        port = PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        raise AddressError("address_port", where) from None
    if parts.password is not None:
        raise AddressError("address_password", where)
    if not parts.hostname or not 0 < port < 65536 or parts.query:
        raise AddressError("address_no_broker", where, text=_shown(text))
    prefix = checked_prefix(unquote(parts.path).strip("/") or PREFIX, where)
    if parts.fragment:
        raise AddressError("address_hash", where, text=_shown(text))
    return BrokerAddress(parts.hostname, port, prefix, unquote(parts.username or ""), parts.scheme == "mqtts")


def _shown(text: str) -> str:
    """Return an address as it may be shown: short, and without a password."""
    return re.sub(r"//[^/]*@", "//…@", text)[:80]


def _local(path: str, where: str) -> SocketAddress:
    """Return the address of a socket; raise `BusError` where the path names a user who does not exist."""
    try:
        return SocketAddress(Path(path).expanduser())
    except RuntimeError:
        raise AddressError("address_user", where, text=_shown(path)) from None


def checked_prefix(prefix: str, where: str) -> str:
    """Return what topics shall begin with; raise `BusError` where none may."""
    levels = prefix.split("/")
    if not all(levels) or set(prefix) & set("+#\0$ ") or len(prefix) > LONGEST_PREFIX or not prefix.isprintable():
        raise AddressError("address_prefix", where, text=config.told(prefix))
    return prefix


def address(folder: Path) -> Address:
    """Return where a data folder's bus is: `COMPANION_BUS`, else as the settings say, else the folder's socket.

    Where the settings of the bus cannot be read it is the folder's socket: no broker is opened. Where the socket's path
    would be too long it is among the temporary files. Raises `BusError` for what `COMPANION_BUS` says.
    """
    named = os.environ.get(NAMED)
    given = parsed(named, NAMED) if named else None
    if isinstance(given, SocketAddress):
        return given
    try:
        return settled(config.read(folder), given) or socket_in(folder)
    except ConfigError:
        return socket_in(folder)


def settled(settings: Settings, given: BrokerAddress | None = None) -> Address | None:
    """Return the address that settings name (a `given` one goes before), None where they name none.

    Raises `ConfigError`. Files lie beside the settings, or where their paths say.
    """
    table, place = settings.table(config.BUS), settings.place(config.BUS)
    if table is None:
        return given
    config.only(table, config.TABLES[config.BUS], place)
    url, user = config.words(table, "url", place), config.words(table, "user", place)
    files = [config.words(table, key, place) for key in ("password_file", "ca_file")]
    if not url and given is None:
        raise place.wrong("no_url")
    try:
        found = given or parsed(url)
    except AddressError as error:
        raise place.wrong(error.state, "url", **error.fields) from None
    if isinstance(found, SocketAddress):
        return found
    beside = Path(settings.file).parent
    password, ca = (
        beside / config.own_path(name, place, key) if name else None
        for name, key in zip(files, ("password_file", "ca_file"), strict=True)
    )
    return msgspec.structs.replace(found, user=found.user or user, password_file=password, ca_file=ca)


def socket_in(folder: Path) -> SocketAddress:
    """Return the socket of a data folder: `COMPANION_SOCKET`, else in the folder."""
    named = os.environ.get(SOCKET)
    if named:
        return SocketAddress(Path(named))
    path = folder.absolute() / "bus"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return SocketAddress(path)
    mark = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return SocketAddress(Path(tempfile.gettempdir()) / f"companion-{os.getuid()}" / mark)
