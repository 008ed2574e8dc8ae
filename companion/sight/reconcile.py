"""Reconcile: what is seen on the table against what the rules say lies there.

The shortest legal sequence of events after which the rules agree with what is seen explains it. Pure: knows no camera,
no thread, no clock and no single game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import MEMORIES, Event, Fault, Layout, SeenGame, Spot, State, follow, legal, through
from companion.sight.memory import without
from companion.table.sight_records import Explanation

MOST_STATES = 250
"""After so many states a table counts as unexplained: real ones need a few dozen at most."""
LONGEST = 16
"""An explanation has at most so many events: all other seats have passed, an exchange, a take and their refills."""


class Mismatch(msgspec.Struct, frozen=True):
    """What does not fit at one place. `place` is where it really lies, `name` what the rules call that place."""

    place: str
    name: str
    seen: Spot
    said: Spot
    fault: Fault | None = None
    """What the game says of it, where no rule allows it: play goes on when it is mended."""

    @property
    def extra(self) -> tuple[str, ...]:
        """Cards that are seen and should not lie there."""
        return tuple((Counter(self.seen.up) - Counter(self.said.up)).elements())

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards that should lie there and are not seen; any of them may be one without a name."""
        return tuple((Counter(self.said.up) - Counter(self.seen.up)).elements())


class Reconciliation(msgspec.Struct, frozen=True):
    """What comes of comparing. Without explanations and oddities everything fits."""

    explanations: tuple[Explanation, ...] = ()
    """One: it happened so. Several, all equally short: somebody has to say which."""
    odd: tuple[Mismatch, ...] = ()
    """Where nothing explains it: what does not fit."""

    @property
    def barred(self) -> bool:
        """Whether the table lies as no rule allows: nothing else counts before it is mended."""
        return any(odd.fault is not None for odd in self.odd)


def reconcile(game: SeenGame[Any], state: State[Any], seen: Layout, ignored: Iterable[str] = ()) -> Reconciliation:
    """Compare what is seen with the rules, but for the places (as the rules call them) that are ignored."""
    ignored = frozenset(ignored)
    found = oddities(game, state, seen)
    said = game.layout(state)
    unspoken = not said.loose and any(
        not spot.empty for name, spot in seen.spots.items() if name not in said.spots and not name.endswith(MEMORIES)
    )
    if not unspoken and ignored.issuperset([odd.name for odd in found]):
        return Reconciliation(odd=found)
    explanations = explained(game, state, seen, ignored)
    return Reconciliation(explanations, () if explanations else faulty(game, state, seen, found))


def oddities(game: SeenGame[Any], state: State[Any], seen: Layout) -> tuple[Mismatch, ...]:
    """Return what does not fit, place by place; nothing while people clear the table."""
    said = replace(game.layout(state), lingering={})  # what still lingers now the onlooker knows card by card
    if said.loose:
        return ()
    shown, where = said.aligned(seen)
    return tuple([Mismatch(where[name], name, shown.spots[name], said.spots[name]) for name in said.differing(shown)])


def faulty(game: SeenGame[Any], state: State[Any], seen: Layout, found: tuple[Mismatch, ...]) -> tuple[Mismatch, ...]:
    """Return what does not fit with what no rule allows in front: the places that it speaks of are said but once."""
    said = game.layout(state)
    if said.loose:
        return found
    shown, where = said.aligned(seen)
    faults = tuple(game.faults(state, said, shown))
    spoken = {name for fault in faults for name in (fault.place, *fault.besides)}
    nothing = Spot()
    told = [
        Mismatch(where.get(at, at), at, shown.spots.get(at, nothing), said.spots.get(at, nothing), fault)
        for fault in faults
        for at in (fault.place,)
    ]
    return (*told, *[odd for odd in found if odd.name not in spoken])


def explained(game: SeenGame[Any], state: State[Any], seen: Layout, ignored: frozenset[str]) -> tuple[Explanation, ...]:
    """Return the shortest sequences of legal events after which nothing differs, all of the same length.

    Breadth first. Of sequences that lead to states that nobody at the table could tell apart one is returned. What came
    and went belongs to the first reveal: the next one has only what lies there now.
    """
    level: list[tuple[State[Any], Explanation, Layout]] = [(state, (), seen)]
    reached = {_likeness(game, state)}
    for _ in range(LONGEST):
        following: list[tuple[State[Any], Explanation, Layout]] = []
        found: list[Explanation] = []
        for here, events, left in level:
            for event, after, chance in _next(game, here, left):
                likeness = _likeness(game, after)
                if likeness in reached:
                    continue
                reached.add(likeness)
                said = game.layout(after)
                shown, _ = said.aligned(seen)
                if ignored.issuperset(said.differing(shown)):
                    found.append((*events, event))
                else:
                    following.append((after, (*events, event), without(left) if chance else left))
        if found:
            return (*found, *_overlooking(game, state, seen, ignored, found))
        if len(reached) > MOST_STATES:
            return ()
        level = following
    return ()


def _overlooking(
    game: SeenGame[Any], state: State[Any], seen: Layout, ignored: frozenset[str], found: Iterable[Explanation]
) -> Iterator[Explanation]:
    """Yield what explains the table as well where one card lies that is not seen (`SeenGame.overlooked`)."""
    for explanation in found:
        here = state
        for at, event in enumerate(explanation):
            for other, place in game.overlooked(here, event):
                instead = (*explanation[:at], other, *explanation[at + 1 :])
                end = through(game, state, instead)
                if end is None:
                    continue
                said = game.layout(end)
                shown, _ = said.aligned(seen)
                lacks = Counter(said.spots[place].up) - Counter(shown.spots.get(place, Spot()).up)
                if ignored.issuperset({*said.differing(shown)} - {place}) and lacks.total() == 1:
                    yield instead
            here = follow(game, here, event)


def _likeness(game: SeenGame[Any], state: State[Any]) -> Hashable:
    """Return by what people can tell states apart: what lies where, in whatever order, or is in a hand, the scores,
    whose turn it is, and what may come next (a card, or first a reshuffle)."""
    layout = game.layout(state)
    lies = tuple([(name, tuple(sorted(spot.up)), spot.down) for name, spot in layout.spots.items() if not spot.empty])
    lingers = tuple([(name, tuple(sorted(cards))) for name, cards in layout.lingering.items()])
    offers = legal(game, state)
    turns = tuple([(type(offer), offer.by) for offer in offers])
    return lies, lingers, layout.held, game.scores(state), tuple([type(step) for step in state.agenda]), turns


def _next(game: SeenGame[Any], state: State[Any], seen: Layout) -> Iterator[tuple[Event, State[Any], bool]]:
    """Yield what may have happened next and is legal, with the state after it, and whether chance brought it."""
    if not state.agenda:
        return
    said = game.layout(state)
    shown, _ = said.aligned(seen)
    offers = legal(game, state)
    for event in game.supposed(state, said, shown):
        offer = next((offer for offer in offers if event in offer), None)
        if offer is not None:
            yield event, follow(game, state, event), offer.chance
