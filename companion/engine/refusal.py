"""Refusals: why an event was refused, under which rule, and who may read the reason."""

from __future__ import annotations

import msgspec

from companion.engine.event import JsonObject, Seat
from companion.engine.offer import Offer


class Refusal(msgspec.Struct, frozen=True):
    """The reason why an event was not accepted; `key` and `fields` give the sentence in the reader's language.

    `audience` is the only seat that may read the reason, because it depends on that seat's cash, purposes, sealed bid
    or hidden cards; None means everybody.
    """

    rule: str
    key: str
    fields: JsonObject = {}
    audience: Seat | None = None


class Reason:
    """A reason to refuse an event, declared once, so that `companion game check` can find a missing sentence.

    `rule` and `key` name the sentence (`refusal.<rule>.<key>`), `fields` are the values it may contain.
    """

    __slots__ = ("fields", "key", "rule")

    def __init__(self, rule: str, key: str, *fields: str) -> None:
        self.rule, self.key, self.fields = rule, key, frozenset(fields)

    def __call__(self, **fields: object) -> Refusal:
        """Return a refusal that everybody may read; raise `TypeError` if the fields differ from the declared ones."""
        return self.to(None, **fields)

    def to(self, audience: Seat | None, /, **fields: object) -> Refusal:
        """Return a refusal for one seat alone, or for everybody (None)."""
        if fields.keys() != self.fields:
            raise TypeError(f"{self.rule} {self.key} needs {sorted(self.fields)}, not {sorted(fields)}")
        return Refusal(self.rule, self.key, fields, audience)


class EngineError(Exception):
    """Base of all errors that the engine raises deliberately."""


class MoveRefused(EngineError, ValueError):
    """An event that the rules do not allow now; `refusal` gives the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule} {refusal.key}")
        self.refusal = refusal


class EmptyOffer(EngineError, IndexError):
    """An offer without events, so that none can be picked; the message names game, step and file."""

    def __init__(self, game: str, step: str, where: str, offer: Offer) -> None:
        whom = "chance" if offer.by is None else f"seat {offer.by + 1}"
        what = getattr(getattr(offer, "kind", None), "__name__", "event")
        super().__init__(f"{game}: the step {step} offers {whom} no {what} at all: {offer} ({where}).")


class BadSetup(EngineError, ValueError):
    """A game that cannot begin: wrong players, options or catalogue; the message says which and why."""

    def __init__(self, refusal: Refusal, message: str) -> None:
        super().__init__(f"{refusal.rule} {refusal.key}: {message}")
        self.refusal = refusal
        self.message = message


GAME_OVER = Reason("R-00", "game_over")
UNKNOWN_SEAT = Reason("R-00", "unknown_seat", "players")
NOT_YOUR_TURN = Reason("R-00", "not_your_turn", "seat")
"""`seat` is the one whose turn it is."""
WRONG_PHASE = Reason("R-00", "wrong_phase")
"""The event belongs to another phase."""
