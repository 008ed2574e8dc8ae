"""The timekeeper: the referee at a live table. Presses and things said go in, rulings come out when their time comes.

All but the waiting is done in the writer's thread. Knows clocks and threads, but no game and no page.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future

from companion.engine import Event, Refusal, Seat, SeatEvent, Timing
from companion.match.history import HistoryEntry
from companion.messages import STANDING, Cue, Press
from companion.referee.referee import OWN, PressEvidence, Referee, Ruling, heard
from companion.table.cues import momentary, standing
from companion.table.snapshot import Snapshot, TableAnswer
from companion.threads.listeners import Listeners

Clock = Callable[[], int]
"""Nanoseconds of CLOCK_MONOTONIC."""
Show = Callable[[tuple[Cue, ...]], None]
"""Called in the writer's thread with cues for lamps and screens. It must not wait."""
Tell = Callable[[Seat, Refusal], None]
"""Called in the writer's thread with why a seat's press came to nothing, for that seat alone. It must not wait."""
LOG = logging.getLogger(__name__)


class Scheduler:
    """Follows one table. `work` has something done in the writer's thread, `clock` says what time it is."""

    def __init__(self, clock: Clock, work: Callable[[], None]) -> None:
        self.clock = clock
        self.referee = Referee()
        self._work = work
        self._shows: Listeners[tuple[Cue, ...]] = Listeners("a cue could not be shown")
        self._tells: Listeners[Seat, Refusal] = Listeners("a seat could not be told why its press came to nothing")
        self._showing = threading.RLock()
        """Held while cues are shown: a listener that joins gets what stands before anything newer."""
        self._standing: dict[type[Cue], Cue] = {}
        self._tickets: dict[int, tuple[Future[TableAnswer], str]] = {}
        self._numbers = itertools.count(1)
        self._news = threading.Condition()
        self._due: int | None = None
        self._closed = False
        self.trouble = ""
        """What is wrong with the services, as the cue `Trouble` says it."""
        self._thread: threading.Thread | None = None

    # --- life -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to wait for what is due; without it, whoever holds the clock asks for `Table.tick`."""
        self._thread = threading.Thread(target=self._wait, name="timekeeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for nothing any more."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()

    def dismiss(self) -> None:
        """Tell all who still wait for an answer that there is none, once the writer has ended."""
        tickets, self._tickets = self._tickets, {}
        for waiting, _ in tickets.values():
            waiting.set_result(TableAnswer(False, refusal=Refusal("R-00", "no_match")))

    def _wait(self) -> None:
        """Have the rulings made whose time has come, one after another."""
        while True:
            with self._news:
                if self._closed:
                    return
                left = None if self._due is None else (self._due - self.clock()) / 1e9
                if left is None or left > 0:
                    self._news.wait(left)
                    continue
                self._due = None
            try:
                self._work()
            except Exception:
                LOG.exception("a ruling could not be made")

    # --- who listens ------------------------------------------------------------------------------

    def show(self, show: Show) -> None:
        """Call a function with every cue from now on, those first that stand now."""
        with self._showing:
            try:
                show(self.stands())
            except Exception:
                LOG.exception("a cue could not be shown")
            self._shows.add(show)

    def tell(self, tell: Tell) -> None:
        """Call a function with every refusal of a press from now on."""
        self._tells.add(tell)

    def greet(self, show: Show) -> None:
        """Call a function once with the cues that stand now; newer ones are shown afterwards."""
        with self._showing:
            show(self.stands())

    def stands(self) -> tuple[Cue, ...]:
        """Return the cues that stand now, for lamps or screens that join late."""
        return tuple(self._standing.values())

    def cue(self, cues: tuple[Cue, ...]) -> None:
        """Show cues to everybody, but no standing one twice."""
        fresh: list[Cue] = []
        with self._showing:
            for each in cues:
                if isinstance(each, STANDING):
                    if self._standing.get(type(each)) == each:
                        continue
                    self._standing = self._standing | {type(each): each}
                fresh.append(each)
            if fresh:
                self._shows.tell(tuple(fresh))

    # --- the writer's work ------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Take a press in."""
        self.cue(self.referee.hear(heard(press, self.clock())))

    def said(self, event: Event, by: str) -> Future[TableAnswer]:
        """Take in what was typed or spoken, as of now; the answer comes when it has been judged."""
        now, ticket = self.clock(), next(self._numbers)
        waiting: Future[TableAnswer] = Future()
        self._tickets[ticket] = (waiting, by)
        seat = event.seat if isinstance(event, SeatEvent) else OWN
        self.cue(self.referee.hear(PressEvidence(seat, now, now, event=event, ticket=ticket, source="said")))
        return waiting

    def judge(self, rule: Callable[[Event], Refusal | None], carry_out: Callable[[Ruling, str], TableAnswer]) -> None:
        """Make every ruling whose time has come; `carry_out` makes it true and says what came of it."""
        while (ruling := self.referee.next(self.clock(), rule)) is not None:
            answer = carry_out(ruling, self.by(ruling.heard))
            self.cue(ruling.cues)
            self._answer(ruling, answer)
        self._set(self.referee.due())

    def happened(self, ruling: Ruling) -> None:
        """Take note that a ruling has come true."""
        self.cue(self.referee.ruled(ruling))

    def follow(self, snapshot: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Take note of how the table stands now, and show it."""
        self.cue(self.referee.watch(timing(snapshot), self.clock()))
        self.cue(momentary(entries) + standing(snapshot, self.trouble))
        self._set(self.referee.due())

    def recall(self, snapshot: Snapshot) -> None:
        """Forget what waits to be judged: the table has been changed by other means."""
        told, cues = self.referee.clear(timing(snapshot), self.clock())
        for ruling in told:
            self._answer(ruling, TableAnswer(False, snapshot.seq, ruling.refusal))
        self.cue(cues)
        self._set(self.referee.due())

    def readiness(self) -> tuple[tuple[Seat, ...], bool]:
        """Return who is ready for the fists to open, and whether the signal has been given."""
        fists = self.referee.fists
        return ((), False) if fists is None else (tuple(sorted(fists.ready)), fists.opened)

    def by(self, evidence: PressEvidence) -> str:
        """Return who is written to have done it."""
        if evidence.ticket in self._tickets:
            return self._tickets[evidence.ticket][1]
        if evidence.seat == OWN:
            return "companion"
        return f"{'bot' if evidence.source == 'bot' else 'seat'}:{evidence.seat}"

    def _answer(self, ruling: Ruling, answer: TableAnswer) -> None:
        """Tell whoever waits, else the seat that pressed, what became of it."""
        waiting = self._tickets.pop(ruling.heard.ticket, None)
        if waiting is not None:
            waiting[0].set_result(answer)
        elif not answer.accepted and answer.refusal is not None:
            self._tells.tell(ruling.heard.seat, answer.refusal)

    def _set(self, due: int | None) -> None:
        with self._news:
            if due != self._due:
                self._due = due
                self._news.notify_all()


def timing(snapshot: Snapshot) -> Timing | None:
    """Return what a press means now; nothing while the game is paused or over."""
    state = snapshot.state
    if state is None or snapshot.paused or not state.agenda:
        return None
    return state.agenda[0].timing(state.table)
