"""The companion as dealer: draws chance from a match's seed. Knows no rules beyond what an offer of chance contains."""

from __future__ import annotations

import secrets
from hashlib import sha256
from random import Random
from typing import Any

from companion.engine import Event, Game, Setup, State, legal, name_of

DEALER = "dealer"
"""Who is said to have caused the events that the companion draws."""


def new_seed() -> str:
    """Return a seed that nobody can guess: 256 random bits."""
    return secrets.token_hex(32)


def hashed(seed: str) -> str:
    """Return what is shown of a seed from the start: its SHA-256."""
    return sha256(seed.encode()).hexdigest()


def moment(state: State[Any]) -> str:
    """Return the name of what the table waits for, such as `draw_token`; empty when the game is over."""
    return name_of(state.agenda[0]) if state.agenda else ""  # type: ignore[arg-type]


def drawn(game: Game[Any], state: State[Any], seed: str, seq: int) -> Event | None:
    """Return what chance brings as record `seq`, the same for the same seed; None where a person decides.

    Each record has luck of its own, so that a restart goes on the same and an undo is no look into the future.
    """
    if not state.agenda:
        return None
    offers = state.agenda[0].legal(state.table)
    if not offers or not all(offer.chance for offer in offers):
        return None
    # Not a secret-keeping generator: the seed is secret and 256 bits long, and only its hash is ever shown.
    return offers[0].pick(Random(f"{seed}:{seq}").random)


class Dealer:
    """Draws by itself whatever chance brings in one match, save for the moments that people set off."""

    def __init__(self, game: Game[Any], setup: Setup, seed: str) -> None:
        self.game, self.seed = game, seed
        self.deals = setup.deck == "dealt"

    def follows(self, state: State[Any], seq: int) -> Event | None:
        """Return what chance brings by itself now, or None."""
        if not self.deals or moment(state) in self.game.asked:
            return None
        return drawn(self.game, state, self.seed, seq)

    def asked(self, state: State[Any], seq: int) -> Event | None:
        """Return what chance brings when a person sets it off, or None when it is not chance's turn."""
        return drawn(self.game, state, self.seed, seq) if self.deals else None

    def forbids(self, state: State[Any], event: Event) -> bool:
        """Whether only the dealer may say this event now: chance, where the companion deals."""
        if not self.deals or name_of(event) in self.game.declared:
            return False
        return any(offer.chance and event in offer for offer in legal(self.game, state))
