"""Contests between kinds of bots play every deal from every seat and report bounds. Bots may make deliberate slips."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.bots.bot import LEVELS, RandomPolicy, own_policy, policy_of
from companion.bots.contest import bounds, contest
from companion.bots.learning import FEW, Learning
from companion.commands import simulate
from companion.engine import Event, Luck, Seat, Setup
from companion.games import GAMES
from companion.games.game_of_trains.events import Placed
from companion.mechanics.policy import Ranked

TRAINS, EXPRESS = GAMES["game-of-trains"], GAMES["express"]


def test_every_deal_is_played_from_every_seat() -> None:
    """Two players play each deal twice, and equal bots win it once each, because draws do not depend on the bots."""
    found = list(contest(TRAINS, Setup(TRAINS.name, 2), "plays", "sensible", 6, 5))
    assert [(each.seed, each.seats) for each in found] == [(5 + at // 2, (at % 2,)) for at in range(6)]
    assert [found[at].won + found[at + 1].won for at in (0, 2, 4)] == [1.0] * 3
    assert all(each.seconds for each in found)


def test_partners_play_as_one() -> None:
    """Bots of the same kind fill both seats of a side in Express."""
    setup = Setup(EXPRESS.name, 4, {"hands": 1})
    (one, other) = contest(EXPRESS, setup, "random", "random", 2, 1)
    assert {one.seats, other.seats} == {tuple(side) for side in EXPRESS.sides(setup)}


def test_bounds_are_wilsons() -> None:
    """The Wilson bounds match published tables for 8 of 10, 0 of 10 and 0 of 0 games."""
    assert bounds(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert bounds(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert bounds(0, 0) == (0.0, 1.0)


def test_the_command_prints_share_bounds_and_time() -> None:
    """The command prints its results as text and as JSON, and refuses an unknown kind of bot."""
    words = [TRAINS.name, "--players", "2", "--games", "2", "--bots", "plays", "--against", "random"]
    told = CliRunner().invoke(simulate.command, words)
    assert "plays among random: 100.0% of 2 games won, 95 % sure: " in told.stdout and "A decision takes" in told.stdout
    said = json.loads(CliRunner().invoke(simulate.command, [*words, "--json"]).stdout)
    assert said["won"] == 2 and said["bounds"][0] > 0.3 and said["thought"]["longest"] > 0
    refused = CliRunner().invoke(simulate.command, [*words[:-1], "clever"])
    assert refused.exit_code == 2 and "There are no 'clever' bots" in refused.stderr


class Known:
    """A policy that ranks up to three actions."""

    def asked(self, state: Any) -> Any:
        """Return no seats."""
        return ()

    def look(self, state: Any, seat: Any) -> Any:
        """Return 3, the number of actions."""
        return 3

    def ranked(self, known: Any, luck: Luck) -> Any:
        """Return the known number of actions, best first."""
        return [Ranked(Placed(Seat(0), at), -at) for at in range(1, known + 1)]

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the best action, or None if there is none."""
        found = self.ranked(known, luck)
        return found[0].event if found else None

    def together(self, state: Any, luck: Luck) -> Event | None:
        """Return None."""
        return None


def test_who_learns_slips_to_the_next_best() -> None:
    """A learner slips as often as configured and only for its own seats, never with a single action or none."""
    own, luck = Known(), random.Random(1).random
    learner = Learning(own, own, slips=0.5)
    done = [learner.choose((3, 3), luck) for _ in range(1000)]
    first, *others = [Placed(Seat(0), at) for at in (1, 2, 3)]
    assert 450 < done.count(first) < 550 and all(done.count(each) > 50 for each in others) and FEW > 2
    assert [learner.choose((1, 1), luck) for _ in range(50)] == [first] * 50
    assert [learner.choose((0, 0), luck) for _ in range(50)] == [None] * 50


@pytest.mark.parametrize("name", ["game-of-trains", "express", "goods-yard"])
def test_every_level_plays_whole_games(name: str) -> None:
    """Every level of bot plays whole games by the rules, even where a bot ranks nothing."""
    game = GAMES[name]
    for kind in LEVELS:
        setup = Setup(game.name, game.seats[0], {"hands": 1} if name == "express" else {})
        assert list(contest(game, setup, kind, "random", 1, 3))


def test_levels_differ_where_a_game_has_them() -> None:
    """The level `plays` is the sensible bot, and a learner without a plain bot is based on the sensible one."""
    assert policy_of(TRAINS, "plays") is policy_of(TRAINS, "sensible") is not policy_of(TRAINS, "wins")
    learners = [own_policy(GAMES[name], "learns") for name in ("game-of-trains", "take-a-train")]
    slips = [learner.slips for learner in learners if isinstance(learner, Learning)]
    assert slips == [0.3, 0.07]  # the longer game has many more decisions, so its bot slips less often
    assert isinstance(policy_of(TRAINS, "random"), RandomPolicy)
