"""Whether a hand can be laid out whole, so that its side goes out this turn, and how (R-26, R-27)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import msgspec

from companion.games.express.profile import JOINING, STARTERS
from companion.games.express.scoring import LEAST, value_of
from companion.games.express.trains import CABOOSE, DIESEL, WILD, Book, Train, coupling, group_of, joins

LONGEST, SECOND = 5, 4
"""The lengths of two trains that going out needs (R-26)."""
LAID = (*JOINING, "maintenance")
"""Cards that can be laid at all; the others can only be discarded, or be locomotives."""
MOST_NEW = 2
"""New trains that are tried."""
MOST_TRIED = 4000
"""Positions after which the search gives up: few hands come near it."""


class Plan(msgspec.Struct, frozen=True):
    """How to go out: what to lay, in order, then what to discard."""

    lays: tuple[tuple[int, str], ...]
    """Number of the train and card; the numbers of new trains are negative, maintenance goes to 0."""
    locomotives: tuple[str, ...]
    """The locomotive of each new train."""
    discard: str


def long_enough(lengths: list[int]) -> bool:
    """Whether trains of these lengths include a train of five and another one of four (R-26)."""
    best = sorted(lengths, reverse=True)
    return len(best) > 1 and best[0] >= LONGEST and best[1] >= SECOND


def finishing_plan(book: Book, trains: tuple[Train, ...], hand: tuple[str, ...]) -> Plan | None:
    """Return how to lay all cards but one so that all conditions of going out hold, or None if no way is found."""
    cars = sum([len(train.cars) for train in trains])
    fixed = [card for card in hand if group_of(book, card) not in LAID]
    budget = [MOST_TRIED]
    for new in range(MOST_NEW + 1):
        if len(hand) - new - 1 < LEAST * new or len(fixed) > new + 1 or cars + len(hand) - new - 1 < LONGEST + SECOND:
            continue
        rest = list((Counter(hand) - Counter(fixed)).elements())
        for sunk in dict.fromkeys(
            combinations(sorted(rest, key=lambda card: value_of(book, card)), new + 1 - len(fixed))
        ):
            laid = Counter(rest) - Counter(sunk)
            sinks = (*fixed, *sunk)
            found = place(book, {train.number: train for train in trains}, laid, new, (), budget)
            if found is not None:
                return Plan(found, sinks[1:], sinks[0])
            if budget[0] <= 0:
                return None
    return None


def place(
    book: Book,
    trains: dict[int, Train],
    left: Counter[str],
    new: int,
    laid: tuple[tuple[int, str], ...],
    budget: list[int],
) -> tuple[tuple[int, str], ...] | None:
    """Return how to lay all the cards, kind by kind, or None: first cars, then wilds, cabooses and the rest."""
    budget[0] -= 1
    card = next((each for each in sorted(left, key=lambda each: rank(book, each)) if left[each]), "")
    if not card:
        lengths = [len(train.cars) for train in trains.values()]
        return laid if not new and min(lengths, default=0) >= LEAST and long_enough(lengths) else None
    if budget[0] <= 0:
        return None
    if group_of(book, card) == "maintenance":
        return place(book, trains, left - Counter([card]), new, (*laid, (0, card)), budget)
    whole = left[card] if group_of(book, card) in STARTERS else 1
    for number, count in choices(book, trains, card, whole, new):
        train = grown(trains.get(number), number, card, count)
        rest = left - Counter({card: count})
        begun = number not in trains
        found = place(book, trains | {number: train}, rest, new - begun, (*laid, *[(number, card)] * count), budget)
        if found is not None:
            return found
    return None


def rank(book: Book, card: str) -> tuple[int, int, str]:
    """Return the order in which kinds are placed: cars as in a passenger train, then Wild, Diesel, Caboose."""
    kinds = (*STARTERS, WILD, DIESEL, CABOOSE, "maintenance")
    return kinds.index(group_of(book, card)), book[card].order, card


def choices(book: Book, trains: dict[int, Train], card: str, whole: int, new: int) -> Iterator[tuple[int, int]]:
    """Yield to which trains a card can go, and how many of its kind at once."""
    kind = group_of(book, card)
    for number, train in trains.items():
        if joins(train, coupling(book, train.cars), card, kind):
            yield number, whole
    if new and kind in STARTERS:
        yield -new, whole


def grown(train: Train | None, number: int, card: str, count: int) -> Train:
    """Return a train after cards of one kind were added, or a new one."""
    if train is None:
        return Train(number, (card,) * count)
    if card == DIESEL:
        return msgspec.structs.replace(train, diesel=True)
    return msgspec.structs.replace(train, cars=(*train.cars, *(card,) * count))
