"""Standings over rounds of tables of any size.

At a table every side gets 100 × (sides beaten + half of the sides tied with) / (other sides): 100 for the sole winner,
0 for the last. Each of its players gets all of it. A table to which nobody else came counts as won, as does a bye
(FIDE, Basic Rules for Swiss Systems, C.04.1: a bye is worth as many points as a win), but a bye is no table won. Who
did not come gets 0.

Ties are broken by tables won, then by strength of opposition, then between exactly two by their direct encounter; who
is still equal shares the place. The names are from FIDE's Tie-Break Regulations (C.07: Number of Wins, Buchholz, Direct
Encounter). There Buchholz is the sum of the opponents' points; here it is their average, since tables differ in size.
The games' own scores break no ties: they cannot be compared between tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

FULL_POINTS = Fraction(100)
"""The points of a win, and of a bye."""
NO_POINTS = Fraction(0)


class SidePlacing(msgspec.Struct, frozen=True):
    """A side of a table: its players' numbers, its place (tied sides share one) and its score in the game."""

    players: tuple[int, ...]
    place: int
    score: int = 0


class PlayedRound(msgspec.Struct, frozen=True):
    """What is known of a round: its tables that count, each with its sides, and who had a bye or did not come."""

    tables: tuple[tuple[SidePlacing, ...], ...]
    byes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


class PlayerStanding(msgspec.Struct, frozen=True):
    """A line of the standings. Points and opposition are exact, so that a tie is a tie."""

    place: int
    player: int
    points: Fraction
    wins: int
    """Tables won alone."""
    opposition: Fraction
    """The average of the points of everybody played against, each as often as met; 0 if nobody was."""
    tables: int
    byes: int
    absent: int
    """Rounds to which the player did not come."""


def standings(rounds: Iterable[PlayedRound], players: Collection[int]) -> tuple[PlayerStanding, ...]:
    """Return the standings of all players who ever took part, the best first; players who have left keep their points.

    Those who share a place are in the order of their numbers.
    """
    tally = _Tally(rounds)
    keys = {player: tally.key(player) for player in {*players, *tally.seen}}
    order = sorted(keys, key=lambda player: (*[-part for part in keys[player]], player))
    found: list[PlayerStanding] = []
    for _, group in groupby(order, key=keys.__getitem__):
        place = len(found) + 1
        for offset, tied in enumerate(tally.direct_encounter(list(group))):
            found.extend([tally.standing(place + (offset if len(tied) == 1 else 0), player) for player in tied])
    return tuple(found)


def table_points(sides: Sequence[SidePlacing]) -> tuple[Fraction, ...]:
    """Return the points of each side of a table, from 0 to 100."""
    if len(sides) == 1:
        return (FULL_POINTS,)
    halves = [
        sum((own.place < other.place) * 2 + (own.place == other.place) for other in sides) - 1  # not tied with itself
        for own in sides
    ]
    return tuple([FULL_POINTS * each / (2 * (len(sides) - 1)) for each in halves])


class _Tally:
    """What each player has so far."""

    def __init__(self, rounds: Iterable[PlayedRound]) -> None:
        self.points: defaultdict[int, Fraction] = defaultdict(Fraction)
        self.wins: defaultdict[int, int] = defaultdict(int)
        self.tables: defaultdict[int, int] = defaultdict(int)
        self.byes: defaultdict[int, int] = defaultdict(int)
        self.absent: defaultdict[int, int] = defaultdict(int)
        self.opponents: defaultdict[int, list[int]] = defaultdict(list)
        self.places: defaultdict[int, list[dict[int, int]]] = defaultdict(list)
        """For each table at which a player sat the place of everybody there."""
        for played in rounds:
            for sides in played.tables:
                self._count(sides)
            for player in played.byes:
                self.byes[player] += 1
                self.points[player] += FULL_POINTS
            for player in played.absent:
                self.absent[player] += 1

    @property
    def seen(self) -> set[int]:
        """Everybody who appears in a round."""
        return {*self.tables, *self.byes, *self.absent}

    def key(self, player: int) -> tuple[Fraction, int, Fraction]:
        """Return what the order goes by, the more the better."""
        opponents = self.opponents.get(player, [])
        total = sum([self.points.get(each, NO_POINTS) for each in opponents], NO_POINTS)
        return (
            self.points.get(player, NO_POINTS),
            self.wins.get(player, 0),
            total / len(opponents) if opponents else NO_POINTS,
        )

    def standing(self, place: int, player: int) -> PlayerStanding:
        """Return a player's line."""
        counts = [each.get(player, 0) for each in (self.tables, self.byes, self.absent)]
        return PlayerStanding(place, player, *self.key(player), *counts)

    def direct_encounter(self, tied: list[int]) -> list[list[int]]:
        """Return equal players in order, those who share a place together; only exactly two can be told apart."""
        if len(tied) != 2:
            return [tied]
        one, other = tied
        met = [places for places in self.places.get(one, []) if other in places]
        balance = sum((places[one] < places[other]) - (places[one] > places[other]) for places in met)
        if not balance:
            return [tied]
        return [[one], [other]] if balance > 0 else [[other], [one]]

    def _count(self, sides: Sequence[SidePlacing]) -> None:
        places = {player: side.place for side in sides for player in side.players}
        for side, points in zip(sides, table_points(sides), strict=True):
            against = [player for other in sides if other is not side for player in other.players]
            for player in side.players:
                self.points[player] += points
                self.wins[player] += points == FULL_POINTS
                self.tables[player] += 1
                self.opponents[player].extend(against)
                self.places[player].append(places)
