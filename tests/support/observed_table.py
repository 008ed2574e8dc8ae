"""A table with a camera for tests: people move cards, the camera makes no errors, and the test sets the clock.

The people's own game is the ground truth; the table knows only the camera's readings and the entered events.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.bots.simulation import next_event, policies_for
from companion.engine import Event, Setup, State, apply, follow
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps.market import RevealCards
from companion.match.actor import Actor
from companion.messages import SECOND, Press
from companion.sight.observer import SightObserver
from companion.sight.reconcile import Explanation
from companion.table.sight_records import SightState
from companion.table.snapshot import TableAnswer
from companion.table.table import Table
from tests.support.laid_cards import GAME, Lying
from tests.support.paces import HURRIED


class Clock:
    """A clock in nanoseconds that the test sets."""

    def __init__(self) -> None:
        self.now = 10 * SECOND

    def __call__(self) -> int:
        """Return the time."""
        return self.now


class ObservedTable:
    """People at a table with a camera. `true` is the game as they really play it."""

    def __init__(self, table: Table, observer: SightObserver, clock: Clock, setup: Setup, lying: Lying) -> None:
        self.table, self.observer, self.clock, self.lying = table, observer, clock, lying
        self.true: State[Any] = GAME.begin(setup)
        self.counts: Counter[str] = Counter()
        self._people = ThreadPoolExecutor(1)

    # --- the table --------------------------------------------------------------------------------

    @property
    def state(self) -> State[Any]:
        """The match as the table knows it."""
        state = self.table.snapshot().state
        assert state is not None
        return state

    @property
    def sight(self) -> SightState:
        """The camera's findings about the table."""
        return self.table.snapshot().sight

    def agrees(self) -> bool:
        """Return whether the table's match equals the people's game; the order of the market does not matter."""
        return known(self.state) == known(self.true)

    # --- people -----------------------------------------------------------------------------------

    def look(self, seconds: float = 4) -> None:
        """Let the camera take a reading of the table, and let time pass."""
        self.observer.accept_reading(self.lying.seen())
        self.wait(seconds)

    def wait(self, seconds: float = 4) -> None:
        """Let time pass: the observer checks the table now, after its waiting time, and after each consequence."""
        self.observer.look()
        for _ in range(2):
            self.clock.now += int(seconds * SECOND)
            self.table.tick()
            self.observer.look()

    def touch(self, event: Event, by: Actor = Actor.HOST) -> TableAnswer:
        """Enter an event, and let time pass until the table has judged it."""
        said = self._people.submit(self.table.propose, event, by)
        while True:
            try:
                return said.result(0.002)
            except Late:
                self.clock.now += SECOND // 20
                self.table.tick()

    def tell(self, event: Event, look: bool = True) -> None:
        """Enter an event that the camera cannot see, and move its cards."""
        assert self.touch(event).accepted, event
        if look:
            self.observer.look()
        self.true = follow(GAME, self.true, event)
        if not GAME.layout(self.true).loose:
            self.lying.follow(GAME.layout(self.true))
            if look:
                self.look()

    def show(self, event: Event) -> State[Any]:
        """Carry out an event with the cards, and let the camera read them whenever they are at rest."""
        after = apply(GAME, self.true, event)
        for sighted in self.lying.play(self.true, event, after):
            self.observer.accept_reading(sighted)
            self.wait()
        self.true = after
        return after

    def press_pass(self, seat: int) -> None:
        """Press a seat's own button in its turn of the wagon stage."""
        self.clock.now += SECOND
        self.table.press(Press(seat, self.clock.now))
        self.clock.now += SECOND
        self.table.tick()
        self.observer.look()

    def play_on(self, event: Event, refill: Event | None) -> None:
        """Play one event of the true game. Bonus and exchanges become visible only with the cards that follow
        (`refill`)."""
        if isinstance(event, ev.TurnPassed):
            self.true = apply(GAME, self.true, event)
            self.press_pass(event.seat)
            self.counts["pressed"] += 1
        elif event.facts.by_cards:
            self.show(event)
            if refill is not None:
                self.show(refill)
            if not self.agrees():
                self._answer(event)
            self.counts["seen"] += 1
        else:
            self.tell(event)
            self.counts["told"] += 1

    def _answer(self, event: Event) -> None:
        """Choose the true explanation if the table asks."""
        for choice in self.sight.choices:
            if choice[0] == event:
                assert self.choose(choice).accepted
                self.counts["asked"] += 1
                self.counts["chosen"] += len(choice)
                self.wait()
                return

    def choose(self, choice: Explanation) -> TableAnswer:
        """Tap one of several explanations."""
        return self.observer.choose(choice, Actor.HOST)


def known(state: State[Any]) -> tuple[Any, ...]:
    """Return everything in a state that affects money and cards, without the order of the market."""
    table = state.table
    market = sorted([card for card in table.market if card is not None])
    whole = (table.trains, table.cash, table.bank, table.longer, table.round, market, sorted(table.revealed))
    return (*whole, tuple([type(step) for step in state.agenda]))


@contextmanager
def observed_match(
    folder: Path, players: int = 3, order: tuple[int, int, int] = (0, 1, 2), lying: Lying | None = None, **options: Any
) -> Iterator[ObservedTable]:
    """Yield people at a table with a camera and a new match with real cards. Unless `lying` says otherwise, the
    camera makes no errors."""
    setup, clock = Setup("take-a-train", players, options, "reconstruction", "ours"), Clock()
    with Table(folder / "journal", clock, pace=HURRIED) as table:
        table.start(setup)
        observer = SightObserver(table, clock)
        try:
            yield ObservedTable(table, observer, clock, setup, lying or Lying(players, order))
        finally:
            observer.close()


def played(scene: ObservedTable, seed: int, until: int = 10_000, rounds: int = 3) -> None:
    """Play with sensible bots for the given number of rounds or events; stop if the table differs from the true
    game."""
    luck = random.Random(seed).random
    minds = policies_for(GAME, "sensible", len(scene.true.table.trains))
    for _ in range(until):
        if not scene.true.agenda or (scene.true.table.round >= rounds and GAME.layout(scene.true).loose):
            return
        event = next_event(GAME, scene.true, minds, luck)
        after = apply(GAME, scene.true, event)
        hidden = isinstance(event, ev.Exchanged) or (isinstance(event, ev.Took) and event.train is None)
        refill = None
        if hidden and after.agenda and isinstance(after.agenda[0], RevealCards):
            refill = next_event(GAME, after, minds, luck)
        scene.play_on(event, refill)
        assert scene.agrees(), (event, scene.sight, scene.state.agenda[:1])


def to_the_market(scene: ObservedTable, seed: int) -> None:
    """Play with sensible bots up to the first market. All events are typed, because the camera does not look yet."""
    luck = random.Random(seed).random
    minds = policies_for(GAME, "sensible", len(scene.true.table.trains))
    while not isinstance(scene.true.agenda[0], RevealCards):
        scene.tell(next_event(GAME, scene.true, minds, luck), look=False)
