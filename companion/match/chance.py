"""The companion as dealer: draws the outcomes of chance from a match's seed."""

from __future__ import annotations

import secrets
from hashlib import sha256
from random import Random

from companion.engine import AnyGame, AnyState, Event, Setup, filled, legal, offers_of


def new_seed() -> str:
    """Return a seed that nobody can guess: 256 random bits."""
    return secrets.token_hex(32)


def hash_seed(seed: str) -> str:
    """Return the SHA-256 of a seed, shown from the start."""
    return sha256(seed.encode()).hexdigest()


def head_name(state: AnyState) -> str:
    """Return the name of the step the table waits for, such as `draw_token`; empty when the game is over."""
    return state.agenda[0].name if state.agenda else ""


def draw_event(game: AnyGame, state: AnyState, seed: str, seq: int) -> Event | None:
    """Return the outcome of chance for record `seq`, the same for the same seed; None if a person decides.

    Each record has its own random generator: a restart continues identically, and an undo reveals nothing about later
    draws.
    """
    if not state.agenda:
        return None
    offers = offers_of(state.agenda[0], state.table)
    if not offers or not all(offer.chance for offer in offers):
        return None
    # The generator needs no cryptographic strength: the seed is secret, 256 bits long, and only its hash is shown.
    return filled(game, state, offers[:1])[0].pick(Random(f"{seed}:{seq}").random)


class Dealer:
    """Draws the outcomes of chance in one match automatically, except at moments that a person triggers."""

    def __init__(self, game: AnyGame, setup: Setup, seed: str) -> None:
        self.game, self.seed = game, seed
        self.deals = setup.deck == "dealt"

    def next_event(self, state: AnyState, seq: int) -> Event | None:
        """Return the outcome that chance produces now by itself, or None."""
        if not self.deals or (state.agenda and state.agenda[0].triggered):
            return None
        return draw_event(self.game, state, self.seed, seq)

    def event_on_request(self, state: AnyState, seq: int) -> Event | None:
        """Return the outcome of a draw that a person triggers, or None if there is none to draw."""
        return draw_event(self.game, state, self.seed, seq) if self.deals else None

    def forbids(self, state: AnyState, event: Event) -> bool:
        """Return whether only the dealer may cause this event now: an outcome of chance where the companion deals."""
        if not self.deals or event.facts.entered:
            return False
        return any(offer.chance and event in offer for offer in legal(self.game, state))
