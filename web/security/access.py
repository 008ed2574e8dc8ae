"""Access to pages: tokens of 256 random bits, stored as SHA-256, and PINs, stored as scrypt."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from companion.journal.journal import JournalError
from companion.ops import host_pin as pins
from companion.ops.host_pin import hash_pin, no_pin, pin_matches
from companion.table.session import Keeps
from web.security.credentials import (
    Credentials,
    Role,
    Token,
    Viewer,
    continued,
    new_credentials,
    stored_changes,
    token_key,
    tokens_kept,
)
from web.security.pin_limits import Device, Door, Kind, Limits

__all__ = ["Access", "Credentials", "Role", "Viewer", "Write", "digest", "hash_pin", "pin_matches"]

LOG = logging.getLogger(__name__)
SEAT_PIN, HOST_PIN = 4, 6
"""The number of digits of each kind of PIN."""
NONCE, SEAL = 12, 20
"""Bytes of a spectator's token: random ones, and our signature of them."""


class KeyStore(Protocol):
    """A store that survives a restart: the journal, through the table."""

    def keep_all(self, values: Mapping[str, bytes | None]) -> None:
        """Store bytes under several keys, in one durable commit; None deletes a key."""

    def read_value(self, key: str) -> bytes | None:
        """Return the bytes stored under a key; None if there are none."""

    def read_values(self, prefix: str) -> dict[str, bytes]:
        """Return everything stored under keys with a prefix, by key."""


def digest(token: str) -> str:
    """Return a token's hash for storage."""
    return hashlib.sha256(token.encode()).hexdigest()


Write = Callable[[Mapping[str, bytes | None]], object]
"""Stores changed credentials by key, or deletes those that are None; raises `JournalError`."""


class Access:
    """The credentials of every match. Any thread may call it."""

    def __init__(self, keep: KeyStore, clock: Callable[[], float] = time.monotonic, folder: Path | None = None) -> None:
        self.store = keep
        self.limits = Limits(clock)
        self.lock = threading.RLock()
        self.folder = folder
        """Where the command `host-pin` leaves a new host PIN."""
        self.matches: dict[str, Credentials] = {}
        self.stored: dict[str, Credentials] = {}
        """Each match's credentials as stored; older companions stored tokens in them."""
        self.numbers: dict[str, dict[str, int]] = {}
        """The numbers of the separately stored tokens, by match."""
        self.dummy = no_pin()
        secret = keep.read_value("web.secret")
        if secret is None:
            secret = secrets.token_bytes(32)
            try:
                keep.keep_all({"web.secret": secret})
            except JournalError as error:  # after a restart, people only need to reload open pages
                LOG.warning("the key of the forms is not kept: %s", error)
        self.secret = secret
        self.take_new_host_pin()

    # --- storage ----------------------------------------------------------------------------------

    def credentials(self, match: str) -> Credentials | None:
        """Return a match's credentials; None if it never had any, or if they cannot be read."""
        with self.lock:
            found = self.matches.get(match)
            if found is None:
                text = self.store.read_value(f"web.doors.{match}")
                try:
                    record = msgspec.json.decode(text or b"", type=Credentials)
                except (msgspec.DecodeError, UnicodeError):
                    return None
                rows = self.store.read_values(token_key(match, ""))
                kept = [(key.rpartition(".")[2], msgspec.json.decode(row, type=Token)) for key, row in rows.items()]
                kept.sort(key=lambda each: each[1].number)
                self.stored[match] = record
                self.numbers[match] = {hashed: token.number for hashed, token in kept}
                tokens = record.tokens | {hashed: token.viewer for hashed, token in kept}
                found = self.matches[match] = replace(record, tokens=tokens)
            return found

    def _save(self, match: str, credentials: Credentials, write: Write | None = None) -> None:
        """Store the changes of a match's credentials in one commit; `write` adds more to it."""
        numbers = self.numbers.get(match, {})
        values, left = stored_changes(match, credentials, self.stored.get(match), numbers)
        (write or self.store.keep_all)(values)
        self.matches[match] = credentials
        self.stored[match] = replace(credentials, tokens={})
        self.numbers[match] = left

    def open_match(self, match: str, host_pin: str) -> Credentials:
        """Give a new match a room PIN and its host's PIN."""
        with self.lock:
            credentials = new_credentials(hash_pin(host_pin) if host_pin else "")
            self._save(match, credentials)
            return credentials

    def begin(self, host_pin: str, lay: Callable[[Keeps], object]) -> str:
        """Put a match on the table by calling `lay`, in one commit with its credentials, and return its host's token.

        Exceptions of `lay` propagate, and nothing is stored.
        """
        token = secrets.token_urlsafe(32)
        self.begin_with(replace(new_credentials(hash_pin(host_pin)), tokens={digest(token): Viewer("host", "")}), lay)
        return token

    def begin_with(
        self, opened: Credentials, lay: Callable[[Keeps], object], also: Callable[[str], dict[str, bytes]] | None = None
    ) -> None:
        """Put a match on the table by calling `lay`, in one commit with prepared credentials and the values in
        `also`.
        """

        def keeps(match: str) -> dict[str, bytes]:
            values, _ = stored_changes(match, continued(opened, opened.spectators, match), None, {})
            return {key: value for key, value in values.items() if value is not None} | (also(match) if also else {})

        lay(keeps)

    def begin_again(self, ended: str, lay: Callable[[Keeps], object]) -> None:
        """Put another match with the same people on the table by calling `lay`; all devices keep their tokens."""
        self.take_new_host_pin()
        with self.lock:
            credentials = self.credentials(ended)
            assert credentials is not None

            def keeps(match: str) -> dict[str, bytes]:
                values, _ = stored_changes(match, continued(credentials, ended, match), None, {})
                return {key: value for key, value in values.items() if value is not None}

            lay(keeps)

    def take_new_host_pin(self) -> None:
        """Adopt a host PIN that was set in the machine's own shell. The old PIN and the hosts' pages become invalid."""
        request = None if self.folder is None else pins.read_request(self.folder)
        if self.folder is None or request is None:
            return
        try:
            with self.lock:
                old = self.credentials(request.match) or new_credentials("")
                tokens = {h: v for h, v in old.tokens.items() if v.role != "host"}
                self._save(request.match, replace(old, host=request.host, tokens=tokens))
        except JournalError as error:
            LOG.warning("the new host PIN waits: %s", error)
            return
        pins.remove_request(self.folder, request)

    # --- tokens -----------------------------------------------------------------------------------

    def own_seat(self, token: str) -> str:
        """Return a token for the seat on the host's device; it does not reveal the host's token."""
        return base64.urlsafe_b64encode(hmac.digest(self.secret, b"seat\0" + token.encode(), "sha256")).decode()[:43]

    def spectator(self, match: str) -> str:
        """Return a new spectator's token for a match, or for a lobby and the match that begins there."""
        return self._sign(match, secrets.token_bytes(NONCE))

    def admit(self, viewer: Viewer) -> str:
        """Return a new token for the viewer. A seat has one device: its older tokens end, except those handed over.

        A spectator's token is signed, not stored: everybody in the room may have any number of them.
        """
        if viewer.role == "watch":
            known = self.credentials(viewer.match)
            return self.spectator((known and known.spectators) or viewer.match)
        token = secrets.token_urlsafe(32)
        with self.lock:
            credentials = self.credentials(viewer.match)
            assert credentials is not None
            tokens = tokens_kept(credentials.tokens, viewer) | {digest(token): viewer}
            self._save(viewer.match, replace(credentials, tokens=tokens))
        return token

    def viewer(self, token: str, match: str) -> Viewer | None:
        """Return the viewer with this token in the match, or None."""
        credentials = self.credentials(match) if match else None
        if credentials is None:
            return None
        spectator = Viewer("watch", match) if self.watches(token, credentials.spectators or match) else None
        return credentials.tokens.get(digest(token)) or spectator

    def _sign(self, match: str, nonce: bytes) -> str:
        """Return a spectator's token of a match."""
        seal = hmac.digest(self.secret, b"watch\0" + match.encode() + b"\0" + nonce, "sha256")[:SEAL]
        return base64.urlsafe_b64encode(nonce + seal).rstrip(b"=").decode()

    def watches(self, token: str, match: str) -> bool:
        """Whether a token belongs to a spectator of a match, or of a lobby."""
        try:
            nonce = base64.urlsafe_b64decode(f"{token}=")[:NONCE]
        except ValueError:
            return False
        return hmac.compare_digest(self._sign(match, nonce).encode(), token.encode())

    def dismiss(self, token: str, match: str) -> None:
        """Revoke a token."""
        with self.lock:
            credentials = self.credentials(match)
            if credentials is not None:
                left = {h: v for h, v in credentials.tokens.items() if h != digest(token)}
                self._save(match, replace(credentials, tokens=left))

    # --- PINs -------------------------------------------------------------------------------------

    def door(self, kind: Kind, match: str, seat: int | None = None) -> Door:
        """Return the door that a PIN opens, with the mark that devices store after opening it."""
        kept, credentials = self._stored_pin(kind, match, seat), self.credentials(match)
        # Wrong guesses count until the PIN changes.
        first = match if credentials is None else credentials.spectators or match
        return self._door(kind, f"{kind}:{first}" if seat is None else f"{kind}:{first}:{seat}", kept)

    def room_door(self, lobby: str, pin: str) -> Door:
        """Return the door of a lobby's room PIN, which also leads to the match that begins there."""
        return self._door("room", f"room:{lobby}", pin)

    def _door(self, kind: Kind, name: str, kept: str) -> Door:
        mark = hmac.new(self.secret, f"{name}\0{kept}".encode(), hashlib.sha256).hexdigest()[:32] if kept else ""
        return Door(kind, name, mark)

    def _stored_pin(self, kind: Kind, match: str, seat: int | None) -> str:
        credentials = self.credentials(match)
        if credentials is None:
            return ""
        seat_pin = "" if seat is None else credentials.pins.get(seat, "")
        return {"room": credentials.room, "host": credentials.host, "seat": seat_pin}[kind]

    def enter_room(self, match: str, pin: str, device: Device) -> bool:
        """Return whether this is the room's PIN; raise `TooMany` after too many guesses."""
        return self.enter_door(self.door("room", match), self._stored_pin("room", match, None), pin, device)

    def enter_door(self, door: Door, kept: str, pin: str, device: Device) -> bool:
        """Return whether this is the PIN of a room's door; raise `TooMany` after too many guesses."""
        return self.limits.attempt(
            door, device, lambda: bool(kept) and hmac.compare_digest(pin.encode(), kept.encode())
        )

    def claim(self, match: str, seat: int, pin: str, write: Write | None = None) -> bool:
        """Give a free seat its own PIN, and remove its bot. Return False if a person has the seat."""
        kept = hash_pin(pin)
        with self.lock:
            credentials = self.credentials(match)
            assert credentials is not None
            if seat in credentials.pins:
                return False
            bots = tuple([bot for bot in credentials.bots if bot != seat])
            self._save(match, replace(credentials, pins=credentials.pins | {seat: kept}, bots=bots), write)
            return True

    def set_pin(self, match: str, seat: int, pin: str) -> bool:
        """Change or set the PIN of a taken seat; return False for a free seat."""
        kept = hash_pin(pin)
        with self.lock:
            credentials = self.credentials(match)
            if credentials is None or seat not in credentials.pins:
                return False
            self._save(match, replace(credentials, pins=credentials.pins | {seat: kept}))
            return True

    def set_host_pin(self, match: str, pin: str) -> None:
        """Change or set the host's PIN."""
        kept = hash_pin(pin)
        with self.lock:
            credentials = self.credentials(match)
            if credentials is not None:
                self._save(match, replace(credentials, host=kept))

    def enter_seat(self, match: str, seat: int, pin: str, device: Device) -> bool:
        """Return whether this is the seat's own PIN. The check takes just as long for a free seat."""
        return self._enter(self.door("seat", match, seat), device, pin, self._stored_pin("seat", match, seat))

    def enter_host(self, match: str, pin: str, device: Device) -> bool:
        """Return whether this is the host's PIN."""
        return self._enter(self.door("host", match), device, pin, self._stored_pin("host", match, None))

    def _enter(self, door: Door, device: Device, pin: str, kept: str) -> bool:
        return self.limits.attempt(door, device, lambda: pin_matches(pin, kept or self.dummy) and bool(kept))

    def play(self, match: str, seat: int, bot: bool) -> None:
        """Store whether a bot plays a seat."""
        with self.lock:
            credentials = self.credentials(match)
            assert credentials is not None
            left = set(credentials.bots) - {seat}
            self._save(match, replace(credentials, bots=tuple(sorted(left | {seat} if bot else left))))

    def free(self, match: str, seat: int, write: Write | None = None) -> None:
        """Take a seat away from its device; its PIN and its tokens become invalid."""
        with self.lock:
            credentials = self.credentials(match)
            if credentials is None:
                return
            pins = {s: p for s, p in credentials.pins.items() if s != seat}
            tokens = {h: v for h, v in credentials.tokens.items() if v.seat != seat}
            self._save(match, replace(credentials, pins=pins, tokens=tokens), write)
