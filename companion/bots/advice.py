"""A bot's choice for a seat and the alternatives that it considered, based on the seat's knowledge alone.

A question contains everything needed for the answer, so that another process can answer it: `adviser.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from companion.bots.bot import own_policy, policy_of
from companion.bots.learning import ranked
from companion.engine import AnyGame, AnyState, Luck, Seat
from companion.games import GAMES
from companion.mechanics.policy import Ranked


class Question(NamedTuple):
    """A seat's question. `known` is the knowledge that the bot may use, `seen` a digest of the seat's view."""

    game: str
    kind: str
    known: Any
    seen: bytes


def can_advise(game: AnyGame) -> bool:
    """Return whether a game's bot gives reasons."""
    return hasattr(own_policy(game, "wins"), "ranked")


def question_of(game: AnyGame, state: AnyState, seat: Seat, kind: str = "wins") -> Question | None:
    """Return the question for a seat at a state; None if the seat has nothing to do."""
    policy = policy_of(game, kind)
    if seat not in policy.asked(state):
        return None
    return Question(game.name, kind, policy.look(state, seat), digest_of(game, state, seat))


def answer(question: Question) -> Sequence[Ranked]:
    """Return the seat's options, best first; nothing if it had better wait."""
    policy, luck = policy_of(GAMES[question.game], question.kind), luck_from(question.seen)
    if hasattr(policy, "advised"):
        found: Sequence[Ranked] = policy.advised(question.known, luck)
        return found
    return ranked(policy, question.known, luck)


def advice(game: AnyGame, state: AnyState, seat: Seat, kind: str = "wins") -> Sequence[Ranked]:
    """Return a seat's options, best first; nothing if it is not asked or had better wait."""
    question = question_of(game, state, seat, kind)
    return () if question is None else answer(question)


def digest_of(game: AnyGame, state: AnyState, seat: Seat) -> bytes:
    """Return a digest of a seat's whole view."""
    seen = msgspec.json.encode(game.view(state, seat), enc_hook=repr, order="deterministic")
    return blake2b(seen, digest_size=16).digest()


def luck_from(seen: bytes) -> Luck:
    """Return luck made only from a seat's view, so that hidden facts cannot change its advice."""
    return random.Random(seen).random


def fixed_luck(game: AnyGame, state: AnyState, seat: Seat) -> Luck:
    """Return a seat's luck at a state."""
    return luck_from(digest_of(game, state, seat))
