"""What a program would do in a seat's place, and what else it thought of, from what the seat knows alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from companion.bots.bot import policy_of
from companion.bots.learning import ranked
from companion.engine import AnyGame, AnyState, Luck, Seat
from companion.mechanics.policy import Ranked


def advice(game: AnyGame, state: AnyState, seat: Seat, kind: str = "wins") -> Sequence[Ranked]:
    """Return what a seat may do, best first; nothing where it is not asked, or would better wait."""
    policy = policy_of(game, kind)
    if seat not in policy.asked(state):
        return ()
    return ranked(policy, policy.look(state, seat), fixed_luck(game, state, seat))


def fixed_luck(game: AnyGame, state: AnyState, seat: Seat) -> Luck:
    """Return luck made from what a seat sees alone, so that what is hidden from it changes no advice."""
    seen = msgspec.json.encode(game.view(state, seat), enc_hook=repr, order="deterministic")
    return random.Random(blake2b(seen, digest_size=16).digest()).random
