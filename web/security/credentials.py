"""What is kept of a match's doors: PINs, whose tokens there are, and which seats bots play."""

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
"""Digits of a room's PIN."""
MOST: dict[Role, int] = {"host": 8, "table": 16}
"""How many devices may have these roles in one match; a further one ends the oldest. A seat has one."""


class Viewer(msgspec.Struct, frozen=True):
    """Whose address a token is. `under` is the hash of the shared tablet's token for a seat handed over there."""

    role: Role
    match: str
    seat: int | None = None
    under: str = ""

    @property
    def by(self) -> Actor:
        """The actor as whom this viewer's acts are journalled."""
        return Actor(self.role, None if self.seat is None or self.role != "seat" else Seat(self.seat))


class Token(msgspec.Struct, frozen=True):
    """What is kept of one token; the older it is, the lower its number."""

    viewer: Viewer
    number: int


class Credentials(msgspec.Struct, frozen=True):
    """Everything kept of one match: its PINs, its tokens, and which seats bots play.

    Tokens are kept one by one, so that one more does not write all of them anew; older companions kept them in here.
    """

    room: str
    host: str
    pins: dict[int, str] = {}
    tokens: dict[str, Viewer] = {}
    bots: tuple[int, ...] = ()


def fresh(host: str) -> Credentials:
    """Return the doors of a new match, with what is kept of its host's PIN."""
    return Credentials(f"{secrets.randbelow(10**ROOM_PIN):0{ROOM_PIN}d}", host)


def token_key(match: str, hashed: str) -> str:
    """Return the key under which a token is kept."""
    return f"web.token.{match}.{hashed}"


def changes(
    match: str, doors: Credentials, stored: Credentials | None, numbers: Mapping[str, int]
) -> tuple[dict[str, bytes | None], dict[str, int]]:
    """Return what must be kept so that a match has these doors, and the numbers of its tokens then.

    `stored` is what is kept of the doors themselves, `numbers` has the tokens that are kept one by one.
    """
    values: dict[str, bytes | None] = {}
    record = replace(doors, tokens={})
    if record != stored:
        values[f"web.doors.{match}"] = msgspec.json.encode(record)
    left = {hashed: number for hashed, number in numbers.items() if hashed in doors.tokens}
    values |= {token_key(match, hashed): None for hashed in numbers if hashed not in left}
    last = max(numbers.values(), default=0)
    for hashed, viewer in doors.tokens.items():
        if hashed not in left:
            last = left[hashed] = last + 1
            values[token_key(match, hashed)] = msgspec.json.encode(Token(viewer, last))
    return values, left


def beside(tokens: Mapping[str, Viewer], new: Viewer) -> dict[str, Viewer]:
    """Return the tokens that stay when a viewer gets a new one."""
    same = [h for h, v in tokens.items() if (v.role, v.seat, v.under) == (new.role, new.seat, new.under)]
    most = MOST.get(new.role, 1)
    gone = set(same[: max(0, len(same) + 1 - most)])
    return {h: v for h, v in tokens.items() if h not in gone and v.under not in gone}
