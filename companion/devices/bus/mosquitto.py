"""Write mosquitto's files for the bus. Its rights repeat `mqtt_topics.py`, `permissions.py` and docs/bus.md."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import pwd
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from companion.devices.bus.address import user_of
from companion.devices.bus.permissions import ALLOWED, TABLE
from companion.devices.bus.protocol import BusError
from companion.files.atomic_file import replace_file

CONFIGURATION, RIGHTS, USERS = "mosquitto.conf", "rights", "users"
"""File names; beside them is one SERVICE.password per service."""
RADIO, LISTENER = "radio", "listener"
"""Optional users: wireless buttons, and a read-only listener such as Home Assistant."""
ALWAYS = (TABLE, *ALLOWED)
LARGEST = 1024 * 1024
"""Largest message in bytes that the broker passes on."""
ROUNDS = 101
"""Rounds of PBKDF2, as in mosquitto_passwd; our random passwords need no more."""
SALT_BYTES, HASH_BYTES, PASSWORD_BYTES = 12, 64, 24
SYSTEM_USERS = {
    TABLE: "companion",
    "buttons": "companion-buttons",
    "camera": "companion-camera",
    "doctor": "companion",
    RADIO: "companion-buttons",
}
"""Owners of the password files, if the system has these users (docs/pi-reference.md)."""


class MosquittoFiles(msgspec.Struct, frozen=True):
    """One user's password: `new`, `kept` if there was one, or `elsewhere` if only the broker knows it."""

    service: str
    user: str
    file: Path
    done: str


def _rights_of(prefix: str, service: str) -> str:
    lines = {
        TABLE: ("write down/+", "readwrite here/table", "read here/+", "read up/+"),
        RADIO: tuple(f"readwrite +/{part}" for part in ("button", "ping", "pong", "status")),
        LISTENER: ("read here/+", "read down/all"),
    }.get(
        service,
        (f"write up/{service}", f"write here/{service}", f"read down/{service}", "read down/all", "read here/table"),
    )
    rules = []
    for line in lines:
        access, topic = line.split()
        rules.append(f"topic {access} {prefix}/{topic}\n")
    return f"user {user_of(prefix, service)}\n{''.join(rules)}"


def configuration(folder: Path, port: int, bind: str = "") -> str:
    """Return the broker's configuration."""
    return (
        "# The companion's bus (docs/bus.md). Written by `companion broker`; what is changed here is written over.\n"
        f"listener {port}{f' {bind}' if bind else ''}\n"
        "allow_anonymous false\n"
        f"password_file {folder / USERS}\n"
        f"acl_file {folder / RIGHTS}\n"
        "# Small messages leave at once: without this a press may wait for 40 ms.\n"
        "set_tcp_nodelay true\n"
        "# No message of the companion is nearly as large; a larger one would fill the memory of every reader.\n"
        f"message_size_limit {LARGEST}\n"
    )


def hash_password(password: str, salt: bytes = b"", rounds: int = ROUNDS) -> str:
    """Return a password as mosquitto stores it: PBKDF2 with SHA-512, `$7$rounds$salt$hash`."""
    salt = salt or secrets.token_bytes(SALT_BYTES)
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, HASH_BYTES)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


def password_matches(password: str, kept: str) -> bool:
    """Return whether a password matches mosquitto's stored one."""
    try:
        _, kind, rounds, salt, _ = kept.split("$")
        again = hash_password(password, base64.b64decode(salt), int(rounds))
    except ValueError:
        return False
    return kind == "7" and hmac.compare_digest(again, kept)


def write_files(
    folder: Path, prefix: str, port: int, bind: str = "", also: Sequence[str] = (), renew: bool = False
) -> tuple[MosquittoFiles, ...]:
    """Write all files into a folder, keeping existing passwords; raise `BusError` if that fails.

    A user keeps its password even if its file has moved to another machine; `renew` replaces all passwords.
    """
    services = (*ALWAYS, *also)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = {} if renew else _read_hashes(folder / USERS)
        done, users = [], {}
        for service in services:
            written, kept = _password(folder, service, user_of(prefix, service), known, renew)
            done.append(written)
            users[written.user] = kept
        replace_file(folder / USERS, "".join(f"{user}:{kept}\n" for user, kept in users.items()), 0o640, "mosquitto")
        # Everything not listed is forbidden.
        rights = "\n".join([_rights_of(prefix, service) for service in services])
        replace_file(folder / RIGHTS, rights, 0o640, "mosquitto")
        replace_file(folder / CONFIGURATION, configuration(folder, port, bind), 0o644)
    except OSError as error:
        raise BusError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    return tuple(done)


def _read_hashes(path: Path) -> dict[str, str]:
    """Return the stored hash of each user."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return {user: kept for user, colon, kept in (line.partition(":") for line in lines) if colon}


def _password(
    folder: Path, service: str, user: str, known: Mapping[str, str], renew: bool
) -> tuple[MosquittoFiles, str]:
    """Return what happened to a user's password, and the hash for the broker to store."""
    file = folder / f"{service}.password"
    kept = known.get(user, "")
    if file.exists() and not renew:
        password = file.read_text(encoding="utf-8").strip()
        return MosquittoFiles(service, user, file, "kept"), kept if password_matches(password, kept) else hash_password(
            password
        )
    if kept:
        return MosquittoFiles(service, user, file, "elsewhere"), kept
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    replace_file(file, f"{password}\n", 0o600)
    _give_to(file, SYSTEM_USERS.get(service, ""))
    return MosquittoFiles(service, user, file, "new"), hash_password(password)


def _give_to(path: Path, user: str) -> None:
    """Give a file to a system user, if that exists and we are root."""
    if user and os.geteuid() == 0:
        try:
            os.chown(path, pwd.getpwnam(user).pw_uid, -1)
        except KeyError:
            return
