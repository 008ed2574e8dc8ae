"""A seat's knowledge when it decides, the value of trains and cards to it, and the best way to lay a hand."""

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
"""The maximum number of ways to lay a hand that are compared."""
A_PAIR = 2
FEW = 4
"""The number of kinds in hand up to which a fitting car may be kept, in order to go out with it next turn."""
NEVER = float("-inf")
UNKNOWN = ""
"""A card that has not been drawn yet."""


class Weights(msgspec.Struct, frozen=True):
    """Estimated values in points.

    Other values for `alike`, `short` and `cost` won no more contests.
    """

    cost: float = 0.6
    """The share of its value that a card in hand will probably cost in the end."""
    alike: float = 2.0
    """The value of each further card of a kind in hand, because they may form a train."""
    two: float = 0.7
    """The value of a train of two as a share of a scoring train's points."""
    one: float = 0.2
    """The value of a train of one as a share of a scoring train's points."""
    short: float = 1.5
    """The cost of each car that a train lacks to score. Until it scores, nobody on its side can go out (R-26)."""
    lengths: float = 0.7
    """The cost of each car that the two longest trains lack for going out (R-26)."""
    dead: float = 8.0
    """The cost of a train that can hardly reach three cars."""
    poised: float = 6.0
    """The value of a hand that can go out next turn with any drawn card."""
    wild: float = 4.0
    caboose: float = 1.0
    diesel: float = 1.0
    disaster: float = 1.5
    unknown: float = 1.0
    """The value of a card that has not been drawn yet."""
    feeding: float = 1.0
    """The cost of a discard that fits a train of the next seat."""


class Mind:
    """A seat's knowledge at one moment: its view and the public facts of the match."""

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
        """The number of copies of each card that are neither on the table nor in the own hand."""
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
        """Return the kind of cards that go together: a freight card's own kind, or its group."""
        group = group_of(self.book, card)
        return card if group == "freight" else group

    def points(self, train: Train) -> int:
        """Return a train's points."""
        return self.fixed.score(train).points

    @cached_property
    def fed(self) -> frozenset[str]:
        """The cards that fit a train of the next seat; none if that seat is on the own side."""
        following = (self.view.turn + (-1 if self.view.reversed else 1)) % self.fixed.players
        trains = [each for side in self.others if following in side.seats for each in side.trains]
        fits = [self.fixed.joining(Train(each.number, each.cars, each.diesel)) for each in trains]
        return frozenset().union(*fits)

    def discard(self, card: str) -> float:
        """Return the cost of leaving a card to the next seat, apart from the card's value in the own hand."""
        return self.weights.feeding if card in self.fed else 0.0

    # --- values -----------------------------------------------------------------------------------

    def table(self, trains: Iterable[Train], kept: Counter[str]) -> float:
        """Return the value of trains, given the cards kept in hand."""
        trains = tuple(trains)
        missing = lacking([len(train.cars) for train in trains])
        return sum([self.train(train, kept) for train in trains]) - self.weights.lengths * missing

    def train(self, train: Train, kept: Counter[str]) -> float:
        """Return the value of a train: its points, or an estimate of its future points."""
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
        """Return the value of the cards kept in hand."""
        kinds = Counter([self.kind(card) for card in cards])
        alike = sum([count - 1 for kind, count in kinds.items() if kind in self.book or kind == "passenger"])
        return sum([self.card(card) for card in cards]) + self.weights.alike * alike

    def card(self, card: str) -> float:
        """Return the value of a single card in hand."""
        group, own = group_of(self.book, card), self.weights
        if group in (*STARTERS, "maintenance"):
            return -own.cost * self.value(card)
        worth = {WILD: own.wild, CABOOSE: own.caboose, DIESEL: own.diesel, "disaster": own.disaster}
        return (worth | {UNKNOWN: own.unknown}).get(group, 0.0)


def lacking(lengths: list[int]) -> int:
    """Return the number of cars that the two longest trains lack for going out (R-26)."""
    longest, second, *_ = sorted([*lengths, 0, 0], reverse=True)
    return max(0, LONGEST - longest) + max(0, SECOND - second)


# --- the best way to lay the cards of a hand this turn, if the seat stays in ----------------------


class Lays(msgspec.Struct, frozen=True):
    """The cards to lay this turn, in order, and the cards that then leave the hand."""

    worth: float = NEVER
    cards: Laid = ()
    """The number of the train and the card. A negative number begins a new train; 0 stands for maintenance."""
    locomotives: tuple[str, ...] = ()
    discard: str = ""


Queue = list[tuple[str, int]]
"""The kinds of cards that may be laid, and how many of each are laid together."""
Way = tuple[dict[int, Train], Laid, tuple[str, ...]]
"""The trains, the laid cards and the kept cards."""


def best_lays(mind: Mind, hand: tuple[str, ...], trains: dict[int, Train] | None = None) -> Lays:
    """Return the best way to lay cards of a hand. Pairs or more begin trains; single cars do so only if necessary."""
    best, trains = Lays(), mind.trains if trains is None else trains
    for least in (A_PAIR, 1):
        for way in islice(ways(mind, hand, trains, least), MOST_TRIED):
            best = max(best, weigh(mind, *way), key=lambda lays: lays.worth)
        if best.worth > NEVER:
            return best
    return best


def ways(mind: Mind, hand: tuple[str, ...], trains: dict[int, Train], least: int) -> Iterator[Way]:
    """Yield all sensible ways to lay a hand, beginning a train only with at least a given number of cars of a kind."""
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
    """Yield the ways to lay the cards of a queue: on trains that they fit, as new trains, or not at all."""
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
    """Return a way to lay with its value; its locomotives and its discard are the least valuable cards of the kept
    ones."""
    new = sum([number < 0 for number in trains])
    left = len(kept) - new - 1
    if left > mind.view.limit or left < bool(laid):
        return Lays()
    rest, sunk = list(kept), list[str]()
    for at in range(new + 1):  # locomotives are laid face down, so any card will do
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
    """Return trains after cards were laid; maintenance cards (number 0) join no train."""
    for number, card in cards:
        if number:
            trains = trains | {number: grown(trains.get(number), number, card, 1)}
    return trains
