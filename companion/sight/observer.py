"""The onlooker: the camera's eye at a live table. What is seen goes in; what it is sure of, it proposes.

It works in a thread of its own, so that no press waits while it thinks. Knows no pictures and no single game.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import msgspec

from companion.match.history import HistoryEntry
from companion.messages import SECOND, Sighted
from companion.sight.tracker import ProposedMove, SightTracker
from companion.table.scheduler import Clock
from companion.table.service import Table, WorkerClosed
from companion.table.sight_records import Explanation, SightState
from companion.table.snapshot import Snapshot, TableAnswer

CAMERA = "camera"
"""Who is said to have seen what was taken by sight."""
WORD_HOLDS = 20 * SECOND
"""So long a person's word on a card may wait for the camera to send it."""
LOG = logging.getLogger(__name__)


class CardNaming(msgspec.Struct, frozen=True):
    """A person said which card lies at a place."""

    place: str
    card: str
    by: str
    until: int


class SightObserver:
    """Looks at one table. Every method may be called from any thread; close it before the table.

    `clock` gives nanoseconds of CLOCK_MONOTONIC. Whoever brings another one calls `look` when its time has passed.
    """

    def __init__(self, table: Table, clock: Clock | None = None) -> None:
        self.table = table
        self._clock = clock or time.monotonic_ns
        self._watch = SightTracker()
        self._news = threading.Condition()
        self._inbox: list[Callable[[], None]] = []
        self._closed = False
        self._word: CardNaming | None = None
        self._lock = threading.Lock()
        self._watch.follows(table.snapshot())
        table.listen(self._follow)
        self._thread: threading.Thread | None = None
        if clock is None:
            self._thread = threading.Thread(target=self._run, name="onlooker", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Look no more."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()

    # --- what comes in ----------------------------------------------------------------------------

    def sighted(self, sighted: Sighted | None) -> None:
        """Take in what lies on the table now; None: the camera does not answer."""
        self._tell(lambda: self._watch.sees(sighted))

    def named(self, place: str, card: str, by: str) -> None:
        """Take note of a person's word on a card: if it was misread before, that is amended without another tap."""
        self._tell(lambda: setattr(self, "_word", CardNaming(place, card, by, self._clock() + WORD_HOLDS)))

    def as_it_lies(self) -> None:
        """A person says that the table is right as it lies: after an undo it is read again, and taken."""
        self._tell(self._watch.as_it_lies)

    def choose(self, explanation: Explanation, by: str) -> TableAnswer:
        """Take what a person chose of several things that may have happened."""
        with self._lock:
            move = self._watch.chosen(explanation)
            if move is None:
                return TableAnswer(False, stale=True)
            answer = self._propose(move, by)
        self._tell(lambda: None)
        return answer

    def put_right(self, place: str, by: str) -> TableAnswer:
        """Amend what was misread at a place, as the sight says it."""
        for odd in self.table.snapshot().sight.odd:
            if odd.place == place and odd.right is not None:
                return self.table.amend(odd.right.seq, odd.right.event, by)
        return TableAnswer(False, stale=True)

    # --- the thread -------------------------------------------------------------------------------

    def _follow(self, shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Called in the writer's thread, which must not wait."""
        self._tell(lambda: self._watch.follows(shown))

    def _tell(self, news: Callable[[], None]) -> None:
        with self._news:
            self._inbox.append(news)
            self._news.notify_all()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._closed and not self._inbox:
                    due = self._watch.due()
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
            except Exception:
                LOG.exception("what is seen could not be compared with the rules")
                time.sleep(1)  # a fault of ours must not become a busy loop beside the buttons

    def look(self) -> None:
        """Take in what came, and do what it leads to, until nothing more follows."""
        with self._lock:
            while True:
                with self._news:
                    news, self._inbox = self._inbox, []
                for each in news:
                    each()
                move = self._watch.judge(self._clock())
                if move is not None:
                    self._propose(move, CAMERA)
                else:
                    self._amend()
                self.table.show_sight(self._watch.sight)
                with self._news:
                    if not self._inbox:
                        return

    def _propose(self, move: ProposedMove, by: str) -> TableAnswer:
        """Have a move taken; what has changed meanwhile comes in again by itself."""
        first, *more = move.events
        answer = self.table.propose(first, by, move.seq, move.match_id, tuple(more))
        if answer.accepted:
            self._watch.took(move, self._clock())
        elif answer.refusal is not None and not answer.stale:
            LOG.warning("what was seen was refused: %s", answer.refusal.key)
        return answer

    def _amend(self) -> None:
        """Put a misread right that a person has named."""
        word = self._word
        if word is None:
            return
        if self._clock() > word.until:
            self._word = None
            return
        right = self._watch.righted(word.place, word.card)
        if right is not None:
            self._word = None
            self.table.amend(right.seq, right.event, word.by)


__all__ = ["CAMERA", "SightObserver", "SightState"]
