"""The hall's own mosquitto, run as our child process: it carries messages and remembers none of them.

Its files are rewritten at each start. A table's user name is its id: it reads and writes only below that, and must use
it as its client id, so that no table can take over another's connection.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mosquitto import PASSWORD_BYTES, hash_password
from companion.devices.bus.protocol import BusError
from companion.devices.child_processes import PARENT, SupervisedProcess
from companion.devices.hall_link.messages import DOWN, HALL, IDS, MESSAGE_BYTES, PREFIX, UP, up
from companion.files.atomic_file import replace_file
from companion.hall.certificates import HallCertificate, ensure_certificate

CONFIGURATION, RIGHTS, USERS, PASSWORD = "hall.conf", "hall.rights", "hall.users", "hall.password"
"""File names, beside those of the certificate."""
LARGEST_PACKET = MESSAGE_BYTES + 1024
"""Largest packet in bytes, with its topic; the sender of a larger one is disconnected before it is read."""
MOST_CONNECTIONS, FILES = 2000, 4096
"""Maximum number of connections to each port, and of open files (one per connection)."""
QUEUED = 2000
"""Maximum number of queued messages per client; a hall that reconnects gets all retained messages at once."""
CHECK_EVERY_S, GRACE_S = 0.5, 3.0
"""Seconds between checks of the broker, and of absence before we report a fault."""
STORED = re.compile(r"\$7\$\d+\$[A-Za-z0-9+/]+=*\$[A-Za-z0-9+/]+=*")
"""The form of a password stored by `hash_password`."""
LAUNCHER = f"""
import ctypes, os, resource, signal, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, {FILES}) if most > 0 else {FILES}, most))
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(os.environ["{PARENT}"]):
    os.execv(sys.argv[1], sys.argv[1:])
"""
"""Becomes a program that is killed when its parent ends, even by SIGKILL (1 is PR_SET_PDEATHSIG).

Mosquitto loses nothing by that, and ignores a SIGTERM during its start.

The signal comes when the *thread* that started the program ends; a `SupervisedProcess` starts its process in the thread
that waits for it. If the parent ended before the call, the program does not start at all.
"""


class TableEntrance(NamedTuple):
    """How tables reach the broker, at any address at which they reach the hall."""

    port: int
    tls: bool
    ca_pem: str
    """The only certificate that they may accept there; empty without TLS."""


class HallBroker:
    """A mosquitto that lives as long as this process and is restarted when it ends. Any thread may call its methods."""

    def __init__(self, folder: Path, host: str, port: int, on_fault: Callable[[str], None]) -> None:
        """Prepare a broker for tables at `host` (empty: all addresses), with its files in its own folder.

        One of our threads calls `on_fault` with a sentence about each problem, and with an empty text once it is
        solved.
        """
        self.folder = folder.absolute()
        self.host, self.port = host, port
        self._local = _loopback(host)
        beside = port + 1 if port < 65535 else port - 1
        # We need no TLS on our own machine, and strangers who fill the other port cannot keep us out of this one.
        self._own_host, self._own_port = (self._local, port) if self._local else ("127.0.0.1", beside)
        self._on_fault = on_fault
        self._password = secrets.token_urlsafe(PASSWORD_BYTES)
        self._users: dict[str, str] = {}
        self._child: SupervisedProcess | None = None
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="hall broker", daemon=True)

    @property
    def address(self) -> BrokerAddress:
        """Where the hall itself connects: on this machine, without TLS."""
        return BrokerAddress(self._own_host, self._own_port, PREFIX, HALL, password_file=self.folder / PASSWORD)

    def table_address_fields(self) -> TableEntrance:
        """Return the tables' entrance, to which they add the hall's address; raise `OSError` if it cannot be kept."""
        if self._local:
            return TableEntrance(self.port, False, "")
        return TableEntrance(self.port, True, ensure_certificate(self.folder).pem)

    def start(self) -> None:
        """Start the broker, which listens a moment later; raise `BusError` without mosquitto or room for its files."""
        program = mosquitto_path()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            certificate = None if self._local else ensure_certificate(self.folder)
            replace_file(self.folder / PASSWORD, f"{self._password}\n", 0o600)
            replace_file(self.folder / RIGHTS, rights(), 0o640)
            replace_file(self.folder / CONFIGURATION, self._configuration(certificate), 0o640)
            with self._lock:
                self._write_users()
                command = (sys.executable, "-I", "-S", "-c", LAUNCHER, program, "-c", str(self.folder / CONFIGURATION))
                self._child = SupervisedProcess("the hall's broker", command)
        except OSError as error:
            raise BusError(f"{error.filename or self.folder} cannot be written: {error.strerror}.") from error
        self._child.start()
        self._watcher.start()

    def wait(self, seconds: float) -> None:
        """Wait until the broker listens, at most for the given time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not _listens(self._own_host, self._own_port):
            self._closing.wait(0.02)

    def close(self) -> None:
        """End the broker."""
        self._closing.set()
        if self._child is not None:
            self._child.close()
            self._watcher.join()

    def set_users(self, users: Mapping[str, str]) -> None:
        """Admit exactly these tables, by id, with their passwords as stored by `hash_password`.

        A table that is removed or has a new password is disconnected at once; the others notice nothing. Raises
        `ValueError` for an invalid id or stored password, and `OSError` if the file cannot be written.
        """
        for table, stored in users.items():
            if not IDS.fullmatch(table) or not STORED.fullmatch(stored):
                raise ValueError(f"not a table's id with a stored password: {table!r}")
        with self._lock:
            if users == self._users:
                return
            before, self._users = self._users, dict(users)
            if self._child is None:
                return
            try:
                self._write_users()
            except OSError:
                self._users = before
                raise
            # The signal makes mosquitto read its users again and check everybody who is connected. During its start the
            # signal would kill it; it is then restarted and reads them.
            process = self._child.process
            if process is not None:
                process.send_signal(signal.SIGHUP)

    def _write_users(self) -> None:
        """Write the stored passwords of all users."""
        users = {HALL: hash_password(self._password), **self._users}
        replace_file(self.folder / USERS, "".join(f"{user}:{stored}\n" for user, stored in users.items()), 0o640)

    def _configuration(self, certificate: HallCertificate | None) -> str:
        """Return mosquitto's configuration."""
        text = "# The hall's broker. Written at each start; what is changed here is written over.\n"
        text += _listener(self._own_port, self._own_host)
        if certificate is not None:
            text += _listener(self.port, self.host)
            text += f"certfile {certificate.file}\nkeyfile {certificate.key_file}\ntls_version tlsv1.2\n"
        return text + (
            "allow_anonymous false\n"
            f"password_file {self.folder / USERS}\n"
            f"acl_file {self.folder / RIGHTS}\n"
            "persistence false\n"
            "set_tcp_nodelay true\n"
            f"max_packet_size {LARGEST_PACKET}\n"
            f"max_queued_messages {QUEUED}\n"
            "log_type error\n"
            "connection_messages false\n"
            # As another user, it could not read these files, and would no longer end with us.
            f"{'user root' if os.geteuid() == 0 else ''}\n"
        )

    # --- our own thread

    def _watch(self) -> None:
        """Report the problem if the broker is missing for longer than a restart takes."""
        well_at, told, known = time.monotonic(), "", None
        while not self._closing.wait(CHECK_EVERY_S):
            assert self._child is not None
            process, now, why = self._child.process, time.monotonic(), ""
            alive = process is not None and process.poll() is None
            if alive and (process is known or _listens(self._own_host, self._own_port)):
                known, well_at = process, now
            elif now - well_at < GRACE_S:
                continue
            else:
                why = self._explain_absence()
            if why != told:
                told = why
                self._on_fault(why)

    def _explain_absence(self) -> str:
        """Return a sentence that says why there is no broker."""
        reachable = "127.0.0.1" if self.host in ("", "0.0.0.0", "::") else self.host
        for host, port in ((self._own_host, self._own_port), (reachable, self.port)):
            if _listens(host, port):
                return f"Another program uses port {port}: stop it, or choose another port for the hall's broker."
        return "The hall's broker (mosquitto) does not run, although it is started again and again: the log says why."


def mosquitto_path() -> str:
    """Return mosquitto's path, even if ordinary users cannot run it; raise `BusError` if it is missing."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise BusError("The hall needs a broker, and mosquitto is not installed: sudo apt install mosquitto.")
    return found


def rights() -> str:
    """Return each user's rights to write and read, with `%u` for the user's name; anything not listed is forbidden."""
    return (
        f"user {HALL}\n"
        f"topic readwrite {PREFIX}/#\n"
        f"pattern write {PREFIX}/%u/{UP}/+\n"
        f"pattern read {PREFIX}/%u/{DOWN}/+\n"
        f"pattern read {up(HALL, 'here')}\n"
    )


def _listener(port: int, host: str) -> str:
    """Return the configuration of one port."""
    return f"listener {port} {host}\nmax_connections {MOST_CONNECTIONS}\nuse_username_as_clientid true\n"


def _loopback(host: str) -> str:
    """Return the loopback address that a host means, or an empty text."""
    if host == "localhost":
        return "127.0.0.1"
    try:
        return host if ipaddress.ip_address(host).is_loopback else ""
    except ValueError:
        return ""


def _listens(host: str, port: int) -> bool:
    """Whether somebody listens at a port."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False
