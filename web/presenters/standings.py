"""Partners and standings: lists go by side, and each side has one score."""

from __future__ import annotations

import msgspec

from companion.engine import AnyGame, AnyState, BadSetup, Seat, Setup

Sides = tuple[tuple[Seat, ...], ...]


class Standing(msgspec.Struct, frozen=True):
    """A side with its place (0 while the match runs) and its score."""

    place: int
    seats: tuple[Seat, ...]
    score: int


def sides_with_partners(game: AnyGame, setup: Setup) -> Sides:
    """Return the sides of a match if anybody has a partner; nothing if everybody plays alone."""
    sides = game.sides(setup)
    return sides if any(len(side) > 1 for side in sides) else ()


def names_by_side(game: AnyGame | None, setup: Setup) -> str:
    """Return all names as a line, `Jane, Tom – Bill, Ann`, grouped by partners if the game still knows them."""
    names = [player.name for player in setup.seated()]
    try:
        sides = () if game is None else sides_with_partners(game, setup)
    except BadSetup:
        sides = ()
    return " – ".join([", ".join([names[seat] for seat in side]) for side in sides]) or ", ".join(names)


def standings_of(game: AnyGame, setup: Setup, state: AnyState) -> tuple[Standing, ...]:
    """Return all sides in the game's ranking; after two first places comes the third."""
    scores = game.scores(state)
    sides = {seat: side for side in game.sides(setup) for seat in side}
    found: list[Standing] = []
    for group in game.ranking(state):
        place = len(found) + 1
        found += [Standing(place, side, scores[side[0]]) for side in dict.fromkeys([sides[seat] for seat in group])]
    return tuple(found)


def totals_of(game: AnyGame, setup: Setup, state: AnyState) -> tuple[Standing, ...]:
    """Return the running scores of sides with partners, in the order of the seats; nothing if all play alone."""
    scores = game.scores(state)
    return tuple([Standing(0, side, scores[side[0]]) for side in sides_with_partners(game, setup)])
