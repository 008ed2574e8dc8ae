"""Random games of Trains for its properties: any legal thing happens, on both boards, with drawn kingdoms."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.engine import Event, JsonObject, Setup, State, apply, legal
from companion.games.trains import GAME
from companion.games.trains.table import Table

Played = tuple[State[Table], Event, State[Table]]
"""The state before an event, the event, and the state after it."""
EDITIONS = ("okazu", "okazu", "later")
DECKS = ("dealt", "dealt", "ours")


def setup_of(players: int, seed: int) -> Setup:
    """Return a set-up: boards in turn, drawn kingdoms, now and then real cards, the later edition or other rulings."""
    luck = random.Random(seed)
    options: JsonObject = {"board": ("tokyo", "osaka")[seed % 2], "draw_kingdom": "yes"}
    options["edition"] = luck.choice(EDITIONS)
    options["wagon_factory"] = luck.choice(("any_card", "train_only", "up_to_3"))
    options["ironworks_on"] = luck.choice(("rail_cards", "lay_rails"))
    options["river_start"] = luck.choice(("yes", "no"))
    return Setup(GAME.name, players, options, deck=luck.choice(DECKS))  # type: ignore[arg-type]


def play(setup: Setup, seed: int, most: int = 10_000) -> Iterator[Played]:
    """Play a game at random; yield every event with the states before and after it."""
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
