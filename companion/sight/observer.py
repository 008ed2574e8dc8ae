"""Watch a live table in a separate thread, without delaying presses, and propose the certain events."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from queue import Empty

from companion.engine import Event, Seat
from companion.match.actor import Actor
from companion.messages import SECOND, Sighted
from companion.sight.moves import ProposedMove
from companion.sight.tracker import CardNaming, SightTracker
from companion.table.scheduler import Clock
from companion.table.sight_records import Explanation
from companion.table.snapshot import TableAnswer
from companion.table.table import Table, WorkerClosed
from companion.threads.inbox import Inbox
from companion.threads.occurrences import Occurrences, origin

NAMING_LASTS = 20 * SECOND
"""How long a person's name for a card waits until the camera reads the card so."""
LOG = logging.getLogger(__name__)


class SightObserver:
    """Watches one table; any thread may call it. Close it before the table. With your own `clock` (ns), call `look`."""

    def __init__(self, table: Table, clock: Clock | None = None) -> None:
        self.table = table
        self._clock = clock or time.monotonic_ns
        self._tracker = SightTracker()
        self._inbox = Inbox[Callable[[], None]]()
        self._closed = False
        self._lock = threading.Lock()
        self._occurrences = Occurrences("further faults of the camera's reader")
        self._tracker.follow_table(table.snapshot())
        # The writer's thread calls this, so it must not block.
        table.listen(lambda shown, entries: self._inbox.put(partial(self._tracker.follow_table, shown)))
        self._thread: threading.Thread | None = None
        if clock is None:
            self._thread = threading.Thread(target=self._run, name="sight", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._closed = True
        self._inbox.put(lambda: None)
        if self._thread is not None:
            self._thread.join()

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera does not answer."""
        self._inbox.put(partial(self._tracker.accept_reading, sighted))

    def accept_moving(self, moving: bool) -> None:
        """Accept whether something moves above the table; readings wait until it is at rest."""
        self._inbox.put(partial(self._tracker.tokens.accept_moving, moving))

    def name_card(self, place: str, card: str, by: Actor) -> None:
        """Accept a person's name for a card; if the card was misread before, amend that without another tap."""
        naming = CardNaming(place, card, by, self._clock() + NAMING_LASTS)
        self._inbox.put(partial(self._tracker.name_card, naming))

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies: after an undo, read it again."""
        self._inbox.put(self._tracker.accept_as_it_lies)

    def accept_in_order(self, seat: Seat) -> None:
        """Accept a seat's word that its hidden place for money is in order."""
        self._inbox.put(partial(self._tracker.tokens.accept_in_order, seat))

    def choose(self, explanation: Explanation, by: Actor) -> TableAnswer:
        """Propose the explanation that a person chose."""
        with self._lock:
            answer = self._tracker.choose(explanation, self._clock(), partial(self._propose, by=by))
        self._inbox.put(lambda: None)
        return answer

    def take_claim(self, claim: Event, by: Actor) -> TableAnswer:
        """Propose a claim that tokens suggest and its seat confirms."""
        shown = self.table.snapshot()
        if claim not in shown.sight.claims:
            return TableAnswer(False, stale=True)
        return self.table.propose(claim, by, match_id=shown.match_id)

    def correct_misread(self, place: str, by: Actor) -> TableAnswer:
        """Amend the misreading at a place, as the table shows it."""
        for mismatch in self.table.snapshot().sight.mismatches:
            correction = mismatch.correction
            if mismatch.place == place and correction is not None:
                return self.table.amend(correction.seq, correction.event, by)
        return TableAnswer(False, stale=True)

    # --- the thread -------------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return the moment from which `look` may act without new input, or None."""
        return self._tracker.due()

    def _run(self) -> None:
        while not self._closed:
            due = self.due()
            news = self._take(threading.TIMEOUT_MAX if due is None else (due - self._clock()) / SECOND)
            try:
                if not self._closed:
                    self.look(news)
            except WorkerClosed:
                return
            except Exception as error:
                self._log("could not compare what the camera sees with the rules", origin(error), error)
                time.sleep(1)  # a bug must not become a busy loop that slows down the buttons

    def _take(self, timeout: float = 0.0) -> Callable[[], None] | None:
        """Return the oldest input, waiting up to `timeout` seconds; None if there is none."""
        try:
            return self._inbox.get(timeout)
        except Empty:
            return None

    def _log(self, what: str, why: str, error: Exception | None = None) -> None:
        """Log the 1st, 10th, 100th, … occurrence of a fault: a camera may repeat it at every picture."""
        kind, count = self._occurrences.add(f"{what}: {why}")
        if count:
            LOG.warning("%s (%d times by now)", kind, count, exc_info=error if count == 1 else None)

    def look(self, news: Callable[[], None] | None = None) -> None:
        """Process all input and propose moves until none follows. `news` is an input already taken."""
        with self._lock:
            while True:
                news = news or self._take()
                while news is not None:
                    news()
                    news = self._take()
                self._tracker.judge(self._clock(), partial(self._propose, by=Actor.CAMERA))
                self._tracker.correct(self._clock(), self.table.amend)
                self.table.show_sight(self._tracker.sight)
                if not self._inbox:
                    return

    def _propose(self, move: ProposedMove, by: Actor) -> TableAnswer:
        """Propose a move with the camera's display for the case that it is accepted."""
        first, *more = move.events
        answer = self.table.propose(first, by, move.seq, move.match_id, tuple(more), move.shown)
        if move.shown is not None and answer.refusal is not None and not answer.stale:
            self._log("the table refused what the camera saw", answer.refusal.key)
        return answer
