"""Plays one kind of bot among others of another kind: how many games it wins, and within what bounds that is sure.

Each deal is played once from every seat (or side), so that nobody has the better one. What is drawn and what each bot
decides have their own luck: a bot that thinks differently does not change the draws by that alone.
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
"""Standard deviations on either side of 95 in 100."""


class Contender:
    """A bot with luck of its own, whose decisions are timed."""

    def __init__(self, own: BotPolicy, seed: str) -> None:
        self.own, self.luck = own, random.Random(seed).random
        self.seconds: list[float] = []

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.own.asked(state)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return what the seat may know."""
        return self.own.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what the seat does, in time of the processor."""
        begun = time.thread_time()
        event = self.own.choose(known, self.luck)
        self.seconds.append(time.thread_time() - begun)
        return event

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return an event that all seats make together by hand."""
        return self.own.together(state, luck)


class Contest(msgspec.Struct, frozen=True):
    """One game of a contest: who sat where, and what part of the victory the one had."""

    seed: int
    seats: tuple[int, ...]
    won: float
    seconds: tuple[float, ...]
    """How long each decision of the one took."""


def contest(game: AnyGame, setup: Setup, one: str, other: str, games: int, seed: int) -> Iterator[Contest]:
    """Yield games in which one kind has a seat, or a side, and another kind all others."""
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
    """Return within what bounds a share of games is 95 % sure, by Wilson."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, SURE * SURE / games
    middle = share + square / 2
    spread = SURE * sqrt(share * (1 - share) / games + square / games / 4)
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))
