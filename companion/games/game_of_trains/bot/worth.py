"""Measures a line's distance from victory: which wagons can stay, and what the holes between them need.

The unit is draws: about how many cards a player must draw to put the line in order by drawing alone.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from companion.games.game_of_trains.table import GAP, LENGTH, Line

NEVER = 1e6
"""A number of draws above that of any hole, for numbers that do not fit between their neighbours."""


@cache
def holes(count: int, width: int, size: int) -> float:
    """Return the mean number of draws that fill `count` neighbouring holes from `width` numbers, of a deck of `size`.

    Each number that fits goes into the best hole, where it splits the holes and the numbers. A number is skipped if
    waiting for another one takes fewer draws.
    """
    if count == 0:
        return 0.0
    if width < count:
        return NEVER
    rests = sorted([_split(count, width, at, size) for at in range(1, width + 1)])
    best, total = NEVER, 0.0
    for taken, rest in enumerate(rests, 1):
        if rest >= best:
            break
        total += rest
        best = min(best, (size + total) / taken)
    return best


def _split(count: int, width: int, at: int, size: int) -> float:
    """Return the draws left after the number at a place among `width` has gone into the best hole."""
    return min([holes(hole, at - 1, size) + holes(count - 1 - hole, width - at, size) for hole in range(count)])


class Measure:
    """Measures lines of one deck, with a cache."""

    CACHED = 50_000
    """The number of cached lines."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self.size = len(numbers)
        self._cost = [[holes(count, width, self.size) for width in range(self.size + 1)] for count in range(LENGTH + 1)]
        never = [NEVER] * (self.size + 2)  # for falling numbers: their distance is a negative index
        self._by_count = [[*cost, *never] for cost in self._cost]
        self._ranks = {number: rank for rank, number in enumerate(numbers, 1)}
        self._known: dict[Line, float] = {}

    def rank(self, number: int) -> int:
        """Return a number's position among all numbers of the deck, from 1."""
        return bisect_left(self.numbers, number) + 1

    def draws(self, line: Line) -> float:
        """Return about how many draws the line is from victory; 0 is a victory. A gap counts as a hole."""
        found = self._known.get(line)
        if found is None:
            if len(self._known) >= self.CACHED:
                self._known.clear()
            found = self._known[line] = self._measured(line) if GAP in line else self._whole(line)
        return found

    def _whole(self, line: Line) -> float:
        """Return the result of `_measured` for a line without gaps, written out for speed: thousands of calls in a
        turn.

        `to_c` is the least cost up to the third wagon if it stays, and `n2` the cost of two holes by their numbers.
        """
        ranks, (n0, n1, n2, n3, n4, n5, n6, n7) = self._ranks, self._by_count
        a, b, c, d, e, f, g = [ranks[number] for number in line]
        end = self.size + 1
        to_a = n0[a - 1]
        to_b = min(n1[b - 1], to_a + n0[b - a - 1])
        to_c = min(n2[c - 1], to_a + n1[c - a - 1], to_b + n0[c - b - 1])
        to_d = min(n3[d - 1], to_a + n2[d - a - 1], to_b + n1[d - b - 1], to_c + n0[d - c - 1])
        to_e = min(n4[e - 1], to_a + n3[e - a - 1], to_b + n2[e - b - 1], to_c + n1[e - c - 1], to_d + n0[e - d - 1])
        to_f = min(
            n5[f - 1],
            to_a + n4[f - a - 1],
            to_b + n3[f - b - 1],
            to_c + n2[f - c - 1],
            to_d + n1[f - d - 1],
            to_e + n0[f - e - 1],
        )
        to_g = min(
            n6[g - 1],
            to_a + n5[g - a - 1],
            to_b + n4[g - b - 1],
            to_c + n3[g - c - 1],
            to_d + n2[g - d - 1],
            to_e + n1[g - e - 1],
            to_f + n0[g - f - 1],
        )
        return min(
            n7[end - 1],
            to_a + n6[end - a - 1],
            to_b + n5[end - b - 1],
            to_c + n4[end - c - 1],
            to_d + n3[end - d - 1],
            to_e + n2[end - e - 1],
            to_f + n1[end - f - 1],
            to_g + n0[end - g - 1],
        )

    def _measured(self, line: Line) -> float:
        """Return the least cost of keeping some rising wagons and filling the holes between them."""
        size, costs = self.size, self._cost
        kept = [(at, self.rank(card)) for at, card in enumerate(line, 1) if card != GAP]
        kept.append((LENGTH + 1, size + 1))
        ways: list[tuple[int, int, float]] = [(0, 0, 0.0)]
        for at, number in kept:
            best = NEVER
            for before, lower, cost in ways:
                width = number - lower - 1
                count = at - before - 1
                if width >= count:
                    way = cost + costs[count][width]
                    if way < best:
                        best = way
            ways.append((at, number, best))
        return ways[-1][2]


@cache
def measure(numbers: tuple[int, ...]) -> Measure:
    """Return the measure of a deck."""
    return Measure(numbers)
