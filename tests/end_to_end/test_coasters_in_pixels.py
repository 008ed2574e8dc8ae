"""Tests of whole games between rendered coasters, with cards as people lay them and few typed events."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bots.simulation import next_event, policies_for
from companion.engine import Event, Setup, apply
from companion.games import SEEN
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps.market import RevealCards
from tests.support.laid_cards import GAME
from tests.support.observed_table import ObservedTable, observed_match
from tests.support.vision.on_coasters import CoasterTable, SeenOnCoasters
from vision.bench.followed_game import follow_game

MOST_TYPED = 3
"""The card events of a game."""
SEEDS = (1, 2, 3, 4, 5)


def typed(people: ObservedTable, events: list[Event]) -> int:
    """Let people type the events that the companion neither saw nor asked about, and return their number."""
    count = 0
    for event in events:
        if not people.agrees():
            count += people.touch(event).accepted
            people.look()
    return count


def play_to_the_end(people: ObservedTable, seed: int) -> int:
    """Play with sensible bots and return the number of typed card events."""
    luck = random.Random(seed).random
    minds = policies_for(GAME, "sensible", len(people.true.table.trains))
    count = 0
    while people.true.agenda:
        event = next_event(GAME, people.true, minds, luck)
        after = apply(GAME, people.true, event)
        hidden = isinstance(event, ev.Exchanged) or (isinstance(event, ev.Took) and event.train is None)
        refill = None
        if hidden and after.agenda and isinstance(after.agenda[0], RevealCards):
            refill = next_event(GAME, after, minds, luck)
        people.play_on(event, refill)
        count += typed(people, [event] if refill is None else [event, refill])
        assert people.agrees(), (event, people.sight)
    return count


@pytest.mark.pixels
@pytest.mark.whole_games
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 4])
def test_take_a_train_between_coasters_is_true_to_the_end(tmp_path: Path, players: int, seed: int) -> None:
    """Each move of a card is read rightly or asked about; money and bids are entered, as on a mat without tokens."""
    lying = SeenOnCoasters(players, seed)
    with observed_match(tmp_path, players, lying=lying) as people:
        assert play_to_the_end(people, seed) <= MOST_TYPED
        assert people.state.table.cash == people.true.table.cash
        assert people.state.table.trains == people.true.table.trains
        assert lying.table.wrong == []


@pytest.mark.pixels
@pytest.mark.whole_games
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 4])
def test_game_of_trains_between_coasters_is_true_to_the_end(tmp_path: Path, players: int, seed: int) -> None:
    """Lines are located by their seven cards and keep their places, and only the first player is typed."""
    source = CoasterTable("game-of-trains", players, seed)
    setup = Setup("game-of-trains", players, {}, "reconstruction", "ours")
    with follow_game(tmp_path, SEEN["game-of-trains"], setup, source) as people:
        counts = people.play(random.Random(seed).random)
        assert (counts.over, counts.right, source.wrong) == (True, True, [])
        assert counts.told <= MOST_TYPED
