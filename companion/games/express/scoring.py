"""The scores of trains, maintenance, going out and cards left in hand (S-01 to S-08)."""

from __future__ import annotations

from itertools import pairwise, product

import msgspec

from companion.games.express.trains import CABOOSE, WILD, Book, Train, group_of, groups

LEAST = 3
"""The fewest cars of a train that scores (S-01)."""
DOUBLE = 2
"""The factor of each bonus of a passenger train (S-05)."""
COACH = "coach"


class TrainScore(msgspec.Struct, frozen=True):
    """The score of a train and its parts."""

    points: int
    length: int
    base: int = 0
    bonuses: tuple[str, ...] = ()
    stands_for: tuple[str, ...] = ()
    """The car that each car counts as: another one for a wild or a caboose, an empty text for a wild of transition."""


def value_of(book: Book, card: str) -> int:
    """Return a card's printed value, 0 for one without (R-02)."""
    return (book[card].value or 0) if card in book else 0


def resolved(cars: tuple[str, ...]) -> tuple[str, ...]:
    """Return a group with each wild and caboose replaced by the car before it (S-03, R-11)."""
    shown: list[str] = []
    for car in cars:
        shown.append(shown[-1] if car in (WILD, CABOOSE) else car)
    return tuple(shown)


def train_score(book: Book, train: Train, mode: str) -> TrainScore:
    """Return the score of a train (S-01 to S-06)."""
    first, second = map(resolved, groups(book, train.cars))
    length = len(train.cars)
    stands_for = (*first, *([""] if second else []), *second)
    if length < LEAST:
        return TrainScore(0, length, stands_for=stands_for)
    values = [value_of(book, car) for car in first]
    together = mode == "set_of_three" and len(first) >= LEAST
    base = values[0] + sum(values[LEAST:]) if together else sum(values)
    base += sum([value_of(book, car) for car in second])
    if second or group_of(book, train.cars[0]) != "passenger":
        return TrainScore(base, length, base, stands_for=stands_for)
    found, chosen = passenger_bonuses(book, train)
    return TrainScore(base * DOUBLE ** len(found), length, base, found, chosen)


def passenger_bonuses(book: Book, train: Train) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bonuses of a passenger train with each wild as its most valuable car; also return that train.

    The caboose counts as a car, but stands for no particular one (R-14, S-06).
    """
    kinds = sorted([card.id for card in book.values() if card.group == "passenger"], key=lambda car: book[car].order)
    wilds = [at for at, car in enumerate(train.cars) if car == WILD]
    best: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    for chosen in product(kinds, repeat=len(wilds)):
        given = dict(zip(wilds, chosen, strict=True))
        cars = tuple([given.get(at, car) for at, car in enumerate(train.cars)])
        found = bonuses_of(book, cars, kinds, train.diesel)
        if not best[1] or len(found) > len(best[0]):
            best = (found, cars)
    return best


def bonuses_of(book: Book, cars: tuple[str, ...], kinds: list[str], diesel: bool) -> tuple[str, ...]:
    """Return the bonuses that certain passenger cars earn (S-06)."""
    real = [car for car in cars if car != CABOOSE]
    held = {
        "in_order": all(book[one].order <= book[two].order for one, two in pairwise(real)),
        "one_of_each": set(kinds) <= set(real),
        "diesel": diesel,
        "all_coaches": COACH in book and real.count(COACH) >= (book[COACH].count or 0) > 0,
    }
    return tuple([name for name, holds in held.items() if holds])
