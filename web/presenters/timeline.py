"""The times at which the parts of an ending start, in milliseconds from its beginning: places from last to first,
winner, podium.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.table.ending import BEGIN_MS, PLACE_MS, PODIUM_MS, WINNER_MS
from web.presenters.standings import Standing


class Beats(NamedTuple):
    """The start of each place by its rank from the best, 0 for winners; then the starts of winners and podium."""

    places: tuple[int, ...]
    winner: int
    podium: int


def timeline(standings: Sequence[Standing], lasts: int) -> Beats:
    """Return the beats of an ending of a given length, with the usual shares of its parts."""
    others = sum([each.place > 1 for each in standings])
    usual = BEGIN_MS + others * PLACE_MS + WINNER_MS + PODIUM_MS
    rank = len(standings) - 1

    def at(usual_time: int) -> int:
        return usual_time * lasts // usual

    places = [at(BEGIN_MS + (rank - each) * PLACE_MS) if standings[each].place > 1 else 0 for each in range(rank + 1)]
    winner = BEGIN_MS + others * PLACE_MS
    return Beats(tuple(places), at(winner), at(winner + WINNER_MS))
