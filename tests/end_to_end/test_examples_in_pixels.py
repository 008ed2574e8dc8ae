"""Tests of whole example games in pixels: cards and cubes on rendered tables, followed only by the camera."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.engine import Setup
from companion.games import SEEN
from tests.support.vision.own_deck import own_recogniser
from vision.bench.followed_game import follow_game
from vision.bench.sight_source import RenderedSightSource
from vision.print.cards import faces


@pytest.mark.pixels
@pytest.mark.parametrize(("name", "players", "seed"), [("freight-whist", 4, 7), ("hill-and-harbour", 2, 7)])
def test_a_whole_game_is_followed(tmp_path: Path, name: str, players: int, seed: int) -> None:
    """No card or cell is read wrongly, pausing hands cause no events, and the end is true.

    Unclear pictures are asked about and answered with one tap.
    """
    game = SEEN[name]
    source = RenderedSightSource(name, players, own_recogniser(name), faces(name), seed)
    setup = Setup(name, players, {}, "reconstruction", "ours")
    with follow_game(tmp_path, game, setup, source) as people:
        found = people.play(random.Random(seed).random)
    assert found.right and found.hasty == 0
    assert source.wrong == []
    assert (source.cells["wrong"], source.cells["missed"], source.cells_under_hands["wrong"]) == (0, 0, 0)
    if game.places(players) and source.table.board is not None:
        assert source.paused > 0 and source.cells["right"] > 0
