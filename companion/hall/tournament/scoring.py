"""Standings over rounds of tables of any size.

At a table every side gets 100 × (sides beaten + half of the tied sides) / (other sides): 100 for the sole winner, 0 for
the last. If points by place are set, a side gets those of its place; tied sides share the points of the places that
they occupy. Each of a side's players gets all of it. A table to which nobody else came counts as won, as does a bye
(FIDE, Tie-Break Regulations, C.07: the number of wins has those "with or without playing"). An absent player gets 0.

Ties are broken by tables won, then by strength of opposition, then between exactly two players by their direct
encounter; players who are still equal share the place. FIDE's Buchholz is the sum of the opponents' points; here it is
the average of their shares of 100 at all tables without the player. It is an average because people play at different
numbers of tables (like opponents' match-win percentages). It leaves out the player's own tables because a winner has
taken points from those very opponents, more from each at a small table than at a large one (like the ratings percentage
index). Only shares of 100 count there: points by place are worth more at a small table. Without such tables it is 50,
the average of every table. The games' own scores break no ties: they cannot be compared between tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from math import lcm

import msgspec

FULL_POINTS = Fraction(100)
"""The points of a win or a bye if no points by place are set."""
AVERAGE = FULL_POINTS / 2
"""A player's average at a table."""
CRITERIA = ("final", "points", "wins", "opposition")
"""The criteria of the order; the direct encounter follows."""
BREAKS = ("wins", "opposition", "direct")
Key = tuple[int, Fraction, int, Fraction]
"""A player's value by each of the `CRITERIA`, the higher the better; 0 for players who were not in the final."""


class SidePlacing(msgspec.Struct, frozen=True):
    """A side of a table: its players' numbers, its place (shared by tied sides) and its score in the game."""

    players: tuple[int, ...]
    place: int
    score: int = 0


class PlayedRound(msgspec.Struct, frozen=True):
    """The known part of a round: its counting tables, each with its sides, and the players with a bye or absent."""

    tables: tuple[tuple[SidePlacing, ...], ...]
    byes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    final: tuple[SidePlacing, ...] = ()
    """The sides of the final table, which is also among the tables; the final outranks every other criterion."""


class PlayerStanding(msgspec.Struct, frozen=True):
    """A line of the standings. Points and opposition are exact, to detect ties."""

    place: int
    player: int
    points: Fraction
    wins: int
    """Tables won alone, and byes."""
    opposition: Fraction
    """The opponents' average share of 100 at each table without this player, counting each meeting."""
    tables: int
    byes: int
    absent: int
    """Rounds that the player missed."""
    reasons: tuple[str, ...] = ()
    """The criteria that decided the place among equal points: `final`, `wins`, `opposition`, `direct`, `tied`."""


def standings(
    rounds: Iterable[PlayedRound], players: Collection[int], places: Sequence[int] = ()
) -> tuple[PlayerStanding, ...]:
    """Return the standings of everybody who ever took part, the best first; players who have left keep their points.

    `places` are the points by place; if empty, a table's points are shares of 100. Players who share a place are in the
    order of their numbers.
    """
    tally = _Tally(list(rounds), places)
    keys = {player: tally.key(player) for player in {*players, *tally.seen}}
    order = sorted(keys, key=lambda player: (*[-part for part in keys[player]], player))
    found: list[list[int]] = []
    for _, group in groupby(order, key=keys.__getitem__):
        found += tally.direct_encounter(list(group))
    steps = ["", *[_told_apart(keys[one[0]], keys[other[0]]) for one, other in pairwise(found)], ""]
    lines: list[PlayerStanding] = []
    for tied, before, after in zip(found, steps, steps[1:], strict=False):
        told = next((step for step in (before, after) if step in BREAKS), "final" if keys[tied[0]][0] else "")
        reasons = tuple([reason for reason in (told, "tied" if len(tied) > 1 else "") if reason])
        place = len(lines) + 1
        lines += [tally.standing(place, player, keys[player], reasons) for player in tied]
    return tuple(lines)


def table_points(sides: Sequence[SidePlacing], places: Sequence[int] = ()) -> tuple[Fraction, ...]:
    """Return the points of each side of a table: shares of 100, or those in `places` (0 for places after its last)."""
    if not places:
        most = 2 * (len(sides) - 1)
        return tuple([FULL_POINTS * each / most if most else FULL_POINTS for each in _halves(sides)])
    ranks = [sum(other.place < own.place for other in sides) for own in sides]
    return tuple([Fraction(sum(places[at : at + ranks.count(at)]), ranks.count(at)) for at in ranks])


def _halves(sides: Sequence[SidePlacing]) -> list[int]:
    """Return twice the number of sides that each side has beaten; a tie counts half."""
    return [
        # Minus the tie with itself.
        sum((own.place < other.place) * 2 + (own.place == other.place) for other in sides) - 1
        for own in sides
    ]


def _told_apart(one: Key, other: Key) -> str:
    """Return the criterion that separates two players."""
    return next((name for name, own, its in zip(CRITERIA, one, other, strict=True) if own != its), "direct")


class _Tally:
    """Each player's totals so far."""

    def __init__(self, rounds: Sequence[PlayedRound], places: Sequence[int]) -> None:
        self._places = places
        self._unit = lcm(*[2 * len(sides) - 2 for played in rounds for sides in played.tables if len(sides) > 1])
        """A table's 100 points in units, chosen to keep sums whole."""
        self.points: defaultdict[int, Fraction] = defaultdict(Fraction)
        self.wins: Counter[int] = Counter()
        self.tables: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.absent: Counter[int] = Counter()
        self.final: dict[int, int] = {}
        self._shares: Counter[int] = Counter()
        """Each player's total share at tables, in units."""
        self._contested: Counter[int] = Counter()
        """Each player's number of tables with an opponent."""
        self._met: defaultdict[int, list[tuple[dict[int, int], dict[int, int], list[int]]]] = defaultdict(list)
        """For each of these tables, everybody's place and share, and this player's opponents."""
        for played in rounds:
            for sides in played.tables:
                self._count(sides)
            for player in played.byes:
                self.byes[player] += 1
                self.wins[player] += 1
                self.points[player] += table_points((SidePlacing((), 1),), places)[0]
            self.absent.update(played.absent)
            self.final = {p: len(played.final) + 1 - side.place for side in played.final for p in side.players}

    @property
    def seen(self) -> set[int]:
        """Everybody who appears in a round."""
        return {*self.tables, *self.byes, *self.absent}

    def key(self, player: int) -> Key:
        """Return a player's values for the order."""
        points = self.points.get(player, Fraction())
        return self.final.get(player, 0), points, self.wins[player], self._opposition(player)

    def standing(self, place: int, player: int, key: Key, reasons: tuple[str, ...]) -> PlayerStanding:
        """Return a player's line."""
        tables, byes, absent = self.tables[player], self.byes[player], self.absent[player]
        return PlayerStanding(place, player, *key[1:], tables, byes, absent, reasons)

    def direct_encounter(self, tied: list[int]) -> list[list[int]]:
        """Return equal players in order, grouping those who share a place; only exactly two can be separated."""
        if len(tied) != 2:
            return [tied]
        one, other = tied
        met = [places for places, _, _ in self._met.get(one, []) if other in places]
        balance = sum((places[one] < places[other]) - (places[one] > places[other]) for places in met)
        if not balance:
            return [tied]
        return [[one], [other]] if balance > 0 else [[other], [one]]

    def _opposition(self, player: int) -> Fraction:
        shares, tables = 0, 0
        together: defaultdict[int, list[int]] = defaultdict(list)
        for _, got, _ in self._met.get(player, ()):
            for other, share in got.items():
                together[other].append(share)
        for _, _, against in self._met.get(player, ()):
            for other in against:
                shares += self._shares[other] - sum(together[other])
                tables += self._contested[other] - len(together[other])
        return FULL_POINTS * shares / (self._unit * tables) if tables else AVERAGE

    def _count(self, sides: Sequence[SidePlacing]) -> None:
        places = {player: side.place for side in sides for player in side.players}
        most = max(2 * len(sides) - 2, 1)
        shares = [half * self._unit // most for half in _halves(sides)]
        got = {player: share for side, share in zip(sides, shares, strict=True) for player in side.players}
        for side, points in zip(sides, table_points(sides, self._places), strict=True):
            against = [player for other in sides if other is not side for player in other.players]
            won = all(side.place < other.place for other in sides if other is not side)
            for player in side.players:
                self.points[player] += points
                self.wins[player] += won
                self.tables[player] += 1
                if against:
                    self._contested[player] += 1
                    self._shares[player] += got[player]
                    self._met[player].append((places, got, against))
