"""A whole game at a table that is only watched: simulated people with the true game, and a companion that sees."""

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
"""How often people turn up the next card before the companion has looked at the last one."""
GLANCE = 4 * SECOND
"""So much time goes by between two looks: what was taken has been shown, and what does not fit is said."""
LOOKS = 8
"""After so many looks at a table at rest nothing more comes of it."""


class SightSource(Protocol):
    """A table on which cards are laid, and its reader."""

    def lay(self, layout: Layout) -> Iterable[Sighted]:
        """Have people lay all that a layout speaks of; yield what is seen where a hand pauses over the table."""
        ...

    def read(self) -> Sighted:
        """Return what is seen now."""
        ...


class SimulatedClock:
    """Nanoseconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.now = 10 * SECOND

    def __call__(self) -> int:
        """Return the moment."""
        return self.now


class FollowedGame(msgspec.Struct):
    """What came of one game."""

    events: int = 0
    """How many the game has."""
    seen: int = 0
    """Those of them that were taken by sight, unasked."""
    tapped: int = 0
    """Events that people declare: no camera could see them."""
    asked: int = 0
    """Questions of the camera that people answered."""
    told: int = 0
    """Events that people had to type because the camera did not show them."""
    hasty: int = 0
    """Looks at a table under a hand from which something was taken that has not happened."""
    over: bool = False
    right: bool = False
    """Whether the companion knows the true winners and the true last table."""


class Follower:
    """People at one table, and the companion that follows them. `true` is the game as they play it."""

    def __init__(
        self, game: AnySeenGame, setup: Setup, table: Table, source: SightSource, clock: SimulatedClock
    ) -> None:
        self.game, self.table, self.source, self.clock = game, table, source, clock
        self.declared = tags_with(game.events, lambda facts: facts.entered or facts.declared)
        """Events that people enter at once: those of chance, and those of which the game says that no picture shows
        them."""
        self.declared_unseen = tags_with(game.events, lambda facts: facts.declared_unseen)
        """The same of events after which the table may look as before."""
        table.start(setup)
        self.true: AnyState = game.begin(setup)
        self.observer = SightObserver(table, clock)
        self.counts = FollowedGame()
        self.pending: list[Event] = []
        """What happened since the companion was last in step."""
        self._rested = 0
        """How many events were recorded then."""

    # --- what is known ----------------------------------------------------------------------------

    @property
    def state(self) -> AnyState:
        """The match as the companion knows it."""
        state = self.table.snapshot().state
        assert state is not None
        return state

    @property
    def in_step(self) -> bool:
        """Whether the companion shows everybody what is true."""
        return bool(self.game.view(self.state, None) == self.game.view(self.true, None))

    # --- what people do ---------------------------------------------------------------------------

    def play(
        self,
        luck: Callable[[], float],
        bots: str = "sensible",
        most: int = MAX_EVENTS,
        progress: Callable[[int], None] = lambda events: None,
    ) -> FollowedGame:
        """Play with bots to the end, or `most` events; `progress` is told after each event how many there were."""
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
        """Do what an event says: lay cards and look, or tap. `at_once`: the next card is laid before anybody looks."""
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
            return  # a card in a hand: it shows with what is done with it
        self._lay(after)
        if not (at_once and self._turning_up()):
            self.rest()

    def _lay(self, layout: Layout) -> None:
        """Lay what a layout speaks of; a camera may look while hands do so."""
        for sighted in self.source.lay(layout):
            taken = len(self.table.snapshot().entries)
            self.observer.accept_reading(sighted)
            self.wait()
            found = [entry.event for entry in self.table.snapshot().entries[taken:]]
            self.counts.hasty += any(event not in self.pending for event in found)

    def _turning_up(self) -> bool:
        """Whether another card turns up now, before anybody decides anything."""
        agenda = self.true.agenda
        return bool(agenda) and all(offer.chance for offer in agenda[0].legal(self.true.table))

    def rest(self) -> None:
        """Let the companion look until it knows all, asks, or learns no more; then people tell it the rest."""
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
        """Return what happened and is not recorded; the same card may turn up twice."""
        recorded, untold = [entry.event for entry in self.table.snapshot().entries[self._rested :]], list[Event]()
        for event in self.pending:
            if event in recorded:
                recorded.remove(event)
            else:
                untold.append(event)
        return untold

    def look(self) -> None:
        """Let the companion see the table as it lies, and time go by."""
        self.observer.accept_reading(self.source.read())
        self.wait()

    def wait(self) -> None:
        """Let time go by."""
        self.observer.look()
        self.clock.now += GLANCE
        self.table.tick()
        self.observer.look()

    def choose(self, nth: int) -> TableAnswer:
        """Tap one of the things that may have happened."""
        return self.observer.choose(self.table.snapshot().sight.choices[nth], Actor.HOST)

    def _answer(self) -> None:
        """Say which of several things happened, if the companion asks."""
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
    """Whether events happened one after another."""
    return any(tuple(whole[at : at + len(some)]) == some for at in range(len(whole) - len(some) + 1))


@contextmanager
def follow_game(folder: Path, game: AnySeenGame, setup: Setup, source: SightSource) -> Iterator[Follower]:
    """Give people at a table with an source, and a match just begun."""
    clock = SimulatedClock()
    with Table(folder / "journal", clock) as table:
        people = Follower(game, setup, table, source, clock)
        try:
            yield people
        finally:
            people.observer.close()
