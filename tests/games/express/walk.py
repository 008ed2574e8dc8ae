"""Random games of Express for its properties: any legal thing happens, in all numbers of players and variants."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.engine import Event, JsonObject, Setup, State, apply, legal
from companion.games.examples.express import GAME
from companion.games.examples.express.table import Table

Played = tuple[State[Table], Event, State[Table]]
"""The state before an event, the event, and the state after it."""


def setup_of(players: int, seed: int, partners: str = "usual") -> Setup:
    """Return a set-up of one hand: dealt or real cards, both scorings, the family variant."""
    luck = random.Random(f"{players}:{seed}")
    options: JsonObject = {"hands": 1, "partners": partners}
    options["scoring"] = luck.choice(("set_of_three", "sum"))
    options["variant"] = luck.choice(("full", "full", "full", "family"))
    return Setup(GAME.name, players, options, deck=luck.choice(("dealt", "dealt", "ours")))


def play(setup: Setup, seed: int, most: int = 20_000) -> Iterator[Played]:
    """Play a hand at random; yield every event with the states before and after it."""
    luck = random.Random(seed)
    state = GAME.begin(setup)
    for _ in range(most):
        if state.over:
            return
        offers = legal(GAME, state)
        event = offers[luck.randrange(len(offers))].pick(luck.random)
        following = apply(GAME, state, event)
        yield state, event, following
        state = following
