"""Plays one kind of bot against others of another kind, and reports its share of wins with confidence bounds.

Each deal is played once from every seat (or side), so that no bot gets the better one. The draws and each bot's
decisions use separate random numbers, so a bot's decisions do not change the draws.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from math import sqrt
from typing import Any

import msgspec

from companion.bots.bot import policy_of
from companion.bots.simulation import play
from companion.engine import AnyGame, AnyState, Event, Luck, Seat, Setup
from companion.mechanics.definition import BotPolicy

SURE = 1.96
"""The number of standard deviations on either side of the mean that cover 95 %."""


class Contender:
    """A bot with its own random numbers, whose decisions are timed."""

    def __init__(self, own: BotPolicy, seed: str) -> None:
        self.own, self.luck = own, random.Random(seed).random
        self.seconds: list[float] = []

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.own.asked(state)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return the seat's knowledge."""
        return self.own.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the seat's choice, and measure the processor time."""
        begun = time.thread_time()
        event = self.own.choose(known, self.luck)
        self.seconds.append(time.thread_time() - begun)
        return event

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return an event that all seats make together."""
        return self.own.together(state, luck)


class Contest(msgspec.Struct, frozen=True):
    """One game of a contest: the seats of both kinds, and the share of the victory of the first kind."""

    seed: int
    seats: tuple[int, ...]
    won: float
    seconds: tuple[float, ...]
    """The processor time of each decision of the first kind."""


def contest(game: AnyGame, setup: Setup, one: str, other: str, games: int, seed: int) -> Iterator[Contest]:
    """Yield games in which one kind plays one seat, or one side, and another kind plays all others."""
    players = len(setup.seated())
    sides = [tuple(side) for side in game.sides(setup)]
    for number in range(games):
        deal, own = seed + number // len(sides), sides[number % len(sides)]
        seated = [
            Contender(policy_of(game, one if seat in own else other), f"{deal} {seat}") for seat in range(players)
        ]
        state, _ = play(game, setup, seated, random.Random(deal).random)
        winners = game.winners(state)
        won = sum(1 for seat in winners if seat in own) / len(winners)
        yield Contest(deal, own, won, tuple([each for seat in own for each in seated[seat].seconds]))


def bounds(won: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence bounds of a share of games, by Wilson."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, SURE * SURE / games
    middle = share + square / 2
    spread = SURE * sqrt(share * (1 - share) / games + square / games / 4)
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))
