"""The address of the bus: parsed from text, the environment or the settings, or derived from the data folder."""

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
from companion.devices.frames import frames_folder
from companion.findings import sentences
from companion.i18n import LANGUAGES

LONGEST_PATH = 100
"""Maximum length of a Unix socket's path in bytes, with a margin (the kernel takes 108)."""
NAMED = "COMPANION_BUS"
"""Environment variable for the address of the bus."""
SOCKET = "COMPANION_SOCKET"
"""Environment variable for the socket of system services; applies if the settings name no other bus."""
UNIX = "unix:"
PORTS = {"mqtt": 1883, "mqtts": 8883}
PREFIX = "companion"
"""Default first part of all topics."""
LONGEST_PREFIX = 100
SERVICE = "{service}"
"""Placeholder for the service's name in a password file's path: all services can share one settings file."""


class SocketAddress(msgspec.Struct, frozen=True):
    """A Unix socket."""

    path: Path

    def __str__(self) -> str:
        """Return the address as text."""
        return f"{UNIX}{self.path}"


class BrokerAddress(msgspec.Struct, frozen=True):
    """An MQTT broker, and the first part of all our topics on it."""

    host: str
    port: int = PORTS["mqtt"]
    prefix: str = PREFIX
    user: str = ""
    """The user at the broker; if empty, it follows from prefix and service, such as `companion-buttons`."""
    tls: bool = False
    password_file: Path | None = None
    """The path of the password file, which may contain `{service}`."""
    ca_file: Path | None = None
    """The authority that certifies the broker; None: the system's."""
    pinned: bool = False
    """Whether `ca_file` holds the broker's own certificate: accept only that one, and do not compare names."""
    others: tuple[tuple[str, int], ...] = ()
    """Hosts and ports of a cluster's other nodes; a hall and its tables try them in turn."""

    def __str__(self) -> str:
        """Return the address as text."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{'mqtts' if self.tls else 'mqtt'}://{user}{host}:{self.port}/{self.prefix}"

    def user_of(self, service: str) -> str:
        """Return a service's user name at the broker."""
        return self.user or user_of(self.prefix, service)

    def password_file_of(self, service: str) -> Path | None:
        """Return the path of a service's password file."""
        return None if self.password_file is None else Path(str(self.password_file).replace(SERVICE, service))

    def topic(self, *parts: str) -> str:
        """Return a topic."""
        return "/".join((self.prefix, *parts))


Address = SocketAddress | BrokerAddress
"""The address of a bus."""


def user_of(prefix: str, service: str) -> str:
    """Return a service's default user name at a broker."""
    return f"{prefix.replace('/', '-')}-{service}"


class AddressError(BusError):
    """A text is not an address; `state` and `fields` explain it in every language, the message in English."""

    def __init__(self, state: str, where: str, /, **fields: str) -> None:
        self.state, self.fields = state, fields
        super().__init__(f"{where}: {sentences(LANGUAGES[0])(f'check.settings.{state}', **fields)}.")


def parse_address(text: str, where: str = "The bus's address") -> Address:
    """Parse an address: `unix:PATH`, a bare path, or `mqtt://USER@HOST:PORT/PREFIX`; raise `BusError` if invalid."""
    if "\0" in text or not text.isprintable():
        raise AddressError("address_unprintable", where)
    if not text.startswith(tuple(f"{scheme}:" for scheme in PORTS)):
        # Never treat a mistyped broker as a socket's name.
        if not text.startswith((UNIX, "/", "~", ".")) and text:
            raise AddressError("address_kind", where, text=_printable(text))
        if not text.removeprefix(UNIX):
            raise AddressError("address_empty", where)
        return _socket_address(text.removeprefix(UNIX), where)
    try:
        parts = urlsplit(text)
        port = PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        raise AddressError("address_port", where) from None
    if parts.password is not None:
        raise AddressError("address_password", where)
    if not parts.hostname or not 0 < port < 65536 or parts.query:
        raise AddressError("address_no_broker", where, text=_printable(text))
    prefix = check_prefix(unquote(parts.path).strip("/") or PREFIX, where)
    if parts.fragment:
        raise AddressError("address_hash", where, text=_printable(text))
    return BrokerAddress(parts.hostname, port, prefix, unquote(parts.username or ""), parts.scheme == "mqtts")


def _printable(text: str) -> str:
    """Return an address for display: short and without a password."""
    return re.sub(r"^(\w+:/*)?.*@", r"\1…@", text)[:80]


def _socket_address(path: str, where: str) -> SocketAddress:
    """Return the address of a socket; raise `BusError` if the path names an unknown user."""
    try:
        return SocketAddress(Path(path).expanduser())
    except RuntimeError:
        raise AddressError("address_user", where, text=_printable(path)) from None


def check_prefix(prefix: str, where: str) -> str:
    """Return a valid topic prefix; raise `BusError` for an invalid one."""
    levels = prefix.split("/")
    if not all(levels) or set(prefix) & set("+#\0$ ") or len(prefix) > LONGEST_PREFIX or not prefix.isprintable():
        raise AddressError("address_prefix", where, text=config.format_value(_printable(prefix)))
    return prefix


def find_address(folder: Path) -> Address:
    """Return the bus address of a data folder: `COMPANION_BUS`, else from the settings, else the folder's socket.

    If the bus settings cannot be read, return the folder's socket, never a broker. A socket whose path would be too
    long lies among the temporary files. Raises `BusError` if `COMPANION_BUS` is invalid.
    """
    named = os.environ.get(NAMED)
    given = parse_address(named, NAMED) if named else None
    if isinstance(given, SocketAddress):
        return given
    try:
        return configured_address(config.read(folder), given) or find_socket(folder)
    except ConfigError:
        return find_socket(folder)


def configured_address(settings: Settings, given: BrokerAddress | None = None) -> Address | None:
    """Return the address in the settings (a `given` broker has priority), or None if they name none.

    Raises `ConfigError`. Relative paths start at the settings' folder.
    """
    table, place = settings.table(config.BUS), settings.place(config.BUS)
    if table is None:
        return given
    config.check_keys(table, config.TABLES[config.BUS], place)
    url, user = config.read_text(table, "url", place), config.read_text(table, "user", place)
    files = [config.read_text(table, key, place) for key in ("password_file", "ca_file")]
    if not url and given is None:
        raise place.wrong("no_url")
    try:
        found = given or parse_address(url)
    except AddressError as error:
        raise place.wrong(error.state, "url", **error.fields) from None
    if isinstance(found, SocketAddress):
        return found
    beside = Path(settings.file).parent
    password, ca = (
        beside / config.read_path(name, place, key) if name else None
        for name, key in zip(files, ("password_file", "ca_file"), strict=True)
    )
    return msgspec.structs.replace(found, user=found.user or user, password_file=password, ca_file=ca)


def find_socket(folder: Path) -> SocketAddress:
    """Return the socket of a data folder: `COMPANION_SOCKET`, else one in the folder.

    A read-only disk cannot hold a socket: then it lies in memory, beside the camera's pictures.
    """
    named = os.environ.get(SOCKET)
    if named:
        return SocketAddress(Path(named))
    path = folder.absolute() / "bus"
    if _is_read_only(folder):
        return SocketAddress(frames_folder(folder) / "bus")
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return SocketAddress(path)
    mark = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return SocketAddress(Path(tempfile.gettempdir()) / f"companion-{os.getuid()}" / mark)


def _is_read_only(folder: Path) -> bool:
    """Return whether a folder lies on a read-only file system."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
