"""Turning points: events at which the chances change are found and confirmed, and luck is not blamed on a move."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from companion.bots import turning_points as turning
from companion.bots.advice import advice
from companion.bots.bot import policy_of
from companion.bots.simulation import play, play_on
from companion.bots.turning_points import PlayedLine, Shares, TurningPoint, suspects, turning_points
from companion.engine import AnyState, Event, Seat, Setup, legal, seat_of
from companion.games import GAMES
from tests.companion.bots.test_ranked import RANKING, hidden_otherwise, reached

EVEN, ONE, OTHER = (0.5, 0.5), (0.9, 0.1), (0.1, 0.9)


class Told(PlayedLine):
    """A two-player game of Game of Trains with chances set by the test, after each event and elsewhere."""

    def __init__(self, chances: dict[int, Shares], elsewhere: Shares = EVEN) -> None:
        game, setup = GAMES["game-of-trains"], Setup("game-of-trains", 2)
        steps: list[tuple[AnyState, Event, AnyState]] = []
        policies = [policy_of(game, "learns")] * 2
        play(game, setup, policies, random.Random(3).random, lambda *step: steps.append(step))
        super().__init__(
            game, [steps[0][0], *[after for _, _, after in steps]], [event for _, event, _ in steps], [(0,), (1,)]
        )
        self.set, self.elsewhere = chances, elsewhere

    def played_on(self, state: AnyState, games: int, seed: str) -> list[Shares]:
        """Return the results of games from a state, in proportion to the last chances set before it."""
        at = next((at for at, each in enumerate(self.states) if each is state), None)
        share = self.elsewhere if at is None else self.set[max(each for each in self.set if each <= at)]
        first = round(games * share[0])
        return [(1.0, 0.0)] * first + [(0.0, 1.0)] * (games - first)

    def steps(self, chance: bool) -> list[int]:
        """Return the steps that were drawn by chance, or those in which a seat did not follow the bot's advice."""
        found = []
        for step, event in enumerate(self.events, 1):
            before = self.states[step - 1]
            drawn = any(offer.chance and event in offer for offer in legal(self.game, before))
            own = seat_of(event)
            ranked = advice(self.game, before, own) if not drawn and own is not None else ()
            if drawn if chance else ranked and ranked[0].event != event:
                found.append(step)
        return found


@pytest.mark.parametrize("step", [1, 77, 300, 599, 600])
def test_the_search_finds_the_one_event_at_which_chances_change(step: int) -> None:
    """The search finds the event at which the chances change, and looks at few positions."""
    looked: set[int] = set()

    def chance(at: int) -> Shares:
        looked.add(at)
        return ONE if at >= step else EVEN

    assert step in suspects(chance, 600)
    assert len(looked) <= turning.POSITIONS


def test_a_draw_is_luck() -> None:
    """An event that nobody chose is reported as luck, with the chances before and after it."""
    step = Told({0: EVEN}).steps(chance=True)[1]
    assert turning_points(Told({0: EVEN, step: ONE})) == (TurningPoint(step, (0,), 50, 90, turning.DRAWN),)


def test_a_better_move_counts_only_if_it_also_wins_more() -> None:
    """A better move is reported only if games played from it win more often."""
    step = Told({0: EVEN}).steps(chance=False)[0]
    own = seat_of(Told({0: EVEN}).events[step - 1])
    assert own is not None

    def mine(chance: float) -> Shares:
        return (chance, 1 - chance) if own == 0 else (1 - chance, chance)

    bad = mine(0.1)
    line = Told({0: EVEN, step: bad}, elsewhere=mine(0.9))
    (found,) = turning_points(line)
    assert (found.step, found.kind, found.mover, found.own, found.instead) == (step, turning.BETTER, own, 10, 90)
    assert found.better is not None
    best = advice(line.game, line.states[step - 1], own)[0]
    assert turning.ranked_of(line.game, found.better) == best
    (denied,) = turning_points(Told({0: EVEN, step: bad}, elsewhere=bad))
    assert (denied.kind, denied.better) == (turning.BEST, None)
    (doubted,) = turning_points(Told({0: mine(0.9), step: mine(0.4)}, elsewhere=mine(0.56)))
    assert (doubted.kind, doubted.better) == (turning.UNWEIGHED, None)


def test_what_hardly_changes_is_no_turning_point() -> None:
    """Small changes of the chances are left out, and at most three turning points remain."""
    assert turning_points(Told({0: EVEN, 9: (0.6, 0.4)})) == ()
    four: dict[int, Shares] = {0: EVEN, 8: ONE, 16: OTHER, 24: ONE, 32: OTHER}
    found = turning_points(Told(four))
    assert [each.step for each in found] == sorted(each.step for each in found)
    assert len(found) == turning.MOST


def test_a_hidden_choice_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed fist is marked as partly luck, and a draw is luck alone."""
    game, setup = GAMES["take-a-train"], Setup("take-a-train", 3)
    steps: list[tuple[AnyState, Event, AnyState]] = []
    play(game, setup, [policy_of(game, "plain")] * 3, random.Random(1).random, lambda *step: steps.append(step))
    states = [steps[0][0], *[after for _, _, after in steps]]
    line = PlayedLine(game, states, [event for _, event, _ in steps], [(0,), (1,), (2,)])
    monkeypatch.setattr(turning, "surely_differ", lambda one, other: True)
    monkeypatch.setattr(turning, "CONFIRMED", 2)
    monkeypatch.setattr(turning, "GLANCE", 1)
    monkeypatch.setattr(turning, "LEAST", 0.0)
    fist = next(at for at, (before, event, _) in enumerate(steps, 1) if game.secret(before, event) and seat_of(event))
    found = {step: turning.confirmed(line, step) for step in (1, fist)}
    assert [(each.kind == turning.DRAWN, each.hidden) for each in found.values() if each is not None] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("name", RANKING)
def test_what_nobody_could_know_makes_no_move_better(name: str) -> None:
    """The bot's preferred moves do not depend on facts hidden from the seat."""
    game, compared = GAMES[name], 0
    for seed in range(12):
        found = reached(game, 2 + seed % 3, seed, 5 * seed)
        if found is None:
            continue
        state, seat = found
        other = hidden_otherwise(state, seat, random.Random(seed))
        assert list(turning.preferences(game, state, seat)) == list(turning.preferences(game, other, seat))
        compared += other != state
    assert compared > 3


def test_programs_play_on_to_an_end() -> None:
    """A game played on from a state has a winner, which depends only on the seed."""
    line = Told({0: EVEN})
    half = line.states[len(line.states) // 2]
    first, second = (PlayedLine.played_on(line, half, 3, "seed") for _ in range(2))
    assert first == second and all(sum(each) == 1 for each in first)
    assert PlayedLine.played_on(line, line.states[-1], 2, "seed") == [line.won(line.states[-1])] * 2
    ended, count = play_on(line.game, half, line.policies, random.Random(1).random)
    assert ended.over and count > 0


def test_one_side_alone_has_none() -> None:
    """A game in which everybody wins together has no turning points."""
    line = Told({0: EVEN, 9: ONE})
    assert turning_points(PlayedLine(line.game, line.states, line.events, [(Seat(0), Seat(1))])) == ()


def test_of_two_samples_only_a_sure_and_large_difference_counts() -> None:
    """Two samples differ only if the difference is both large and statistically certain."""

    def games(won: int) -> Sequence[float]:
        return [1.0] * won + [0.0] * (100 - won)

    assert not turning.surely_differ(games(50), games(60))
    assert turning.surely_differ(games(50), games(80))
    assert not turning.surely_differ(games(0), games(10))
