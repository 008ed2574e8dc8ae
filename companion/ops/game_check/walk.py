"""Random games for the checks: by default with a fixed seed, the most players and printed cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.engine import AnyGame, AnyState, Deck, Event, Setup, Step, apply, filled, legal

MOST = 300
"""Number of events of a random game that are checked."""


def walk(
    game: AnyGame, deck: Deck = "ours", players: int = 0, most: int = MOST
) -> Iterator[tuple[Event | None, AnyState]]:
    """Yield a random game's beginning, state by state, each with the event that led to it."""
    luck = random.Random(1)
    state = game.begin(Setup(game.name, players or game.seats[-1], deck=deck))
    yield None, state
    for _ in range(most):
        if not state.agenda:
            return
        offers = filled(game, state, legal(game, state))
        event = offers[luck.randrange(len(offers))].pick(luck.random)
        state = apply(game, state, event)
        yield event, state


def steps_of(package: str, base: type[Step[Any]] = Step) -> Iterator[type[Step[Any]]]:
    """Yield the classes of a game's steps, except base classes of others."""
    for kind in base.__subclasses__():
        yield from steps_of(package, kind)
        if kind.__module__.startswith(f"{package}.") and not kind.__subclasses__():
            yield kind
