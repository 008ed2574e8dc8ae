"""Sightings from one reading to the next: which cards still lie where they lay. Knows no rules and no time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import hypot

from companion.engine import Spot
from companion.messages import Sighted, Sighting

SAME_SPOT = 15.0
"""A card that lies within so many millimetres of where it lay has not been moved."""


def spot_of(sightings: Sequence[tuple[int, Sighting]], instead: dict[int, str]) -> Spot:
    """Return what is seen at one place, in order."""
    ordered = sorted(sightings, key=lambda each: each[1].at)
    names = [instead.get(number, each.card) for number, each in ordered if each.face == "up"]
    up = tuple([name for name in names if name is not None])
    return Spot(up, sum([each.face == "down" for _, each in ordered]), len(names) - len(up))


def still_there(ghosts: Sequence[Sighting], sighted: Sighted, before: Sighted | None = None) -> list[Sighting]:
    """Return the ghosts that are still seen, as they are seen now: the same card at the same place, not moved.

    Of two cards alike people take either: where one has gone since `before` it was the ghost.
    """
    left = list(sighted.sightings)
    gone = _kinds(before.sightings if before is not None else ()) - _kinds(left)
    found: list[Sighting] = []
    for ghost in ghosts:
        if gone[ghost.card, ghost.place] and ghost.place not in sighted.covered:
            gone[ghost.card, ghost.place] -= 1
            continue
        for each in left:
            if each.card == ghost.card and each.place == ghost.place and _near(each, ghost):
                left.remove(each)
                found.append(each)
                break
        else:
            if ghost.place in sighted.covered:
                found.append(ghost)
    return found


def _kinds(sightings: Iterable[Sighting]) -> Counter[tuple[str | None, str]]:
    return Counter([(each.card, each.place) for each in sightings])


def _near(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings are of a card that has not been moved."""
    if not one.corners or not other.corners:
        return one.at == other.at
    (x, y), (u, v) = _centre(one), _centre(other)
    return hypot(x - u, y - v) < SAME_SPOT


def _centre(sighting: Sighting) -> tuple[float, float]:
    xs, ys = zip(*sighting.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
