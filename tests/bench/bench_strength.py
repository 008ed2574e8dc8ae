"""How strong the programs of Trains are: two players, seats in turn, both boards, drawn kingdoms.

`python -m tests.bench.bench_strength [--plain 1000] [--sensible 400] [--seed 1]`: games of the plain program against
random play and of the sensible one against the plain one, with the time of a decision. It takes minutes, so
`python -m tests.bench` leaves it out. Nothing here asserts on time.
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

GAME = GAMES["trains"]
BOARDS = ("tokyo", "osaka")
SURE = 1.96
"""Standard deviations on either side of 95 in 100."""


class Timed:
    """A policy whose decisions are timed, the look at the view included."""

    def __init__(self, own: BotPolicy) -> None:
        self.own = own
        self.asked, self.together = own.asked, own.together
        self.seconds: list[float] = []

    def look(self, state: State[Any], seat: Seat) -> Any:
        """Return what the policy looks at, and when it began, in time of the processor."""
        begun = time.thread_time()
        return begun, self.own.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what the policy does."""
        begun, view = known
        event = self.own.choose(view, luck)
        self.seconds.append(time.thread_time() - begun)
        return event


def setup_of(seed: int) -> Setup:
    """Return a set-up for two with a drawn kingdom; the boards come in turn, twice each for both seats."""
    return Setup(GAME.name, 2, {"board": BOARDS[seed // 2 % 2], "draw_kingdom": "yes"})


def contest(one: BotPolicy, other: BotPolicy, games: int, seed: int) -> tuple[float, tuple[float, float]]:
    """Return the share of games that the first policy won, and both mean scores; shared victories count a half."""
    won, points = 0.0, [0.0, 0.0]
    for own in range(seed, seed + games):
        seat = own % 2
        state, _ = play(GAME, setup_of(own), (one, other) if seat == 0 else (other, one), random.Random(own).random)
        winners, scores = GAME.winners(state), GAME.scores(state)
        won += (Seat(seat) in winners) / len(winners)
        points[0] += scores[seat] / games
        points[1] += scores[1 - seat] / games
    return won / games, (points[0], points[1])


def show(one: str, other: str, games: int, seed: int) -> None:
    """Play a contest and print it."""
    timed = Timed(policy_of(GAME, one))
    share, (mine, theirs) = contest(timed, policy_of(GAME, other), games, seed)
    within = SURE * sqrt(share * (1 - share) / games)
    times = timed.seconds
    print(
        f"{one} against {other}: {share:.1%} of {games} games (± {within:.1%}), {mine:.1f} : {theirs:.1f} points;",
        end=" ",
    )
    print(f"a decision takes {sum(times) / len(times) * 1e3:.2f} ms, at most {max(times) * 1e3:.0f} ms")


def main(arguments: list[str] | None = None) -> None:
    """Play both contests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plain", type=int, default=1000, help="games of the plain program against random play")
    parser.add_argument("--sensible", type=int, default=400, help="games of the sensible program against the plain one")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if chosen.plain:
        show("plain", "random", chosen.plain, chosen.seed)
    if chosen.sensible:
        show("sensible", "plain", chosen.sensible, chosen.seed)


if __name__ == "__main__":
    main()
