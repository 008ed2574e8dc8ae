"""Actors: the proposer of an event or the presser of a button, as records name them."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.engine import Seat


class Actor(msgspec.Struct, frozen=True):
    """A person, a program or a part of the companion. Records keep its text, such as `host` or `seat:2`.

    `role` is `seat` or `bot` (both with their `seat`), `host`, `table` (a person at the shared tablet), `camera`,
    `companion`, `dealer`, `referee`, or any other text in a record, kept unchanged.
    """

    role: str
    seat: Seat | None = None

    NOBODY: ClassVar[Actor]
    HOST: ClassVar[Actor]
    TABLE: ClassVar[Actor]
    CAMERA: ClassVar[Actor]
    COMPANION: ClassVar[Actor]
    DEALER: ClassVar[Actor]
    REFEREE: ClassVar[Actor]

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Return the actor that a record names; `str` of it gives the same text again."""
        role, _, number = text.partition(":")
        if role in SEATED and number.isascii() and number.isdigit() and str(int(number)) == number:
            return cls(role, Seat(int(number)))
        return cls(text)

    @classmethod
    def at_seat(cls, seat: int) -> Actor:
        """Return the person at a seat."""
        return cls("seat", Seat(seat))

    @classmethod
    def bot(cls, seat: int) -> Actor:
        """Return the program that plays for a seat."""
        return cls("bot", Seat(seat))

    @property
    def seated(self) -> bool:
        """Whether this actor may speak only for its own seat."""
        return self.role in SEATED

    def __str__(self) -> str:
        return self.role if self.seat is None else f"{self.role}:{self.seat}"


SEATED = ("seat", "bot")
"""Roles that belong to a seat."""

Actor.NOBODY = Actor("")
Actor.HOST = Actor("host")
Actor.TABLE = Actor("table")
Actor.CAMERA = Actor("camera")
Actor.COMPANION = Actor("companion")
Actor.DEALER = Actor("dealer")
Actor.REFEREE = Actor("referee")
