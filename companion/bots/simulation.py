"""Plays whole games between bots without a live table, checking every event by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import msgspec

from companion.bots.bot import policy_of
from companion.engine import AnyGame, AnyState, Event, Luck, Seat, Setup, apply, filled, legal, state_hash
from companion.mechanics.definition import BotPolicy

Watch = Callable[[AnyState, Event, AnyState], None]
"""Called for every event with the state before, the event, and the state after."""

MAX_EVENTS = 1_000_000
"""A simulation with this many events is assumed to be endless; a few games in ten thousand have more than 100,000."""


class SimulationResult(msgspec.Struct, frozen=True):
    """One simulated game, as `simulate --json` prints it."""

    seed: int
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    events: int
    hash: str


def play(
    game: AnyGame, setup: Setup, policies: Sequence[BotPolicy], luck: Luck, watch: Watch | None = None
) -> tuple[AnyState, int]:
    """Play one game to its end and return the last state and the number of events."""
    return play_on(game, game.begin(setup), policies, luck, watch)


def play_on(
    game: AnyGame, state: AnyState, policies: Sequence[BotPolicy], luck: Luck, watch: Watch | None = None
) -> tuple[AnyState, int]:
    """Play a game from a state to its end and return the last state and the number of further events."""
    count = 0
    while state.agenda:
        event = next_event(game, state, policies, luck)
        after = apply(game, state, event)
        if watch is not None:
            watch(state, event, after)
        state = after
        count += 1
        if count > MAX_EVENTS:
            raise RuntimeError(f"the game did not end within {MAX_EVENTS} events")
    return state, count


def next_event(game: AnyGame, state: AnyState, policies: Sequence[BotPolicy], luck: Luck) -> Event:
    """Return the next event: the choice of the first seat that wants to act, or an outcome of chance."""
    asked = policies[0].asked(state)
    while True:
        for seat in asked:
            own = policies[seat]
            event = own.choose(own.look(state, seat), luck)
            if event is not None:
                return event
        offers = filled(game, state, [offer for offer in legal(game, state) if offer.chance])
        if offers:
            return offers[int(luck() * len(offers)) if len(offers) > 1 else 0].pick(luck)
        event = policies[0].together(state, luck)
        if event is not None:
            return event
        filled(game, state, legal(game, state))  # a seat with nothing to choose never acts
        if not asked:
            raise RuntimeError(f"nobody can act at {type(state.agenda[0]).__name__}")


def policies_for(game: AnyGame, bots: str, players: int) -> list[BotPolicy]:
    """Return the policies of all seats; several kinds, separated by commas, are assigned to the seats in turn."""
    kinds = [kind.strip() for kind in bots.split(",")]
    return [policy_of(game, kinds[seat % len(kinds)]) for seat in range(players)]


def simulate(
    game: AnyGame, setup: Setup, games: int, seed: int, bots: str = "sensible", watch: Watch | None = None
) -> Iterator[SimulationResult]:
    """Yield the results of several games; game k uses the seed `seed + k` and no other source of chance."""
    policies = policies_for(game, bots, len(setup.seated()))
    for own in range(seed, seed + games):
        state, events = play(game, setup, policies, random.Random(own).random, watch)
        yield SimulationResult(own, game.scores(state), game.winners(state), events, state_hash(state))
