"""Sides: partitions of the seats, their totals and their ranking."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import Seat, Setup, State
from companion.mechanics.plain import PlainGame
from companion.mechanics.sides import Sides, SidesError
from tests.support.toy_game import GAME, Table

A, B, C, D, E, F = (Seat(seat) for seat in range(6))


def test_partners_sit_alternating() -> None:
    """Partners sit alternately in sides of equal size."""
    assert Sides.alternating(4, 2).groups == ((A, C), (B, D))
    assert Sides.alternating(6, 2).groups == ((A, C, E), (B, D, F))
    assert Sides.alternating(6, 3).groups == ((A, D), (B, E), (C, F))
    assert Sides.alone(3) == Sides.alternating(3, 3) == Sides(((A,), (B,), (C,)))
    assert all([sides.alternate for sides in (Sides.alternating(6, 3), Sides.alone(2), Sides(((B, D), (C, A))))])
    assert not Sides(((A, B), (C, D))).alternate
    assert not Sides(((A,), (B, C))).alternate


def test_who_plays_with_whom() -> None:
    """A seat has a side and partners, and an unknown seat is refused."""
    sides = Sides(((B, D), (A, C, E)))
    assert [sides.side_of(seat) for seat in (A, B, C)] == [1, 0, 1]
    assert (sides.partners(A), sides.partners(D), sides.players) == ((C, E), (B,), 5)
    with pytest.raises(SidesError, match="There is no seat 6"):
        sides.side_of(F)


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        (((A, B), (B,)), "Seat 2 is listed twice."),
        (((A,), (C,)), "Seat 2 is on no side."),
        (((A,), ()), "Side 2 has no seats."),
        (((A,), (-1,)), "There is no seat 0."),
        ((), "There are no sides."),
    ],
)
def test_what_is_no_partition_is_refused(groups: tuple[tuple[Seat, ...], ...], sentence: str) -> None:
    """Groups that are no partition are refused with a sentence, also when read from JSON."""
    with pytest.raises(SidesError) as caught:
        Sides(groups)
    assert str(caught.value) == sentence
    with pytest.raises(msgspec.ValidationError, match=sentence):
        msgspec.json.decode(msgspec.json.encode({"groups": groups}), type=Sides)


def test_unequal_sides_cannot_alternate() -> None:
    """Players who cannot form equal sides are refused."""
    for players, sides in ((5, 2), (4, 0)):
        with pytest.raises(SidesError, match=f"{players} players cannot form {sides} equal sides"):
            Sides.alternating(players, sides)


def test_sides_rank_by_their_totals() -> None:
    """Sides are ranked by total, highest or lowest first, and further figures break ties."""
    sides = Sides.alternating(6, 3)
    assert sides.totals((1, 2, 3, 10, 20, 30)) == (11, 22, 33)
    assert sides.ranking((11, 22, 33)) == ((C, F), (B, E), (A, D))
    assert sides.ranking((11, 22, 33), lowest=True) == ((A, D), (B, E), (C, F))
    assert sides.ranking((5, 9, 5)) == ((B, E), (A, C, D, F))
    assert sides.ranking((5, 9, 5), (0, 0, 1)) == ((B, E), (C, F), (A, D))
    assert sides.ranking((5, 5, 5), (1, 1, 0), (0, 1, 9), lowest=True) == ((B, E), (A, D), (C, F))
    with pytest.raises(SidesError, match="There are 3 sides, but 6 figures"):
        sides.ranking((1,) * 6)


@given(st.data())
def test_a_ranking_is_in_order_and_names_everybody_once(data: st.DataObject) -> None:
    """A ranking contains every seat once, in descending order, with partners together."""
    players = data.draw(st.integers(1, 6))
    sides = Sides.alternating(players, data.draw(st.sampled_from([n for n in range(1, 7) if not players % n])))
    totals = data.draw(st.lists(st.integers(-3, 3), min_size=len(sides.groups), max_size=len(sides.groups)))
    ranking = sides.ranking(totals)
    assert sorted([seat for group in ranking for seat in group]) == list(range(players))
    values = [{totals[sides.side_of(seat)] for seat in group} for group in ranking]
    assert all(len(value) == 1 for value in values)
    assert all(min(first) > min(second) for first, second in pairwise(values))
    assert sides.ranking(totals, lowest=True) == ranking[::-1]


class Pairs(PlainGame[Table]):
    """A plain game of two sides."""

    name = "pairs"

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return sides of opposite seats."""
        return Sides.alternating(len(setup.seated()), 2).groups

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the total of its side for each seat."""
        sides = Sides(self.sides(Setup(self.name, 4)))
        return sides.each_seat(sides.totals(state.table.taken))


def test_a_plain_game_ranks_its_sides() -> None:
    """A plain game ranks its sides by score, and has winners only when it is over."""
    state = GAME.begin(Setup("nim", 2))
    for taken, ranking in (((1, 5, 7, 2), ((A, C), (B, D))), ((1, 5, 7, 3), ((A, B, C, D),))):
        running = State(Table(0, taken), state.agenda)
        assert Pairs().ranking(running) == ranking
        assert Pairs().winners(running) == ()
        assert Pairs().winners(State(Table(0, taken), ())) == ranking[0]
    assert PlainGame[Table]().sides(Setup("nim", 3)) == ((A,), (B,), (C,))
