"""The table: the one writer. Proposals and presses go in from any thread, snapshots come out. Knows no pages and no
single game.

All that changes a match is done by one thread, in the order in which it was asked for, and nobody is answered or
shown anything before it is durable.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from companion.engine import Event, Seat, Setup
from companion.journal.journal import Journal, Summary
from companion.match.history import HistoryEntry, SeatFreed, SeatTaken
from companion.match.match import Match
from companion.messages import Cue, Press
from companion.table import session as at_table
from companion.table.admission import ruled
from companion.table.scheduler import Clock, Scheduler
from companion.table.session import CURRENT, Keeps, PageMoment, TableOccupied, TableSession, nothing
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot, TableAnswer, UndoRequest
from companion.threads.listeners import Listeners
from companion.threads.worker import Worker, WorkerClosed

__all__ = ["CURRENT", "Listener", "Snapshot", "Table", "TableAnswer", "TableOccupied", "UndoRequest", "WorkerClosed"]


Listener = Callable[[Snapshot, tuple[HistoryEntry, ...]], None]
"""Called in the writer's thread after every change, with the new snapshot and the new entries. It must not wait."""


class Table:
    """The service around one journal. Every method may be called from any thread; close it when done.

    A table that was left with a match on it goes on with that match. `by` says who: `seat:2`, `bot:2`, `host`,
    `table` (a person at the shared tablet). `clock` gives nanoseconds of CLOCK_MONOTONIC; whoever brings another
    one calls `tick` when its time has passed.
    """

    def __init__(self, path: str | os.PathLike[str], clock: Clock | None = None) -> None:
        self.time = Scheduler(clock or time.monotonic_ns, self.tick)
        self._news = threading.Condition()
        self._shown = Snapshot(0)
        self._views: dict[Seat | None, tuple[int, str, Any, int]] = {}
        self._views_lock = threading.Lock()
        self._listeners: Listeners[Snapshot, tuple[HistoryEntry, ...]] = Listeners("a listener of the table failed")
        self._writer = Worker("table", lambda: self._opened(path), TableSession.go_on)
        if clock is None:
            self.time.start()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Do what has been asked for already, then close the journal and wake all who wait."""
        self.time.close()
        self._writer.close()
        self.time.dismiss()
        with self._news:
            self._news.notify_all()

    @contextmanager
    def _opened(self, path: str | os.PathLike[str]) -> Iterator[TableSession]:
        """Give what lies on the table, in the writer's thread."""
        with Journal(path) as journal:
            yield TableSession(journal, self.time, self._publish)

    # --- matches ----------------------------------------------------------------------------------

    def start(self, setup: Setup, keeps: Keeps = nothing, if_free: bool = False) -> str:
        """Begin a new match and return its id; the one on the table before can be resumed later.

        Raises `BadSetup` or `MatchError` for one that cannot be played. A box deck begins with what the owner's
        cards have shown already. `keeps` is called with the id, and what it returns is kept in the same commit.
        `if_free`: raise `TableOccupied` where a match is being played.
        """
        return self._writer.do(lambda session: session.start(setup, keeps, if_free))

    def resume(self, match_id: str, keeps: Keeps = nothing, if_free: bool = False) -> None:
        """Put a match of the journal on the table; raise `JournalError` or `MatchError` if it cannot be.

        `keeps` and `if_free` as for `start`.
        """
        self._writer.do(lambda session: session.resume(match_id, keeps, if_free))

    def leave(self) -> None:
        """Take the match off the table; it can be resumed later."""
        self._writer.do(TableSession.leave)

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches of the journal, the latest first."""
        return self._writer.do(lambda session: session.journal.matches())

    def kept(self, key: str) -> bytes | None:
        """Return what the journal keeps under a key."""
        return self._writer.do(lambda session: session.journal.kept(key))

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes in the journal under a key, durably; None forgets them."""
        self._writer.do(lambda session: session.journal.keep(key, value))

    def keep_all(self, values: Mapping[str, bytes | None]) -> None:
        """Keep bytes under several keys, in one durable commit; None forgets what is kept."""
        self._writer.do(lambda session: session.journal.keep_all(values))

    def kept_under(self, prefix: str) -> dict[str, bytes]:
        """Return everything kept under keys with a beginning, by key."""
        return self._writer.do(lambda session: session.journal.kept_under(prefix))

    # --- play -------------------------------------------------------------------------------------

    def propose(
        self,
        event: Event,
        by: str,
        seen: int | None = None,
        match_id: str | None = None,
        more: tuple[Event, ...] = (),
    ) -> TableAnswer:
        """Propose an event, or several that happened one after another (`more`): all of them are taken, or none.

        The answer comes when they are durable, or refused.

        `seen` is the record that the page showed, `match_id` its match; `admission.stale` says when a page is too
        old. What is not stale is judged by the rules as things stand now, so that of two seats acting at once
        both happen if both may, and neither overwrites the other. A raise or a count in an Open auction is judged by
        the referee, in its turn among the presses.
        """
        answer = self._writer.do(lambda session: session.propose(event, by, PageMoment(seen, match_id), more))
        return answer.result() if isinstance(answer, Future) else answer

    def draw(self, by: str, seen: int | None = None, match_id: str | None = None) -> TableAnswer:
        """Let chance decide now, where the companion deals and a person sets it off."""
        return self._act(lambda session, match: session.draw(match, by, PageMoment(seen, match_id)))

    def correct(
        self, seat: Seat, to: int, by: str, seen: int | None = None, match_id: str | None = None
    ) -> TableAnswer:
        """Put a seat's money to what really lies there; also while the game is paused."""
        return self._act(lambda session, match: session.correct(match, seat, to, by, PageMoment(seen, match_id)))

    # --- presses ----------------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Take a press of a button; what it means, and whether it was in time, the referee judges."""
        self._writer.do(lambda session: session.press(press))

    def tick(self) -> None:
        """Have the rulings made whose time has come."""
        self._writer.do(TableSession.judge)

    def trouble(self, what: str) -> None:
        """Show that something is wrong (`buttons`: they are lost, and a running count is broken), or all is well."""
        self._writer.do(lambda session: session.trouble(what))

    def show_sight(self, sight: SightState) -> None:
        """Show what the camera's eye took, asks, and cannot explain."""
        if sight != self._shown.sight:
            self._writer.do(lambda session: session.see(sight))

    def go_round(self) -> None:
        """Return when the one writer has done all that it was asked for before this: it goes round."""
        self._writer.do(lambda session: None)

    def announce(self, cue: Cue) -> None:
        """Show a cue that does not come from the game to everybody, and (a standing one) to whoever joins."""
        self._writer.do(lambda session: session.time.cue((cue,)))

    # --- the host's powers ------------------------------------------------------------------------

    def ask_undo(self, to: int, by: str) -> TableAnswer:
        """Go back to record `to`; past something that was turned up only when every seat has consented."""
        return self._act(lambda session, match: session.ask_undo(match, to, by))

    def rewind(self, to: int, by: str) -> TableAnswer:
        """Go back to record `to`, or refuse where the consent of every seat is needed."""
        return self._act(lambda session, match: at_table.rewind(match, to, by))

    def consent(self, seat: Seat, yes: bool) -> TableAnswer:
        """Say yes or no to the undo that is asked for. The last yes does it, the first no ends it."""
        return self._act(lambda session, match: session.consent(match, seat, yes))

    def redo(self, by: str) -> TableAnswer:
        """Take back the last undo."""
        return self._act(lambda session, match: ruled(match, match.redo(by)))

    def amend(self, seq: int, event: Event, by: str, *, only_ask: bool = False) -> TableAnswer:
        """Replace the event of an old record; `outcome` says what changes (or would: `only_ask`), or why it cannot."""
        return self._act(lambda session, match: at_table.amend(match, seq, event, by, only_ask))

    def free_seat(self, seat: Seat, by: str, keep: Mapping[str, bytes | None]) -> TableAnswer:
        """Write that a seat was taken back from its device, and what is kept of that, in one commit.

        What lies sealed from the seat stands, but the seat's next device may not read it.
        """
        return self._act(lambda session, match: session.note(match, SeatFreed(seat), by, keep))

    def take_seat(self, seat: Seat, keep: Mapping[str, bytes | None]) -> TableAnswer:
        """Write that a freed seat was taken again, and what is kept of that, in one commit."""
        return self._act(lambda session, match: session.note(match, SeatTaken(seat), f"seat:{seat}", keep))

    def pause(self, by: str) -> TableAnswer:
        """Stop the game: nothing is taken but the host's mending. A running count is broken."""
        return self._act(lambda session, match: session.pause(match, by, True))

    def unpause(self, by: str) -> TableAnswer:
        """Let the game go on."""
        return self._act(lambda session, match: session.pause(match, by, False))

    # --- what is shown ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the table as it is now."""
        return self._shown

    def wait(self, after: int, timeout: float) -> Snapshot:
        """Wait until the snapshot's `number` is above `after`, for at most so many seconds; return the snapshot."""
        with self._news:
            self._news.wait_for(lambda: self._shown.number > after or self._writer.closed, timeout)
        return self._shown

    def version(self, seat: Seat | None) -> int:
        """Return the record of the last change that a seat (None: everybody) could see."""
        shown = self._shown
        if shown.state is None:
            return 0
        view = shown.game.view(shown.state, seat)
        with self._views_lock:
            number, match_id, old, seq = self._views.get(seat, (-1, "", None, 0))
            if number < shown.number:
                seq = seq if match_id == shown.match_id and old == view else shown.seq
                self._views[seat] = (shown.number, shown.match_id, view, seq)
            return seq

    def listen(self, listener: Listener) -> None:
        """Call a function after every change from now on."""
        self._listeners.add(listener)

    def _act(self, act: Callable[[TableSession, Match], TableAnswer]) -> TableAnswer:
        """Have something done to the match on the table, and what came of it shown."""
        return self._writer.do(lambda session: session.act(lambda match: act(session, match)))

    def _publish(self, shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Show the table as it is now to all who wait and listen."""
        with self._news:
            self._shown = shown
            self._news.notify_all()
        self._listeners.tell(shown, entries)
