"""Who stands where at the end of a match."""

from __future__ import annotations

import msgspec

from companion.engine import AnyGame, AnyState


class Rank(msgspec.Struct, frozen=True):
    """Seats that share a place, each with its score."""

    place: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]


def ranks(game: AnyGame, state: AnyState) -> tuple[Rank, ...]:
    """Return all seats in the order of the game's ranking; after two sides in first place comes the third."""
    scores = game.scores(state)
    sides = {seat: number for number, side in enumerate(game.sides(len(scores))) for seat in side}
    found: list[Rank] = []
    place = 1
    for seats in game.ranking(state):
        found.append(Rank(place, tuple(seats), tuple([scores[seat] for seat in seats])))
        place += len({sides[seat] for seat in seats})
    return tuple(found)
