"""Looks ahead: estimates each player's chance to win after an action and the next player's best answer.

Uses only what is public: lines, padlocks, and the pool's abilities. Unknown cards are represented by numbers spread
evenly over the unseen ones, so that the same public table always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from companion.games.game_of_trains.bot.worth import Measure, measure
from companion.games.game_of_trains.lines import in_order, replace_wagon, shift, swap
from companion.games.game_of_trains.steps.uses import APART, AT, BY, POSITIONS
from companion.games.game_of_trains.table import HANDS, LENGTH, Line
from companion.mechanics.seating import with_value


class Weights(NamedTuple):
    """The weights of the factors in the logarithm of a line's strength."""

    reach: float
    """The weight of the turns needed with the current pool."""
    draws: float
    """The weight of the turns needed by drawing alone."""
    able: float
    """The weight of the turns needed if the pool had every move."""
    risen: float
    """The weight of each wagon that already rises."""
    later: float
    """The weight of each turn before the player is next on turn."""


WEIGHTS = {
    2: Weights(0.75, 0.23, 0.31, 0.19, 0.28),
    3: Weights(0.41, 0.30, 0.28, 0.34, 0.20),
    4: Weights(0.34, 0.59, 0.14, 0.29, 0.16),
}
"""The weights by number of players, fitted to 10,000 to 23,000 positions of games between bots that play well.

With more players, the current pool counts less, because others use it first.
"""
ALONE = 1.5
"""The weight of draws in a line's strength if no other factor is used (fitted)."""
EVERY = 15
"""The bits of all moves together."""
SAMPLES = 8
"""An unknown card is represented by this many numbers, spread evenly over the deck."""
MOVES = (*APART, *BY)
"""Abilities that change only one's own line, in the order of their bits."""
BITS = {ability: 1 << at for at, ability in enumerate((*MOVES, *AT, "protect"))}
"""The bit of each ability in a pool, which has at most one card of each."""
REMOVALS = tuple([(BITS[ability], position) for ability, position in AT.items()])

Chances = tuple[float, ...]
"""Each player's chance to win, by seat."""


class Spot(NamedTuple):
    """The public part of a table: lines and padlocked positions by seat, and the bits of the pool's abilities."""

    lines: tuple[Line, ...]
    locked: tuple[tuple[int, ...], ...]
    pool: int


def after_use(ability: str, line: Line, positions: tuple[int, ...]) -> tuple[Line, Sequence[int]]:
    """Return the line after a swap or a move, and the changed positions."""
    if ability in APART:
        return swap(line, *positions), positions
    (at,) = positions
    to = at + BY[ability]
    return shift(line, at, to), range(min(at, to), max(at, to) + 1)


class Ahead:
    """Looks ahead for one deck and caches its measurements."""

    CACHED = 8_000
    """The size of each cache, enough for several turns."""

    def __init__(self, numbers: tuple[int, ...], bits: dict[int, int], players: int) -> None:
        self.weights = WEIGHTS[players]
        self.rule: Measure = measure(numbers)
        self.bits = bits
        """The bit of each card's ability; 0 if its ability is unknown."""
        step = len(numbers) / SAMPLES
        self.samples = [numbers[int((number + 0.5) * step)] for number in range(SAMPLES)]
        self._moves: dict[Line, tuple[tuple[float, Line], ...]] = {}
        self._draws: dict[Line, list[tuple[float, Line, int]]] = {}
        self._refills: dict[tuple[Line, int], float] = {}
        self._strengths: dict[tuple[Line, int], float] = {}
        self.later = [exp(-self.weights.later * turns) for turns in range(len(HANDS))]

    def moves(self, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return for each of `MOVES` the best line it can make, and that line's distance from victory."""
        found = self._moves.get(line)
        if found is None:
            if len(self._moves) > self.CACHED:
                self._moves.clear()
            draws = self.rule.draws
            ways = [[after_use(name, line, at)[0] for at in POSITIONS[name]] for name in MOVES]
            found = self._moves[line] = tuple([min([(draws(after), after) for after in each]) for each in ways])
        return found

    def draws(self, line: Line) -> list[tuple[float, Line, int]]:
        """Return for each sample the best line after placing it, its distance from victory, and the bit of the wagon
        that leaves."""
        found = self._draws.get(line)
        if found is None:
            if len(self._draws) > self.CACHED:
                self._draws.clear()
            found = self._draws[line] = [min(self.placings(line, card)) for card in self.samples]
        return found

    def placings(self, line: Line, card: int) -> list[tuple[float, Line, int]]:
        """Return for each position the distance from victory, the line, and the bit of the wagon that leaves."""
        afters = [replace_wagon(line, at, card) for at in range(1, LENGTH + 1)]
        return [(self.rule.draws(after), after, self.bits[old]) for after, old in zip(afters, line, strict=True)]

    def refilled(self, line: Line, position: int, pool: int) -> float:
        """Return a line's strength after an unknown card fills a position, based on the draws that the line then
        needs."""
        found = self._refills.get((line, position))
        if found is None:
            if len(self._refills) > self.CACHED:
                self._refills.clear()
            draws = self.rule.draws
            need = [max(draws(replace_wagon(line, position, card)), 1.0) for card in self.samples]
            here = max(draws(line), 1.0)
            found = sum([(here / each) ** ALONE for each in need]) / len(need)
            self._refills[line, position] = found
        return found * self.strength(line, pool)

    def strength(self, line: Line, pool: int) -> float:
        """Return the strength of a line; a player's chance is its line's share of all strengths."""
        key = line, pool & EVERY
        found = self._strengths.get(key)
        if found is None:
            if len(self._strengths) > self.CACHED:
                self._strengths.clear()
            reach, draws = max(self.reach(line, pool), 1.0), max(self.rule.draws(line), 1.0)
            able = max(self.reach(line, EVERY), 1.0)
            own = self.weights
            found = exp(own.risen * in_order(line)) / (reach**own.reach * draws**own.draws * able**own.able)
            self._strengths[key] = found
        return found

    def reach(self, line: Line, pool: int) -> float:
        """Return about how many turns a line needs if its owner finds the current pool."""
        best = self.rule.draws(line)
        if best > 1.0:
            for at, (near, _) in enumerate(self.moves(line)):
                if pool >> at & 1 and near + 1 < best:
                    best = near + 1
        return best

    def leaf(self, strengths: Sequence[float], mover: int) -> Chances:
        """Return each player's chance to win from the lines' strengths; `mover` goes first."""
        players = len(strengths)
        found = [each * self.later[(seat - mover) % players] for seat, each in enumerate(strengths)]
        whole = sum(found)
        return tuple([each / whole for each in found])

    def stand(self, spot: Spot, mover: int) -> Chances:
        """Return each player's chance to win on the current table."""
        if self.reach(spot.lines[mover], spot.pool) <= 1.0 and self.can_win(spot, mover):
            return self.won(mover, len(spot.lines))
        return self.leaf([self.strength(line, spot.pool) for line in spot.lines], mover)

    def can_win(self, spot: Spot, mover: int) -> bool:
        """Return whether the mover can win with a card of the pool."""
        return any(spot.pool >> at & 1 and near == 0.0 for at, (near, _) in enumerate(self.moves(spot.lines[mover])))

    def won(self, seat: int, players: int) -> Chances:
        """Return the chances after a seat has won."""
        return tuple([float(each == seat) for each in range(players)])

    def answered(self, spot: Spot, mover: int) -> Chances:
        """Return each player's chance to win after the mover's best action."""
        lines, players = spot.lines, len(spot.lines)
        following = (mover + 1) % players
        if self.rule.draws(lines[mover]) == 0.0 or self.can_win(spot, mover):
            return self.won(mover, players)
        best = self.drawn(spot, mover)
        for at, (_, after) in enumerate(self.moves(lines[mover])):
            if spot.pool >> at & 1:
                used = Spot(with_value(lines, mover, after), spot.locked, spot.pool ^ 1 << at)
                best = max(best, self.stand(used, following), key=lambda each: each[mover])
        for bit, position in REMOVALS:
            if spot.pool & bit:
                best = max(best, self.removed(spot, bit, position, following), key=lambda each: each[mover])
        return best

    def drawn(self, spot: Spot, mover: int) -> Chances:
        """Return each player's average chance to win after the mover has drawn and placed a card."""
        players, total = len(spot.lines), [0.0] * len(spot.lines)
        for near, after, bit in self.draws(spot.lines[mover]):
            placed = Spot(with_value(spot.lines, mover, after), spot.locked, spot.pool ^ bit)
            chances = self.stand(placed, (mover + 1) % players) if near else self.won(mover, players)
            for seat, each in enumerate(chances):
                total[seat] += each
        return tuple([each / SAMPLES for each in total])

    def removed(self, spot: Spot, bit: int, position: int, following: int) -> Chances:
        """Return each player's average chance to win after a removal."""
        left, strengths = spot.pool ^ bit, []
        hit = [position not in locked for locked in spot.locked]
        for line, loses in zip(spot.lines, hit, strict=True):
            left ^= self.bits[line[position - 1]] if loses else 0
        for line, loses in zip(spot.lines, hit, strict=True):
            strengths.append(self.refilled(line, position, left) if loses else self.strength(line, left))
        return self.leaf(strengths, following)


@lru_cache(maxsize=2)
def ahead(numbers: tuple[int, ...], abilities: tuple[str | None, ...], players: int) -> Ahead:
    """Return the `Ahead` of a deck, from a small cache."""
    bits = {number: BITS.get(abilities[number] or "", 0) for number in (0, *numbers)}
    return Ahead(numbers, bits, players)
