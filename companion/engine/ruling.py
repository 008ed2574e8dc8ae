"""Refusals: why an event was refused, under which rule, and who may read the reason."""

from __future__ import annotations

from types import CodeType
from typing import Any

import msgspec

from companion.engine.event import JsonObject, Seat


class Refusal(msgspec.Struct, frozen=True):
    """Why an event was not accepted; `key` and `fields` give the sentence in the reader's language.

    `audience` is the only seat that may read the reason, because it depends on that seat's cash, purposes, sealed bid
    or hidden cards; None means everybody.
    """

    rule: str
    key: str
    fields: JsonObject = {}
    audience: Seat | None = None


class EngineError(Exception):
    """Base of all errors that the engine raises deliberately."""


class MoveRefused(EngineError, ValueError):
    """An event that the rules do not allow now; `refusal` gives the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule} {refusal.key}")
        self.refusal = refusal


class EmptyOffer(EngineError, IndexError):
    """An offer without events, from which nothing can be picked; the message names game, step, file and line."""

    def __init__(self, game: str, step: str, code: CodeType, offer: Any) -> None:
        whom = "chance" if offer.by is None else f"seat {offer.by + 1}"
        what = getattr(getattr(offer, "kind", None), "__name__", "event")
        where = f"{code.co_filename}, line {code.co_firstlineno}"
        super().__init__(f"{game}: the step {step} offers {whom} no {what} at all: {offer} ({where}).")


class BadSetup(EngineError, ValueError):
    """A game that cannot begin: wrong players, options or catalogue; the message says which and why."""

    def __init__(self, rule: str, key: str, message: str, **fields: Any) -> None:
        super().__init__(f"{rule} {key}: {message}")
        self.refusal = Refusal(rule, key, fields)
        self.message = message
