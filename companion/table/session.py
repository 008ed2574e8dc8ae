"""The sitting: the match that lies on the table, and what may be done to it. The writer's thread alone uses it.

Whatever is asked is ruled on, written durably, and then shown by `publish`. Knows no threads, no pages, no single game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future

import msgspec

from companion.engine import (
    BadSetup,
    Event,
    Raising,
    Refusal,
    Seat,
    Setup,
    rule,
    seat_of,
)
from companion.journal.journal import Journal, JournalError
from companion.match.chance import DEALER
from companion.match.history import CONTROLS, NOTES, AmendConflict, HistoryEntry, HistoryNode, SeatFreed, SeatTaken
from companion.match.match import Match, MatchError
from companion.match.secrecy import hidden, told, veiled
from companion.messages import HOST, MILLISECOND, Press
from companion.referee.referee import Ruling
from companion.table.admission import refused, ruled, stale, timed, unsaid
from companion.table.collection import keep_learning, unpacked
from companion.table.scheduler import Scheduler, timing
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot, TableAnswer, UndoRequest

CURRENT = "table/current"
"""Under this key the journal keeps which match lies on the table."""
DOUBLE_TAP = 600 * MILLISECOND
"""So soon after its press that paused, or went on, the host's button says nothing: the second of two taps."""
LOG = logging.getLogger(__name__)

Publish = Callable[[Snapshot, tuple[HistoryEntry, ...]], None]
"""Called after every change, with the new snapshot and the new entries."""


Keeps = Callable[[str], Mapping[str, bytes]]
"""What is to be kept besides a match that comes onto the table, by its id. It must not ask the table anything."""


def nothing(match: str) -> Mapping[str, bytes]:
    """Return nothing to be kept besides."""
    return {}


class TableOccupied(MatchError):
    """Somebody else's match came onto the table first."""


class PageMoment(msgspec.Struct, frozen=True):
    """What the page showed from which a proposal comes: the record and the match; None: it does not say."""

    seq: int | None = None
    match: str | None = None


class TableSession:
    """What lies on the table. A table that was left with a match on it goes on with that match."""

    def __init__(self, journal: Journal, time: Scheduler, publish: Publish) -> None:
        self.journal = journal
        self.time = time
        self.shown = Snapshot(0)
        self._show = publish
        self._match: Match | None = None
        self._paused = False
        self._undo: UndoRequest | None = None
        self._host_at: int | None = None
        self._sight = SightState()
        self._recalled = False
        """Whether what waits to be judged is to be forgotten: the table has been changed by other means."""

    # --- matches ----------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Take up the match that lay on the table."""
        self._publish()
        current = self.journal.kept(CURRENT)
        if current:
            try:
                self.resume(current.decode())
            except (JournalError, MatchError, BadSetup) as error:
                self.journal.findings.append(f"The match that lay on the table cannot be opened. {error}")
                self._publish()

    def start(self, setup: Setup, keeps: Keeps = nothing, if_free: bool = False) -> str:
        """Begin a new match and return its id. The match, its place on the table and what is kept are one commit."""
        self._must_be_free(if_free)
        with self.journal.together():
            match = Match.begin(self.journal, unpacked(self.journal, setup))
            self.journal.keep_all({CURRENT: match.id.encode(), **keeps(match.id)})
        self._lay(match)
        return match.id

    def resume(self, match_id: str, keeps: Keeps = nothing, if_free: bool = False) -> None:
        """Put a match of the journal on the table; a count that was running is broken. All of it is one commit."""
        self._must_be_free(if_free)
        match = Match.open(self.journal, match_id)
        with self.journal.together():
            broken = match.game.interrupted(match.state, "restart")
            if broken is not None:
                match.propose(broken, "table")
            self.journal.keep_all({CURRENT: match.id.encode(), **keeps(match.id)})
        self._lay(match)

    def _must_be_free(self, if_free: bool) -> None:
        """Raise `TableOccupied` where a match is being played and must not be taken away."""
        if if_free and self._match is not None and not self._match.state.over:
            raise TableOccupied("A match is being played.")

    def leave(self) -> None:
        """Take the match off the table."""
        self.journal.keep(CURRENT, None)
        self._match, self._paused, self._undo, self._recalled = None, False, None, True
        self._publish()

    def _lay(self, match: Match) -> None:
        self._match, self._paused, self._undo, self._recalled = match, False, None, True
        keep_learning(self.journal, match)
        self._publish()

    # --- doing ------------------------------------------------------------------------------------

    def act(self, act: Callable[[Match], TableAnswer]) -> TableAnswer:
        """Have something done to the match, and what came of it shown."""
        match = self._match
        if match is None:
            return TableAnswer(False, refusal=Refusal("R-00", "no_match"))
        seq, paused, undo = match.seq, self._paused, self._undo
        try:
            answer = act(match)
        except JournalError as error:
            return TableAnswer(False, match.seq, Refusal("R-00", "not_saved", {"why": str(error)}))
        except Exception:
            # A fault of ours. The journal is what is true: go on from there, and say so.
            LOG.exception("the table could not do what it was asked")
            self._match = Match.open(self.journal, match.id)
            self._match.keeps = match.keeps
            answer = refused(self._match, "went_wrong")
            match = self._match
        bodies = match.line.bodies[seq + 1 :]
        if not all(isinstance(body, NOTES) for body in bodies):
            self._undo = None
        if self._replaced(match, bodies):
            self._recalled = True
        if self._paused != paused or any(isinstance(body, CONTROLS) for body in bodies):
            self._recalled = True
        if (match.seq, self._paused, self._undo) != (seq, paused, undo):
            self._publish([node for node in match.line.made[seq + 1 :] if node is not None])
        return answer

    def propose(
        self, event: Event, by: str, seen: PageMoment, more: tuple[Event, ...] = ()
    ) -> TableAnswer | Future[TableAnswer]:
        """Propose an event and what followed it; what an auction's clock decides waits for the referee."""
        match, meaning = self._match, timing(self.shown)
        if match is None or not isinstance(meaning, Raising) or not timed(meaning, event):
            return self.act(
                lambda match: (
                    self._unfit(match, (event, *more), by, seen) or ruled(match, match.propose(event, by, *more))
                )
            )
        answer = self._unfit(match, (event,), by, seen)
        if answer is not None or more:
            return answer or refused(match, "by_itself")
        waiting = self.time.said(event, by)
        self.judge()
        return waiting

    def _unfit(self, match: Match, events: tuple[Event, ...], by: str, seen: PageMoment) -> TableAnswer | None:
        """Return why events cannot be proposed at all, whatever the rules say of them; None when they can."""
        if self._paused:
            return refused(match, "paused")
        for event in events:
            old = stale(match, event, seen.seq, seen.match)
            if old is not None:
                return old
        why = unsaid(match, events, by)
        return refused(match, why) if why else None

    def draw(self, match: Match, by: str, seen: PageMoment) -> TableAnswer:
        """Let chance decide now."""
        if self._paused:
            return refused(match, "paused")
        return stale(match, None, seen.seq, seen.match) or ruled(match, match.draw(by))

    def _replaced(self, match: Match, bodies: Iterable[Event]) -> bool:
        """Whether a device has replaced what another one had sealed: then every seat says anew that it is ready."""
        replaced = self.shown.veiled - veiled(match.line)
        return any(seat_of(body) in replaced for body in bodies)

    def note(self, match: Match, body: SeatFreed | SeatTaken, by: str, keep: Mapping[str, bytes | None]) -> TableAnswer:
        """Write that a seat was freed or taken again, with what is kept of it."""
        match.note(body, by, keep)
        return TableAnswer(True, match.seq)

    def correct(self, match: Match, seat: Seat, to: int, by: str, seen: PageMoment) -> TableAnswer:
        """Put a seat's money to what really lies there."""
        event = match.game.correction(seat, to)
        if event is None:
            return refused(match, "no_money")
        if seat in self.shown.veiled:  # the least that a closed fist allows would tell what is in it
            return refused(match, "sealed_elsewhere")
        return stale(match, event, seen.seq, seen.match) or ruled(match, match.propose(event, by))

    def see(self, sight: SightState) -> None:
        """Show what the camera's eye makes of the table."""
        self._sight = sight
        self._publish()

    # --- presses ----------------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Take a press: the host's pauses and goes on, a seat's is the referee's to judge; nobody's is nothing."""
        if self._match is None:
            return
        if 0 <= press.seat < len(self._match.setup.seated()):
            self.time.press(press)
            self.judge()
        elif press.seat != HOST:
            return
        elif press.contact == "closed" and (self._host_at is None or abs(press.at - self._host_at) >= DOUBLE_TAP):
            self._host_at = press.at  # neither a second tap nor one that is delivered twice takes it back
            self.act(lambda match: self.pause(match, "host", not self._paused))

    def judge(self) -> None:
        """Have the rulings made whose time has come."""
        match = self._match
        if match is not None:
            self.time.judge(lambda event: rule(match.game, match.state, event), self._carry_out)

    def _carry_out(self, ruling: Ruling, by: str) -> TableAnswer:
        """Write what the referee has ruled, and show it."""

        def act(match: Match) -> TableAnswer:
            if ruling.judged is not None:
                events = () if ruling.event is None else (ruling.event,)
                answer = ruled(match, match.judge(ruling.judged, by, *events))
                if not answer.accepted:
                    return answer
            self.time.happened(ruling)
            return TableAnswer(ruling.refusal is None, match.seq, ruling.refusal)

        answer = self.act(act)
        if self.time.readiness() != (self.shown.ready, self.shown.opened):
            self._publish()
        return answer

    def trouble(self, what: str) -> None:
        """Show that something is wrong, and break a running count; or (empty) that all is well."""
        self.time.trouble = what
        self._recalled = bool(what)
        before = self.shown.number
        if what:
            self.act(lambda match: self._interrupt(match, what, "table"))
        if self.shown.number == before:
            self._publish()

    def _interrupt(self, match: Match, cause: str, by: str) -> TableAnswer:
        """Break a running count; price and leader stand."""
        broken = match.game.interrupted(match.state, cause)
        if broken is not None:
            match.propose(broken, by)
        return TableAnswer(True, match.seq)

    # --- mending ----------------------------------------------------------------------------------

    def ask_undo(self, match: Match, to: int, by: str) -> TableAnswer:
        """Go back at once, or ask every seat where something was turned up."""
        if not match.reveals_after(to):
            return ruled(match, match.rewind(to, by))
        seats = range(len(match.setup.seated()))
        self._undo = UndoRequest(to, by, tuple([Seat(s) for s in seats if by == f"seat:{s}"]))
        return self._consented(match, self._undo)

    def consent(self, match: Match, seat: Seat, yes: bool) -> TableAnswer:
        """Take a seat's yes or no to the undo that is asked for."""
        request, players = self._undo, len(match.setup.seated())
        if request is None:
            return refused(match, "no_undo_asked")
        if not 0 <= seat < players:
            return refused(match, "unknown_seat", players=players)
        if not yes:
            self._undo = None
            return TableAnswer(True, match.seq)
        agreed = tuple(sorted({*request.agreed, seat}))
        self._undo = request = msgspec.structs.replace(request, agreed=agreed)
        return self._consented(match, request)

    def _consented(self, match: Match, request: UndoRequest) -> TableAnswer:
        """Do the undo that is asked for if every seat has agreed."""
        if len(request.agreed) < len(match.setup.seated()):
            return TableAnswer(True, match.seq)
        return ruled(match, match.rewind(request.to, request.by))

    def pause(self, match: Match, by: str, paused: bool) -> TableAnswer:
        """Stop the game, a running count with it; or let it go on."""
        if paused:
            self._interrupt(match, "pause", by)
        self._paused = paused
        return TableAnswer(True, match.seq)

    # --- showing ----------------------------------------------------------------------------------

    def _publish(self, fresh: Iterable[HistoryNode] = ()) -> None:
        """Show the table as it is now."""
        match, shown = (
            self._match,
            Snapshot(self.shown.number + 1, findings=tuple(self.journal.findings), sight=self._sight),
        )
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
                devices=tuple(match.line.devices),
                veiled=veiled(match.line),
            )
        entries = tuple([node.entry for node in fresh])
        if self._recalled:
            self._recalled = False
            self.time.recall(shown)
        self.time.follow(shown, entries)
        ready, opened = self.time.readiness()
        self.shown = msgspec.structs.replace(shown, ready=ready, opened=opened)
        self._show(self.shown, entries)


def rewind(match: Match, to: int, by: str) -> TableAnswer:
    """Go back to a record, or refuse where the consent of every seat is needed."""
    if match.reveals_after(to):
        return refused(match, "consent_needed")
    return ruled(match, match.rewind(to, by))


def amend(match: Match, seq: int, event: Event, by: str, only_ask: bool) -> TableAnswer:
    """Replace the event of an old record, or refuse where that would tell or touch what is secret."""
    old = match.line.at(seq)
    if old is not None and old.parent is not None:
        if old.entry.by == DEALER or match.dealer.forbids(old.parent.entry.after, event):
            return refused(match, "dealer_draws")
        if hidden(match.line, old, told(match.line)) & set(match.game.secret(old.parent.entry.after, event)):
            return refused(match, "still_secret")
    outcome = match.amend(seq, event, by, only_ask=only_ask)
    if isinstance(outcome, AmendConflict):
        return TableAnswer(False, match.seq, outcome.refusal, outcome=outcome)
    return TableAnswer(True, match.seq, outcome=outcome)
