"""Random games for the properties: a player who does any legal thing, or one who mostly sorts."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from companion.engine import Event, Setup, State, apply, legal
from companion.games.game_of_trains.lines import in_order, replace_wagon
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.table import Table

LONGER = 25
"""How many times as many examples the slow profile tries."""
MOST_EVENTS = 400
"""Random play seldom ends a game: so many events of each are looked at."""


def bounded(examples: int) -> Callable[[Any], Any]:
    """Return settings for so many examples; `HYPOTHESIS_PROFILE=slow` tries many more, different ones every time."""
    slow = os.environ.get("HYPOTHESIS_PROFILE") == "slow"
    return settings(
        max_examples=examples * LONGER if slow else examples,
        deadline=None,
        database=None,
        derandomize=not slow,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def setups(draw: st.DrawFn, **fixed: Any) -> Setup:
    """Return a set-up: players and kind of deck."""
    deck = fixed.pop("deck", None) or draw(st.sampled_from(["dealt", "ours", "box"]))
    catalogue = "box" if deck == "box" else "reconstruction"
    return Setup("game-of-trains", draw(st.integers(2, 4)), fixed, catalogue, deck)


def seeds() -> st.SearchStrategy[int]:
    """Return the number that decides everything in a random game."""
    return st.integers(0, 2**32 - 1)


def choose(state: State[Table], luck: random.Random) -> Event:
    """Return any legal event; a drawn card is mostly laid where it brings order, so that games end."""
    head = state.agenda[0]
    if isinstance(head, Place) and luck.random() < 0.7:
        line, (card,) = state.table.lines[head.seat], state.table.hand(head.seat)
        best = max(range(1, 8), key=lambda position: (in_order(replace_wagon(line, position, card)), luck.random()))
        return head.legal(state.table)[0].events[best - 1]  # type: ignore[attr-defined,no-any-return]
    offers = legal(RULES, state)
    return offers[luck.randrange(len(offers))].pick(luck.random)


def play(setup: Setup, seed: int, most: int = MOST_EVENTS) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a game at random; yield every event with the states before and after it."""
    luck = random.Random(seed)
    state = RULES.begin(setup)
    for _ in range(most):
        if state.over:
            return
        event = choose(state, luck)
        following = apply(RULES, state, event)
        yield state, event, following
        state = following


def view_bytes(state: State[Table], seat: Any) -> bytes:
    """Return all that a viewer is told, as it would be sent; an offer's kind of event by its name."""
    return msgspec.json.encode(RULES.view(state, seat), enc_hook=lambda kind: kind.__name__)
