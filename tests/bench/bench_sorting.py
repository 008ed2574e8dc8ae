"""How games of Game of Trains go when bots play them: how long, who wins from which place, and by what.

`python -m tests.bench.bench_sorting [--games 2000] [--players 2 3 4] [--seed 1]`. Figures for
docs/rules/game-of-trains.md; it takes minutes, so `python -m tests.bench` leaves it out. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from statistics import mean, quantiles
from typing import Any

from companion.engine import Event, Setup, State, name_of
from companion.games import GAMES
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.steps.turn import Act
from companion.simulate import simulate

GAME = GAMES["game-of-trains"]
ACTIONS = (ev.Drew, *ev.USES)


class Study:
    """Counts what happens in many games."""

    def __init__(self) -> None:
        self.turns: list[int] = []
        self.places: Counter[int] = Counter()
        self.actions: Counter[str] = Counter()
        self.last: Counter[str] = Counter()
        self.reshuffles = self.others = 0
        self._turns = 0
        self._turn = 0

    def watch(self, before: State[Any], event: Event, after: State[Any]) -> None:
        """Take note of one event."""
        if isinstance(before.agenda[0], Act):
            self._turn = before.agenda[0].seat
        if isinstance(event, ACTIONS):
            self._turns += 1
            self.actions[name_of(event)] += 1
        self.reshuffles += isinstance(event, ev.Reshuffled)
        if after.over:
            table = after.table
            self.turns.append(self._turns)
            self.places[(table.winner - table.first) % table.fixed.players] += 1
            self.last[name_of(event)] += 1
            self.others += table.winner != self._turn
            self._turns = 0


def report(players: int, games: int, seed: int) -> None:
    """Print how so many games went."""
    study, begun = Study(), time.perf_counter()
    events = sum(result.events for result in simulate(GAME, Setup(GAME.name, players), games, seed, watch=study.watch))
    took = time.perf_counter() - begun
    tenths = quantiles(study.turns, n=10)
    print(f"{players} players, {games} games, {took:.0f} s, {events / games:.0f} events a game")
    print(
        f"  turns of all seats together: mean {mean(study.turns):.1f}, median {tenths[4]:.0f},"
        f" tenths {tenths[0]:.0f} and {tenths[8]:.0f}, least {min(study.turns)}, most {max(study.turns)}"
    )
    print("  won, from the first player on: " + ", ".join(f"{study.places[p] / games:.1%}" for p in range(players)))
    print(f"  won in another's turn: {study.others / games:.1%}; reshuffles a game: {study.reshuffles / games:.2f}")
    print(
        "  actions: " + ", ".join(f"{n} {c / sum(study.actions.values()):.1%}" for n, c in study.actions.most_common())
    )
    print("  the last event: " + ", ".join(f"{n} {c / games:.1%}" for n, c in study.last.most_common()))


def main(arguments: list[str] | None = None) -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for players in chosen.players:
        report(players, chosen.games, chosen.seed)


if __name__ == "__main__":
    main()
