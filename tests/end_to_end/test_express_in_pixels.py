"""Tests of the first turns of Express on a rendered table, followed only by the camera."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bots.simulation import next_event, policies_for
from companion.engine import Setup
from companion.games import SEEN
from tests.support.vision.own_deck import own_recogniser
from vision.bench.followed_game import follow_game
from vision.bench.sight_source import RenderedSightSource
from vision.print.cards import faces

NAME = "express"
TURNS = 3
"""The number of turns followed: both first turns, in which trains begin, and one with all actions of a turn."""


@pytest.mark.pixels
def test_the_first_turns_are_followed(tmp_path: Path) -> None:
    """The draw for the deal, locomotives, tucked cars and discards are read without errors or typing."""
    game, seed = SEEN[NAME], 3
    source = RenderedSightSource(NAME, 2, own_recogniser(NAME), faces(NAME), seed)
    luck, minds = random.Random(seed).random, policies_for(game, "sensible", 2)
    with follow_game(tmp_path, game, Setup(NAME, 2, {}, "reconstruction", "ours"), source) as people:
        while people.true.table.turns < TURNS:
            people.do(next_event(game, people.true, minds, luck))
        people.rest()
        assert people.in_step and (people.counts.told, people.counts.hasty) == (0, 0)
        assert all(people.true.table.trains)
    assert source.wrong == []
