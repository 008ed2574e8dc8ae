"""The best way to lay the cards of a hand this turn, if the seat stays in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from companion.games.express.bot.mind import UNKNOWN, Mind
from companion.games.express.ending import Laid, finishing_plan, grown, rank
from companion.games.express.profile import JOINING
from companion.games.express.trains import Train, group_of
from companion.mechanics.pool import without

MOST_TRIED = 3000
"""Ways to lay a hand that are looked at."""
A_PAIR = 2
FEW = 4
"""Kinds in hand of which a fitting car may be kept, to go out with it next turn."""
NEVER = float("-inf")


class Lays(msgspec.Struct, frozen=True):
    """What to lay this turn, in order, and what then goes from the hand."""

    worth: float = NEVER
    cards: Laid = ()
    """The number of the train and the card; new trains have negative numbers, maintenance goes to 0."""
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
        costs = {card: mind.hand(without(tuple(rest), (card,))) - (0.0 if at else mind.discard(card)) for card in rest}
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
