"""The search for a round's seating: it swaps players between tables, from several starts, with bounded effort.

Players are numbered by their rank from 0. The goals, each far more important than the next: nobody has more byes than
necessary, people do not meet again, byes go to the lowest, and neighbours in the ranking sit together.

The repair is a tabu search (F. Glover, 1986) as for the social golfer problem: swap a player who meets somebody again
at the lowest cost, and do not swap back at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf
from random import Random

import msgspec

FEW = 100
"""Up to this many players, try every swap and more starts."""
STARTS, QUICK_STARTS, STARTS_OF_MANY = 8, 2, 2
STEPS, VAIN = 250, 4
"""Maximum number of swaps per start that remove repeated meetings, and of vain swaps per player."""
SWEEPS = 12
"""Maximum number of passes over all players to bring neighbours together."""
WINDOW = 40
"""How many ranks away a pass looks if there are many players."""


class Meetings(msgspec.Struct, frozen=True):
    """How often players have met, and the number of byes of each."""

    met: list[dict[int, int]]
    byes: list[int]

    @classmethod
    def none(cls, players: int) -> Meetings:
        """Return the meetings before the first round: none."""
        return cls([{} for _ in range(players)], [0] * players)

    def copy(self) -> Meetings:
        """Return a copy that can be changed."""
        return Meetings([dict(each) for each in self.met], list(self.byes))

    def add(self, tables: Iterable[Iterable[int]], byes: Iterable[int]) -> None:
        """Count a round."""
        for table in tables:
            for one, other in combinations(table, 2):
                self.met[one][other] = self.met[other][one] = self.met[one].get(other, 0) + 1
        for player in byes:
            self.byes[player] += 1

    def keep_apart(self, couples: Iterable[tuple[int, int]], weight: int) -> None:
        """Count each couple as if they had met `weight` times more."""
        for one, other in couples:
            self.met[one][other] = self.met[other][one] = self.met[one].get(other, 0) + weight

    def repeats(self, tables: Iterable[Iterable[int]]) -> int:
        """Return how many pairs at tables have met before, counting each earlier meeting: a third one is worse."""
        return sum(self.met[one].get(other, 0) for table in tables for one, other in combinations(table, 2))


def best_groups(
    meetings: Meetings, spots: list[int], sizes: Sequence[int], luck: Random, *, stir: int = 0
) -> SeatingSearch:
    """Return the best seating found for players at these spots of the ranking, at tables of these sizes.

    Each `stir` from 1 on gives another good seating in less time.
    """
    found: SeatingSearch | None = None
    starts = STARTS_OF_MANY if len(spots) > FEW else QUICK_STARTS if stir else STARTS
    for start in range(starts):
        search = SeatingSearch(meetings, spots, sizes, luck)
        search.fill(jitter=2 * max(sizes) * (start + stir))
        search.repair()
        search.bring_together()
        if found is None or search.cost < found.cost:
            found = search
        if not found.repeats and len(set(spots)) == 1:
            break
    assert found is not None
    return found


class SeatingSearch:
    """A seating that is being improved."""

    def __init__(self, meetings: Meetings, spots: list[int], sizes: Sequence[int], luck: Random) -> None:
        self._meetings, self._spots, self._sizes, self._luck = meetings, spots, sizes, luck
        players = len(spots)
        farthest = 2 * players
        closeness = farthest**2 * players * max(sizes)  # more than the sum of all distances
        # More than all byes and all distances together.
        self._repeat = closeness * farthest * players
        most = self._repeat * players * max(sizes) * (1 + max([0, *[max(m.values()) for m in meetings.met if m]]))
        last = max(spots)
        self._bye_cost = [most * meetings.byes[each] + closeness * (last - spots[each]) for each in range(players)]
        self._bye = len(sizes) if players > sum(sizes) else -1
        self._groups: list[list[int]] = []
        self._where = [0] * players
        self._own = [0] * players
        """Each player's cost in the current seat."""

    @property
    def tables(self) -> list[list[int]]:
        """The players by table."""
        return self._groups[: len(self._sizes)]

    @property
    def byes(self) -> list[int]:
        """The players with a bye."""
        return [player for group in self._groups[len(self._sizes) :] for player in group]

    @property
    def repeats(self) -> int:
        """The number of pairs that meet again, counting each earlier meeting."""
        return self._meetings.repeats(self.tables)

    @property
    def cost(self) -> int:
        """The cost of the whole seating."""
        paired = sum(self._own[player] for table in self.tables for player in table)
        return paired // 2 + sum(self._own[player] for player in self.byes)

    def fill(self, jitter: int) -> None:
        """Seat everybody from the top, each table with the next who have not met; `jitter` stirs the order."""
        byes = sorted(range(len(self._spots)), key=self._bye_cost.__getitem__)[: len(self._spots) - sum(self._sizes)]
        waiting = [player for player in range(len(self._spots)) if player not in set(byes)]
        waiting.sort(key=lambda player: self._spots[player] + self._luck.random() * (jitter + 1))
        for size in self._sizes:
            table: list[int] = []
            for _ in range(size):
                new = (
                    player for player in waiting[: 2 * WINDOW] if self._meetings.met[player].keys().isdisjoint(table)
                )
                table.append(next(new, waiting[0]))
                waiting.remove(table[-1])
            self._groups.append(table)
        if byes:
            self._groups.append(byes)
        self._sit()

    def repair(self) -> None:
        """Swap players who meet again until nobody does or the effort is spent; keep the best seating."""
        best, kept, vain = self.cost, [list(group) for group in self._groups], 0
        barred: dict[tuple[int, int], int] = {}
        everybody = range(len(self._spots))
        for step in range(STEPS):
            unhappy = [p for p in everybody if self._own[p] >= self._repeat and self._where[p] != self._bye]
            if not unhappy or vain > VAIN * len(self._spots):
                break
            player = self._luck.choice(unhappy)
            allowed = [
                other
                for other in everybody
                if barred.get((player, self._where[other]), 0) <= step
                and barred.get((other, self._where[player]), 0) <= step
            ]
            self._luck.shuffle(allowed)
            other = self._best_swap(player, allowed)
            vain += 1
            if other is not None:
                for each in (player, other):
                    barred[each, self._where[each]] = step + self._luck.randrange(2, 10)
                self._swap(player, other)
                cost = self.cost
                if cost < best:
                    best, kept, vain = cost, [list(group) for group in self._groups], 0
        self._groups = kept
        self._sit()

    def bring_together(self) -> None:
        """Swap players while that brings neighbours in the ranking together at no more important cost."""
        if len(set(self._spots)) == 1:
            return
        order = sorted(range(len(self._spots)), key=self._spots.__getitem__)
        reach = len(order) if len(order) <= FEW else WINDOW
        for _ in range(SWEEPS):
            better = False
            for position, player in enumerate(order):
                near = order[max(0, position - reach) : position + reach + 1]
                other = self._best_swap(player, near, 0)
                if other is not None:
                    self._swap(player, other)
                    better = True
            if not better:
                break

    def _sit(self) -> None:
        """Update each player's table and cost from the groups."""
        for number, group in enumerate(self._groups):
            for player in group:
                self._where[player] = number
        for player in range(len(self._spots)):
            self._own[player] = self._fit(player, self._where[player], player)

    def _fit(self, player: int, group: int, without: int) -> int:
        """Return a player's cost in a group without one of its members."""
        if group == self._bye:
            return self._bye_cost[player]
        met, spots, spot, cost, repeats = self._meetings.met[player], self._spots, self._spots[player], 0, 0
        for other in self._groups[group]:
            if other != without:
                cost += (spot - spots[other]) ** 2
                if other in met:
                    repeats += met[other]
        return cost + repeats * self._repeat

    def _best_swap(self, player: int, others: Iterable[int], below: float = inf) -> int | None:
        """Return the partner of the cheapest swap, if its change of cost is below a limit."""
        best, found, here, own = below, None, self._where[player], self._own
        for other in others:
            there = self._where[other]
            if there != here:
                change = self._fit(player, there, other) - own[player] - own[other]
                if change < best:  # the partner's new cost can only add to it
                    change += self._fit(other, here, player)
                    if change < best:
                        best, found = change, other
        return found

    def _swap(self, player: int, other: int) -> None:
        here, there = self._where[player], self._where[other]
        self._groups[here][self._groups[here].index(player)] = other
        self._groups[there][self._groups[there].index(other)] = player
        self._where[player], self._where[other] = there, here
        for group in (here, there):
            for each in self._groups[group]:
                self._own[each] = self._fit(each, group, each)
