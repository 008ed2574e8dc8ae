"""Compares the engine with its peers: random complete games on one core, in alternating windows, with the median of
each.

`python -m tests.bench.bench_engine [--seconds 1] [--rounds 5]`. Each of our events is picked from the offers and
checked against them by `apply`, and chance is sampled as events. Peers: see `peers.py`. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgspec

from companion.engine import Event, Game, Seat, Setup, State, apply, follow, legal
from companion.games import GAMES
from tests.bench import peers

PLAYERS = {"take-a-train": 4, "trains": 4, "game-of-trains": 4, "express": 4}
"""Each game, with the number of players where only one is measured."""


def record(game: Game[Any], players: int, seed: int) -> tuple[State[Any], list[Event], list[State[Any]]]:
    """Return one random game: its first state, its events, and the state after each."""
    luck = random.Random(seed).random
    first = state = game.begin(Setup(game.name, players))
    events, states = [], []
    while state.agenda:
        offers = legal(game, state)
        event = offers[int(luck() * len(offers))].pick(luck)
        state = apply(game, state, event)
        events.append(event)
        states.append(state)
    return first, events, states


def ours(game: Game[Any]) -> peers.Play:
    """Return a function that plays a random game and returns its moves, with players and editions in turn."""
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        luck = random.Random(seed).random
        options = {"edition": "en" if seed % 2 else "fr"} if game.money else {}
        state = game.begin(Setup(game.name, game.seats[seed % len(game.seats)], options))
        moves = 0
        while state.agenda:
            offers = legal(game, state)
            state = apply(game, state, offers[int(luck() * len(offers))].pick(luck))
            moves += 1
        return moves

    return play


def rate(play: peers.Play, seconds: float) -> float:
    """Return moves per second over a window of whole games."""
    moves, begun = 0, time.perf_counter()
    while (took := time.perf_counter() - begun) < seconds:
        moves += play()
    return moves / took


def contest(seconds: float, rounds: int) -> None:
    """Print events per second of our games and of each peer, measured in alternating windows."""
    with ExitStack() as stack:
        engines: dict[str, Callable[[float], float]] = {
            f"{name} (ours)": _window(ours(GAMES[name])) for name in PLAYERS
        }
        found: dict[str, Callable[[], peers.Play]] = {"pyminion": peers.pyminion, "rlcard gin rummy core": peers.rlcard}
        for name, make in found.items():
            try:
                engines[name] = _window(make())
            except ImportError as error:
                print(f"{name}: left out ({error}); `make bench` installs it")
        try:
            engines["boardgame.io (Node)"] = stack.enter_context(peers.boardgame_io())
        except Exception as error:
            print(f"boardgame.io: left out ({error})")
        rates: dict[str, list[float]] = {name: [] for name in engines}
        for measure in engines.values():
            measure(seconds / 4)
        for _ in range(rounds):
            for name, measure in engines.items():
                rates[name].append(measure(seconds))
    print(
        f"{'engine':26s} {'events/s':>10s} {'lowest':>10s} {'highest':>10s}"
        f"  {'take-a-train is':>16s} {'trains is':>10s} {'express is':>10s}"
    )
    for name, theirs in rates.items():
        ours_to_it = [
            statistics.median(a / b for a, b in zip(rates[f"{game} (ours)"], theirs, strict=True))
            for game in ("take-a-train", "trains", "express")
        ]
        median = statistics.median(theirs)
        print(
            f"{name:26s} {median:10,.0f} {min(theirs):10,.0f} {max(theirs):10,.0f}"
            f"  {ours_to_it[0]:14.2f} × {ours_to_it[1]:8.2f} × {ours_to_it[2]:8.2f} ×"
        )


def _window(play: peers.Play) -> Callable[[float], float]:
    return lambda seconds: rate(play, seconds)


def copied(told: Any) -> Any:
    """Return a plain Python copy of lists and dictionaries, as a lower bound on the cost of a view."""
    if isinstance(told, dict):
        return {key: copied(value) for key, value in told.items()}
    return [copied(value) for value in told] if isinstance(told, list | tuple) else told


def costs(game: Game[Any]) -> None:
    """Print the cost of a view, a refold and a step without a hash."""
    first, events, states = record(game, PLAYERS[game.name], 3)
    sample = states[:: max(1, len(states) // 300)]
    begun = time.perf_counter()
    views = [game.view(state, Seat(1)) for state in sample]
    each = (time.perf_counter() - begun) / len(sample) * 1e6
    plain = [msgspec.to_builtins(view, str_keys=True, enc_hook=str) for view in views]
    begun = time.perf_counter()
    for told in plain:
        copied(told)
    probe = (time.perf_counter() - begun) / len(sample) * 1e6
    print(f"{game.name}: one seat's view, 4 players: {each:.1f} µs (mean over a whole game),", end=" ")
    print(f"{each / probe:.2f} × copying what it says as plain lists and dictionaries")
    every = (events * (500 // len(events) + 1))[:500] if len(events) < 500 else events[:500]
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        state = first
        for event in every[: len(events)]:
            state = follow(game, state, event)
        took.append((time.perf_counter() - begun) * 1e3 * 500 / min(500, len(events)))
    print(f"{game.name}: refolding 500 events: {statistics.median(took):.2f} ms")


def profile(game: Game[Any], games: int) -> None:
    """Print the functions in which random games spend most time."""
    play = ours(game)
    profiler = cProfile.Profile()
    profiler.runcall(lambda: [play() for _ in range(games)])
    print(f"what bounds {game.name} ({games} games, share of the profiled time):")
    stats: Any = pstats.Stats(profiler)
    rows = sorted(((s[2], f) for f, s in stats.stats.items()), reverse=True)
    total = sum(own for own, _ in rows)
    for own, (file, _, function) in rows[:10]:
        print(f"  {own / total:6.1%}  {os.path.basename(file)}:{function}")


def main(arguments: list[str] | None = None) -> None:
    """Run the contest, the costs and the profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a window")
    parser.add_argument("--rounds", type=int, default=5, help="windows for each engine")
    chosen = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    contest(chosen.seconds, chosen.rounds)
    for name in PLAYERS:
        costs(GAMES[name])
    profile(GAMES["take-a-train"], 60)
    profile(GAMES["trains"], 12)
    profile(GAMES["game-of-trains"], 6)
    profile(GAMES["express"], 4)


if __name__ == "__main__":
    main()
