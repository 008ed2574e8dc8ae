"""Play random games for the property tests, either with any legal event or with a preference for order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from companion.engine import Event, Setup, State
from companion.games.game_of_trains.lines import in_order, replace_wagon
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.table import Table
from tests.games.playing import Playing, bounded, seeds

__all__ = ["bounded", "play", "seeds", "setups", "view_bytes"]

PLAYING = Playing[Table](RULES)
view_bytes = PLAYING.view_bytes
MOST_EVENTS = 400
"""Maximum number of events in a random game, because random play seldom ends."""


@st.composite
def setups(draw: st.DrawFn, **fixed: Any) -> Setup:
    """Draw a set-up with a number of players and a kind of deck."""
    deck = fixed.pop("deck", None) or draw(st.sampled_from(["dealt", "ours", "box"]))
    catalogue = "box" if deck == "box" else "reconstruction"
    return Setup("game-of-trains", draw(st.integers(2, 4)), fixed, catalogue, deck)


def choose(state: State[Table], luck: random.Random) -> Event:
    """Return a random legal event that usually places a drawn card where it improves the order, so that games end."""
    head = state.agenda[0]
    if isinstance(head, Place) and luck.random() < 0.7:
        line, (card,) = state.table.lines[head.seat], state.table.hand(head.seat)
        best = max(range(1, 8), key=lambda position: (in_order(replace_wagon(line, position, card)), luck.random()))
        return head.legal(state.table)[0].events[best - 1]  # type: ignore[attr-defined,no-any-return]
    return PLAYING.any_event(state, luck)


def play(setup: Setup, seed: int, most: int = MOST_EVENTS) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a random game and yield every event with the states before and after it."""
    return PLAYING.at_random(setup, seed, most, choose)
