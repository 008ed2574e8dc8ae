"""Seating places everybody once at allowed sizes, with few byes and few repeated meetings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall.tournament.seating import RoundSeating, SeatingError, count_repeats, seat_round, table_sizes
from companion.hall.tournament.seating_search import Meetings, SeatingSearch

SIZES = st.sets(st.integers(2, 6), min_size=1)
METHODS = ("random", "swiss")


def seat_rounds(
    players: int, rounds: int, method: str, sizes: set[int], preferred: int, seed: int
) -> list[RoundSeating]:
    """Seat the rounds of a tournament whose players are ranked by number."""
    luck, earlier = Random(seed), list[RoundSeating]()
    places = {player: player for player in range(1, players + 1)}
    for number in range(rounds):
        earlier.append(
            seat_round(
                list(places), places, earlier,
                method=method, sizes=sizes, preferred=preferred, luck=luck, ahead=rounds - 1 - number,
            )
        )  # fmt: skip
    return earlier


def repeats(rounds: list[RoundSeating]) -> list[int]:
    """Return the number of repeated meetings in each round."""
    return [count_repeats(each.tables, rounds[:number]) for number, each in enumerate(rounds)]


@given(players=st.integers(2, 14), allowed=SIZES, preferred=st.integers(2, 6))
def test_table_sizes_are_the_best_of_all(players: int, allowed: set[int], preferred: int) -> None:
    """The table sizes seat most players, then are nearest to the preferred size, then need fewest tables."""
    every = [
        sizes
        for tables in range(1, players // 2 + 1)
        for sizes in combinations_with_replacement(sorted(allowed), tables)
        if sum(sizes) <= players
    ]
    if not every:
        with pytest.raises(SeatingError):
            table_sizes(players, allowed, preferred)
        return

    def worth(sizes: tuple[int, ...]) -> tuple[int, int, int]:
        return players - sum(sizes), sum((size - preferred) ** 2 for size in sizes), len(sizes)

    found = table_sizes(players, allowed, preferred)
    assert found == tuple(sorted(found, reverse=True))
    assert tuple(reversed(found)) in every
    assert worth(found) == min(map(worth, every))


@pytest.mark.parametrize(
    ("players", "allowed", "preferred", "sizes"),
    [
        (60, {4, 5, 6}, 5, (5,) * 12),
        (13, {3, 4, 5}, 4, (5, 4, 4)),
        (7, {4}, 4, (4,)),
        (5, {2, 3}, 3, (3, 2)),
        (22, {6, 2, 4}, 5, (6, 6, 6, 4)),
    ],
)
def test_sizes_of_well_known_fields(players: int, allowed: set[int], preferred: int, sizes: tuple[int, ...]) -> None:
    """Table sizes for common numbers of players are the expected ones."""
    assert table_sizes(players, allowed, preferred) == sizes


@pytest.mark.parametrize(
    ("players", "allowed", "key", "fields"),
    [
        (1, {2, 3}, "hall.fault.too_few", {"players": 1, "least": 2}),
        (3, {4}, "hall.fault.too_few", {"players": 3, "least": 4}),
        (8, set(), "hall.fault.table_sizes", {"smallest": 2, "largest": 6}),
        (8, {1, 4}, "hall.fault.table_sizes", {"smallest": 2, "largest": 6}),
        (8, {7}, "hall.fault.table_sizes", {"smallest": 2, "largest": 6}),
    ],
)
def test_what_cannot_be_seated_says_why(players: int, allowed: set[int], key: str, fields: dict[str, object]) -> None:
    """An impossible seating is refused with its key and fields."""
    with pytest.raises(SeatingError) as caught:
        seat_round(range(players), {}, [], method="random", sizes=allowed, preferred=4, luck=Random(1))
    assert (caught.value.key, caught.value.fields) == (key, fields)


@settings(max_examples=40)
@given(
    players=st.integers(6, 23),
    sizes=SIZES,
    method=st.sampled_from(METHODS),
    rounds=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_everybody_sits_once_or_has_a_bye(players: int, sizes: set[int], method: str, rounds: int, seed: int) -> None:
    """Everybody sits once or has a bye, the tables have the computed sizes, and byes differ by at most one."""
    found = seat_rounds(players, rounds, method, sizes, 4, seed)
    expected = table_sizes(players, sizes, 4)
    byes = Counter({player: 0 for player in range(1, players + 1)})
    for each in found:
        seated = [player for table in each.tables for player in table]
        assert sorted([*seated, *each.byes]) == list(range(1, players + 1))
        assert tuple(sorted(map(len, each.tables), reverse=True)) == expected
        byes.update(each.byes)
    assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("players", "size", "rounds"), [(16, 4, 5), (9, 3, 4), (6, 2, 5), (10, 2, 9), (7, 2, 7)])
def test_a_tournament_in_which_nobody_needs_to_meet_again(method: str, players: int, size: int, rounds: int) -> None:
    """A perfect schedule without repeated meetings is found, up to the largest possible number of rounds."""
    assert repeats(seat_rounds(players, rounds, method, {size}, size, 1)) == [0] * rounds


def test_as_few_meetings_again_as_there_can_be() -> None:
    """With 12 players at tables of 4 the number of repeated meetings is the smallest possible."""
    assert repeats(seat_rounds(12, 3, "random", {4}, 4, 1)) == [0, 3, 6]


@settings(max_examples=30)
@given(half=st.integers(3, 12), left=st.integers(1, 3), method=st.sampled_from(METHODS), luck=st.randoms())
def test_tables_of_two_find_the_opponents_who_are_left(half: int, left: int, method: str, luck: Random) -> None:
    """A round without repeats at tables of two is found even with one to three opponents left for each player."""
    players = 2 * half
    circle = players - 1
    rounds = [
        [(players, turn + 1)] + [((turn + i) % circle + 1, (turn - i) % circle + 1) for i in range(1, half)]
        for turn in range(circle)
    ]
    luck.shuffle(rounds)
    earlier = [RoundSeating(tuple(tables)) for tables in rounds[left:]]
    places = {player: player for player in range(1, players + 1)}
    found = seat_round(list(places), places, earlier, method=method, sizes={2}, preferred=2, luck=luck)
    assert count_repeats(found.tables, earlier) == 0


@pytest.mark.parametrize("players", [60, 120])
def test_swiss_seats_neighbours_together(players: int) -> None:
    """Swiss seating puts neighbours in the ranking together, as near as the earlier tables allow."""
    found = seat_rounds(players, 3, "swiss", {4}, 4, 1)
    assert {frozenset(table) for table in found[0].tables} == {
        frozenset(range(first, first + 4)) for first in range(1, players, 4)
    }
    assert repeats(found) == [0, 0, 0]
    spans = [max(table) - min(table) for table in found[1].tables]
    assert sum(spans) / len(spans) <= 12
    assert max(spans) <= 18


def test_swiss_gives_byes_to_the_lowest_of_those_who_had_fewest() -> None:
    """Swiss seating gives byes to the lowest players among those with fewest byes."""
    found = seat_rounds(33, 3, "swiss", {3, 6}, 3, 1)
    assert [each.byes for each in found] == [(), (), ()]
    found = seat_rounds(31, 3, "swiss", {3}, 3, 1)
    assert [each.byes for each in found] == [(31,), (30,), (29,)]


def test_who_is_not_in_the_ranking_comes_last() -> None:
    """Players without a rank come last and sit together."""
    places = {3: 1, 4: 2, 5: 3, 6: 4}
    found = seat_round([1, 2, 3, 4, 5, 6], places, [], method="swiss", sizes={2}, preferred=2, luck=Random(1))
    assert {frozenset(table) for table in found.tables} == {frozenset({3, 4}), frozenset({5, 6}), frozenset({1, 2})}


def test_seats_are_shared_out() -> None:
    """The first seats are shared out among the players."""
    first = Counter(table[0] for each in seat_rounds(16, 4, "random", {4}, 4, 1) for table in each.tables)
    assert max(first.values()) <= 2
    assert len(first) >= 13
    again = [RoundSeating(((1, 2, 3),)), RoundSeating(((1, 3, 2),))]
    third = seat_round([1, 2, 3], {}, again, method="random", sizes={3}, preferred=3, luck=Random(1))
    assert third.tables[0][0] != 1
    # Player 1 had the first and second seat twice each, and player 2 the first once: only the first seat weighs much.
    begun = [RoundSeating(((1, 8),))] * 2 + [RoundSeating(((8, 1),))] * 2 + [RoundSeating(((2, 9),))]
    pair = seat_round([1, 2], {}, begun, method="random", sizes={2}, preferred=2, luck=Random(1))
    assert pair.tables == ((2, 1),)


def test_those_who_left_are_forgotten_and_chance_alone_decides_otherwise() -> None:
    """Players who left are ignored, and the seating depends only on the random source."""
    earlier = [RoundSeating(((1, 2, 3, 4), (5, 6, 7, 8)), (9,))]
    found = [
        seat_round([2, 4, 6, 8], {}, earlier, method="random", sizes={2}, preferred=2, luck=Random(5)) for _ in range(2)
    ]
    assert found[0] == found[1]
    assert sorted(player for table in found[0].tables for player in table) == [2, 4, 6, 8]
    assert count_repeats(found[0].tables, earlier) == 0
    drawn = {
        seat_round(range(8), {}, [], method="random", sizes={4}, preferred=4, luck=Random(seed)) for seed in range(5)
    }
    assert len(drawn) == 5


def test_a_third_meeting_counts_more_than_a_second() -> None:
    """A third meeting of two players costs more than second meetings of two pairs."""
    earlier = [RoundSeating(((1, 2), (3, 4))), RoundSeating(((1, 2), (3, 4))), RoundSeating(((1, 3), (2, 4)))]
    earlier.append(RoundSeating(((1, 4), (2, 3))))
    found = seat_round([1, 2, 3, 4], {}, earlier, method="random", sizes={2}, preferred=2, luck=Random(1))
    assert frozenset({1, 2}) not in map(frozenset, found.tables)
    assert count_repeats([(1, 2), (3, 4)], earlier) == 4
    assert count_repeats([(1, 2, 3)], earlier) == sum(
        {(1, 2): 2, (1, 3): 1, (2, 3): 1}[pair] for pair in combinations((1, 2, 3), 2)
    )


def test_a_large_tournament_has_no_meeting_again() -> None:
    """300 players at tables of 4 to 6 have three swiss rounds without a repeated meeting."""
    assert repeats(seat_rounds(300, 3, "swiss", {4, 5, 6}, 5, 1)) == [0, 0, 0]


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), met=st.integers(0, 12))
def test_the_best_swap_is_that_of_all(seed: int, met: int) -> None:
    """The search for a player's best swap finds the cheapest one of all."""
    luck, meetings = Random(seed), Meetings.none(13)
    meetings.add([luck.sample(range(13), 4) for _ in range(met)], luck.sample(range(13), 1))
    search = SeatingSearch(meetings, sorted([luck.randrange(26) for _ in range(13)]), (4, 4, 4), luck)
    search.fill(jitter=9)
    for player in range(13):
        before, changes = search.cost, {}
        for other in range(13):
            if search._where[other] != search._where[player]:
                search._swap(player, other)
                changes[other] = search.cost - before
                search._swap(player, other)
        best = min(changes, key=changes.__getitem__)
        assert search._best_swap(player, range(13)) == best
        assert search._best_swap(player, range(13), 0) == (best if changes[best] < 0 else None)
