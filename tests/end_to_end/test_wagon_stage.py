"""Tests of a whole wagon stage in pixels: people move rendered cards and press buttons, and all money is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from tests.support.observed_table import observed_match, played, to_the_market
from tests.support.vision.seeing import SeenInPixels


@pytest.mark.pixels
@pytest.mark.parametrize(("players", "seed"), [pytest.param(2, 3, marks=pytest.mark.whole_games), (3, 16)])
def test_a_wagon_stage_needs_cards_and_buttons_alone(tmp_path: Path, players: int, seed: int) -> None:
    """From the first market to the profits no event is typed, and each player's money is true."""
    lying = SeenInPixels(players, (0, 1, 2), "default", seed, (2304, 1296))
    with observed_match(tmp_path, players, lying=lying) as people:
        to_the_market(people, seed)
        before = people.table.snapshot().seq
        played(people, seed, rounds=1)
        assert people.state.table.cash == people.true.table.cash
        assert people.state.table.trains == people.true.table.trains
        entries = [entry for entry in people.table.snapshot().entries if entry.seq > before]
        by_sight = [entry for entry in entries if entry.by == Actor.CAMERA]
        pressed = [entry for entry in entries if entry.by.role == "seat"]
        assert all(isinstance(entry.event, ev.TurnPassed) for entry in pressed)
        assert len(by_sight) + len(pressed) + people.counts["chosen"] == len(entries) > 10
        assert people.counts["asked"] <= 2
