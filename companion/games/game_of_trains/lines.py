"""Operations on a line of seven wagons, and whether it wins."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container
from itertools import pairwise

from companion.games.game_of_trains.table import GAP, LOCK, UNLOCKED, Line, Locks


def ascending(line: Line) -> bool:
    """Return whether seven wagons rise strictly from left to right (R-14). A line with a gap does not (R-15)."""
    a, b, c, d, e, f, g = line
    return GAP < a < b < c < d < e < f < g


def descending(line: Line) -> bool:
    """Return whether the cards fall strictly from left to right (R-04)."""
    return all([left > right for left, right in pairwise(line)])


def replace_wagon(line: Line, position: int, card: int) -> Line:
    """Return the line with a new card at a position."""
    return (*line[: position - 1], card, *line[position:])


def swap(line: Line, left: int, right: int) -> Line:
    """Return the line with the wagons at two positions exchanged (B-1, B-2)."""
    changed = list(line)
    changed[left - 1], changed[right - 1] = line[right - 1], line[left - 1]
    return tuple(changed)


def shift(line: Line, position: int, to: int) -> Line:
    """Return the line with a wagon moved elsewhere; the wagons in between close up (B-3, B-4)."""
    changed = list(line)
    changed.insert(to - 1, changed.pop(position - 1))
    return tuple(changed)


def add_lock(locks: Locks, position: int, card: int) -> Locks:
    """Return the padlocks with a new one under a position (B-8)."""
    left, centre, right = [card if at == position else lock for at, lock in zip(LOCK, locks, strict=True)]
    return left, centre, right


def drop_locks(locks: Locks, changed: Container[int]) -> tuple[Locks, tuple[tuple[int, int], ...]]:
    """Return the padlocks that stay when wagons at some positions change, and the lost ones as (position, card).

    A padlock never moves with its wagon (R-16).
    """
    if locks == UNLOCKED:
        return locks, ()
    fallen = tuple([(position, locks[at]) for position, at in LOCK.items() if locks[at] and position in changed])
    if not fallen:
        return locks, ()
    left, centre, right = [0 if position in changed else card for position, card in zip(LOCK, locks, strict=True)]
    return (left, centre, right), fallen


def in_order(line: Line) -> int:
    """Return the length of the longest rising sequence of wagons in the line: 7 wins (R-14)."""
    ends: list[int] = []
    for card in line:
        if card != GAP:
            at = bisect_left(ends, card)
            ends[at : at + 1] = [card]
    return len(ends)


def rising(line: Line) -> tuple[int, ...]:
    """Return the positions of the longest rising sequence, if it has more than one wagon."""
    best: list[tuple[int, ...]] = []
    for at, card in enumerate(line):
        longest: tuple[int, ...] = ()
        for before, chain in enumerate(best):
            if card != GAP and GAP < line[before] < card and len(chain) > len(longest):
                longest = chain
        best.append((*longest, at + 1) if card != GAP else ())
    found = max(best, key=len, default=())
    return found if len(found) > 1 else ()
