"""Where the bus is: an address in words, from the environment, the settings, or the data folder. Opens nothing."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from companion import config
from companion.bus.peers import BusError
from companion.config import Table

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
TABLE = "[bus]"
SERVICE = "{service}"
"""Stands for the service's name in a password file's path: one settings file for all services of a machine."""


class Local(msgspec.Struct, frozen=True):
    """A Unix socket."""

    path: Path

    def __str__(self) -> str:
        """Return the address in words."""
        return f"{UNIX}{self.path}"


class Broker(msgspec.Struct, frozen=True):
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


Address = Local | Broker
"""Where a bus is."""


def user_of(prefix: str, service: str) -> str:
    """Return a service's user at a broker, where nobody says otherwise."""
    return f"{prefix.replace('/', '-')}-{service}"


def parsed(text: str, where: str = "The bus's address") -> Address:
    """Return an address: `unix:PATH`, a bare path, or `mqtt://USER@HOST:PORT/PREFIX`; raise `BusError` for no such."""
    if not text.startswith(tuple(f"{scheme}:" for scheme in PORTS)):
        if "://" in text:
            raise BusError(f"{where} {text} is of no known kind: write unix:PATH or mqtt://USER@HOST:PORT/PREFIX.")
        if not text.removeprefix(UNIX):
            raise BusError(f"{where} is empty: write unix:PATH or mqtt://USER@HOST:PORT/PREFIX.")
        return Local(Path(text.removeprefix(UNIX)).expanduser())
    try:
        parts = urlsplit(text)
        port = PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        raise BusError(f"{where} has no proper port: write mqtt://USER@HOST:PORT/PREFIX.") from None
    if parts.password is not None:
        raise BusError(f"{where} holds a password; put it into a file of its own, and name that as password_file.")
    if not parts.hostname or not 0 < port < 65536 or parts.query:
        raise BusError(f"{where} {text} names no broker: write mqtt://USER@HOST:PORT/PREFIX.")
    prefix = checked_prefix(unquote(parts.path).strip("/") or PREFIX, where)
    if parts.fragment:
        raise BusError(f"{where} {text} has a # in it, which no topic may have.")
    return Broker(parts.hostname, port, prefix, unquote(parts.username or ""), parts.scheme == "mqtts")


def checked_prefix(prefix: str, where: str) -> str:
    """Return what topics shall begin with; raise `BusError` where none may."""
    levels = prefix.split("/")
    if not all(levels) or set(prefix) & set("+#\0$ ") or len(prefix) > LONGEST_PREFIX or not prefix.isprintable():
        raise BusError(f"{where}: {config.told(prefix)} is no beginning of topics; write one such as companion.")
    return prefix


def address(folder: Path) -> Address:
    """Return where a data folder's bus is: `COMPANION_BUS`, else as the settings say, else the folder's socket.

    Where the socket's path would be too long it is among the temporary files. Raises `ConfigError` or `BusError`.
    """
    path = config.path_in(folder)
    where = f"{path}, {TABLE}"
    table = config.read(folder).get(config.BUS, {})
    config.only(table, ("url", "user", "password_file", "ca_file"), where)
    url, named = config.words(table, "url", where), os.environ.get(NAMED)
    if named:
        return _settled(parsed(named, NAMED), table, where, path.parent)
    if url:
        return _settled(parsed(url, f"{where}: the url"), table, where, path.parent)
    if table:
        raise BusError(f'{where}: there is no url; write one such as url = "mqtt://192.168.1.20/companion".')
    return socket_in(folder)


def socket_in(folder: Path) -> Local:
    """Return the socket of a data folder: `COMPANION_SOCKET`, else in the folder."""
    named = os.environ.get(SOCKET)
    if named:
        return Local(Path(named))
    path = folder.absolute() / "bus"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return Local(path)
    mark = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Local(Path(tempfile.gettempdir()) / f"companion-{os.getuid()}" / mark)


def _settled(found: Address, table: Table, where: str, beside: Path) -> Address:
    """Return an address with what else the settings say; files lie beside them, or where their paths say."""
    if isinstance(found, Local):
        return found
    user = config.words(table, "user", where)
    files = [config.words(table, key, where) for key in ("password_file", "ca_file")]
    password, ca = (beside / Path(name).expanduser() if name else None for name in files)
    return msgspec.structs.replace(found, user=found.user or user, password_file=password, ca_file=ca)
