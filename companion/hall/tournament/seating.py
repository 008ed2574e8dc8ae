"""Seat a round: fewest byes first, then fewest repeated meetings, then neighbours in the ranking together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from random import Random

import msgspec

from companion.hall.tournament.seating_search import Meetings, SeatingSearch, best_groups

SMALLEST, LARGEST = 2, 6
"""Smallest and largest number of players at a tournament's table."""
PLANNED_PLAYERS, PLANNED_ROUNDS = 30, 6
"""Up to this many players, plan this many rounds ahead; with more players there are always new people to meet."""
PLANS = 24
"""Number of seatings of a round that are tried together with the rounds to come."""
APART = 10**9
"""How many repeated meetings it costs to seat a separated couple together: more than can occur."""
FIRST_SEAT = 8
"""How much more the first seat counts than any other, since that player begins."""


class SeatingError(ValueError):
    """A round that cannot be seated. `key` is the sentence's key in the words, `fields` are the sentence's fields."""

    def __init__(self, key: str, **fields: object) -> None:
        self.key, self.fields = key, fields
        super().__init__(f"{key} {fields}")


class RoundSeating(msgspec.Struct, frozen=True):
    """A round's tables, with their players in seat order, and the players with a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def table_sizes(players: int, allowed: Collection[int], preferred: int) -> tuple[int, ...]:
    """Return the sizes of a round's tables, the largest first; those without a place have a bye.

    Byes are as few as possible. Next, the sum of the squared distances from the preferred size decides, which also
    keeps the sizes similar; then the smaller number of tables. Raises `SeatingError` if there is no table.
    """
    if not allowed or not all(SMALLEST <= size <= LARGEST for size in allowed):
        raise SeatingError("hall.fault.table_sizes", smallest=SMALLEST, largest=LARGEST)
    if players < min(allowed):
        raise SeatingError("hall.fault.too_few", players=players, least=min(allowed))
    best: dict[int, tuple[int, int, tuple[int, int]]] = {0: (0, 0, (0, 0))}
    for seated in range(1, players + 1):
        ways = [
            (best[seated - size][0] + (size - preferred) ** 2, best[seated - size][1] + 1, (size, seated - size))
            for size in sorted(set(allowed))
            if seated - size in best
        ]
        if ways:
            best[seated] = min(ways)
    sizes, seated = [], max(best)
    while seated:
        size, seated = best[seated][2]
        sizes.append(size)
    return tuple(sorted(sizes, reverse=True))


def seat_round(
    players: Sequence[int],
    places: Mapping[int, int],
    earlier: Sequence[RoundSeating],
    *,
    method: str,
    sizes: Collection[int],
    preferred: int,
    luck: Random,
    ahead: int = 0,
    apart: Collection[tuple[int, int]] = (),
) -> RoundSeating:
    """Return the next round's seating of these players; raise `SeatingError` if they fill no table.

    - `places` are the standings' places, which ties share; players without one come last. Only `swiss` looks at them.
    - `earlier` are the rounds so far. Leave out those who did not come: they met nobody.
    - `method` is `swiss` or `random`. Both avoid that people meet again before anything else. `swiss` then seats
      neighbours in the ranking together. Ties are broken by luck.
    - `ahead` is the number of rounds still to come after this one. With few players these are left room.
    - `apart` are couples who do not sit together if that can be helped at all.

    Byes go to those who had the fewest; of these, in `swiss`, to the lowest in the ranking who are not needed to keep
    others from meeting again.
    """
    table_of = table_sizes(len(players), sizes, preferred)
    order = sorted(players)
    luck.shuffle(order)
    if method == "swiss":
        order.sort(key=lambda player: places.get(player, len(places) + 1))
    meetings = _meetings(order, earlier)
    where = {player: position for position, player in enumerate(order)}
    couples = [(where[one], where[other]) for one, other in apart if one in where and other in where]
    meetings.keep_apart(couples, APART)
    spots = _spots([places.get(player, len(places) + 1) if method == "swiss" else 0 for player in order])
    planned = min(ahead, PLANNED_ROUNDS) if len(order) <= PLANNED_PLAYERS else 0
    search = _planned(meetings, spots, table_of, luck, planned)
    tables = [[order[each] for each in group] for group in search.tables]
    sat = Counter(
        (player, seat) for seating in earlier for table in seating.tables for seat, player in enumerate(table)
    )
    return RoundSeating(
        tuple([_seats(table, sat, luck) for table in tables]), tuple([order[each] for each in search.byes])
    )


def count_repeats(tables: Collection[Sequence[int]], earlier: Collection[RoundSeating]) -> int:
    """Return how many pairs at these tables have met before, counting each earlier meeting."""
    order = sorted({player for table in tables for player in table})
    where = {player: position for position, player in enumerate(order)}
    return _meetings(order, earlier).repeats([[where[player] for player in table] for table in tables])


def _meetings(order: Sequence[int], earlier: Collection[RoundSeating]) -> Meetings:
    """Return who met whom, and everybody's number of byes, by position in an order of players."""
    where = {player: position for position, player in enumerate(order)}
    found = Meetings.none(len(order))
    for seating in earlier:
        tables = [[where[player] for player in table if player in where] for table in seating.tables]
        found.add(tables, [where[player] for player in seating.byes if player in where])
    return found


def _spots(places: Sequence[int]) -> list[int]:
    """Return each player's position, given places in order: twice the middle of the shared places."""
    return [places.index(place) * 2 + places.count(place) - 1 for place in places]


def _planned(meetings: Meetings, spots: list[int], sizes: tuple[int, ...], luck: Random, ahead: int) -> SeatingSearch:
    """Return the seating with the fewest repeated meetings in this and the next rounds.

    A seating without any may leave none for later: of 16 players at tables of 4, three in four third rounds allow no
    fourth.
    """
    best, fewest, flat = best_groups(meetings, spots, sizes, luck), -1, [0] * len(spots)
    for stir in range(PLANS if ahead else 0):
        first = best_groups(meetings, spots, sizes, luck, stir=stir) if stir else best
        repeats, later, current = first.repeats, meetings.copy(), first
        for _ in range(ahead):
            if 0 <= fewest < repeats:
                break
            later.add(current.tables, current.byes)
            # Nobody knows the later ranking.
            current = best_groups(later, flat, sizes, luck, stir=1)
            repeats += current.repeats
        if fewest < 0 or (repeats, first.cost) < (fewest, best.cost):
            best, fewest = first, repeats
        if not fewest:
            break
    return best


def _seats(table: list[int], sat: Mapping[tuple[int, int], int], luck: Random) -> tuple[int, ...]:
    """Return a table's players in the seats that they had least often so far, minding the first seat above all."""
    luck.shuffle(table)
    cost = {
        (player, seat): sat.get((player, seat), 0) * (1 if seat else FIRST_SEAT)
        for player in table
        for seat in range(len(table))
    }
    return min(permutations(table), key=lambda order: sum([cost[player, seat] for seat, player in enumerate(order)]))
