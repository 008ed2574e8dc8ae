"""Finds the events that the tablets report, including those of persons, by trying them by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, permutations

import msgspec

from companion.demo.ground_truth import GroundTruth
from companion.demo_records import PageLogLine, PageState
from companion.engine import AnyState, Event, Seat, event_kinds, follow, follow_all, legal, name_of, rule, seat_of

AMOUNTS = 400
"""The number of amounts to try if a tablet does not report one."""
TRIES = 2000
"""The number of events to try before waiting for more reports."""
AT_ONCE = 5
"""Above this number of simultaneous events, only one order is tried."""


def merge_logs(logs: Iterable[Sequence[PageLogLine]]) -> tuple[dict[str, object], ...]:
    """Merge the logs of several tablets: each event once, in order, with all fields that any of them reports."""
    found: dict[tuple[int, int, int], dict[str, object]] = {}
    for whose, log in enumerate(logs):
        for at, each in enumerate(log):
            # An event known only to its seat may precede or follow others' private acts: both orders are equivalent.
            key = (each.number, whose + 1, at) if each.quiet else (each.number, 0, 0)
            found[key] = found.get(key, {}) | each.event
    return tuple([found[key] for key in sorted(found)])


def find_events(
    truth: GroundTruth, before: AnyState, said: Sequence[dict[str, object]], shown: PageState
) -> tuple[Event, ...]:
    """Return the latest reported events that lead from a state to the displayed one; nothing if none do."""
    tries = iter(range(TRIES))
    for first in range(len(said) - 1, -1, -1):
        found = _search(truth, before, said[first:], shown, tries)
        if found is not None:
            return found
    return ()


def is_misread(truth: GroundTruth, done: Iterable[Event], found: Iterable[Event]) -> bool:
    """Return whether the events report cards other than the programs' own, which no person can cause."""
    there = {_identity(each): _cards_of(truth, each) for each in done}
    return any(_cards_of(truth, each) != there.get(_identity(each), _cards_of(truth, each)) for each in found)


def count_shared(done: Iterable[Event], found: Iterable[Event]) -> int:
    """Return the number of the found events that the programs made."""
    return (Counter([_identity(each) for each in done]) & Counter([_identity(each) for each in found])).total()


def unreported_events(
    truth: GroundTruth, state: AnyState, done: Iterable[Event], found: Iterable[Event]
) -> tuple[Event, ...]:
    """Return the programs' events that no tablet reports yet, if they are still possible."""
    known = [_identity(each) for each in found]
    left: list[Event] = []
    for event in done:
        if _identity(event) in known:
            known.remove(_identity(event))
        elif rule(truth.game, state, event) is not None:
            break
        else:
            left.append(event)
            state = follow(truth.game, state, event)
    return tuple(left)


def events_not_shown(
    truth: GroundTruth, before: AnyState, events: Sequence[Event], shown: PageState
) -> tuple[tuple[AnyState, Event], ...]:
    """Return the events that the pages do not show yet, each with the state before it.

    These are the last ones, or the remaining ones if the companion understood the others in another order, such as
    lines dealt together. Return nothing if neither fits.
    """
    firsts = [tuple(events[:number]) for number in range(len(events))]
    most = len(events) if len(events) <= AT_ONCE else 0
    for known in chain(firsts, *[permutations(events, number) for number in range(most)]):
        state = follow_all(truth.game, before, known)
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


def find_counts(
    truth: GroundTruth, before: AnyState, events: Sequence[Event], shown: PageState
) -> tuple[AnyState, tuple[Event, ...]] | None:
    """Return the state in which the pages show all other events and their own counts of open hands, right or wrong;
    and the counts that they do not show."""
    assert truth.tokens is not None
    others = [event for event in events if event not in truth.counts]
    counts = [count for count in truth.tokens.game.counts_shown(shown.view) if rule(truth.game, before, count) is None]
    state = follow_all(truth.game, before, (*counts, *others))
    if state is None or truth.differs(shown, state):
        return None
    return state, tuple([count for count in truth.counts if count not in counts])


def may_count(truth: GroundTruth, state: AnyState, counts: Iterable[Event]) -> bool:
    """Return whether any of these counts may still come; each seat is counted once."""
    return any(rule(truth.game, state, count) is None for count in counts)


def _identity(event: Event) -> tuple[str, Seat | None]:
    """Return an event's kind and seat. The companion decides a press's amount and the order of cards."""
    return name_of(event), seat_of(event)


def _cards_of(truth: GroundTruth, event: Event) -> dict[str, object]:
    """Return the cards of an event by the names of its fields, sorted."""
    data = {key: value for key, value in msgspec.to_builtins(event).items() if key not in event.facts.numbers}
    return {key: sorted(map(str, value)) for key, value in data.items() if isinstance(value, list | tuple)}


def _search(
    truth: GroundTruth, state: AnyState, said: Sequence[dict[str, object]], shown: PageState, tries: Iterator[int]
) -> tuple[Event, ...] | None:
    """Return the reported events that lead from a state to the displayed one; None if they do not."""
    if not said:
        return None if truth.differs(shown, state) else ()
    for event in _candidates(truth, state, said[0]):
        if next(tries, None) is None:
            return None
        rest = _search(truth, follow(truth.game, state, event), said[1:], shown, tries)
        if rest is not None:
            return (event, *rest)
    return None


def _candidates(truth: GroundTruth, state: AnyState, said: dict[str, object]) -> Iterator[Event]:
    """Yield the possible meanings of a report: the exact event, then the same cards in another order, or with an
    unreported amount."""
    exact: Event | None = None
    # Some fields may be missing because they are secret or forgotten.
    with suppress(msgspec.ValidationError):
        exact = msgspec.convert(said, truth.game.events)
    if exact is not None and rule(truth.game, state, exact) is None:
        yield exact
    kind = event_kinds(truth.game.events).get(str(said.get("event", "")))
    sure = {key: value for key, value in said.items() if kind is None or key not in kind.facts.numbers}
    if exact is not None and len(sure) == len(said):
        return
    for offer in legal(truth.game, state):
        for event in islice(offer, AMOUNTS):
            if event != exact and sure.items() <= msgspec.to_builtins(event).items():
                yield event
