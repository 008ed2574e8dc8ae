"""The table: the one writer. Proposals go in from any thread, snapshots come out. Knows no pages and no single game.

All that changes a match is done by one thread, in the order in which it was asked for, and nobody is answered or
shown anything before it is durable.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import msgspec

from companion.dealer import DEALER
from companion.disclosure import hidden, told
from companion.door import may_say, refused, ruled, stale
from companion.engine import Event, Game, Raising, Refusal, Seat, Setup, rule
from companion.games import GAMES
from companion.journal import Journal, JournalError, Summary
from companion.line import CONTROLS, Entry, Judged, Misfit, Node
from companion.match import Match, MatchError
from companion.messages import HOST, Press
from companion.referee import Ruling
from companion.snapshot import Answer, Snapshot, UndoRequest
from companion.timekeeper import Clock, Timekeeper, timing
from companion.writer import Closed, Writer

__all__ = ["Answer", "Closed", "Listener", "Snapshot", "Table", "UndoRequest"]

CURRENT = "table/current"
"""Under this key the journal keeps which match lies on the table."""
log = logging.getLogger(__name__)

Listener = Callable[[Snapshot, tuple[Entry, ...]], None]
"""Called in the writer's thread after every change, with the new snapshot and the new entries. It must not wait."""


class Table:
    """The service around one journal. Every method may be called from any thread; close it when done.

    A table that was left with a match on it goes on with that match. `by` says who: `seat:2`, `bot:2`, `host`,
    `table` (a person at the shared tablet). `clock` gives nanoseconds of CLOCK_MONOTONIC; whoever brings another
    one calls `tick` when its time has passed.
    """

    def __init__(self, path: str | os.PathLike[str], clock: Clock | None = None) -> None:
        self.time = Timekeeper(clock or time.monotonic_ns, self.tick)
        self._news = threading.Condition()
        self._shown = Snapshot(0)
        self._views: dict[Seat | None, tuple[int, str, Any, int]] = {}
        self._views_lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()
        # All from here on belongs to the writer's thread alone.
        self._match: Match | None = None
        self._paused = False
        self._undo: UndoRequest | None = None
        self._recalled = False
        self._owner: dict[str, Any] = {}
        self._writer = Writer("table", lambda: Journal(path), self._go_on)
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
        with self._news:
            self._news.notify_all()

    # --- matches ----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> str:
        """Begin a new match and return its id; the one on the table before can be resumed later.

        Raises `BadSetup` or `MatchError` for one that cannot be played. A box deck begins with what the owner's
        cards have shown already.
        """
        return self._writer.do(lambda journal: self._start(journal, setup))

    def resume(self, match_id: str) -> None:
        """Put a match of the journal on the table; raise `JournalError` or `MatchError` if it cannot be."""
        self._writer.do(lambda journal: self._resume(journal, match_id))

    def leave(self) -> None:
        """Take the match off the table; it can be resumed later."""
        self._writer.do(self._leave)

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches of the journal, the latest first."""
        return self._writer.do(lambda journal: journal.matches())

    def kept(self, key: str) -> bytes | None:
        """Return what the journal keeps under a key."""
        return self._writer.do(lambda journal: journal.kept(key))

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes in the journal under a key, durably; None forgets them."""
        self._writer.do(lambda journal: journal.keep(key, value))

    # --- play -------------------------------------------------------------------------------------

    def propose(self, event: Event, by: str, seen: int | None = None, match_id: str | None = None) -> Answer:
        """Propose an event; the answer comes when it is durable, or refused.

        `seen` is the record that the page showed, `match_id` its match; `companion.door.stale` says when a page is
        too old. What is not stale is judged by the rules as things stand now, so that of two seats acting at once
        both happen if both may, and neither overwrites the other.
        """
        answer = self._writer.do(lambda journal: self._hear_or_propose(journal, event, by, seen, match_id))
        return answer.result() if isinstance(answer, Future) else answer

    def press(self, press: Press) -> None:
        """Take a press of a button; what it means, and whether it was in time, the referee judges."""
        self._writer.do(lambda journal: self._press(journal, press))

    def tick(self) -> None:
        """Have the rulings made whose time has come."""
        self._writer.do(self._judge)

    def trouble(self, what: str) -> None:
        """Show that something is wrong (`buttons`: they are lost, and a running count is broken), or all is well."""
        self._writer.do(lambda journal: self._trouble(journal, what))

    def draw(self, by: str, seen: int | None = None, match_id: str | None = None) -> Answer:
        """Let chance decide now, where the companion deals and a person sets it off."""
        return self._act(lambda match: self._draw(match, by, seen, match_id))

    def correct(self, seat: Seat, to: int, by: str, seen: int | None = None, match_id: str | None = None) -> Answer:
        """Put a seat's money to what really lies there; also while the game is paused."""
        return self._act(lambda match: self._correct(match, seat, to, by, seen, match_id))

    # --- the host's powers ------------------------------------------------------------------------

    def ask_undo(self, to: int, by: str) -> Answer:
        """Go back to record `to`; past something that was turned up only when every seat has consented."""
        return self._act(lambda match: self._ask_undo(match, to, by))

    def rewind(self, to: int, by: str) -> Answer:
        """Go back to record `to`, or refuse where the consent of every seat is needed."""
        return self._act(lambda match: self._rewind(match, to, by))

    def consent(self, seat: Seat, yes: bool) -> Answer:
        """Say yes or no to the undo that is asked for. The last yes does it, the first no ends it."""
        return self._act(lambda match: self._consent(match, seat, yes))

    def redo(self, by: str) -> Answer:
        """Take back the last undo."""
        return self._act(lambda match: ruled(match, match.redo(by)))

    def amend(self, seq: int, event: Event, by: str, *, only_ask: bool = False) -> Answer:
        """Replace the event of an old record; `outcome` says what changes (or would: `only_ask`), or why it cannot."""
        return self._act(lambda match: self._amend(match, seq, event, by, only_ask))

    def pause(self, by: str) -> Answer:
        """Stop the game: nothing is taken but the host's mending. A running count is broken."""
        return self._act(lambda match: self._pause(match, by))

    def unpause(self, by: str) -> Answer:
        """Let the game go on."""
        return self._act(lambda match: self._unpause(match, by))

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
        self._listeners += (listener,)

    # --- the writer's work: matches ---------------------------------------------------------------

    def _go_on(self, journal: Journal) -> None:
        """Take up the match that lay on the table."""
        self._publish(journal)
        current = journal.kept(CURRENT)
        if current:
            try:
                self._resume(journal, current.decode())
            except (JournalError, MatchError) as error:
                journal.findings.append(f"The match that lay on the table cannot be opened. {error}")
                self._publish(journal)

    def _start(self, journal: Journal, setup: Setup) -> str:
        game = GAMES.get(setup.game)
        if game is not None and setup.deck == "box":
            kept = journal.kept(_owners(game))
            known: str | dict[str, Any] = msgspec.json.decode(kept) if kept else "box"
            setup = msgspec.structs.replace(setup, catalogue=known)
        match = Match.begin(journal, setup)
        self._lay(journal, match)
        return match.id

    def _resume(self, journal: Journal, match_id: str) -> None:
        match = Match.open(journal, match_id)
        broken = match.game.interrupted(match.state, "restart")
        if broken is not None:
            match.propose(broken, "table")
        self._lay(journal, match)

    def _lay(self, journal: Journal, match: Match) -> None:
        """Put a match on the table."""
        journal.keep(CURRENT, match.id.encode())
        self._match, self._paused, self._undo, self._recalled = match, False, None, True
        if match.setup.deck == "box":
            kept = journal.kept(_owners(match.game))
            data = msgspec.json.decode(kept) if kept else match.setup.catalogue
            assert isinstance(data, dict)
            self._owner = data
            match.keeps = self._learned
        self._publish(journal)

    def _leave(self, journal: Journal) -> None:
        journal.keep(CURRENT, None)
        self._match, self._paused, self._undo, self._recalled = None, False, None, True
        self._publish(journal)

    def _learned(self, nodes: Sequence[Node], anew: bool) -> Mapping[str, bytes]:
        """Return the owner's catalogue, to be kept, where the entries show something new of his box.

        After an undo or an amendment it is made `anew`, from what was known when the match was laid on the table,
        so that a misread card leaves no trace.
        """
        assert self._match is not None
        game, journal = self._match.game, self._match.journal
        kept = journal.kept(_owners(game))
        old = data = self._owner if anew or not kept else msgspec.json.decode(kept)
        for node in nodes:
            data = game.learned(data, node.entry.event, node.entry.after)
        if data is old and not anew:
            return {}
        learned = msgspec.json.encode(data)
        return {} if learned == kept else {_owners(game): learned}

    # --- the writer's work: play ------------------------------------------------------------------

    def _act(self, act: Callable[[Match], Answer]) -> Answer:
        """Have something done to the match on the table, and what came of it shown."""
        return self._writer.do(lambda journal: self._done(journal, act))

    def _done(self, journal: Journal, act: Callable[[Match], Answer]) -> Answer:
        match = self._match
        if match is None:
            return Answer(False, refusal=Refusal("R-00", "no_match"))
        seq, paused, undo = match.seq, self._paused, self._undo
        try:
            answer = act(match)
        except JournalError as error:
            return Answer(False, match.seq, Refusal("R-00", "not_saved", {"why": str(error)}))
        except Exception:
            # A fault of ours. The journal is what is true: go on from there, and say so.
            log.exception("the table could not do what it was asked")
            self._match = Match.open(journal, match.id)
            self._match.keeps = match.keeps
            answer = refused(self._match, "went_wrong")
            match = self._match
        bodies = match.line.bodies[seq + 1 :]
        if not all(isinstance(body, Judged) for body in bodies):
            self._undo = None
        if self._paused != paused or any(isinstance(body, CONTROLS) for body in bodies):
            self._recalled = True
        if (match.seq, self._paused, self._undo) != (seq, paused, undo):
            self._publish(journal, [node for node in match.line.made[seq + 1 :] if node is not None])
        return answer

    def _hear_or_propose(
        self, journal: Journal, event: Event, by: str, seen: int | None, match_id: str | None
    ) -> Answer | Future[Answer]:
        """Hand what belongs to an auction by the clock to the referee; do everything else at once."""
        match, meaning = self._match, timing(self._shown)
        if match is None or not isinstance(meaning, Raising) or not _timed(meaning, event):
            return self._done(journal, lambda match: self._propose(match, event, by, seen, match_id))
        answer = self._unfit(match, event, by, seen, match_id)
        if answer is not None:
            return answer
        waiting = self.time.said(event, by)
        self._judge(journal)
        return waiting

    def _press(self, journal: Journal, press: Press) -> None:
        if press.seat == HOST:
            if press.contact == "closed" and self._match is not None:
                act = self._unpause if self._paused else self._pause
                self._done(journal, lambda match: act(match, "host"))
            return
        self.time.press(press)
        self._judge(journal)

    def _judge(self, journal: Journal) -> None:
        match = self._match
        if match is None:
            return
        self.time.judge(
            lambda event: rule(match.game, match.state, event),
            lambda ruling, by: self._carry_out(journal, ruling, by),
        )

    def _carry_out(self, journal: Journal, ruling: Ruling, by: str) -> Answer:
        """Write what the referee has ruled, and show it."""

        def act(match: Match) -> Answer:
            if ruling.judged is not None:
                events = () if ruling.event is None else (ruling.event,)
                answer = ruled(match, match.judge(ruling.judged, by, *events))
                if not answer.accepted:
                    return answer
            self.time.happened(ruling)
            return Answer(ruling.refusal is None, match.seq, ruling.refusal)

        answer = self._done(journal, act)
        if self._readiness() != (self._shown.ready, self._shown.opened):
            self._publish(journal)
        return answer

    def _readiness(self) -> tuple[tuple[Seat, ...], bool]:
        fists = self.time.referee.fists
        return ((), False) if fists is None else (tuple(sorted(fists.ready)), fists.opened)

    def _trouble(self, journal: Journal, what: str) -> None:
        self.time.trouble = what
        self._recalled = bool(what)
        before = self._shown.number
        if what:
            self._done(journal, lambda match: self._interrupt(match, what))
        if self._shown.number == before:
            self._publish(journal)

    def _interrupt(self, match: Match, cause: str) -> Answer:
        """Break a running count."""
        broken = match.game.interrupted(match.state, cause)
        if broken is not None:
            match.propose(broken, "table")
        return Answer(True, match.seq)

    def _propose(self, match: Match, event: Event, by: str, seen: int | None, match_id: str | None) -> Answer:
        return self._unfit(match, event, by, seen, match_id) or ruled(match, match.propose(event, by))

    def _unfit(self, match: Match, event: Event, by: str, seen: int | None, match_id: str | None) -> Answer | None:
        """Return why an event cannot be proposed at all, whatever the rules say of it; None when it can."""
        if self._paused:
            return refused(match, "paused")
        old = stale(match, event, seen, match_id)
        if old is not None:
            return old
        if match.dealer.forbids(match.state, event):
            return refused(match, "dealer_draws")
        if not may_say(match, event, by):
            return refused(match, "not_your_seat")
        return None

    def _draw(self, match: Match, by: str, seen: int | None, match_id: str | None) -> Answer:
        if self._paused:
            return refused(match, "paused")
        return stale(match, None, seen, match_id) or ruled(match, match.draw(by))

    def _correct(self, match: Match, seat: Seat, to: int, by: str, seen: int | None, match_id: str | None) -> Answer:
        event = match.game.correction(seat, to)
        return stale(match, event, seen, match_id) or ruled(match, match.propose(event, by))

    # --- the writer's work: mending ---------------------------------------------------------------

    def _ask_undo(self, match: Match, to: int, by: str) -> Answer:
        if not match.reveals_after(to):
            return ruled(match, match.rewind(to, by))
        seats = range(len(match.setup.seated()))
        self._undo = UndoRequest(to, by, tuple([Seat(s) for s in seats if by == f"seat:{s}"]))
        return self._consented(match, self._undo)

    def _rewind(self, match: Match, to: int, by: str) -> Answer:
        if match.reveals_after(to):
            return refused(match, "consent_needed")
        return ruled(match, match.rewind(to, by))

    def _consent(self, match: Match, seat: Seat, yes: bool) -> Answer:
        request, players = self._undo, len(match.setup.seated())
        if request is None:
            return refused(match, "no_undo_asked")
        if not 0 <= seat < players:
            return refused(match, "unknown_seat", players=players)
        if not yes:
            self._undo = None
            return Answer(True, match.seq)
        agreed = tuple(sorted({*request.agreed, seat}))
        self._undo = request = msgspec.structs.replace(request, agreed=agreed)
        return self._consented(match, request)

    def _consented(self, match: Match, request: UndoRequest) -> Answer:
        """Do the undo that is asked for if every seat has agreed."""
        if len(request.agreed) < len(match.setup.seated()):
            return Answer(True, match.seq)
        return ruled(match, match.rewind(request.to, request.by))

    def _amend(self, match: Match, seq: int, event: Event, by: str, only_ask: bool) -> Answer:
        old = match.line.at(seq)
        if old is not None and old.parent is not None:
            if old.entry.by == DEALER or match.dealer.forbids(old.parent.entry.after, event):
                return refused(match, "dealer_draws")
            if hidden(match.line, old, told(match.line)) & set(match.game.secret(old.parent.entry.after, event)):
                return refused(match, "still_secret")
        outcome = match.amend(seq, event, by, only_ask=only_ask)
        if isinstance(outcome, Misfit):
            return Answer(False, match.seq, outcome.refusal, outcome=outcome)
        return Answer(True, match.seq, outcome=outcome)

    def _pause(self, match: Match, by: str) -> Answer:
        broken = match.game.interrupted(match.state, "pause")
        if broken is not None:
            match.propose(broken, by)
        self._paused = True
        return Answer(True, match.seq)

    def _unpause(self, match: Match, by: str) -> Answer:
        self._paused = False
        return Answer(True, match.seq)

    # --- the writer's work: showing ---------------------------------------------------------------

    def _publish(self, journal: Journal, fresh: Iterable[Node] = ()) -> None:
        """Show the table as it is now to all who wait and listen."""
        match, shown = self._match, Snapshot(self._shown.number + 1, findings=tuple(journal.findings))
        if match is not None:
            shown = msgspec.structs.replace(
                shown,
                match_id=match.id,
                seq=match.seq,
                game=match.game,
                setup=match.setup,
                state=match.state,
                entries=match.line.entries,
                ledger=match.ledger,
                started=match.started,
                paused=self._paused,
                undo=self._undo,
                can_redo=match.can_redo,
                last_move=match.last_move(),
                seed=match.seed if match.state.over else "",
                verdicts=match.line.verdicts(),
            )
        entries = tuple([node.entry for node in fresh])
        if self._recalled:
            self._recalled = False
            self.time.recall(shown)
        self.time.follow(shown, entries)
        ready, opened = self._readiness()
        shown = msgspec.structs.replace(shown, ready=ready, opened=opened)
        with self._news:
            self._shown = shown
            self._news.notify_all()
        for listener in self._listeners:
            try:
                listener(shown, entries)
            except Exception:
                log.exception("a listener of the table failed")


def _timed(meaning: Raising, event: Event) -> bool:
    """Whether the referee judges this event by its moment: a raise or a count."""
    leader = meaning.leader
    return type(event) in (type(meaning.raised(leader, 0)), type(meaning.counted(leader, 1)))


def _owners(game: Game[Any]) -> str:
    """Return the key under which what is known of the owner's box is kept."""
    return f"catalogue/{game.name}"
