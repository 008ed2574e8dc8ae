"""Explain the cards seen by the shortest legal sequence of events after which the rules expect them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from companion.engine import AnySeenGame, AnyState, Event, Fault, Layout, Spot, follow, follow_all, legal
from companion.table.sight_records import Explanation

MAX_STATES = 250
"""The search gives up after this many states; real tables need a few dozen at most."""
MAX_EVENTS = 16
"""The most events in an explanation: all other seats pass, then an exchange, a take and their refills."""


class Mismatch(msgspec.Struct, frozen=True):
    """One place where seen and expected cards differ. `place` is the real place, `name` the rules' name for it."""

    place: str
    name: str
    seen: Spot
    expected: Spot
    fault: Fault | None = None
    """The game's explanation if no rule allows the mismatch; play continues after people fix it."""

    @property
    def key(self) -> tuple[str, Spot, Spot]:
        """Identifies the same mismatch over time."""
        return self.name, self.seen, self.expected

    @property
    def extra(self) -> tuple[str, ...]:
        """Cards seen there that should not be."""
        return tuple((Counter(self.seen.up) - Counter(self.expected.up)).elements())

    @property
    def missing(self) -> tuple[str, ...]:
        """Missing cards; an unnamed card may be any of them."""
        return tuple((Counter(self.expected.up) - Counter(self.seen.up)).elements())


class Reconciliation(msgspec.Struct, frozen=True):
    """The result of comparing. Without explanations and mismatches, everything matches."""

    explanations: tuple[Explanation, ...] = ()
    """A single explanation is certain; a person must choose between several of equal length."""
    mismatches: tuple[Mismatch, ...] = ()
    """The mismatches, if nothing explains them."""

    @property
    def barred(self) -> bool:
        """Whether people must fix a fault of the table before play continues."""
        return any(mismatch.fault is not None for mismatch in self.mismatches)


def reconcile(game: AnySeenGame, state: AnyState, seen: Layout, ignored: Iterable[str] = ()) -> Reconciliation:
    """Compare the view with the rules, except at ignored places (by the rules' names)."""
    ignored = frozenset(ignored)
    found = find_mismatches(game, state, seen)
    expected = game.layout(state)
    compared = {*expected.spots, *expected.overflowing}
    unexpected = any(not seen.spots[name].empty for name in seen.spots.keys() - compared)
    if not (expected.loose or unexpected) and ignored.issuperset([mismatch.name for mismatch in found]):
        return Reconciliation(mismatches=found)
    explanations = find_explanations(game, state, seen, ignored)
    return Reconciliation(explanations, () if explanations else with_faults(game, state, seen, found))


def expects(game: AnySeenGame, state: AnyState, explanation: Explanation, seen: Layout, place: str, card: str) -> bool:
    """Whether a card belongs at a place after an explanation, or must still be cleared away there."""
    end = follow_all(game, state, explanation)
    assert end is not None
    expected = game.layout(end)
    _, where = expected.aligned(seen)
    name = next((name for name, real in where.items() if real == place), place)
    return card in expected.spot(name).up or card in expected.lingering.get(name, ())


def find_mismatches(game: AnySeenGame, state: AnyState, seen: Layout) -> tuple[Mismatch, ...]:
    """Return the mismatched places; none while people clear the table."""
    # The tracker has removed lingering cards one by one.
    expected = replace(game.layout(state), lingering={})
    if expected.loose:
        return ()
    shown, where = expected.aligned(seen)
    return tuple([_mismatch(name, expected, shown, where) for name in expected.differing(shown)])


def with_faults(game: AnySeenGame, state: AnyState, seen: Layout, found: tuple[Mismatch, ...]) -> tuple[Mismatch, ...]:
    """Return the mismatches with the game's faults first; a place that a fault covers is not reported twice."""
    expected = game.layout(state)
    if expected.loose:
        return found
    shown, where = expected.aligned(seen)
    faults = tuple(game.faults(state, expected, shown))
    covered = {name for fault in faults for name in (fault.place, *fault.besides)}
    # The fault itself mentions the pieces.
    said, seen = replace(expected, pieces={}), replace(shown, pieces={})
    faulty = [_mismatch(fault.place, said, seen, where, fault) for fault in faults]
    return (*faulty, *[mismatch for mismatch in found if mismatch.name not in covered])


def _mismatch(name: str, said: Layout, shown: Layout, where: Mapping[str, str], fault: Fault | None = None) -> Mismatch:
    return Mismatch(where.get(name, name), name, shown.spot(name), said.spot(name), fault)


def find_explanations(
    game: AnySeenGame, state: AnyState, seen: Layout, ignored: frozenset[str]
) -> tuple[Explanation, ...]:
    """Return the shortest sequences of legal events after which nothing differs, all of the same length.

    A breadth-first search. If sequences lead to states that look the same at the table, only one is returned. Cards
    that came and went belong to the first reveal; later reveals consider only the present cards.
    """
    level: list[tuple[AnyState, Explanation, Layout]] = [(state, (), seen)]
    reached = {_likeness(game, state)}
    for _ in range(MAX_EVENTS):
        following: list[tuple[AnyState, Explanation, Layout]] = []
        found: list[Explanation] = []
        for here, events, left in level:
            for event, after, chance in _candidates(game, here, left):
                likeness = _likeness(game, after)
                if likeness in reached:
                    continue
                reached.add(likeness)
                expected = game.layout(after)
                # while people move cards on, only the layouts in between reveal the events
                fitting = (expected, *(game.resting_layouts(here, event, after) if expected.loose else ()))
                if any(ignored.issuperset(each.differing(each.aligned(seen)[0])) for each in fitting):
                    found.append((*events, event))
                else:
                    following.append((after, (*events, event), left.without_memories() if chance else left))
        if found:
            return (*found, *_with_overlooked(game, state, seen, ignored, found))
        if len(reached) > MAX_STATES:
            return ()
        level = following
    return ()


def _with_overlooked(
    game: AnySeenGame, state: AnyState, seen: Layout, ignored: frozenset[str], found: Iterable[Explanation]
) -> Iterator[Explanation]:
    """Yield explanations that also match, or would if one card were hidden (`SeenGame.unseen_alternatives`)."""
    for explanation in found:
        here = state
        for at, event in enumerate(explanation):
            for others, place in game.unseen_alternatives(here, event):
                instead = (*explanation[:at], *others, *explanation[at + 1 :])
                end = follow_all(game, state, instead)
                if end is None:
                    continue
                expected = game.layout(end)
                shown, _ = expected.aligned(seen)
                spot = shown.spot(place)
                lacks = Counter(expected.spot(place).up) - Counter(spot.up)
                fits = ignored.issuperset({*expected.differing(shown)} - {place})
                if fits and lacks.total() - spot.unnamed == bool(place):
                    yield instead
            here = follow(game, here, event)


def _likeness(game: AnySeenGame, state: AnyState) -> Hashable:
    """Return the visible features of a state.

    These are the cards at each place in any order, the cards in hands, the scores, the facts known beside the mat,
    whose turn it is, and the waiting steps with all their fields, such as a card to be placed.
    """
    layout = game.layout(state)
    lies = tuple([(name, tuple(sorted(spot.up)), spot.down) for name, spot in layout.spots.items() if not spot.empty])
    lingers = tuple([(name, tuple(sorted(cards))) for name, cards in layout.lingering.items()])
    offers = legal(game, state)
    turns = tuple([(type(offer), offer.by) for offer in offers])
    stands = [(cell, tuple(sorted([each.sort for each in here]))) for cell, here in layout.pieces.items() if here]
    steps = msgspec.json.encode(state.agenda, order="deterministic")
    known = game.scores(state), game.beside_mat(state)
    return lies, lingers, layout.held, known, steps, turns, frozenset(stands)


def _candidates(game: AnySeenGame, state: AnyState, seen: Layout) -> Iterator[tuple[Event, AnyState, bool]]:
    """Yield each legal event that may have happened next, the state after it, and whether chance decided it."""
    if not state.agenda:
        return
    expected = game.layout(state)
    shown, _ = expected.aligned(seen)
    offers = legal(game, state)
    for event in game.candidate_events(state, expected, shown):
        offer = next((offer for offer in offers if event in offer), None)
        if offer is not None:
            yield event, follow(game, state, event), offer.chance
