"""Stored access to a match: PINs, tokens with their viewers, and seats that bots play."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.engine import Seat
from companion.match.actor import Actor

Role = Literal["seat", "host", "table", "watch"]
ROOM_PIN = 6
"""The number of digits of a room's PIN."""
MOST: dict[Role, int] = {"host": 8, "table": 16}
"""The most devices with each role in one match; a further one ends the oldest. A seat has one."""


class Viewer(msgspec.Struct, frozen=True):
    """The viewer behind a token. `under` is the hash of the shared tablet's token for a seat handed over there."""

    role: Role
    match: str
    seat: int | None = None
    under: str = ""

    @property
    def by(self) -> Actor:
        """The actor recorded in the journal for this viewer's acts."""
        return Actor(self.role, None if self.seat is None or self.role != "seat" else Seat(self.seat))


class Token(msgspec.Struct, frozen=True):
    """One stored token; older ones have lower numbers."""

    viewer: Viewer
    number: int


class Credentials(msgspec.Struct, frozen=True):
    """The stored data about one match: its PINs, its tokens, and the seats that bots play.

    Tokens are stored one by one, so that a new one does not rewrite them all; older companions stored them here.
    """

    room: str
    host: str
    pins: dict[int, str] = {}
    """The PIN of each taken seat; empty if its player came from the lobby and has not set one."""
    tokens: dict[str, Viewer] = {}
    bots: tuple[int, ...] = ()
    tablet: tuple[int, ...] = ()
    """The seats of people without their own device. Nobody waits for them to join."""
    spectators: str = ""
    """The match whose key signs spectators' tokens: the first in a series of rematches; empty for this one."""

    @property
    def phones(self) -> tuple[int, ...]:
        """The seats with a page on a device of their own, not on the shared tablet alone."""
        own = [viewer.seat for viewer in self.tokens.values() if viewer.role == "seat" and not viewer.under]
        return tuple(sorted({seat for seat in own if seat is not None}))


def continued(old: Credentials, ended: str, match: str) -> Credentials:
    """Return the credentials of a rematch: every PIN, device and bot stays."""
    tokens = {hashed: replace(viewer, match=match) for hashed, viewer in old.tokens.items()}
    return replace(old, tokens=tokens, spectators=old.spectators or ended)


def new_credentials(host: str) -> Credentials:
    """Return the credentials of a new match; `host` is its host's PIN as stored."""
    return Credentials(room_pin(), host)


def room_pin() -> str:
    """Return a new PIN for a room."""
    return f"{secrets.randbelow(10**ROOM_PIN):0{ROOM_PIN}d}"


def token_key(match: str, hashed: str) -> str:
    """Return a token's storage key."""
    return f"web.token.{match}.{hashed}"


def stored_changes(
    match: str, credentials: Credentials, stored: Credentials | None, numbers: Mapping[str, int]
) -> tuple[dict[str, bytes | None], dict[str, int]]:
    """Return the values to store for new credentials by key, None to delete one, and the `numbers` of the tokens
    stored one by one.
    """
    values: dict[str, bytes | None] = {}
    record = replace(credentials, tokens={})
    if record != stored:
        values[f"web.doors.{match}"] = msgspec.json.encode(record)
    left = {hashed: number for hashed, number in numbers.items() if hashed in credentials.tokens}
    values |= {token_key(match, hashed): None for hashed in numbers if hashed not in left}
    last = max(numbers.values(), default=0)
    for hashed, viewer in credentials.tokens.items():
        if hashed not in left:
            last = left[hashed] = last + 1
            values[token_key(match, hashed)] = msgspec.json.encode(Token(viewer, last))
    return values, left


def tokens_kept(tokens: Mapping[str, Viewer], new: Viewer) -> dict[str, Viewer]:
    """Return the tokens that remain valid when a viewer gets a new one."""
    same = [h for h, v in tokens.items() if (v.role, v.seat, v.under) == (new.role, new.seat, new.under)]
    most = MOST.get(new.role, 1)
    gone = set(same[: max(0, len(same) + 1 - most)])
    return {h: v for h, v in tokens.items() if h not in gone and v.under not in gone}
