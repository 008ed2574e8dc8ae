"""What everybody's tablets say has happened, and what not yet: what persons at taken-over seats have done, too.

Knows the rules, to try it. Refuses to know what nobody's tablet says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, permutations
from typing import Any

import msgspec

from companion.demo.ground_truth import GroundTruth
from companion.demo.world import PageLogLine, PageState
from companion.engine import (
    Event,
    State,
    follow,
    legal,
    name_of,
    rule,
    seat_of,
    through,
)

AMOUNTS = 400
"""Where a tablet does not say an amount so many are tried."""
TRIES = 2000
"""After so many events that were tried it is given up, until the tablets say more."""
AT_ONCE = 5
"""Of more things that happened at once no other order is tried."""


def told(logs: Iterable[Sequence[PageLogLine]]) -> tuple[dict[str, Any], ...]:
    """Return what several tablets say, put together: each event once, in order, with all that any says of it."""
    found: dict[tuple[int, int, int], dict[str, Any]] = {}
    for whose, log in enumerate(logs):
        for at, each in enumerate(log):
            # What only its own seat knows of may have come before or after what others did quietly: it is the same.
            key = (each.number, whose + 1, at) if each.quiet else (each.number, 0, 0)
            found[key] = found.get(key, {}) | each.event
    return tuple([found[key] for key in sorted(found)])


def followed(
    truth: GroundTruth, before: State[Any], said: Sequence[dict[str, Any]], shown: PageState
) -> tuple[Event, ...]:
    """Return the last of what was said, by which a state becomes the one that is shown; nothing where none does."""
    tries = iter(range(TRIES))
    for first in range(len(said) - 1, -1, -1):
        found = _leading(truth, before, said[first:], shown, tries)
        if found is not None:
            return found
    return ()


def misread(truth: GroundTruth, done: Iterable[Event], found: Iterable[Event]) -> bool:
    """Whether other cards are said to lie where programs have laid theirs: that is no person's doing."""
    there = {_deed(each): _cards(truth, each) for each in done}
    return any(_cards(truth, each) != there.get(_deed(each), _cards(truth, each)) for each in found)


def shared(done: Iterable[Event], found: Iterable[Event]) -> int:
    """Return how many of the things that are said to have been done programs have done."""
    return (Counter([_deed(each) for each in done]) & Counter([_deed(each) for each in found])).total()


def left_of(truth: GroundTruth, state: State[Any], done: Iterable[Event], found: Iterable[Event]) -> tuple[Event, ...]:
    """Return what programs have done of which no tablet says anything yet, as far as it still may be."""
    known = [_deed(each) for each in found]
    left: list[Event] = []
    for event in done:
        if _deed(event) in known:
            known.remove(_deed(event))
        elif rule(truth.game, state, event) is not None:
            break
        else:
            left.append(event)
            state = follow(truth.game, state, event)
    return tuple(left)


def unknown(
    truth: GroundTruth, before: State[Any], events: Sequence[Event], shown: PageState
) -> tuple[tuple[State[Any], Event], ...]:
    """Return what happened after a state and is not yet in what is shown, each with the state before it: the last of
    it, or what has been understood in another order, as lines that are dealt at once. Nothing where neither fits."""
    firsts = [tuple(events[:number]) for number in range(len(events))]
    most = len(events) if len(events) <= AT_ONCE else 0
    for known in chain(firsts, *[permutations(events, number) for number in range(most)]):
        state = through(truth.game, before, known)
        if state is not None and not truth.differs(shown, state):
            found, left = [], list(events)
            for each in known:
                left.remove(each)
            for event in left:
                if rule(truth.game, state, event) is not None:
                    return ()
                found.append((state, event))
                state = follow(truth.game, state, event)
            return tuple(found)
    return ()


def _deed(event: Event) -> tuple[str, Any]:
    """Return what an event is, and whose: the amount of a press, and the order of cards, are the companion's to say."""
    return name_of(event), seat_of(event)


def _cards(truth: GroundTruth, event: Event) -> dict[str, Any]:
    """Return the cards of an event by the names of its fields, in no order."""
    data = {key: value for key, value in msgspec.to_builtins(event).items() if key not in truth.game.numbered}
    return {key: sorted(map(str, value)) for key, value in data.items() if isinstance(value, list | tuple)}


def _leading(
    truth: GroundTruth, state: State[Any], said: Sequence[dict[str, Any]], shown: PageState, tries: Iterator[int]
) -> tuple[Event, ...] | None:
    """Return what was said as events that lead from a state to what is shown; None where they do not."""
    if not said:
        return None if truth.differs(shown, state) else ()
    for event in _meant(truth, state, said[0]):
        if next(tries, None) is None:
            return None
        rest = _leading(truth, follow(truth.game, state, event), said[1:], shown, tries)
        if rest is not None:
            return (event, *rest)
    return None


def _meant(truth: GroundTruth, state: State[Any], said: dict[str, Any]) -> Iterator[Event]:
    """Yield what may have been meant: what was said, then the same with the same cards in another order, or with an
    amount that was not said."""
    exact: Event | None = None
    with suppress(msgspec.ValidationError):  # a part of it may be secret, or forgotten: no tablet says it
        exact = msgspec.convert(said, truth.game.events)
    if exact is not None and rule(truth.game, state, exact) is None:
        yield exact
    sure = {key: value for key, value in said.items() if key not in truth.game.numbered}
    if exact is not None and len(sure) == len(said):
        return
    for offer in legal(truth.game, state):
        for event in islice(offer, AMOUNTS):
            if event != exact and sure.items() <= msgspec.to_builtins(event).items():
                yield event
