"""The table: any thread may send requests, one writer decides them in order, and publishes durable snapshots."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from companion.engine import Event, Seat, Setup
from companion.journal.journal import Journal, Summary
from companion.match.actor import Actor
from companion.match.history import AdviceAsked, HistoryEntry, SeatFreed, SeatTaken
from companion.match.match import Match
from companion.messages import Cue, Press
from companion.referee.pace import USUAL, Pace
from companion.referee.referee import Referee
from companion.table.amendments import amend, rewind
from companion.table.cues import CueBoard
from companion.table.proposals import PageMoment, Proposal, answer_to
from companion.table.scheduler import Clock, Scheduler
from companion.table.session import CURRENT, Keeps, TableOccupied, TableSession, keep_nothing
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot, TableAnswer, UndoRequest
from companion.threads.listeners import Listeners
from companion.threads.worker import Worker, WorkerClosed

__all__ = ["CURRENT", "Listener", "Snapshot", "Table", "TableAnswer", "TableOccupied", "UndoRequest", "WorkerClosed"]


Listener = Callable[[Snapshot, tuple[HistoryEntry, ...]], None]
"""Called in the writer's thread after every change, with the new snapshot and the new entries. It must not block."""


class Table:
    """The service around one journal. Any thread may call its methods; close it when done.

    A table continues with the match that was on it when it was closed. On a full or read-only disk it shows that match
    and refuses everything else until the disk can be written again. `clock` returns nanoseconds of CLOCK_MONOTONIC; a
    caller that passes its own clock must also call `tick` when rulings are due. `pace` sets the referee's waiting
    times.
    """

    def __init__(self, path: str | os.PathLike[str], clock: Clock | None = None, pace: Pace = USUAL) -> None:
        self.cues = CueBoard()
        self.referee = Referee(pace)
        """Judges presses, only in the writer's thread."""
        self._scheduler = Scheduler(clock or time.monotonic_ns, self.tick)
        self._changed = threading.Condition()
        self._shown = Snapshot(0)
        self._views: dict[Seat | None, tuple[int, str, object, int]] = {}
        self._views_lock = threading.Lock()
        self._listeners: Listeners[Snapshot, tuple[HistoryEntry, ...]] = Listeners("a listener of the table failed")
        self._writer = Worker("table", lambda: self._open_session(path), TableSession.restore)
        if clock is None:
            self._scheduler.start()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish earlier requests, then close the journal and wake all waiting threads."""
        self._scheduler.close()
        self._writer.close()
        with self._changed:
            self._changed.notify_all()

    @contextmanager
    def _open_session(self, path: str | os.PathLike[str]) -> Iterator[TableSession]:
        """Provide the session, in the writer's thread."""
        with Journal(path, hold=True) as journal:
            session = TableSession(journal, self.referee, self.cues, self._scheduler, self._publish)
            yield session
        session.dismiss()

    # --- matches ----------------------------------------------------------------------------------

    def start(self, setup: Setup, keeps: Keeps = keep_nothing, if_free: bool = False) -> str:
        """Start a new match and return its id; the match that was on the table can be resumed later.

        Raises `BadSetup` or `MatchError` for an unplayable setup, and, with `if_free`, `TableOccupied` if a match is in
        progress. A box deck starts with the known figures of the owner's cards. `keeps` gets the id and returns other
        values for the same commit.
        """
        return self._writer.do(lambda session: session.start(setup, keeps, if_free))

    def resume(self, match_id: str, keeps: Keeps = keep_nothing, if_free: bool = False) -> None:
        """Put a match of the journal on the table; raise `JournalError` or `MatchError` if that is impossible.

        `keeps` and `if_free` are the same as for `start`.
        """
        self._writer.do(lambda session: session.resume(match_id, keeps, if_free))

    def leave(self) -> None:
        """Take the match off the table; it can be resumed later."""
        self._writer.do(TableSession.leave)

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches of the journal, the latest first."""
        return self._writer.do(lambda session: session.journal.matches())

    def read_value(self, key: str) -> bytes | None:
        """Return the bytes that the journal keeps under a key, or None."""
        return self._writer.do(lambda session: session.journal.read_value(key))

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes in the journal under a key, durably; None deletes them."""
        self._writer.do(lambda session: session.regain().keep(key, value))

    def keep_all(self, values: Mapping[str, bytes | None]) -> None:
        """Keep bytes under several keys, in one durable commit; None deletes them."""
        self._writer.do(lambda session: session.regain().keep_all(values))

    def read_values(self, prefix: str) -> dict[str, bytes]:
        """Return everything kept under keys with a prefix, by key."""
        return self._writer.do(lambda session: session.journal.read_values(prefix))

    def regain(self) -> None:
        """Try again to write a held journal (`Snapshot.unsaved`)."""
        self._writer.do(TableSession.regain)

    # --- play -------------------------------------------------------------------------------------

    def propose(
        self,
        event: Event,
        by: Actor,
        seen: int | None = None,
        match_id: str | None = None,
        more: tuple[Event, ...] = (),
        sight: SightState | None = None,
    ) -> TableAnswer:
        """Propose an event, or several that happened one after another (`more`); all of them happen, or none.

        Returns after they are durable or refused. `seen` is the record that the page showed, `match_id` its match;
        `stale_taps.stale_answer` defines when a page is outdated. The rules judge any other proposal by the current
        state, so two seats that act at once may both succeed. In an Open auction the referee judges a raise or a count
        in its turn among the presses. `sight` is shown with the accepted events.
        """
        proposal = Proposal((event, *more), by, PageMoment(seen, match_id), sight)
        return self._writer.do(lambda session: session.propose(proposal)).result()

    def draw(self, by: Actor, seen: int | None = None, match_id: str | None = None) -> TableAnswer:
        """Make the draw that a person triggers, if the companion deals."""
        return self._act(lambda session, match: session.draw(match, by, PageMoment(seen, match_id)))

    def correct(
        self, seat: Seat, to: int, by: Actor, seen: int | None = None, match_id: str | None = None
    ) -> TableAnswer:
        """Set a seat's money to the real amount; also possible while the game is paused."""
        moment = PageMoment(seen, match_id)
        return self._act(lambda session, match: session.correct(match, match.game.correction(seat, to), by, moment))

    def take_back(self, seat: Seat, seen: int | None = None, match_id: str | None = None) -> TableAnswer:
        """Take back a seat's own last move without consent; `Snapshot.own_move` gives the move and the deadline."""
        return self._act(lambda session, match: session.take_back(match, seat, PageMoment(seen, match_id)))

    # --- presses ----------------------------------------------------------------------------------

    def press(self, press: Press, held: str = "") -> None:
        """Accept a button press; the referee judges its meaning and its moment.

        `held` is the hash of all seals that the seat's phone holds; a press with another one than the table's is
        refused.
        """
        self._writer.do(lambda session: session.press(press, held))

    def tick(self) -> None:
        """Carry out the due rulings."""
        self._writer.do(TableSession.judge)

    def trouble(self, what: str) -> None:
        """Show that a service has failed (`buttons`: a running count is broken); empty: all services work."""
        self._writer.do(lambda session: session.set_trouble(what))

    def show_sight(self, sight: SightState) -> None:
        """Show the camera's view of the table if it has changed."""
        if sight != self._shown.sight:
            self._writer.do(lambda session: session.show_sight(sight))

    def go_round(self) -> None:
        """Wait until the writer has finished all earlier requests."""
        self._writer.do(lambda session: None)

    def announce(self, cue: Cue) -> None:
        """Show a cue from outside the game; later listeners get a standing one too."""
        self._writer.do(lambda session: session.cues.show((cue,)))

    # --- the host ---------------------------------------------------------------------------------

    def ask_undo(self, to: int, by: Actor) -> TableAnswer:
        """Go back to record `to`; if something was revealed since, only after every seat has consented."""
        return self._act(lambda session, match: session.ask_undo(match, to, by))

    def rewind(self, to: int, by: Actor) -> TableAnswer:
        """Go back to record `to`, or refuse if every seat must consent."""
        return self._act(lambda session, match: rewind(match, to, by))

    def consent(self, seat: Seat, yes: bool | None) -> TableAnswer:
        """Record a seat's answer to an undo (None: none yet). The last yes carries it out, the first no cancels it."""
        return self._act(lambda session, match: session.consent(match, seat, yes))

    def redo(self, by: Actor) -> TableAnswer:
        """Reverse the last undo."""
        return self._act(lambda session, match: answer_to(match, match.redo(by)))

    def amend(self, seq: int, event: Event, by: Actor, *, dry_run: bool = False) -> TableAnswer:
        """Replace an old record's event; `outcome` gives the changes or the obstacle. `dry_run` changes nothing."""
        return self._act(lambda session, match: amend(match, seq, event, by, dry_run=dry_run))

    def free_seat(self, seat: Seat, by: Actor, keep: Mapping[str, bytes | None]) -> TableAnswer:
        """Write that a seat was taken back from its device, with other values to keep, in one commit.

        Its sealed bids and cards stay, but the seat's next device must not show them.
        """
        return self._act(lambda session, match: session.note(match, SeatFreed(seat), by, keep))

    def take_seat(self, seat: Seat, keep: Mapping[str, bytes | None]) -> TableAnswer:
        """Write that a freed seat was retaken, with other values to keep, in one commit."""
        return self._act(lambda session, match: session.note(match, SeatTaken(seat), Actor.at_seat(seat), keep))

    def ask_advice(self, seat: Seat) -> TableAnswer:
        """Write that a seat asked for advice: a note, which changes nothing in the game."""
        by = Actor.at_seat(seat)
        return self._act(lambda session, match: session.note(match, AdviceAsked(seat), by, {}))

    def rename_seat(self, seat: Seat, name: str, by: Actor) -> TableAnswer:
        """Rename the person at a seat. Callers check that the name is valid and unique."""
        return self._act(lambda session, match: session.rename(match, seat, name, by))

    def pause(self, by: Actor) -> TableAnswer:
        """Pause the game and break a running count. Only the host can then change anything."""
        return self._act(lambda session, match: session.pause(match, by, True))

    def unpause(self, by: Actor) -> TableAnswer:
        """Resume the game."""
        return self._act(lambda session, match: session.pause(match, by, False))

    # --- what is shown ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the latest snapshot."""
        return self._shown

    def wait(self, after: int, timeout: float) -> Snapshot:
        """Wait at most `timeout` seconds for a snapshot whose `number` is above `after`; return the latest."""
        with self._changed:
            self._changed.wait_for(lambda: self._shown.number > after or self._writer.closed, timeout)
        return self._shown

    def version(self, seat: Seat | None) -> int:
        """Return the record of the last change that a seat could see; None for the public."""
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
        """Act on the match on the table and show the changes."""
        return self._writer.do(lambda session: session.act(lambda match: act(session, match)))

    def _publish(self, shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Show a new snapshot to all waiting threads and listeners."""
        with self._changed:
            self._shown = shown
            self._changed.notify_all()
        self._listeners.tell(shown, entries)
