"""Watches a live table through the camera and proposes the events it is sure of.

It works in a thread of its own, so that no press waits for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from companion.engine import Event, Seat
from companion.match.actor import Actor
from companion.match.history import HistoryEntry
from companion.messages import SECOND, Sighted
from companion.sight.token_tracker import TokenTracker
from companion.sight.tracker import ProposedMove, SightTracker
from companion.table.scheduler import Clock
from companion.table.service import Table, WorkerClosed
from companion.table.sight_records import Explanation, SightState
from companion.table.snapshot import Snapshot, TableAnswer
from companion.threads.occurrences import Occurrences, origin

NAMING_LASTS = 20 * SECOND
"""How long a card's name, given by a person, waits for the camera to read the card so."""
LOG = logging.getLogger(__name__)


class CardNaming(msgspec.Struct, frozen=True):
    """A person's statement of which card lies at a place."""

    place: str
    card: str
    by: Actor
    until: int


class SightObserver:
    """Watches one table. Any thread may call its methods; close it before the table.

    `clock` gives nanoseconds of CLOCK_MONOTONIC; a caller that passes its own clock must also call `look`.
    """

    def __init__(self, table: Table, clock: Clock | None = None) -> None:
        self.table = table
        self._clock = clock or time.monotonic_ns
        self._tracker, self._tokens = SightTracker(), TokenTracker()
        self._news = threading.Condition()
        self._inbox: list[Callable[[], None]] = []
        self._closed = False
        self._naming: CardNaming | None = None
        self._lock = threading.Lock()
        self._occurrences = Occurrences("further faults of the camera's reader")
        self._follow_table(table.snapshot())
        table.listen(self._follow)
        self._thread: threading.Thread | None = None
        if clock is None:
            self._thread = threading.Thread(target=self._run, name="sight", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept what lies on the table now; None if the camera does not answer."""
        self._enqueue(lambda: self._tracker.accept_reading(sighted))
        self._enqueue(lambda: self._tokens.accept_reading(sighted))

    def accept_moving(self, moving: bool) -> None:
        """Accept whether something moves above the table; no reading comes until it is at rest."""
        self._enqueue(lambda: self._tokens.accept_moving(moving))

    def name_card(self, place: str, card: str, by: Actor) -> None:
        """Accept a person's name for a card: if the card was misread before, that is amended without another tap."""
        naming = CardNaming(place, card, by, self._clock() + NAMING_LASTS)
        self._enqueue(lambda: self._keep_naming(naming))

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies: after an undo it is read again."""
        self._enqueue(self._tracker.accept_as_it_lies)
        self._enqueue(self._tokens.accept_as_it_lies)

    def accept_in_order(self, seat: Seat) -> None:
        """Accept a seat's word that its place for money, which the camera may not look at now, is in order."""
        self._enqueue(lambda: self._tokens.accept_in_order(seat))

    def choose(self, explanation: Explanation, by: Actor) -> TableAnswer:
        """Propose the explanation that a person chose."""
        with self._lock:
            move = self._tracker.move_for_choice(explanation)
            if move is None:
                return TableAnswer(False, stale=True)
            answer = self._propose(move, by)
        self._enqueue(lambda: None)
        return answer

    def take_claim(self, claim: Event, by: Actor) -> TableAnswer:
        """Propose what tokens suggest, as its seat said so."""
        shown = self.table.snapshot()
        if claim not in shown.sight.claims:
            return TableAnswer(False, stale=True)
        return self.table.propose(claim, by, match_id=shown.match_id)

    def correct_misread(self, place: str, by: Actor) -> TableAnswer:
        """Amend what was misread at a place, as the table shows it."""
        for mismatch in self.table.snapshot().sight.mismatches:
            correction = mismatch.correction
            if mismatch.place == place and correction is not None:
                return self.table.amend(correction.seq, correction.event, by)
        return TableAnswer(False, stale=True)

    # --- the thread -------------------------------------------------------------------------------

    def _follow(self, shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Follow the table. Called in the writer's thread, which must not block."""
        self._enqueue(lambda: self._follow_table(shown))

    def _follow_table(self, shown: Snapshot) -> None:
        self._tracker.follow_table(shown)
        self._tokens.follow_table(shown)

    def _keep_naming(self, naming: CardNaming) -> None:
        self._naming = naming

    def _enqueue(self, news: Callable[[], None]) -> None:
        """Have input processed by the observer's thread."""
        with self._news:
            self._inbox.append(news)
            self._news.notify_all()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._closed and not self._inbox:
                    due = min(
                        [due for due in (self._tracker.due(), self._tokens.due()) if due is not None], default=None
                    )
                    left = None if due is None else (due - self._clock()) / SECOND
                    if left is not None and left <= 0:
                        break
                    self._news.wait(left)
                if self._closed:
                    return
            try:
                self.look()
            except WorkerClosed:
                return
            except Exception as error:
                self._log("could not compare what the camera sees with the rules", origin(error), error)
                time.sleep(1)  # a bug must not become a busy loop that slows down the buttons

    def _log(self, what: str, why: str, error: Exception | None = None) -> None:
        """Log a fault at its 1st, 10th, 100th, … time: a camera may repeat it at every picture."""
        kind, count = self._occurrences.add(f"{what}: {why}")
        if count:
            LOG.warning("%s (%d times by now)", kind, count, exc_info=error if count == 1 else None)

    def look(self) -> None:
        """Process all input and propose what follows, until nothing more does."""
        with self._lock:
            while True:
                with self._news:
                    news, self._inbox = self._inbox, []
                for each in news:
                    each()
                move = self._tracker.judge(self._clock())
                if move is not None:
                    self._propose(move, Actor.CAMERA)
                else:
                    self._amend()
                self._look_at_tokens()
                self.table.show_sight(self._with_tokens(self._tracker.sight))
                with self._news:
                    if not self._inbox:
                        return

    def _look_at_tokens(self) -> None:
        """Propose what tokens show, one event after another, until the table moves on or nothing is left."""
        while True:
            now = self._clock()
            move = self._tokens.judge(now)
            if move is None:
                return
            answer = self.table.propose(move.events[0], Actor.CAMERA, move.seq, move.match_id)
            self._tokens.note_answer(move, answer, now)
            if answer.accepted or answer.stale:
                return  # the table's new state waits in the inbox

    def _with_tokens(self, cards: SightState) -> SightState:
        """Return what is shown of cards together with what is shown of tokens."""
        tokens = self._tokens.sight
        return replace(
            cards,
            active=cards.active or tokens.active,
            waits=cards.waits or tokens.waits,
            accepted=cards.accepted or tokens.accepted,
            tokens=tokens.tokens,
            notices=tokens.notices,
            claims=tokens.claims,
            reasons=tokens.reasons,
        )

    def _propose(self, move: ProposedMove, by: Actor) -> TableAnswer:
        """Propose a move, together with what the camera shows once it is accepted."""
        first, *more = move.events
        sight = self._with_tokens(self._tracker.sight_after(move))
        answer = self.table.propose(first, by, move.seq, move.match_id, tuple(more), sight)
        if answer.accepted:
            self._tracker.note_accepted(move, self._clock())
        elif answer.refusal is not None and not answer.stale:
            self._log("the table refused what the camera saw", answer.refusal.key)
        return answer

    def _amend(self) -> None:
        """Amend a misread card that a person has named."""
        naming = self._naming
        if naming is None:
            return
        if self._clock() > naming.until:
            self._naming = None
            return
        correction = self._tracker.correction_at(naming.place, naming.card)
        if correction is not None:
            self._naming = None
            self.table.amend(correction.seq, correction.event, naming.by)


__all__ = ["SightObserver", "SightState"]
