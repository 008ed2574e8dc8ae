"""Standings computed independently from the results, directly by the rules in `docs/hall.md`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

PlayedTable = Sequence[tuple[int, int]]
"""Each player at a table with the place reached there."""
Worth = tuple[Fraction, int, Fraction]
"""Points, tables won, and opposition."""


def by_hand(players: Collection[int], tables: Sequence[PlayedTable], byes: Sequence[int]) -> dict[int, Worth]:
    """Return each player's score; `tables` are those of all rounds, `byes` the players' byes."""
    points, wins = dict.fromkeys(players, Fraction()), dict.fromkeys(players, 0)
    got: list[dict[int, Fraction]] = []
    for table in tables:
        got.append({})
        for player, place in table:
            others = [at for other, at in table if other != player]
            gained = sum([2 if at > place else at == place for at in others])
            got[-1][player] = Fraction(100 * gained, 2 * len(others)) if others else Fraction(100)
            points[player] += got[-1][player]
            wins[player] += all(at > place for at in others)
    for player in byes:
        points[player] += 100
        wins[player] += 1
    strength = {}
    for player in points:
        met = [other for at in got if player in at for other in at if other != player]
        elsewhere = [at[other] for other in met for at in got if other in at and player not in at and len(at) > 1]
        strength[player] = sum(elsewhere, Fraction()) / len(elsewhere) if elsewhere else Fraction(50)
    return {player: (points[player], wins[player], strength[player]) for player in points}


def places_by_hand(worth: dict[int, Worth], tables: Sequence[PlayedTable]) -> dict[int, int]:
    """Return each player's place by score; exactly two players with equal scores are compared by their own meetings."""
    found = {}
    for player, own in worth.items():
        better = sum(other > own for other in worth.values())
        equal = [other for other in worth if other != player and worth[other] == own]
        if len(equal) == 1:
            met = [dict(table) for table in tables if {player, equal[0]} <= {each for each, _ in table}]
            balance = sum((at[player] > at[equal[0]]) - (at[player] < at[equal[0]]) for at in met)
            better += balance > 0
        found[player] = 1 + better
    return found
