"""Simulated games without a table are repeatable, follow the rules and can be replayed."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.bots.bot import policy_of
from companion.bots.simulation import play, policies_for, simulate
from companion.engine import Event, Setup, State, apply, rule, state_hash
from companion.games import GAMES

GAME = GAMES["take-a-train"]
SETUP = Setup("take-a-train", 4)


def test_the_same_seed_plays_the_same_games_to_the_byte() -> None:
    """Two simulations with the same seed return the same JSON."""
    first, second = (msgspec.json.encode(list(simulate(GAME, SETUP, 5, 7))) for _ in range(2))
    assert first == second
    assert msgspec.json.encode(list(simulate(GAME, SETUP, 5, 8))) != first


def test_game_k_depends_on_its_own_seed_alone() -> None:
    """Game k of a simulation equals the first game of a simulation with `seed + k`."""
    many = list(simulate(GAME, SETUP, 4, 7))
    assert [result.seed for result in many] == [7, 8, 9, 10]
    assert list(simulate(GAME, SETUP, 1, 9)) == [many[2]]


def test_every_event_is_one_that_the_rules_allow() -> None:
    """The rules allow each event, chance included, and the result counts all of them."""
    seen: list[Event] = []

    def watch(before: State[Any], event: Event, after: State[Any]) -> None:
        assert rule(GAME, before, event) is None
        assert apply(GAME, before, event) == after
        seen.append(event)

    (result,) = simulate(GAME, SETUP, 1, 3, watch=watch)
    assert result.events == len(seen) > 100


def test_a_simulated_game_can_be_played_again_from_its_events() -> None:
    """Events written as JSON and read back lead to the same hash without any luck."""
    events: list[Event] = []
    minds = [policy_of(GAME, "sensible")] * 4
    state, _ = play(GAME, SETUP, minds, random.Random(5).random, lambda before, event, after: events.append(event))
    again = GAME.begin(SETUP)
    for event in msgspec.json.Decoder(tuple[GAME.events, ...]).decode(msgspec.json.encode(events)):
        again = apply(GAME, again, event)
    assert state_hash(again) == state_hash(state)


def test_results_say_who_won_with_how_much() -> None:
    """The winners of a result have the most money, and the most claims break a tie."""
    for result in simulate(GAME, SETUP, 6, 1):
        assert len(result.scores) == 4
        assert result.winners
        assert all(result.scores[seat] == max(result.scores) for seat in result.winners)


def test_several_kinds_of_bots_take_the_seats_in_turn() -> None:
    """`sensible,random` alternates sensible and random bots over the seats."""
    kinds = [type(found).__name__ for found in policies_for(GAME, "sensible, random", 3)]
    assert kinds == ["Mind", "RandomPolicy", "Mind"]
    with pytest.raises(ValueError, match="clever"):
        policies_for(GAME, "sensible,clever", 3)
