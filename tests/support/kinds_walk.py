"""Plays at random to reach every kind of event of a game, and prefers rare kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

from companion.engine import AnyGame, AnyState, Event, Setup, follow, legal, name_of
from companion.games import GAMES
from companion.games.trains import table as trains_table
from companion.games.trains.catalogue import shipped
from tests.games.take_a_train import build as take_a_train
from tests.games.trains import build as trains

Stepped = tuple[AnyState, Event, AnyState]
"""An event with the states before and after it."""
FEW, CURIOUS, SEEDS, MOST, SHORT = 3, 0.7, range(8), 600, 12
"""The number of events picked from an offer, the probability of preferring the rarest kind, the seeds of the games,
and the maximum numbers of their events."""
SETUPS = {
    "take-a-train": (
        Setup("take-a-train", 3),
        Setup("take-a-train", 2, deck="ours"),
        Setup("take-a-train", 4, {"bid_channel": "hand"}, deck="ours"),
        Setup("take-a-train", 3, {"reveal": "signal"}),
        Setup("take-a-train", 3, catalogue="box", deck="box"),
    ),
    "trains": (Setup("trains", 2), Setup("trains", 3, {"draw_kingdom": "yes"}, deck="ours")),
    "express": (
        Setup("express", 2),
        Setup("express", 4, deck="ours"),
        Setup("express", 4),
        Setup("express", 3, {"hands": 2}, deck="ours"),
    ),
    "game-of-trains": (
        Setup("game-of-trains", 2),
        Setup("game-of-trains", 3, deck="ours"),
        Setup("game-of-trains", 2, catalogue="box", deck="box"),
    ),
}


def kinds(game: AnyGame) -> frozenset[str]:
    """Return the names of all events of a game."""
    return frozenset({str(kind.__struct_config__.tag) for kind in get_args(game.events)})


def walk(name: str) -> Iterator[Stepped]:
    """Yield a game's events, from rare moments and from each of its set-ups."""
    game, seen = GAMES[name], Counter[str]()
    with pytest.MonkeyPatch.context() as patch:
        if name == "trains":
            patch.setattr(trains_table, "boards", lambda: {"tokyo": trains.small_map()})
        for seed in SEEDS:
            for state in RARE.get(name, tuple)():
                yield from stroll(game, state, Random(seed), seen, SHORT)
    for setup in SETUPS[name]:
        full = game.resolve_setup(setup)
        for seed in SEEDS:
            yield from stroll(game, game.begin(full), Random(seed), seen, MOST)


def kingdom_cards() -> Iterator[AnyState]:
    """Yield turns of Trains with each kingdom card in the hand, with dealt and with real cards."""
    for card in shipped().kingdom:
        kingdom = tuple(dict.fromkeys((card, *trains.KINGDOM)))[:8]
        for dealt in (True, False):
            more: Any = {"deck": ("normal_train",) * 6, "discard": ("lay_rails",) * 3, "coins": 9}
            played = ("early_train",) if card == "early_train" else ()
            yield trains.turn((card, "normal_train", "waste"), kingdom=kingdom, dealt=dealt, play=played, **more)


def replacements() -> Iterator[AnyState]:
    """Yield the last turn of a round in which two seats choose the wagon of a replacement that pays."""
    own = (("-: oil-200 food-50", "-", "-"),) * 2
    options = {"replacement_wagon": "ask"}
    yield take_a_train.turn("bonus", players=2, owned=own, passes=1, options=options)


RARE = {"trains": kingdom_cards, "take-a-train": replacements}
"""Starting points that random play hardly ever reaches."""


def stroll(game: AnyGame, state: AnyState, luck: Random, seen: Counter[str], most: int) -> Iterator[Stepped]:
    """Play on from a state; `seen` counts the kinds of events so far."""
    for _ in range(most):
        if state.over:
            return
        offers = legal(game, state)
        picked = [offer.pick(luck.random) for offer in offers]
        picked += [offer.pick(luck.random) for offer in offers[:FEW] for _ in range(FEW)]
        curious = luck.random() < CURIOUS
        event = min(picked, key=lambda each: (seen[name_of(each)] if curious else 0, luck.random()))
        seen[name_of(event)] += 1
        after = follow(game, state, event)
        yield state, event, after
        state = after
