"""A whole game at a watched table: simulated players with the true game, and a companion that sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from companion.bots.simulation import MAX_EVENTS, next_event, policies_for
from companion.engine import AnySeenGame, AnyState, Event, Layout, Setup, apply, name_of, tags_with
from companion.match.actor import Actor
from companion.messages import SECOND, Sighted
from companion.sight.observer import SightObserver
from companion.table.snapshot import TableAnswer
from companion.table.table import Table

AT_ONCE = 0.5
"""The probability that players turn up the next card before the companion has seen the last one."""
GLANCE = 4 * SECOND
"""The time between two looks in nanoseconds, enough to show moves and report contradictions."""
LOOKS = 8
"""The number of looks at a resting table after which no more is learnt."""


class SightSource(Protocol):
    """A table with cards, and its reader."""

    def lay(self, layout: Layout) -> Iterable[Sighted]:
        """Let players lay everything in a layout. Yield the readings while a hand pauses over the table."""
        ...

    def read(self) -> Sighted:
        """Return the current reading."""
        ...


class SimulatedClock:
    """A clock in nanoseconds that advances only on request."""

    def __init__(self) -> None:
        self.now = 10 * SECOND

    def __call__(self) -> int:
        """Return the current time."""
        return self.now


class FollowedGame(msgspec.Struct):
    """The result of one game."""

    events: int = 0
    """The number of events in the game."""
    seen: int = 0
    """The number of events recognised by sight, without a question."""
    tapped: int = 0
    """The number of events that players declare because no camera could see them."""
    asked: int = 0
    """The number of the camera's questions that players answered."""
    told: int = 0
    """The number of events that players had to type because the camera did not show them."""
    hasty: int = 0
    """The number of readings under a hand from which the companion inferred an event that had not happened."""
    over: bool = False
    right: bool = False
    """Whether the companion knows the true winners and the true last table."""


class Follower:
    """Players at one table, and the companion that follows them. `true` is the actual game."""

    def __init__(
        self, game: AnySeenGame, setup: Setup, table: Table, source: SightSource, clock: SimulatedClock
    ) -> None:
        self.game, self.table, self.source, self.clock = game, table, source, clock
        self.declared = tags_with(game.events, lambda facts: facts.entered or facts.declared)
        """Events that players enter at once: those of chance, and those that the game marks as invisible."""
        self.declared_unseen = tags_with(game.events, lambda facts: facts.declared_unseen)
        """Declared events after which the table may look the same."""
        table.start(setup)
        self.true: AnyState = game.begin(setup)
        self.observer = SightObserver(table, clock)
        self.counts = FollowedGame()
        self.pending: list[Event] = []
        """The events since the companion was last in step."""
        self._rested = 0
        """The number of recorded events at that time."""

    # --- knowledge --------------------------------------------------------------------------------

    @property
    def state(self) -> AnyState:
        """The match as the companion knows it."""
        state = self.table.snapshot().state
        assert state is not None
        return state

    @property
    def in_step(self) -> bool:
        """Whether the companion's public view equals the true one."""
        return bool(self.game.view(self.state, None) == self.game.view(self.true, None))

    # --- actions ----------------------------------------------------------------------------------

    def play(
        self,
        luck: Callable[[], float],
        bots: str = "sensible",
        most: int = MAX_EVENTS,
        progress: Callable[[int], None] = lambda events: None,
    ) -> FollowedGame:
        """Play with bots to the end, or for `most` events.

        progress: called after each event with the number of events.
        """
        minds = policies_for(self.game, bots, len(self.game.scores(self.true)))
        events = 0
        while self.true.agenda and events < most:
            event = next_event(self.game, self.true, minds, luck)
            self.do(event, luck() < AT_ONCE)
            events += 1
            progress(events)
        self.rest()
        self.counts.over = not self.state.agenda
        self.counts.right = self.in_step and (
            bool(self.true.agenda) or self.game.winners(self.state) == self.game.winners(self.true)
        )
        self._count()
        return self.counts

    def do(self, event: Event, at_once: bool = False) -> None:
        """Perform an event: lay cards and look, or tap.

        at_once: whether the next card is laid before anybody looks.
        """
        before, following = self.true, apply(self.game, self.true, event)
        now, after = self.game.layout(before), self.game.layout(following)
        unseen = name_of(event) in self.declared_unseen and after.same_table(now)
        declared = unseen or name_of(event) in self.declared
        if declared and self.pending:
            self.rest()
        self.true = following
        self.counts.events += 1
        self.pending.append(event)
        if declared:
            self.counts.tapped += 1
            self._tap(event)
        for rest in self.game.resting_layouts(before, event, self.true):
            self._lay(rest if rest.pieces else msgspec.structs.replace(rest, pieces=now.pieces))
            self.look()
            self._answer()
        if after.same_table(now):
            return  # a card in a hand becomes visible when it is used
        self._lay(after)
        if not (at_once and self._turning_up()):
            self.rest()

    def _lay(self, layout: Layout) -> None:
        """Lay the cards of a layout. A camera may look meanwhile."""
        for sighted in self.source.lay(layout):
            taken = len(self.table.snapshot().entries)
            self.observer.accept_reading(sighted)
            self.wait()
            found = [entry.event for entry in self.table.snapshot().entries[taken:]]
            self.counts.hasty += any(event not in self.pending for event in found)

    def _turning_up(self) -> bool:
        """Whether another card turns up now, before any decision."""
        agenda = self.true.agenda
        return bool(agenda) and all(offer.chance for offer in agenda[0].legal(self.true.table))

    def rest(self) -> None:
        """Let the companion look until it is in step, asks, or learns no more. Then let players tell it the rest."""
        for _ in range(LOOKS):
            if self.in_step:
                break
            self.look()
            self._answer()
        for event in self._untold() if not self.in_step else ():
            if self.table.propose(event, Actor.HOST).accepted:
                self.counts.told += 1
            if self.in_step:
                break
        self.pending.clear()
        self._rested = len(self.table.snapshot().entries)

    def _untold(self) -> list[Event]:
        """Return the events that are not recorded. The same card may turn up twice."""
        recorded, untold = [entry.event for entry in self.table.snapshot().entries[self._rested :]], list[Event]()
        for event in self.pending:
            if event in recorded:
                recorded.remove(event)
            else:
                untold.append(event)
        return untold

    def look(self) -> None:
        """Let the companion see the current table, and let time pass."""
        self.observer.accept_reading(self.source.read())
        self.wait()

    def wait(self) -> None:
        """Let time pass."""
        self.observer.look()
        self.clock.now += GLANCE
        self.table.tick()
        self.observer.look()

    def choose(self, nth: int) -> TableAnswer:
        """Tap one of the possible events."""
        return self.observer.choose(self.table.snapshot().sight.choices[nth], Actor.HOST)

    def _answer(self) -> None:
        """Answer which of several things happened, if the companion asks."""
        for nth, choice in enumerate(self.table.snapshot().sight.choices):
            if _in_order(choice, self.pending):
                assert self.choose(nth).accepted
                self.counts.asked += 1
                self.wait()
                return

    def _tap(self, event: Event) -> None:
        answer = self.table.propose(event, Actor.HOST)
        if not answer.accepted:
            self.rest()
            self.table.propose(event, Actor.HOST)
        self.observer.look()

    def _count(self) -> None:
        self.counts.seen = sum(entry.by == Actor.CAMERA for entry in self.table.snapshot().entries)


def _in_order(some: tuple[Event, ...], whole: list[Event]) -> bool:
    """Whether the events happened consecutively."""
    return any(tuple(whole[at : at + len(some)]) == some for at in range(len(whole) - len(some) + 1))


@contextmanager
def follow_game(folder: Path, game: AnySeenGame, setup: Setup, source: SightSource) -> Iterator[Follower]:
    """Yield players at a table with a source and a new match."""
    clock = SimulatedClock()
    with Table(folder / "journal", clock) as table:
        people = Follower(game, setup, table, source, clock)
        try:
            yield people
        finally:
            people.observer.close()
