"""Tests of Trains in pixels: its cards are told apart, and a part of a game is followed on a rendered table."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from companion.bots.simulation import next_event, policies_for
from companion.engine import Setup
from companion.games import SEEN
from tests.support.vision.own_deck import own_recogniser
from tests.support.vision.pictures import laid, photographed, table
from vision.bench.followed_game import follow_game
from vision.bench.sight_source import RenderedSightSource
from vision.print.cards import faces

NAME = "trains"
EVENTS = 6
"""The number of events followed: both starts, and the first cards with a rail or a station."""
FAR, WIDTH = 2.2, 63.0
"""The pixels per millimetre at which whole cards are read, and the width of a card in pixels."""


@pytest.mark.pixels
def test_a_camera_tells_all_kinds_apart() -> None:
    """All 39 kinds and their back are named in one blurred picture, each slightly turned, at their places."""
    pictures = faces(NAME)
    on = table(5, (1850, 1060))
    luck = np.random.default_rng(5)
    for nth, picture in enumerate(pictures.values()):
        laid(on, picture, 95 + 185 * (nth % 10), 135 + 262 * (nth // 10), FAR * WIDTH, float(luck.uniform(-9, 9)))
    found = {one.card: one.corners for one in own_recogniser(NAME).read(photographed(on)) if one.card}
    assert set(found) == set(pictures)
    for nth, name in enumerate(pictures):
        assert np.abs(np.mean(found[name], axis=0) - (95 + 185 * (nth % 10), 135 + 262 * (nth // 10))).max() < 5


@pytest.mark.pixels
def test_the_first_turns_are_followed(tmp_path: Path) -> None:
    """Cards, cubes and stations are read rightly and in time, and no visible event is typed."""
    game, seed = SEEN[NAME], 3
    source = RenderedSightSource(NAME, 2, own_recogniser(NAME), faces(NAME), seed)
    luck, minds = random.Random(seed).random, policies_for(game, "sensible", 2)
    with follow_game(tmp_path, game, Setup(NAME, 2, {}, "reconstruction", "ours"), source) as people:
        for _ in range(EVENTS):
            people.do(next_event(game, people.true, minds, luck))
        people.rest()
        assert people.in_step and (people.counts.told, people.counts.hasty) == (0, 0)
    assert source.wrong == []
    assert (source.cells["wrong"], source.cells["missed"], source.cells_under_hands["wrong"]) == (0, 0, 0)
