"""Who is who: tokens in page addresses, the room's PIN, seats' own PINs and the host's.

Tokens are 256 random bits, kept as SHA-256; PINs are kept as scrypt. Knows no rules, no pages and no views.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
from msgspec.structs import replace

from web.pin_limits import Device, Door, Kind, Limits

Role = Literal["seat", "host", "table", "watch"]
SEAT_PIN, ROOM_PIN, HOST_PIN = 4, 6, 6
"""Digits of each kind of PIN."""
_SCRYPT = {"n": 2**13, "r": 8, "p": 1, "dklen": 32}


class Keep(Protocol):
    """Where small things survive a restart: the journal, by way of the table."""

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes under a key, durably."""
        ...

    def kept(self, key: str) -> bytes | None:
        """Return what is kept under a key."""
        ...


class Viewer(msgspec.Struct, frozen=True):
    """Whose address a token is. `under` is the hash of the shared tablet's token for a seat handed over there."""

    role: Role
    match: str
    seat: int | None = None
    under: str = ""

    @property
    def by(self) -> str:
        """The name under which this viewer's acts are journalled."""
        return f"seat:{self.seat}" if self.role == "seat" else self.role


class Doors(msgspec.Struct, frozen=True):
    """Everything kept of one match: its PINs, its tokens, and which seats' PINs the host has taken back."""

    room: str
    host: str
    pins: dict[int, str] = {}
    tokens: dict[str, Viewer] = {}
    freed: dict[int, str] = {}
    bots: tuple[int, ...] = ()


def digest(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


_one_at_a_time = threading.Lock()
"""scrypt takes 8 MB while it runs: one PIN at a time."""


def locked(pin: str) -> str:
    """Return what is kept of a PIN: salt and scrypt of it."""
    salt = secrets.token_bytes(16)
    with _one_at_a_time:
        return salt.hex() + ":" + hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT).hex()


def opens(pin: str, kept: str) -> bool:
    """Whether the PIN is the one kept."""
    salt, _, key = kept.partition(":")
    with _one_at_a_time:
        found = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), **_SCRYPT).hex()
    return hmac.compare_digest(found, key)


class Access:
    """The doors of every match. Any thread may call it."""

    def __init__(self, keep: Keep, clock: Callable[[], float] = time.monotonic) -> None:
        self.store = keep
        self.limits = Limits(clock)
        self.lock = threading.RLock()
        self.matches: dict[str, Doors] = {}
        self.dummy = locked(secrets.token_hex(4))
        secret = keep.kept("web.secret")
        if secret is None:
            secret = secrets.token_bytes(32)
            keep.keep("web.secret", secret)
        self.secret = secret

    # --- kept -------------------------------------------------------------------------------------

    def doors(self, match: str) -> Doors | None:
        """Return a match's doors, or None where the web never opened any."""
        with self.lock:
            found = self.matches.get(match)
            if found is None:
                text = self.store.kept(f"web.doors.{match}")
                if text is None:
                    return None
                found = self.matches[match] = msgspec.json.decode(text, type=Doors)
            return found

    def _save(self, match: str, doors: Doors) -> None:
        self.store.keep(f"web.doors.{match}", msgspec.json.encode(doors))
        self.matches[match] = doors

    def open_doors(self, match: str, host_pin: str) -> Doors:
        """Give a new match a room PIN and its host's PIN."""
        with self.lock:
            room = f"{secrets.randbelow(10**ROOM_PIN):0{ROOM_PIN}d}"
            doors = Doors(room, locked(host_pin) if host_pin else "")
            self._save(match, doors)
            return doors

    # --- tokens -----------------------------------------------------------------------------------

    def admit(self, viewer: Viewer) -> str:
        """Return a new token for the viewer. A seat has one device: its older tokens end (handed-over ones stay)."""
        token = secrets.token_urlsafe(32)
        with self.lock:
            doors = self.doors(viewer.match)
            assert doors is not None
            tokens = doors.tokens
            if viewer.role == "seat" and not viewer.under:
                tokens = {h: v for h, v in tokens.items() if (v.role, v.seat, v.under) != ("seat", viewer.seat, "")}
            self._save(viewer.match, replace(doors, tokens=tokens | {digest(token): viewer}))
        return token

    def viewer(self, token: str, match: str) -> Viewer | None:
        """Return whose token this is in the match, or None."""
        doors = self.doors(match) if match else None
        return doors.tokens.get(digest(token)) if doors else None

    def dismiss(self, token: str, match: str) -> None:
        """End a token."""
        with self.lock:
            doors = self.doors(match)
            if doors is not None:
                left = {h: v for h, v in doors.tokens.items() if h != digest(token)}
                self._save(match, replace(doors, tokens=left))

    # --- PINs -------------------------------------------------------------------------------------

    def door(self, kind: Kind, match: str, seat: int | None = None) -> Door:
        """Return what a PIN opens, with the mark that devices keep of having opened it."""
        kept = self._kept(kind, match, seat)
        name = f"{kind}:{match}" if seat is None else f"{kind}:{match}:{seat}"
        mark = hmac.new(self.secret, f"{name}\0{kept}".encode(), hashlib.sha256).hexdigest()[:32] if kept else ""
        return Door(kind, name, mark)

    def _kept(self, kind: Kind, match: str, seat: int | None) -> str:
        doors = self.doors(match)
        if doors is None:
            return ""
        return {"room": doors.room, "host": doors.host, "seat": doors.pins.get(-1 if seat is None else seat, "")}[kind]

    def enter_room(self, match: str, pin: str, device: Device) -> bool:
        """Whether this is the room's PIN; raise `TooMany` for one who guesses."""
        kept = self._kept("room", match, None)
        return self.limits.attempt(
            self.door("room", match), device, lambda: bool(kept) and hmac.compare_digest(pin.encode(), kept.encode())
        )

    def claim(self, match: str, seat: int, pin: str) -> bool:
        """Give a free seat its own PIN; False when somebody sits there already."""
        kept = locked(pin)
        with self.lock:
            doors = self.doors(match)
            assert doors is not None
            if seat in doors.pins:
                return False
            freed = {s: at for s, at in doors.freed.items() if s != seat}
            self._save(match, replace(doors, pins=doors.pins | {seat: kept}, freed=freed))
            return True

    def enter_seat(self, match: str, seat: int, pin: str, device: Device) -> bool:
        """Whether this is the seat's own PIN. Takes as long for a seat that nobody has."""
        return self._enter(self.door("seat", match, seat), device, pin, self._kept("seat", match, seat))

    def enter_host(self, match: str, pin: str, device: Device) -> bool:
        """Whether this is the host's PIN."""
        return self._enter(self.door("host", match), device, pin, self._kept("host", match, None))

    def _enter(self, door: Door, device: Device, pin: str, kept: str) -> bool:
        return self.limits.attempt(door, device, lambda: opens(pin, kept or self.dummy) and bool(kept))

    def play(self, match: str, seat: int, bot: bool) -> None:
        """Keep whether a bot plays a seat."""
        with self.lock:
            doors = self.doors(match)
            assert doors is not None
            left = set(doors.bots) - {seat}
            self._save(match, replace(doors, bots=tuple(sorted(left | {seat} if bot else left))))

    def free(self, match: str, seat: int, at: str) -> None:
        """Take a seat back from whoever has it: its PIN and its tokens end, and everybody may see that they did."""
        with self.lock:
            doors = self.doors(match)
            if doors is None:
                return
            pins = {s: p for s, p in doors.pins.items() if s != seat}
            tokens = {h: v for h, v in doors.tokens.items() if v.seat != seat}
            self._save(match, replace(doors, pins=pins, tokens=tokens, freed=doors.freed | {seat: at}))
