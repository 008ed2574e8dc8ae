"""The table: the one writer. Proposals go in from any thread, snapshots come out. Knows no pages and no single game.

All that changes a match is done by one thread, in the order in which it was asked for, and nobody is answered or
shown anything before it is durable.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

import msgspec

from companion.dealer import DEALER
from companion.difference import Difference
from companion.engine import Event, Game, Refusal, Seat, Setup, State, legal, name_of
from companion.games import GAMES
from companion.journal import Journal, JournalError, Summary
from companion.line import CONTROLS, Entry, Misfit, Node
from companion.match import Match, MatchError
from companion.mechanics.money import Ledger

R = TypeVar("R")
CURRENT = "table/current"
"""Under this key the journal keeps which match lies on the table."""
log = logging.getLogger(__name__)


class Answer(msgspec.Struct, frozen=True):
    """What became of a proposal. `seq` is the match's last record now.

    `stale`: the page no longer showed what the table asks; `changes` are the events that it had not seen.
    `outcome` says what an amendment changed, or why it cannot be.
    """

    accepted: bool
    seq: int = 0
    refusal: Refusal | None = None
    stale: bool = False
    changes: tuple[Entry, ...] = ()
    outcome: Difference | Misfit | None = None


class UndoRequest(msgspec.Struct, frozen=True):
    """Somebody asks to go back to record `to`, past something that was turned up; `agreed` have said yes."""

    to: int
    by: str
    agreed: tuple[Seat, ...]


class Snapshot(msgspec.Struct, frozen=True):
    """The table at one moment. `number` grows with every change of anything, `seq` is the match's last record.

    Without a match on the table `match_id` is empty and `setup`, `state` and `ledger` are None.
    `seed` is empty until the match is over. `last_move` is the record to rewind to for taking back one move.
    """

    number: int
    match_id: str = ""
    seq: int = 0
    game: Any = None
    setup: Setup | None = None
    state: State[Any] | None = None
    entries: tuple[Entry, ...] = ()
    ledger: Ledger | None = None
    started: str = ""
    paused: bool = False
    undo: UndoRequest | None = None
    can_redo: bool = False
    last_move: int | None = None
    seed: str = ""
    findings: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state is not None and self.state.over


Listener = Callable[[Snapshot, tuple[Entry, ...]], None]
"""Called in the writer's thread after every change, with the new snapshot and the new entries. It must not wait."""


class Table:
    """The service around one journal. Every method may be called from any thread; close it when done.

    A table that was left with a match on it goes on with that match.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._inbox: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._news = threading.Condition()
        self._shown = Snapshot(0)
        self._views: dict[Seat | None, tuple[int, str, Any, int]] = {}
        self._views_lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()
        self._closing = threading.Lock()
        self._closed = False
        # the writer's own
        self._journal: Journal
        self._match: Match | None = None
        self._paused = False
        self._undo: UndoRequest | None = None
        self._catalogue: dict[str, Any] | None = None
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, args=(ready,), name="table", daemon=True)
        self._thread.start()
        ready.result()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is in the inbox, then close the journal."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._inbox.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()
        with self._news:
            self._news.notify_all()

    # --- matches ----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> str:
        """Begin a new match and return its id; the one on the table before can be resumed later.

        Raises `BadSetup` for one that cannot be played. A box deck begins with what the owner's cards have shown.
        """
        return self._do(lambda: self._start(setup))

    def resume(self, match_id: str) -> None:
        """Put a match of the journal on the table; raise `JournalError` or `MatchError` if it cannot be."""
        self._do(lambda: self._resume(match_id))

    def leave(self) -> None:
        """Take the match off the table; it can be resumed later."""
        self._do(self._leave)

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches of the journal, the latest first."""
        return self._do(lambda: self._journal.matches())

    def kept(self, key: str) -> bytes | None:
        """Return what the journal keeps under a key."""
        return self._do(lambda: self._journal.kept(key))

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes in the journal under a key, durably; None forgets them."""
        self._do(lambda: self._journal.keep(key, value))

    # --- play -------------------------------------------------------------------------------------

    def propose(self, event: Event, by: str, seen: int | None = None, match_id: str | None = None) -> Answer:
        """Propose an event; the answer comes when it is durable, or refused.

        `seen` is the record that the page showed. The proposal is stale when, at any moment since, the table
        stopped asking what it asked then (the game's `question`: the step, the lot, the cards on offer), or when
        the line of play was changed by an undo, a redo or an amendment. Other seats' closed fists, placed cards and
        claims do not make it stale; nor does another's raise for one who says a higher amount. What is not stale is
        judged by the rules as things stand now, so that of two seats acting at once both happen if both may.
        """
        return self._do(lambda: self._answered(lambda m: self._propose(m, event, by, seen, match_id)))

    def draw(self, by: str, seen: int | None = None, match_id: str | None = None) -> Answer:
        """Let chance decide now, where the companion deals and a person sets it off."""
        return self._do(lambda: self._answered(lambda m: self._draw(m, by, seen, match_id)))

    def correct(self, seat: Seat, to: int, by: str, seen: int | None = None) -> Answer:
        """Put a seat's money to what really lies there."""
        return self._do(lambda: self._answered(lambda m: self._correct(m, seat, to, by, seen)))

    # --- the host's powers ------------------------------------------------------------------------

    def ask_undo(self, to: int, by: str) -> Answer:
        """Go back to record `to`; past something that was turned up only when every seat has consented."""
        return self._do(lambda: self._answered(lambda m: self._ask_undo(m, to, by)))

    def rewind(self, to: int, by: str) -> Answer:
        """Go back to record `to`, or refuse where the consent of every seat is needed."""
        return self._do(lambda: self._answered(lambda m: self._rewind(m, to, by)))

    def consent(self, seat: Seat, yes: bool) -> Answer:
        """Say yes or no to the undo that is asked for. The last yes does it, the first no ends it."""
        return self._do(lambda: self._answered(lambda m: self._consent(m, seat, yes)))

    def redo(self, by: str) -> Answer:
        """Take back the last undo."""
        return self._do(lambda: self._answered(lambda m: _ruled(m, m.redo(by))))

    def amend(self, seq: int, event: Event, by: str, *, only_ask: bool = False) -> Answer:
        """Replace the event of an old record; `outcome` says what changes (or would: `only_ask`), or why it cannot."""
        return self._do(lambda: self._answered(lambda m: self._amend(m, seq, event, by, only_ask)))

    def pause(self, by: str) -> Answer:
        """Stop the game: nothing is taken but the host's mending. A running count is broken."""
        return self._do(lambda: self._answered(lambda m: self._pause(m, by)))

    def unpause(self) -> Answer:
        """Let the game go on."""
        return self._do(lambda: self._answered(self._unpause))

    # --- what is shown ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the table as it is now."""
        return self._shown

    def wait(self, after: int, timeout: float) -> Snapshot:
        """Wait until the snapshot's `number` is greater than `after`, or for the timeout; return the snapshot."""
        with self._news:
            self._news.wait_for(lambda: self._shown.number > after or self._closed, timeout)
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
        """Call a function after every change."""
        self._listeners += (listener,)

    # --- the writer's thread ----------------------------------------------------------------------

    def _do(self, work: Callable[[], R]) -> R:
        """Have work done by the writer, in its turn, and return what came of it."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a listener of the table must not wait for the table")
        done: Future[R] = Future()
        with self._closing:
            if self._closed:
                raise JournalError("The table is closed.")
            self._inbox.put((work, done))
        return done.result()

    def _work(self, ready: Future[None]) -> None:
        """Open the journal, do what the inbox says until it ends, close the journal."""
        try:
            self._journal = Journal(self._path)
        except BaseException as error:
            ready.set_exception(error)
            return
        with self._journal:
            try:
                self._go_on()
            except Exception as error:
                ready.set_exception(error)
                return
            ready.set_result(None)
            while (task := self._inbox.get()) is not None:
                work, done = task
                try:
                    result = work()
                except BaseException as error:
                    done.set_exception(error)
                else:
                    done.set_result(result)

    def _go_on(self) -> None:
        """Take up the match that lay on the table."""
        current = self._journal.kept(CURRENT)
        if current:
            try:
                self._resume(current.decode())
                return
            except (JournalError, MatchError) as error:
                self._journal.findings.append(f"The match that lay on the table cannot be opened: {error}")
        self._publish()

    def _publish(self, entries: Iterable[Node] = ()) -> None:
        """Show the table as it is now to all who wait."""
        match, old = self._match, self._shown
        shown = Snapshot(old.number + 1, findings=tuple(self._journal.findings))
        if match is not None:
            shown = Snapshot(
                number=old.number + 1,
                match_id=match.id,
                seq=match.seq,
                game=match.game,
                setup=match.setup,
                state=match.state,
                entries=tuple(match.entries),
                ledger=match.ledger,
                started=match.started,
                paused=self._paused,
                undo=self._undo,
                can_redo=match.can_redo,
                last_move=match.last_move(),
                seed=match.seed if match.state.over else "",
                findings=tuple(self._journal.findings),
            )
        with self._news:
            self._shown = shown
            self._news.notify_all()
        fresh = tuple([node.entry for node in entries])
        for listener in self._listeners:
            try:
                listener(shown, fresh)
            except Exception:
                log.exception("a listener of the table failed")

    def _answered(self, act: Callable[[Match], Answer]) -> Answer:
        """Do something to the match on the table and show what came of it."""
        match = self._match
        if match is None:
            return Answer(False, refusal=Refusal("R-00", "no_match"))
        seq, paused, undo = match.seq, self._paused, self._undo
        try:
            answer = act(match)
        except JournalError as error:
            return Answer(False, match.seq, Refusal("R-00", "not_saved", {"why": str(error)}))
        if match.seq != seq:
            self._undo = None
        if (match.seq, self._paused, self._undo) != (seq, paused, undo):
            self._publish([node for node in match.line.made[seq + 1 :] if node is not None])
        return answer

    # --- the writer's work: matches ---------------------------------------------------------------

    def _start(self, setup: Setup) -> str:
        game = GAMES.get(setup.game)
        if game is not None and setup.deck == "box":
            kept = self._journal.kept(_catalogue_key(game))
            known: str | dict[str, Any] = msgspec.json.decode(kept) if kept else "box"
            setup = msgspec.structs.replace(setup, catalogue=known)
        match = Match.begin(self._journal, setup)
        self._seat(match)
        return match.id

    def _resume(self, match_id: str) -> None:
        match = Match.open(self._journal, match_id)
        broken = match.game.interrupted(match.state, "restart")
        if broken is not None:
            match.propose(broken, "table")
        self._seat(match)

    def _seat(self, match: Match) -> None:
        """Put a match on the table."""
        self._journal.keep(CURRENT, match.id.encode())
        self._match, self._paused, self._undo, self._catalogue = match, False, None, None
        if match.setup.deck == "box":
            kept = self._journal.kept(_catalogue_key(match.game))
            data = msgspec.json.decode(kept) if kept else match.setup.catalogue
            assert isinstance(data, dict)
            self._catalogue = data
            match.keeps = self._learned
        self._publish()

    def _leave(self) -> None:
        self._journal.keep(CURRENT, None)
        self._match, self._paused, self._undo = None, False, None
        self._publish()

    def _learned(self, line: Sequence[Node]) -> Mapping[str, bytes]:
        """Return the owner's catalogue, to be kept, where the entries show something new of his box."""
        assert self._match is not None and self._catalogue is not None
        game, data = self._match.game, self._catalogue
        for node in line:
            data = game.learned(data, node.entry.event, node.entry.after)
        kept = msgspec.json.encode(data)
        key = _catalogue_key(game)
        return {} if kept == self._journal.kept(key) else {key: kept}

    # --- the writer's work: play ------------------------------------------------------------------

    def _propose(self, match: Match, event: Event, by: str, seen: int | None, match_id: str | None) -> Answer:
        if self._paused:
            return _refused(match, "paused")
        stale = _stale(match, event, seen, match_id)
        if stale is not None:
            return stale
        if match.dealer.forbids(match.state, event):
            return _refused(match, "dealer_draws")
        if not _may_say(match, event, by):
            return _refused(match, "not_your_seat")
        return _ruled(match, match.propose(event, by))

    def _draw(self, match: Match, by: str, seen: int | None, match_id: str | None) -> Answer:
        if self._paused:
            return _refused(match, "paused")
        stale = _stale(match, None, seen, match_id)
        return stale if stale is not None else _ruled(match, match.draw(by))

    def _correct(self, match: Match, seat: Seat, to: int, by: str, seen: int | None) -> Answer:
        event = match.game.correction(seat, to)
        stale = _stale(match, event, seen, None)
        return stale if stale is not None else _ruled(match, match.propose(event, by))

    # --- the writer's work: mending ---------------------------------------------------------------

    def _ask_undo(self, match: Match, to: int, by: str) -> Answer:
        if match.line.at(to) is None or not match.reveals_after(to):
            return _ruled(match, match.rewind(to, by))
        agreed = tuple([Seat(s) for s in range(len(match.setup.seated())) if by == f"seat:{s}"])
        self._undo = UndoRequest(to, by, agreed)
        return self._consented(match)

    def _rewind(self, match: Match, to: int, by: str) -> Answer:
        if match.line.at(to) is not None and match.reveals_after(to):
            return _refused(match, "consent_needed")
        return _ruled(match, match.rewind(to, by))

    def _consent(self, match: Match, seat: Seat, yes: bool) -> Answer:
        request = self._undo
        if request is None:
            return _refused(match, "no_undo_asked")
        if not 0 <= seat < len(match.setup.seated()):
            return _refused(match, "unknown_seat", players=len(match.setup.seated()))
        if not yes:
            self._undo = None
            return Answer(True, match.seq)
        if seat not in request.agreed:
            self._undo = msgspec.structs.replace(request, agreed=tuple(sorted((*request.agreed, seat))))
        return self._consented(match)

    def _consented(self, match: Match) -> Answer:
        """Do the undo that is asked for if every seat has agreed."""
        request = self._undo
        assert request is not None
        if len(request.agreed) < len(match.setup.seated()):
            return Answer(True, match.seq)
        return _ruled(match, match.rewind(request.to, request.by))

    def _amend(self, match: Match, seq: int, event: Event, by: str, only_ask: bool) -> Answer:
        old = match.line.at(seq) if seq else None
        if old is not None and old.parent is not None:
            before = old.parent.entry.after
            if old.entry.by == DEALER or match.dealer.forbids(before, event):
                return _refused(match, "dealer_draws")
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

    def _unpause(self, match: Match) -> Answer:
        self._paused = False
        return Answer(True, match.seq)


def _refused(match: Match, key: str, **fields: Any) -> Answer:
    return Answer(False, match.seq, Refusal("R-00", key, fields))


def _ruled(match: Match, refusal: Refusal | None) -> Answer:
    return Answer(refusal is None, match.seq, refusal)


def _catalogue_key(game: Game[Any]) -> str:
    return f"catalogue/{game.name}"


def _may_say(match: Match, event: Event, by: str) -> bool:
    """Whether this seat may say the event: its own, or what chance brings. The table and the host may say all."""
    who, _, number = by.partition(":")
    if who not in ("seat", "bot") or name_of(event) in match.game.declared:
        return True
    seat = getattr(event, "seat", None)
    if seat is not None:
        return str(seat) == number
    return any(offer.chance and event in offer for offer in legal(match.game, match.state))


def _stale(match: Match, event: Event | None, seen: int | None, match_id: str | None) -> Answer | None:
    """Return the answer to a proposal from a page that shows what is no more, or None (see `Table.propose`)."""
    if match_id is not None and match_id != match.id:
        return Answer(False, match.seq, Refusal("R-00", "stale"), stale=True)
    if seen is None or seen == match.seq:
        return None
    line = match.line
    if 0 <= seen < match.seq and not any(isinstance(body, CONTROLS) for body in line.bodies[seen + 1 :]):
        asked = [_asked(match.game, node.entry.after, event) for node in line.ends[seen:]]
        if all(question == asked[0] for question in asked[1:]):
            return None
    changes = tuple([node.entry for node in line.nodes if node.entry.seq > seen])
    return Answer(False, match.seq, Refusal("R-00", "stale"), stale=True, changes=changes)


def _asked(game: Game[Any], state: State[Any], event: Event | None) -> object:
    if event is None:
        return state.agenda[:1]
    return game.question(state, event)
