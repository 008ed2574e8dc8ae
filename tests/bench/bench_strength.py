"""Measures the strength of the programs of Trains and Express in games with alternating seats.

`python -m tests.bench.bench_strength [--plain 1000] [--sensible 400] [--express 1000] [--seed 1]`. In Trains for two on
both boards with drawn kingdoms, the plain program plays against random play, and the sensible one against the plain
one. In Express, one seat or a pair of partners plays whole matches among random ones. The time of a decision is printed
as well. It takes minutes, so `python -m tests.bench` leaves it out. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import random
import time
from math import sqrt
from typing import Any

from companion.bots.bot import BotPolicy, policy_of
from companion.bots.simulation import play
from companion.engine import Event, Luck, Seat, Setup, State
from companion.games import GAMES

GAME, EXPRESS = GAMES["trains"], GAMES["express"]
TABLES = ((2, "alone"), (3, "alone"), (4, "alone"), (6, "alone"), (4, "sides"), (6, "sides"))
"""The numbers of players of Express, and whether they have partners."""
BOARDS = ("tokyo", "osaka")
SURE = 1.96
"""The standard deviations of a 95 % interval."""


class Timed:
    """A policy whose decisions are timed, including its look at the view."""

    def __init__(self, own: BotPolicy) -> None:
        self.own = own
        self.asked, self.together = own.asked, own.together
        self.seconds: list[float] = []

    def look(self, state: State[Any], seat: Seat) -> Any:
        """Return the policy's look and its start in processor time."""
        begun = time.thread_time()
        return begun, self.own.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the policy's choice."""
        begun, view = known
        event = self.own.choose(view, luck)
        self.seconds.append(time.thread_time() - begun)
        return event


def setup_of(seed: int) -> Setup:
    """Return a set-up for two with a drawn kingdom; the boards alternate, two games each so that both seats begin."""
    return Setup(GAME.name, 2, {"board": BOARDS[seed // 2 % 2], "draw_kingdom": "yes"})


def contest(one: BotPolicy, other: BotPolicy, games: int, seed: int) -> tuple[float, tuple[float, float]]:
    """Return the first policy's fraction of wins and both mean scores; a shared victory counts a half."""
    won, points = 0.0, [0.0, 0.0]
    for own in range(seed, seed + games):
        seat = own % 2
        state, _ = play(GAME, setup_of(own), (one, other) if seat == 0 else (other, one), random.Random(own).random)
        winners, scores = GAME.winners(state), GAME.scores(state)
        won += (Seat(seat) in winners) / len(winners)
        points[0] += scores[seat] / games
        points[1] += scores[1 - seat] / games
    return won / games, (points[0], points[1])


def among_random(own: BotPolicy, players: int, partners: str, games: int, seed: int) -> float:
    """Return the number of Express matches that one side won among random ones; the sides alternate."""
    setup, won = Setup(EXPRESS.name, players, {"partners": partners}), 0.0
    groups = EXPRESS.sides(setup)
    for number in range(seed, seed + games):
        side = groups[number % len(groups)]
        policies = [own if seat in side else policy_of(EXPRESS, "random") for seat in range(players)]
        state, _ = play(EXPRESS, setup, policies, random.Random(number).random)
        winners = EXPRESS.winners(state)
        won += len(set(side) & set(winners)) / len(winners)
    return won


def within(share: float, games: int) -> str:
    """Return a fraction of games with its interval."""
    return f"{share:.1%} of {games} games (± {SURE * sqrt(share * (1 - share) / games):.1%})"


def pace(times: list[float]) -> str:
    """Return the durations of decisions."""
    return f"a decision takes {sum(times) / len(times) * 1e3:.2f} ms, at most {max(times) * 1e3:.0f} ms"


def show(one: str, other: str, games: int, seed: int) -> None:
    """Play a contest of Trains and print it."""
    timed = Timed(policy_of(GAME, one))
    share, (mine, theirs) = contest(timed, policy_of(GAME, other), games, seed)
    print(f"{one} against {other}: {within(share, games)}, {mine:.1f} : {theirs:.1f} points; {pace(timed.seconds)}")


def show_express(games: int, seed: int) -> None:
    """Play matches of Express at all tables, and print the wins at each and in total."""
    timed, won, played = Timed(policy_of(EXPRESS, "sensible")), 0.0, 0
    for at, (players, partners) in enumerate(TABLES):
        here = games // len(TABLES) + (at < games % len(TABLES))
        found = among_random(timed, players, partners, here, seed) if here else 0.0
        print(f"express, {players} players, {partners}: {found:g} of {here}", flush=True)
        won, played = won + found, played + here
    print(f"express against random: {within(won / played, played)}; {pace(timed.seconds)}")


def main(arguments: list[str] | None = None) -> None:
    """Play the contests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plain", type=int, default=1000, help="games of the plain program against random play")
    parser.add_argument("--sensible", type=int, default=400, help="games of the sensible program against the plain one")
    parser.add_argument("--express", type=int, default=1000, help="matches of Express against random play")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if chosen.plain:
        show("plain", "random", chosen.plain, chosen.seed)
    if chosen.sensible:
        show("sensible", "plain", chosen.sensible, chosen.seed)
    if chosen.express:
        show_express(chosen.express, chosen.seed)


if __name__ == "__main__":
    main()
