"""Whole games without a table: bots in the seats, chance drawn as events, every event checked by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from companion.bots.bot import BotPolicy, mind
from companion.engine import Event, Game, Luck, Seat, Setup, State, apply, legal, state_hash

Watch = Callable[[State[Any], Event, State[Any]], None]
"""Told of every event: the state before, the event, the state after."""

TOO_LONG = 1_000_000
"""No game has so many events: a simulation that gets there has lost its way.

Of whole games of Game of Trains among players who do anything legal, a few in ten thousand have more than 100,000.
"""


class SimulationResult(msgspec.Struct, frozen=True):
    """One simulated game, as `simulate --json` prints it."""

    seed: int
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    events: int
    hash: str


def play(
    game: Game[Any], setup: Setup, minds: Sequence[BotPolicy], luck: Luck, watch: Watch | None = None
) -> tuple[State[Any], int]:
    """Play one game to its end and return the last state and the number of events."""
    state = game.begin(setup)
    count = 0
    while state.agenda:
        event = decided(game, state, minds, luck)
        after = apply(game, state, event)
        if watch is not None:
            watch(state, event, after)
        state = after
        count += 1
        if count > TOO_LONG:
            raise RuntimeError(f"the game did not end within {TOO_LONG} events")
    return state, count


def decided(game: Game[Any], state: State[Any], minds: Sequence[BotPolicy], luck: Luck) -> Event:
    """Return what happens next: what chance brings, or what the first seat that wants to act does."""
    asked = minds[0].asked(state)
    while True:
        for seat in asked:
            own = minds[seat]
            event = own.choose(own.look(state, seat), luck)
            if event is not None:
                return event
        offers = [offer for offer in legal(game, state) if offer.chance]
        if offers:
            return offers[int(luck() * len(offers)) if len(offers) > 1 else 0].pick(luck)
        event = minds[0].together(state, luck)
        if event is not None:
            return event
        if not asked:
            raise RuntimeError(f"nobody can act at {type(state.agenda[0]).__name__}")


def seated(game: Game[Any], bots: str, players: int) -> list[BotPolicy]:
    """Return the bots of all seats; several kinds, separated by commas, take the seats in turn."""
    kinds = [kind.strip() for kind in bots.split(",")]
    return [mind(game, kinds[seat % len(kinds)]) for seat in range(players)]


def simulate(
    game: Game[Any], setup: Setup, games: int, seed: int, bots: str = "sensible", watch: Watch | None = None
) -> Iterator[SimulationResult]:
    """Yield so many games; game k is played with the seed `seed + k` and nothing else by chance."""
    minds = seated(game, bots, len(setup.seated()))
    for own in range(seed, seed + games):
        state, events = play(game, setup, minds, random.Random(own).random, watch)
        yield SimulationResult(own, game.scores(state), game.winners(state), events, state_hash(state))
