"""What a seat knows when it decides, what trains and cards are worth to it, and the best way to lay a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

import msgspec

from companion.engine import Seat
from companion.games.express.ending import LONGEST, SECOND, Laid, finishing_plan, grown, rank
from companion.games.express.fixed import Fixed
from companion.games.express.profile import JOINING, STARTERS
from companion.games.express.scoring import LEAST, value_of
from companion.games.express.trains import CABOOSE, DIESEL, WILD, Train, group_of
from companion.games.express.view import SidePublic, View
from companion.mechanics.pool import without

MOST_TRIED = 3000
"""Ways to lay a hand that are looked at."""
A_PAIR = 2
FEW = 4
"""Kinds in hand of which a fitting car may be kept, to go out with it next turn."""
NEVER = float("-inf")
UNKNOWN = ""
"""A card that is still to be drawn."""


class Weights(msgspec.Struct, frozen=True):
    """How much things are worth, in points: rough figures. Larger or smaller ones for cards alike, short trains and
    what cards cost won no more contests."""

    cost: float = 0.6
    """The part of its value that a card in hand is likely to cost in the end."""
    alike: float = 2.0
    """Each further card of a kind in hand: there may be a train of them."""
    two: float = 0.7
    """The part of a scoring train's points that a train of two is worth."""
    one: float = 0.2
    """And a train of one."""
    short: float = 1.5
    """Each car that a train lacks to score: till then nobody of its side goes out (R-26)."""
    lengths: float = 0.7
    """Each car that the two longest trains lack to go out (R-26)."""
    dead: float = 8.0
    """A train that can hardly reach three cars."""
    poised: float = 6.0
    """A hand that goes out next turn with any card drawn."""
    wild: float = 4.0
    caboose: float = 1.0
    diesel: float = 1.0
    disaster: float = 1.5
    unknown: float = 1.0
    """A card that is still to be drawn."""
    feeding: float = 1.0
    """A discard that fits a train of the next seat."""


class Mind:
    """One seat's knowledge at one moment: its view and what everybody knows of the match."""

    weights = Weights()

    def __init__(self, view: View, fixed: Fixed, seat: Seat) -> None:
        self.view, self.fixed, self.seat = view, fixed, seat
        self.book = fixed.book

    @cached_property
    def side(self) -> SidePublic:
        """The seat's own side."""
        return next(side for side in self.view.sides if self.seat in side.seats)

    @cached_property
    def others(self) -> tuple[SidePublic, ...]:
        """The other sides."""
        return tuple([side for side in self.view.sides if self.seat not in side.seats])

    @cached_property
    def trains(self) -> dict[int, Train]:
        """The trains of the own side, by number."""
        return {train.number: Train(train.number, train.cars, train.diesel) for train in self.side.trains}

    @cached_property
    def unseen(self) -> Counter[str]:
        """How many of each card lie neither on the table nor in the own hand."""
        seen = Counter([*self.view.own_cards, *self.view.slot])
        for side in self.view.sides:
            seen.update(side.maintenance)
            for train in side.trains:
                seen.update([*train.cars, *[DIESEL] * train.diesel])
        return Counter(self.fixed.deck) - seen

    def value(self, card: str) -> int:
        """Return a card's printed value."""
        return value_of(self.book, card)

    def kind(self, card: str) -> str:
        """Return which cards go together: a freight card's own kind, or its group."""
        group = group_of(self.book, card)
        return card if group == "freight" else group

    def points(self, train: Train) -> int:
        """Return what a train scores."""
        return self.fixed.score(train).points

    @cached_property
    def fed(self) -> frozenset[str]:
        """The cards that fit a train of the next seat, unless it is of the own side."""
        following = (self.view.turn + (-1 if self.view.reversed else 1)) % self.fixed.players
        trains = [each for side in self.others if following in side.seats for each in side.trains]
        fits = [self.fixed.joining(Train(each.number, each.cars, each.diesel)) for each in trains]
        return frozenset().union(*fits)

    def discard(self, card: str) -> float:
        """Return what it costs to leave a card to the next seat, besides what it is worth in the own hand."""
        return self.weights.feeding if card in self.fed else 0.0

    # --- what it is worth -------------------------------------------------------------------------

    def table(self, trains: Iterable[Train], kept: Counter[str]) -> float:
        """Return what trains are worth, with certain cards kept in hand."""
        trains = tuple(trains)
        missing = lacking([len(train.cars) for train in trains])
        return sum([self.train(train, kept) for train in trains]) - self.weights.lengths * missing

    def train(self, train: Train, kept: Counter[str]) -> float:
        """Return what a train is worth: its points, or what it may come to."""
        short = LEAST - len(train.cars)
        if short <= 0:
            return self.points(train)
        first, weights = train.cars[0], self.weights
        kind = self.kind(first)
        fitting = [card for card in self.unseen if self.kind(card) == kind]
        if train.closed or sum([self.unseen[card] for card in fitting]) + kept[WILD] < short + 1:
            return -weights.dead
        return self.value(first) * (weights.two if short == 1 else weights.one) - weights.short * short

    def hand(self, cards: Iterable[str]) -> float:
        """Return what cards kept in hand are worth."""
        kinds = Counter([self.kind(card) for card in cards])
        alike = sum([count - 1 for kind, count in kinds.items() if kind in self.book or kind == "passenger"])
        return sum([self.card(card) for card in cards]) + self.weights.alike * alike

    def card(self, card: str) -> float:
        """Return what a single card in hand is worth."""
        group, own = group_of(self.book, card), self.weights
        if group in (*STARTERS, "maintenance"):
            return -own.cost * self.value(card)
        worth = {WILD: own.wild, CABOOSE: own.caboose, DIESEL: own.diesel, "disaster": own.disaster}
        return (worth | {UNKNOWN: own.unknown}).get(group, 0.0)


def lacking(lengths: list[int]) -> int:
    """Return how many cars the two longest trains lack to go out (R-26)."""
    longest, second, *_ = sorted([*lengths, 0, 0], reverse=True)
    return max(0, LONGEST - longest) + max(0, SECOND - second)


# --- the best way to lay the cards of a hand this turn, if the seat stays in ----------------------


class Lays(msgspec.Struct, frozen=True):
    """What to lay this turn, in order, and what then goes from the hand."""

    worth: float = NEVER
    cards: Laid = ()
    """The number of the train and the card; new trains are negative, maintenance goes to 0."""
    locomotives: tuple[str, ...] = ()
    discard: str = ""


Queue = list[tuple[str, int]]
"""Kinds of cards that may be laid, and how many of each at once."""
Way = tuple[dict[int, Train], Laid, tuple[str, ...]]
"""The trains, what was laid to them, and what is kept."""


def best_lays(mind: Mind, hand: tuple[str, ...], trains: dict[int, Train] | None = None) -> Lays:
    """Return the best way to lay cards of a hand: pairs and more begin trains, single cars only if they must."""
    best, trains = Lays(), mind.trains if trains is None else trains
    for least in (A_PAIR, 1):
        for way in islice(ways(mind, hand, trains, least), MOST_TRIED):
            best = max(best, weigh(mind, *way), key=lambda lays: lays.worth)
        if best.worth > NEVER:
            return best
    return best


def ways(mind: Mind, hand: tuple[str, ...], trains: dict[int, Train], least: int) -> Iterator[Way]:
    """Yield all sensible ways to lay a hand; at least so many cars of a kind begin a train."""
    book = mind.book
    held = Counter(hand)
    joining = sorted([card for card in held if group_of(book, card) in JOINING], key=lambda card: rank(book, card))
    shields = tuple([card for card in hand if card in mind.fixed.shields])
    kept = tuple([card for card in hand if card not in joining and card not in shields])
    kinds = Counter([mind.kind(card) for card in hand])
    queue: Queue = []
    for card in joining:
        queue += [(card, held[card])] if card in mind.fixed.starters else [(card, 1)] * held[card]
    begin = {card for card in joining if card in mind.fixed.starters and kinds[mind.kind(card)] >= least}
    yield from spread(mind, begin, trains, queue, tuple([(0, card) for card in shields]), kept)


def spread(
    mind: Mind, begin: set[str], trains: dict[int, Train], queue: Queue, laid: Laid, kept: tuple[str, ...]
) -> Iterator[Way]:
    """Yield the ways to lay the cards of a queue: to trains that they fit, as new trains, or not at all."""
    if not queue:
        yield trains, laid, kept
        return
    (card, count), *rest = queue
    numbers = [number for number, train in trains.items() if card in mind.fixed.joining(train)]
    fits = bool(numbers) and card in mind.fixed.starters
    few = len(queue) + len(kept) <= FEW
    if card in begin and not fits:
        numbers.append(min([0, *trains]) - 1)
    for number in numbers:
        train = grown(trains.get(number), number, card, count)
        lays = (*laid, *[(number, card)] * count)
        yield from spread(mind, begin, trains | {number: train}, rest, lays, kept)
    if not fits or few:
        yield from spread(mind, begin, trains, rest, laid, (*kept, *(card,) * count))


def weigh(mind: Mind, trains: dict[int, Train], laid: Laid, kept: tuple[str, ...]) -> Lays:
    """Return a way to lay with its worth: its locomotives and the discard are the cards least worth keeping."""
    new = sum([number < 0 for number in trains])
    left = len(kept) - new - 1
    if left > mind.view.limit or left < bool(laid):
        return Lays()
    rest, sunk = list(kept), list[str]()
    for at in range(new + 1):  # nobody sees what is laid as a locomotive
        costs = {
            card: mind.hand(without(tuple(rest), (card,))) - (0.0 if at else mind.discard(card)) for card in set(rest)
        }
        sunk.append(max(costs, key=lambda card: (costs[card], card)))
        rest.remove(sunk[-1])
    worth = mind.table(trains.values(), Counter(rest)) + mind.hand(rest)
    worth += sum([mind.value(card) for number, card in laid if not number])
    if len(rest) < FEW and finishing_plan(mind.book, tuple(trains.values()), (*rest, UNKNOWN)):
        worth += mind.weights.poised
    return Lays(worth, laid, tuple(sunk[1:]), sunk[0])


def laid_out(trains: dict[int, Train], cards: Iterable[tuple[int, str]]) -> dict[int, Train]:
    """Return trains after cards were laid; maintenance, at 0, joins none."""
    for number, card in cards:
        if number:
            trains = trains | {number: grown(trains.get(number), number, card, 1)}
    return trains
