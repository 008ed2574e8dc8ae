"""Scoring: points of tables of any size, and how ties are broken."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.tournament.scoring import PlayedRound, PlayerStanding, SidePlacing, standings, table_points


def sides(*places: int, players: tuple[int, ...] = ()) -> tuple[SidePlacing, ...]:
    """Return a table of single players, numbered from 1 unless given, with these places."""
    return tuple(
        [SidePlacing((player,), place) for player, place in zip(players or range(1, 99), places, strict=False)]
    )


def brief(rounds: list[PlayedRound], players: range | tuple[int, ...]) -> list[tuple[int, int]]:
    """Return place and player of each line."""
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
    """A hundred times the share of the others who were beaten; a tie is half."""
    assert table_points(sides(*places)) == points


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_a_table_shares_out_the_same_whatever_happens(places: list[int]) -> None:
    """On average a side gets 50."""
    assert sum(table_points(sides(*places))) == 50 * len(places)


def test_a_whole_table_of_standings() -> None:
    """Partners score together; byes are worth a win but are none; who did not come or was late has nothing."""
    pairs = (SidePlacing((1, 2), 1, 30), SidePlacing((3, 4), 2, -5))
    rounds = [PlayedRound((pairs,), byes=(5,), absent=(6,)), PlayedRound((sides(1, 1, players=(1, 3)),))]
    assert standings(rounds, range(1, 8)) == (
        PlayerStanding(1, 1, Fraction(150), 1, Fraction(50 + 0 + 50, 3), 2, 0, 0),
        PlayerStanding(2, 2, Fraction(100), 1, Fraction(25), 1, 0, 0),
        PlayerStanding(3, 5, Fraction(100), 0, Fraction(0), 0, 1, 0),
        PlayerStanding(4, 3, Fraction(50), 0, Fraction(150 + 150 + 100, 3), 2, 0, 0),
        PlayerStanding(5, 4, Fraction(0), 0, Fraction(125), 1, 0, 0),
        PlayerStanding(6, 6, Fraction(0), 0, Fraction(0), 0, 0, 1),
        PlayerStanding(6, 7, Fraction(0), 0, Fraction(0), 0, 0, 0),
    )


def test_a_tie_for_first_place_is_no_table_won() -> None:
    """1 has won once and lost once, 2 and 3 drew twice: equal points, more tables won."""
    rounds = [
        PlayedRound((sides(1, 2, players=(1, 4)), sides(1, 1, players=(2, 3)))),
        PlayedRound((sides(2, 1, players=(1, 4)), sides(1, 1, players=(2, 3)))),
    ]
    assert [(each.place, each.player, each.wins) for each in standings(rounds, range(1, 5))] == [
        (1, 1, 1), (1, 4, 1), (3, 2, 0), (3, 3, 0),
    ]  # fmt: skip


def test_strength_of_opposition_goes_before_direct_encounter() -> None:
    """2 beat 1, but those whom 1 met have more points."""
    rounds = [
        PlayedRound((sides(1, 2, players=(2, 1)), sides(1, 2, players=(3, 4)))),
        PlayedRound((sides(1, 2, players=(1, 3)), sides(1, 2, players=(4, 2)))),
        PlayedRound((sides(1, 2, players=(3, 5)), sides(1, 2, players=(5, 4)))),
    ]
    found = {each.player: each for each in standings(rounds, range(1, 6))}
    assert [found[1].points, found[2].points] == [Fraction(100)] * 2
    assert [found[1].opposition, found[2].opposition] == [Fraction(150), Fraction(100)]
    assert found[1].place < found[2].place


def test_direct_encounter_of_exactly_two() -> None:
    """Everybody met everybody: 1 and 2 won twice, 3 and 4 once; 1 beat 2, and 4 beat 3."""
    winners = [(1, 2), (4, 3), (1, 4), (2, 3), (3, 1), (2, 4)]
    rounds = [PlayedRound((sides(1, 2, players=pair),)) for pair in winners]
    assert [each.opposition for each in standings(rounds, range(1, 5))] == [
        Fraction(400, 3), Fraction(400, 3), Fraction(500, 3), Fraction(500, 3),
    ]  # fmt: skip
    assert brief(rounds, range(1, 5)) == [(1, 1), (2, 2), (3, 4), (4, 3)]


@pytest.mark.parametrize("winners", [[(1, 2), (2, 1)], [(1, 2), (2, 3), (3, 1)]])
def test_who_cannot_be_told_apart_shares_a_place(winners: list[tuple[int, int]]) -> None:
    """Two beat each other; of three each beat one, and among three there is no direct encounter."""
    rounds = [PlayedRound((sides(1, 2, players=pair),)) for pair in winners]
    players = range(1, len(winners) + 1)
    assert brief(rounds, players) == [(1, player) for player in players]


def test_two_who_never_met_share_a_place() -> None:
    """Two tables of two: the winners are equal, and so are the losers."""
    rounds = [PlayedRound((sides(1, 2, players=(1, 2)), sides(1, 2, players=(3, 4))))]
    assert brief(rounds, range(1, 5)) == [(1, 1), (1, 3), (3, 2), (3, 4)]


@given(players=st.integers(2, 12), rounds=st.integers(0, 4), seed=st.integers(0, 2**32), size=st.integers(2, 4))
def test_standings_are_an_order_whatever_the_order_of_what_is_known(
    players: int, rounds: int, seed: int, size: int
) -> None:
    """Everybody is listed once, places count those before, and neither rounds nor tables nor sides need be in order."""
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
