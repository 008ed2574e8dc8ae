"""Rankings of bots: best first, with reasons, and independent of everything hidden from the seat."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bots.advice import advice, fixed_luck
from companion.bots.bot import policy_of
from companion.bots.learning import ranked
from companion.bots.simulation import next_event
from companion.engine import AnyGame, AnyState, Seat, Setup, apply, rule
from companion.games import GAMES
from companion.games.game_of_trains import events as ev
from companion.mechanics.policy import Ranked, best_first, term
from tests.games.express import swapping as express
from tests.games.game_of_trains import swapping as game_of_trains
from tests.games.take_a_train import swapping as take_a_train
from tests.games.trains import swapping as trains

RANKING = ("game-of-trains", "take-a-train", "express", "trains")
"""The games whose bots rank actions."""
FAR = 90
"""The most events before a seat is asked for a ranking."""


def hidden_otherwise(state: AnyState, seat: Seat, luck: random.Random) -> AnyState:
    """Return a state that differs only in facts hidden from a seat."""
    game = state.table.__class__.__module__.split(".")[2]
    others = [other for other in range(state.table.fixed.players) if other != seat]
    match game:
        case "express":
            return express.swapped(state, seat, luck)
        case "trains":
            return trains.swapped(state, seat, luck)
        case "take_a_train":
            return take_a_train.swapped(state, luck.choice(others), seat, luck)
    return game_of_trains.swapped(state, luck.choice(others), luck)


def reached(game: AnyGame, players: int, seed: int, events: int) -> tuple[AnyState, Seat] | None:
    """Return a state from a game between bots, and a seat that has a choice in it; None if the game ended."""
    luck = random.Random(seed)
    policies = [policy_of(game, "plain")] * players
    state = game.begin(Setup(game.name, players))
    for number in range(events + FAR):
        if not state.agenda:
            return None
        asked = policies[0].asked(state)
        if number >= events and asked:
            return state, luck.choice(asked)
        state = apply(game, state, next_event(game, state, policies, luck.random))
    return None


def written(found: object) -> bytes:
    """Return a ranking as JSON."""
    return msgspec.json.encode(found)


@pytest.mark.parametrize("name", RANKING)
def test_what_is_hidden_changes_no_ranking(name: str) -> None:
    """Hidden hands and piles change neither the events of a ranking nor its values or reasons."""
    game, compared = GAMES[name], []

    @settings(max_examples=25, deadline=None, database=None, derandomize=True)
    @given(st.integers(2, 4), st.integers(0, 10_000), st.integers(0, FAR), st.sampled_from(["plays", "wins"]))
    def holds(players: int, seed: int, events: int, kind: str) -> None:
        found = reached(game, players, seed, events)
        if found is None:
            return
        state, seat = found
        other = hidden_otherwise(state, seat, random.Random(seed))
        said = advice(game, state, seat, kind)
        assert written(said) == written(advice(game, other, seat, kind))
        assert [each.value for each in said] == sorted([each.value for each in said], reverse=True)
        for each in said:
            assert rule(game, state, each.event) is None
        compared.append(bool(said) and other != state)

    holds()
    assert sum(compared) > 5


@pytest.mark.parametrize("name", RANKING)
@pytest.mark.parametrize("kind", ["plays", "wins"])
def test_the_first_of_a_ranking_is_what_is_done(name: str, kind: str) -> None:
    """With the same luck a bot chooses the first action of its ranking, and some actions have reasons."""
    game, told = GAMES[name], 0
    for seed in range(4):
        state, seat = reached(game, 3, seed, 10 * seed + 10) or pytest.fail("the game ended before anybody was asked")
        policy = policy_of(game, kind)
        known = policy.look(state, seat)
        ranking = ranked(policy, known, random.Random(seed).random)
        assert policy.choose(known, random.Random(seed).random) == (ranking[0].event if ranking else None)
        told += sum([bool(each.terms) for each in ranking])
    assert told


def test_the_luck_of_advice_comes_from_what_the_seat_sees() -> None:
    """Advice uses the same luck for the same seat, and different luck for another seat."""
    game = GAMES["game-of-trains"]
    found = reached(game, 2, 1, 10)
    assert found is not None
    state, _ = found
    lucks: list[Callable[[], float]] = [fixed_luck(game, state, Seat(seat)) for seat in (0, 0, 1)]
    first, again, other = [luck() for luck in lucks]
    assert first == again != other


def test_a_game_that_ranks_nothing_says_what_it_does() -> None:
    """A bot that ranks nothing advises its one event without reasons, and nothing to a seat that is not asked."""
    game = GAMES["goods-yard"]
    state = game.begin(Setup(game.name, game.seats[0]))
    policies, luck = [policy_of(game, "sensible")] * game.seats[0], random.Random(1).random
    while not policies[0].asked(state):
        state = apply(game, state, next_event(game, state, policies, luck))
    seat = policies[0].asked(state)[0]
    (said,) = advice(game, state, seat)
    assert rule(game, state, said.event) is None and said.terms == ()
    waiting = [other for other in range(game.seats[0]) if other not in policies[0].asked(state)]
    assert [advice(game, state, Seat(other)) for other in waiting] == [()] * len(waiting)


def test_equal_values_stay_in_their_order() -> None:
    """Events of equal value keep their order, so that the choice among them is repeatable."""
    first, second, third = [ev.Placed(Seat(0), at) for at in (1, 2, 3)]
    found = best_first([Ranked(first, 1.0), Ranked(second, 2.0), Ranked(third, 1.0)])
    assert [each.event for each in found] == [second, first, third]
    assert term("pays", 3.0, b=1, a="x").fields == (("a", "x"), ("b", 1))
