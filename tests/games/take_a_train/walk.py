"""Play random games for the property tests, with all kinds of set-ups and any legal event."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from companion.engine import Event, Offer, Setup, State, legal
from companion.games.take_a_train.options import Options
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.table import Table
from tests.games.playing import Playing, bounded, seeds
from tests.games.take_a_train.build import GAME

__all__ = ["bounded", "seeds"]

PLAYING = Playing[Table](GAME)
view_bytes = PLAYING.view_bytes
MOST_EVENTS = 20_000
"""Upper limit for the events of a random game, far above any game seen so far."""

OUTSIDE = ("edition", "counting", "sequence_costs")
"""Options that the rules do not use or that a set-up sets itself."""


def choices() -> dict[str, tuple[str, ...]]:
    """Return the choices of every option that the rules use."""
    return {
        name: get_args(kind)
        for name, kind in get_type_hints(Options).items()
        if get_origin(kind) is Literal and name not in OUTSIDE
    }


def every_option() -> st.SearchStrategy[dict[str, Any]]:
    """Draw a value for every option, each with equal probability."""
    return st.fixed_dictionaries({name: st.sampled_from(given) for name, given in sorted(choices().items())})


def options() -> st.SearchStrategy[dict[str, Any]]:
    """Draw options that differ from the defaults in up to five places."""
    every = [(name, choice) for name, given in sorted(choices().items()) for choice in given]
    return st.lists(st.sampled_from(every), max_size=5).map(dict)


@st.composite
def setups(draw: st.DrawFn, least: int = 2, **fixed: Any) -> Setup:
    """Draw a set-up with players, edition, kind of deck and some options."""
    deck = fixed.pop("deck", None) or draw(st.sampled_from(["dealt", "ours", "box"]))
    chosen = draw(fixed.pop("chosen", options())) | {"edition": draw(st.sampled_from(["en", "fr"]))} | fixed
    catalogue = "box" if deck == "box" else "reconstruction"
    return Setup("take-a-train", draw(st.integers(least, 6)), chosen, catalogue, deck)


def choose(state: State[Table], luck: random.Random) -> Event:
    """Return a random legal event, without changing a closed fist again and again."""
    offers = legal(GAME, state)
    head = state.agenda[0]
    if isinstance(head, Fists):
        offers = tuple(o for o in offers if o.by is None or head.amounts[o.by] is None) or offers
    return offers[luck.randrange(len(offers))].pick(luck.random)


def play(setup: Setup, seed: int) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a whole game at random and yield every event with the states before and after it."""
    after = None
    for before, event, after in PLAYING.at_random(setup, seed, MOST_EVENTS, choose):
        yield before, event, after
    assert after is not None and after.over, f"after {MOST_EVENTS} events the game was not over"


def log(setup: Setup, seed: int) -> tuple[list[Event], State[Table]]:
    """Return the events of a whole random game and its final state."""
    steps = list(play(setup, seed))
    return [event for _, event, _ in steps], steps[-1][2]


def some_of(offer: Offer, luck: random.Random, most: int = 12) -> list[Event]:
    """Return the first listed events of an offer and two random ones."""
    listed = [event for event, _ in zip(offer, range(most), strict=False)]
    return listed + [offer.pick(luck.random) for _ in range(2)]
