"""Scoring gives points for tables of any size and breaks ties."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.tournament.scoring import PlayedRound, PlayerStanding, SidePlacing, standings, table_points


def sides(*places: int, players: tuple[int, ...] = ()) -> tuple[SidePlacing, ...]:
    """Return the placings of a table of single players, numbered from 1 by default."""
    return tuple(
        [SidePlacing((player,), place) for player, place in zip(players or range(1, 99), places, strict=False)]
    )


def brief(rounds: list[PlayedRound], players: range | tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the place and player of each line."""
    return [(each.place, each.player) for each in standings(rounds, players)]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (100, 0)),
        ((1, 1), (50, 50)),
        ((3, 1, 2, 4), (Fraction(100, 3), 100, Fraction(200, 3), 0)),
        ((1, 2, 2, 4), (100, 50, 50, 0)),
        ((1, 1, 3), (75, 75, 0)),
        ((1,), (100,)),
    ],
)
def test_points_of_a_table(places: tuple[int, ...], points: tuple[Fraction, ...]) -> None:
    """A player gets 100 points times the share of opponents beaten, with half for a tie."""
    assert table_points(sides(*places)) == points


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_a_table_shares_out_the_same_whatever_happens(places: list[int]) -> None:
    """The sides of a table get 50 points on average."""
    assert sum(table_points(sides(*places))) == 50 * len(places)


def test_a_whole_table_of_standings() -> None:
    """Partners score together, a bye counts as a win, and an absent or late player gets nothing."""
    pairs = (SidePlacing((1, 2), 1, 30), SidePlacing((3, 4), 2, -5))
    rounds = [PlayedRound((pairs,), byes=(5,), absent=(6,)), PlayedRound((sides(1, 2, players=(1, 3)),))]
    half = Fraction(50)
    assert standings(rounds, range(1, 8)) == (
        PlayerStanding(1, 1, Fraction(200), 2, half, 2, 0, 0),
        PlayerStanding(2, 5, Fraction(100), 1, half, 0, 1, 0, ("opposition",)),
        PlayerStanding(3, 2, Fraction(100), 1, Fraction(0), 1, 0, 0, ("opposition",)),
        PlayerStanding(4, 4, Fraction(0), 0, Fraction(100), 1, 0, 0, ("opposition",)),
        PlayerStanding(5, 3, Fraction(0), 0, half, 2, 0, 0, ("opposition", "tied")),
        PlayerStanding(5, 6, Fraction(0), 0, half, 0, 0, 1, ("opposition", "tied")),
        PlayerStanding(5, 7, Fraction(0), 0, half, 0, 0, 0, ("opposition", "tied")),
    )


def test_a_tie_for_first_place_is_no_table_won() -> None:
    """Of equal points, a win and a loss rank above two draws, because a shared first place is no win."""
    rounds = [
        PlayedRound((sides(1, 2, players=(1, 4)), sides(1, 1, players=(2, 3)))),
        PlayedRound((sides(2, 1, players=(1, 4)), sides(1, 1, players=(2, 3)))),
    ]
    assert [(each.place, each.player, each.wins) for each in standings(rounds, range(1, 5))] == [
        (1, 1, 1), (1, 4, 1), (3, 2, 0), (3, 3, 0),
    ]  # fmt: skip


def test_strength_of_opposition_goes_before_direct_encounter() -> None:
    """Strength of opposition breaks a tie before the direct encounter."""
    rounds = [
        PlayedRound((sides(1, 2, players=(2, 1)), sides(1, 2, players=(3, 4)))),
        PlayedRound((sides(1, 2, players=(1, 3)), sides(1, 2, players=(4, 2)))),
        PlayedRound((sides(1, 2, players=(3, 5)), sides(1, 2, players=(5, 4)))),
    ]
    found = {each.player: each for each in standings(rounds, range(1, 6))}
    assert [found[1].points, found[2].points] == [Fraction(100)] * 2
    assert [found[1].opposition, found[2].opposition] == [Fraction(200, 3), Fraction(100, 3)]
    assert found[1].place < found[2].place


def test_direct_encounter_of_exactly_two() -> None:
    """The direct encounter breaks a tie of exactly two players."""
    winners = [(1, 2), (4, 3), (1, 4), (2, 3), (3, 1), (2, 4)]
    rounds = [PlayedRound((sides(1, 2, players=pair),)) for pair in winners]
    assert brief(rounds, range(1, 5)) == [(1, 1), (2, 2), (3, 4), (4, 3)]
    assert {(each.opposition, each.reasons) for each in standings(rounds, range(1, 5))} == {(Fraction(50), ("direct",))}


@pytest.mark.parametrize("size", [2, 3, 5, 6])
def test_winners_of_tables_of_any_size_are_equal_after_one_round(size: int) -> None:
    """After one round the winners at tables of every size are equal."""
    rounds = [PlayedRound((sides(1, 2, 3, 4), sides(*range(1, size + 1), players=tuple(range(5, 11)))), byes=(11,))]
    assert brief(rounds, range(1, 12))[:3] == [(1, 1), (1, 5), (1, 11)]


def test_a_bye_is_a_table_won() -> None:
    """A bye counts as a won table, and the opponents' points break the tie."""
    rounds = [
        PlayedRound((sides(1, 2, 3, players=(2, 3, 4)), sides(1, 2, 3, players=(5, 6, 7))), byes=(1,)),
        PlayedRound((sides(2, 1, 3, players=(1, 5, 6)), sides(2, 1, 3, players=(2, 3, 7))), byes=(4,)),
    ]
    lines = {each.player: each for each in standings(rounds, range(1, 8))}
    assert [(lines[each].points, lines[each].wins, lines[each].byes) for each in (1, 2)] == [(150, 1, 1), (150, 1, 0)]
    # Player 1 met 5 and 6, who got 100 and 50 elsewhere. Of player 2's opponents only 7 played elsewhere, and came
    # last.
    assert [lines[each].opposition for each in (1, 2)] == [Fraction(75), Fraction(0)]
    assert [(lines[each].place, lines[each].reasons) for each in (5, 1, 2, 3)] == [
        (1, ()), (2, ("opposition",)), (3, ("opposition", "tied")), (3, ("opposition", "tied")),
    ]  # fmt: skip


def test_points_by_place_are_shared_by_those_who_tie() -> None:
    """Players who tie share the points of their places, and a bye gets the points of a winner."""
    scale = (5, 3, 2, 1)
    assert table_points(sides(1, 2, 2, 4, 5), scale) == (5, Fraction(5, 2), Fraction(5, 2), 1, 0)
    assert table_points(sides(1), scale) == (5,)
    found = standings([PlayedRound((sides(1, 2, 3, players=(1, 2, 3)),), byes=(4,))], range(1, 5), scale)
    assert [(each.place, each.player, each.points, each.opposition) for each in found] == [
        (1, 1, 5, 50), (1, 4, 5, 50), (3, 2, 3, 50), (4, 3, 2, 50),
    ]  # fmt: skip


def test_the_final_table_decides_before_points() -> None:
    """The final table decides the first places before points."""
    final = sides(2, 2, 1, players=(1, 2, 3))
    rounds = [
        PlayedRound((sides(1, 2, players=(1, 3)), sides(1, 1, players=(2, 4)))),
        PlayedRound((final, sides(1, 2, players=(4, 5))), final=final),
    ]
    assert [(each.place, each.player, each.points, each.reasons) for each in standings(rounds, range(1, 6))] == [
        (1, 3, 100, ("final",)), (2, 1, 125, ("final",)), (3, 2, 75, ("final",)), (4, 4, 150, ()), (5, 5, 0, ()),
    ]  # fmt: skip


def test_each_place_among_equals_has_its_reason() -> None:
    """Each place among players of equal points has the reason for its order."""
    rounds = [
        PlayedRound((sides(1, 2, players=(1, 5)), sides(1, 1, players=(2, 6)), sides(1, 1, players=(3, 4)))),
        PlayedRound((sides(2, 1, players=(1, 6)), sides(1, 1, players=(2, 7)), sides(1, 1, players=(3, 4)))),
    ]
    lines = [each for each in standings(rounds, range(1, 8)) if each.points == 100]
    assert [(each.player, each.reasons) for each in lines] == [
        (1, ("wins",)), (2, ("wins",)), (3, ("opposition", "tied")), (4, ("opposition", "tied")),
    ]  # fmt: skip


@pytest.mark.parametrize("winners", [[(1, 2), (2, 1)], [(1, 2), (2, 3), (3, 1)]])
def test_who_cannot_be_told_apart_shares_a_place(winners: list[tuple[int, int]]) -> None:
    """Players whom no criterion separates share a place."""
    rounds = [PlayedRound((sides(1, 2, players=pair),)) for pair in winners]
    players = range(1, len(winners) + 1)
    assert brief(rounds, players) == [(1, player) for player in players]


def test_two_who_never_met_share_a_place() -> None:
    """Two players who are equal and never met share a place."""
    rounds = [PlayedRound((sides(1, 2, players=(1, 2)), sides(1, 2, players=(3, 4))))]
    assert brief(rounds, range(1, 5)) == [(1, 1), (1, 3), (3, 2), (3, 4)]


@given(players=st.integers(2, 12), rounds=st.integers(0, 4), seed=st.integers(0, 2**32), size=st.integers(2, 4))
def test_standings_are_an_order_whatever_the_order_of_what_is_known(
    players: int, rounds: int, seed: int, size: int
) -> None:
    """Standings list everybody once and do not depend on the order of rounds, tables or sides."""
    luck = Random(seed)
    played = []
    for _ in range(rounds):
        order = luck.sample(range(1, players + 1), players)
        seated, rest = order[: players // size * size], order[players // size * size :]
        tables = [
            sides(*[luck.randint(1, size) for _ in range(size)], players=tuple(seated[i : i + size]))
            for i in range(0, len(seated), size)
        ]
        played.append(PlayedRound(tuple(tables), tuple(rest[:1]), tuple(rest[1:])))
    found = standings(played, range(1, players + 1))
    assert sorted(each.player for each in found) == list(range(1, players + 1))
    keys = [(each.points, each.wins, each.opposition) for each in found]
    for (one, other), (above, below) in zip(pairwise(found), pairwise(keys), strict=True):
        told = "tied" if one.place == other.place else "direct" if above == below else ""
        if above[0] == below[0]:
            told = told or ("wins" if above[1] != below[1] else "opposition")
            assert told in other.reasons
    assert keys == sorted(keys, reverse=True)
    for position, each in enumerate(found):
        assert each.place in (position + 1, found[position - 1].place if position else 1)
        if position and each.place == found[position - 1].place:
            assert keys[position] == keys[position - 1]
    stirred = [
        PlayedRound(
            tuple([tuple(luck.sample(table, len(table))) for table in luck.sample(each.tables, len(each.tables))]),
            each.byes,
            each.absent,
        )
        for each in luck.sample(played, len(played))
    ]
    assert standings(stirred, range(players, 0, -1)) == found
