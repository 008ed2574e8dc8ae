"""Measures bots' games of Game of Trains: length, winners by place, margins and speed.

`python -m tests.bench.bench_sorting [--bots sensible] [--games 2000] [--players 2 3 4] [--seed 1] [--check]`. The
figures are for docs/catalogue.md; they take minutes, so `python -m tests.bench` leaves this bench out. `--check` checks
the invariants F-1 to F-9 after each event. An interrupted run prints its figures so far. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from math import sqrt
from statistics import mean, quantiles
from typing import Any

from companion.bots.simulation import simulate
from companion.engine import Event, Setup, State, name_of
from companion.games import GAMES
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.steps.turn import Act
from tests.games.game_of_trains.invariants import hold

GAME = GAMES["game-of-trains"]
ACTIONS = (ev.Drew, ev.Use)
SURE = 1.96
"""The standard deviations of a 95 % interval."""
BANDS = {"sensible": (10, 15, 20, 25, 30, 40, 50, 70), "random": (300, 1000, 3000, 10_000, 30_000, 100_000)}
"""The upper ends of the bands in which games are counted, in turns of all seats together."""


class Study:
    """Counts of events in many games."""

    def __init__(self, check: bool) -> None:
        self.check = check
        self.turns: list[int] = []
        self.events: list[int] = []
        self.places: Counter[int] = Counter()
        self.actions: Counter[str] = Counter()
        self.last: Counter[str] = Counter()
        self.reshuffles = self.others = 0
        self._turns = self._events = 0
        self._turn = 0

    def watch(self, before: State[Any], event: Event, after: State[Any]) -> None:
        """Count one event."""
        if self.check:
            hold(before, event, after)
        self._events += 1
        if isinstance(before.agenda[0], Act):
            self._turn = before.agenda[0].seat
        if isinstance(event, ACTIONS):
            self._turns += 1
            self.actions[name_of(event)] += 1
        self.reshuffles += isinstance(event, ev.Reshuffled)
        if after.over:
            table = after.table
            self.turns.append(self._turns)
            self.events.append(self._events)
            self.places[(table.winner - table.first) % table.fixed.players] += 1
            self.last[name_of(event)] += 1
            self.others += table.winner != self._turn
            self._turns = self._events = 0


def between(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a proportion with this many observations (Wilson's)."""
    share, square = won / games, SURE**2 / games
    middle = share + square / 2
    half = SURE * sqrt(share * (1 - share) / games + square / games / 4)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def counted(turns: list[int], ends: tuple[int, ...]) -> str:
    """Return the number of games in each band of length."""
    bands: Counter[str] = Counter()
    for length in turns:
        end = next((end for end in ends if length <= end), None)
        bands[f"≤ {end:,}" if end else "more"] += 1
    return ", ".join(f"{name}: {bands[name]:,}" for name in (*[f"≤ {end:,}" for end in ends], "more") if bands[name])


def report(players: int, games: int, seed: int, bots: str, check: bool) -> None:
    """Play the given number of games and print the figures."""
    study, begun = Study(check), time.process_time()
    try:
        for _ in simulate(GAME, Setup(GAME.name, players), games, seed, bots, study.watch):
            pass
    except KeyboardInterrupt:
        print("interrupted; what was played to the end counts")
    took = time.process_time() - begun
    games = len(study.turns)
    if games < 2:  # one game has no quantiles
        return
    tenths = quantiles(study.turns, n=10)
    checked = ", F-1 to F-9 held after each of them" if check else ""
    print(f"{players} players, {games:,} games with {bots} bots, seeds {seed} to {seed + games - 1}")
    print(f"  {sum(study.events):,} events{checked}; {mean(study.events):,.0f} a game")
    print(f"  {took:,.0f} s of one core: {sum(study.events) / took:,.0f} events a second")
    print(
        f"  turns of all seats together: mean {mean(study.turns):,.1f}, median {tenths[4]:,.0f},"
        f" tenths {tenths[0]:,.0f} and {tenths[8]:,.0f}, least {min(study.turns):,}, most {max(study.turns):,}"
    )
    print(f"  games by turns: {counted(study.turns, BANDS[bots])}")
    for place in range(players):
        low, high = between(study.places[place], games)
        fair = "" if low <= 1 / players <= high else ", not the same for all"
        print(
            f"  won from place {place + 1} (1 goes first): {study.places[place]:,} = {study.places[place] / games:.1%}"
            f" (95 %: {low:.1%} to {high:.1%}; even: {1 / players:.1%}{fair})"
        )
    print(f"  won in another's turn: {study.others / games:.1%}; reshuffles a game: {study.reshuffles / games:.2f}")
    print(
        "  actions: " + ", ".join(f"{n} {c / sum(study.actions.values()):.1%}" for n, c in study.actions.most_common())
    )
    print("  the last event: " + ", ".join(f"{n} {c / games:.1%}" for n, c in study.last.most_common()), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", choices=tuple(BANDS), default="sensible")
    parser.add_argument("--games", type=int, default=2000, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="look at the invariants after every event")
    chosen = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for players in chosen.players:
        report(players, chosen.games, chosen.seed, chosen.bots, chosen.check)


if __name__ == "__main__":
    main()
