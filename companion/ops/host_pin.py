"""Store PINs as hashes, and set a new host PIN from the machine's own shell.

The command leaves a file in the data folder, which only its owner can write. A running table applies it at once, a
stopped one when it starts. The file holds the PIN's hash, never the PIN.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import threading
from pathlib import Path

import msgspec

from companion.files.atomic_folder import sync

LEAST, MOST = 4, 6
"""Minimum and maximum number of digits of a host's PIN."""
REQUEST = "host-pin.request"
"""Name of the command's file in the data folder."""
_SCRYPT = {"n": 2**13, "r": 8, "p": 1, "dklen": 32}
_one_at_a_time = threading.Lock()
"""scrypt takes 8 MB while it runs, so we hash one PIN at a time."""


class HostPinRequest(msgspec.Struct, frozen=True):
    """A new host PIN for a match, as a hash."""

    match: str
    host: str


def is_valid_pin(pin: str) -> bool:
    """Return whether a text is a valid host PIN."""
    return pin.isascii() and pin.isdigit() and LEAST <= len(pin) <= MOST


def hash_pin(pin: str) -> str:
    """Return the salted scrypt hash of a PIN."""
    salt = secrets.token_bytes(16)
    with _one_at_a_time:
        return salt.hex() + ":" + hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT).hex()


def no_pin() -> str:
    """Return a hash that no PIN has, made without hashing; comparing a PIN with it takes as long as with another."""
    return f"{secrets.token_hex(16)}:{secrets.token_hex(_SCRYPT['dklen'])}"


def pin_matches(pin: str, kept: str) -> bool:
    """Return whether a PIN matches its stored hash."""
    salt, _, key = kept.partition(":")
    with _one_at_a_time:
        found = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), **_SCRYPT).hex()
    return hmac.compare_digest(found, key)


def leave_request(folder: Path, request: HostPinRequest) -> None:
    """Leave a durable request for the table, replacing any other; raise `OSError` if that fails."""
    half = folder / f".{REQUEST}.{os.getpid()}"
    half.unlink(missing_ok=True)
    try:
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(request))
            file.flush()
            os.fsync(file.fileno())
        half.rename(folder / REQUEST)
    finally:
        half.unlink(missing_ok=True)
    sync(folder)


def read_request(folder: Path) -> HostPinRequest | None:
    """Return the request in a data folder; None if there is none that only the owner could have left."""
    try:
        opened = os.open(folder / REQUEST, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(opened, "rb") as file:
        found = os.fstat(opened)
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return None
        try:
            return msgspec.json.decode(file.read(1 << 12), type=HostPinRequest)
        except (msgspec.DecodeError, OSError):
            return None


def remove_request(folder: Path, request: HostPinRequest) -> None:
    """Remove an applied request, unless a newer one has replaced it."""
    if read_request(folder) == request:
        with contextlib.suppress(OSError):
            (folder / REQUEST).unlink()
