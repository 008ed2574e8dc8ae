"""Measures how far a line is from victory: which wagons can stay, and what the holes between them need.

The unit is draws: about how many cards a player would have to draw to bring the line into order by drawing alone.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from companion.games.game_of_trains.table import GAP, LENGTH, Line

NEVER = 1e6
"""More draws than any hole takes, for numbers that do not fit between their neighbours."""


@cache
def holes(count: int, width: int, size: int) -> float:
    """Return the mean number of draws that fill `count` neighbouring holes from `width` numbers, of a deck of `size`.

    Each number that fits splits the holes and the numbers, and is put where that is best. A number that leaves more to
    do than waiting for another one is skipped.
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
    """Return the draws left after the number at a place among `width` is put into the best hole."""
    return min([holes(hole, at - 1, size) + holes(count - 1 - hole, width - at, size) for hole in range(count)])


class Measure:
    """Measures lines of one deck, with a cache."""

    CACHED = 50_000
    """The size of the cache."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self.size = len(numbers)
        self._cost = [[holes(count, width, self.size) for width in range(self.size + 1)] for count in range(LENGTH + 1)]
        self._known: dict[Line, float] = {}

    def rank(self, number: int) -> int:
        """Return a number's place among all numbers of the deck, from 1."""
        return bisect_left(self.numbers, number) + 1

    def draws(self, line: Line) -> float:
        """Return about how many draws the line is from victory; 0 is a victory. A gap counts as a hole."""
        found = self._known.get(line)
        if found is None:
            if len(self._known) >= self.CACHED:
                self._known.clear()
            found = self._known[line] = self._measured(line)
        return found

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
