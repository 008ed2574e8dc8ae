"""A perfect camera must follow whole games of the examples."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bots.simulation import next_event, policies_for
from companion.engine import Setup
from companion.games import SEEN
from companion.games.examples.hill_and_harbour.steps import Laid
from tests.support.perfect_sight import PerfectSight
from vision.bench.followed_game import follow_game

GAMES = [
    ("freight-whist", 4, 1),
    ("hill-and-harbour", 2, 1),
    ("hill-and-harbour", 3, 3),
    ("hill-and-harbour", 4, 4),
    ("twenty-tons", 3, 2),
]


@pytest.mark.parametrize(("name", "players", "seed"), GAMES)
def test_a_whole_game_needs_no_tap(tmp_path: Path, name: str, players: int, seed: int) -> None:
    """In games without spoken moves, the camera records every event, and people tap and enter nothing."""
    game = SEEN[name]
    setup = Setup(name, players, {}, "reconstruction", "ours")
    with follow_game(tmp_path, game, setup, PerfectSight(game, players)) as people:
        found = people.play(random.Random(seed).random)
    assert found.over and found.right
    assert (found.seen, found.tapped, found.asked, found.told) == (found.events, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "players", "seed"),
    [("branch-lines", 4, 1), ("branch-lines", 2, 2), ("goods-yard", 2, 3), ("goods-yard", 5, 1)],
)
def test_only_what_is_said_is_tapped(tmp_path: Path, name: str, players: int, seed: int) -> None:
    """People enter only events that leave no trace on the table, such as bids. The camera records all others."""
    game = SEEN[name]
    setup = Setup(name, players, {}, "reconstruction", "ours")
    with follow_game(tmp_path, game, setup, PerfectSight(game, players)) as people:
        found = people.play(random.Random(seed).random)
    assert found.over and found.right and (found.asked, found.told) == (0, 0)
    assert found.seen == found.events - found.tapped > 0


def test_a_cube_on_a_line_is_asked_once(tmp_path: Path) -> None:
    """One tap decides on which of two cells a cube stands, and while it stays there nobody is asked again."""
    game, camera = SEEN["hill-and-harbour"], PerfectSight(SEEN["hill-and-harbour"], 2)
    with follow_game(tmp_path, game, Setup(game.name, 2, {}, "reconstruction", "ours"), camera) as people:
        minds, luck = policies_for(game, "sensible", 2), random.Random(5).random
        event = next_event(game, people.true, minds, luck)
        while not isinstance(event, Laid):
            people.do(event)
            event = next_event(game, people.true, minds, luck)
        other = game.boards[0].neighbours(event.cell)[0]
        camera.unsure = {event.cell: (("cube.red",), ()), other: ((), ("cube.red",))}
        assert event.seat == 0 and people.in_step
        people.do(event)
        assert people.in_step and (people.counts.asked, people.counts.told) == (1, 0)
        people.look()
        assert people.table.snapshot().sight.choices == ()
