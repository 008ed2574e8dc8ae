"""All actions of the writer's thread on the match: check, write durably, then show through `publish`."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import NamedTuple

import msgspec

from companion.engine import Event, Raising, Refusal, Seat, SeatEvent, Setup, rule, seat_of
from companion.journal.journal import Journal, JournalError
from companion.match.actor import Actor
from companion.match.history import CONTROLS, NOTES, AdviceAsked, HistoryEntry, HistoryNode, SeatFreed, SeatTaken
from companion.match.match import Match, MatchError
from companion.match.secrecy import veiled_seats
from companion.messages import HOST, MILLISECOND, Press
from companion.referee.press_rulings import OWN, PressEvidence, Ruling, evidence_of
from companion.referee.referee import Referee
from companion.table.collection import keep_learning, with_collection
from companion.table.cues import CueBoard, event_cues, standing_cues, tokens_readable
from companion.table.ending import Curtain
from companion.table.proposals import PageMoment, Proposal, actor_refusal, answer_to, is_timed, reject
from companion.table.scheduler import Scheduler
from companion.table.sealing import held_refusal, seal_refusal
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot, TableAnswer, UndoRequest
from companion.table.stale_taps import stale_answer
from companion.table.take_back import OwnMove, goes_unseen, own_move
from companion.table.token_presses import pressed_claim, unsettled_seats, withheld_seats

CURRENT = "table/current"
"""The journal's key for the id of the match on the table."""
DOUBLE_TAP = 600 * MILLISECOND
"""Ignore a press of the host's button this soon after the last one that paused or resumed: it is a second tap."""
LOG = logging.getLogger(__name__)

Publish = Callable[[Snapshot, tuple[HistoryEntry, ...]], None]
"""Called after every change, with the new snapshot and the new entries."""
Keeps = Callable[[str], Mapping[str, bytes]]
"""Returns other values to keep for a match that is put on the table, by its id. It must not call the table."""


def keep_nothing(match: str) -> Mapping[str, bytes]:
    """Return nothing to keep."""
    return {}


class TableOccupied(MatchError):
    """Another match is in progress on the table."""


class PendingProposal(NamedTuple):
    """A proposal that waits for the referee."""

    answer: Future[TableAnswer]
    by: Actor


class TableSession:
    """The match on the table. A table continues with the match that was on it when it was closed."""

    def __init__(
        self, journal: Journal, referee: Referee, cues: CueBoard, scheduler: Scheduler, publish: Publish
    ) -> None:
        self.journal = journal
        self.referee = referee
        self.cues = cues
        self.scheduler = scheduler
        self.shown = Snapshot(0)
        self._show = publish
        self._match: Match | None = None
        self._paused = False
        self._undo: UndoRequest | None = None
        self._own: OwnMove | None = None
        """The move that its seat may take back until the next event at the table."""
        self._host_at: int | None = None
        """When the host's button last paused or resumed the game."""
        self._sight = SightState()
        self._curtain = Curtain(referee.pace.ending_ms)
        self._trouble = ""
        """The services' problem, as the cue `Trouble` names it."""
        self._unbroken = False
        """Whether a match was restored from a held journal, so that a running count is not broken yet."""
        self._recalled = False
        """Whether to drop all waiting presses, because something else changed the table."""
        self._pending: dict[int, PendingProposal] = {}
        self._tickets = itertools.count(1)

    # --- matches ----------------------------------------------------------------------------------

    def restore(self) -> None:
        """Continue with the match that was on the table; if the journal is held, only show it."""
        self._publish()
        current = (self.journal.read_value(CURRENT) or b"").decode()
        try:
            if current:
                self._resume_or_show(current)
        except (JournalError, MatchError) as error:
            self.journal.findings.append(f"Cannot open the match that was on the table. {error}")
            self._publish()
        self._unbroken = bool(self.journal.held)

    def _resume_or_show(self, match_id: str) -> None:
        """Resume a match, or only show it if its disk accepts no writes."""
        try:
            if not self.journal.held:
                self.resume(match_id)
                return
        except JournalError:
            if not self.journal.held:
                raise
        match = Match.open(self.journal, match_id)
        match.require_view()
        self._place(match)

    def regain(self) -> Journal:
        """Return the journal for writing; first try again to open a held one and resume its match."""
        if self.journal.held and self.journal.regain() and self._unbroken:
            self.restore()
        self._show_held()
        return self.journal

    def _show_held(self) -> None:
        """Show whether the journal can be written, if that has changed. A running count starts again."""
        if self.shown.unsaved != self.journal.held:
            self._recalled = True
            self._publish()

    def start(self, setup: Setup, keeps: Keeps = keep_nothing, if_free: bool = False) -> str:
        """Start a new match and return its id. The match, its place on the table and kept values are one commit.

        A game whose own code fails cannot start: `MatchError` says where it fails.
        """
        self._require_free(if_free)
        with self.regain().transaction():
            match = Match.begin(self.journal, with_collection(self.journal, setup))
            match.require_view()
            self.journal.keep_all({CURRENT: match.id.encode(), **keeps(match.id)})
        self._place(match)
        return match.id

    def resume(self, match_id: str, keeps: Keeps = keep_nothing, if_free: bool = False) -> None:
        """Put a match of the journal on the table and break a running count, in one commit."""
        self._require_free(if_free)
        match = Match.open(self.regain(), match_id)
        match.require_view()
        with self.journal.transaction():
            broken = match.game.interruption(match.state, "restart")
            if broken is not None:
                match.propose(broken, Actor.TABLE)
            self.journal.keep_all({CURRENT: match.id.encode(), **keeps(match.id)})
        self._place(match)

    def _require_free(self, if_free: bool) -> None:
        """Raise `TableOccupied` if `if_free` is set and a match is in progress."""
        if if_free and self._match is not None and not self._match.state.over:
            raise TableOccupied("A match is being played.")

    def leave(self) -> None:
        """Take the match off the table."""
        self.regain().keep(CURRENT, None)
        self._set_match(None)

    def _place(self, match: Match) -> None:
        keep_learning(self.journal, match)
        self._set_match(match)

    def _set_match(self, match: Match | None) -> None:
        self._match, self._paused, self._undo, self._own, self._recalled = match, False, None, None, True
        self._publish()

    def dismiss(self) -> None:
        """Refuse all proposals still waiting after the writer has ended."""
        pending, self._pending = self._pending, {}
        for waiting in pending.values():
            waiting.answer.set_result(TableAnswer(False, refusal=Refusal("R-00", "no_match")))

    # --- playing ----------------------------------------------------------------------------------

    def act(self, act: Callable[[Match], TableAnswer]) -> TableAnswer:
        """Act on the match and publish the changes."""
        self.regain()
        match = self._match
        if match is None:
            return TableAnswer(False, refusal=Refusal("R-00", "no_match"))
        seq, paused, undo, own = match.seq, self._paused, self._undo, self._own
        try:
            answer = act(match)
        except JournalError as error:
            self._show_held()
            key = f"disk_{self.journal.held}" if self.journal.held else "not_saved"
            return TableAnswer(False, match.seq, Refusal("R-00", key, {"why": str(error)}))
        except Exception:
            # A bug in the program. The journal is the truth: reload the match from it and report the bug.
            LOG.exception("the table could not carry out a request")
            self._match = Match.open(self.journal, match.id)
            self._match.keeps = match.keeps
            answer = reject(self._match, "went_wrong")
            match = self._match
        bodies = match.line.bodies[seq + 1 :]
        if not all(isinstance(body, NOTES) for body in bodies):
            self._undo = None
        if self._is_reseated(match, bodies):
            self._recalled = True
        if self._paused != paused or any(isinstance(body, CONTROLS) for body in bodies):
            self._recalled = True
        if (match.seq, self._paused, self._undo) != (seq, paused, undo):
            asked = {type(body) for body in bodies} == {AdviceAsked}
            if own is not None and self._own is own and not (asked or goes_unseen(match.line, own.seat, seq)):
                self._own = None
            self._publish([node for node in match.line.made[seq + 1 :] if node is not None])
        return answer

    def propose(self, proposal: Proposal) -> Future[TableAnswer]:
        """Propose events. The answer comes at once, or, for a raise or count in an auction, from the referee."""
        match, timing, answer = self._match, self.shown.timing, Future[TableAnswer]()
        if match is None or not isinstance(timing, Raising) or not is_timed(timing, proposal.events[0]):
            answer.set_result(self.act(lambda match: self._take(match, proposal)))
            return answer
        event, *more = proposal.events
        refused = self._inadmissible(match, msgspec.structs.replace(proposal, events=(event,)))
        if refused is not None or more:
            answer.set_result(refused or reject(match, "by_itself"))
            return answer
        now, ticket = self.scheduler.clock(), next(self._tickets)
        self._pending[ticket] = PendingProposal(answer, proposal.by)
        seat = event.seat if isinstance(event, SeatEvent) else OWN
        self._hear(PressEvidence(seat, now, now, event=event, ticket=ticket, source="said"))
        return answer

    def _take(self, match: Match, proposal: Proposal) -> TableAnswer:
        """Apply a proposal if it is admissible and legal."""
        refused = self._inadmissible(match, proposal)
        if refused is not None:
            return refused
        event, *more = proposal.events
        before = match.line.node
        answer = answer_to(match, match.propose(event, proposal.by, *more))
        if answer.accepted and proposal.sight is not None:
            self._sight = proposal.sight
        elif answer.accepted:
            held_back = bool(self._curtain.longest_ms)
            self._own = own_move(match, before, proposal.by, self.scheduler.clock(), held_back)
        return answer

    def _inadmissible(self, match: Match, proposal: Proposal) -> TableAnswer | None:
        """Return the refusal of a proposal regardless of the game's rules; None if it is admissible."""
        if self._paused:
            return reject(match, "paused")
        for event in proposal.events:
            stale = stale_answer(match, event, proposal.moment)
            if stale is not None:
                return stale
        key = actor_refusal(match, proposal.events, proposal.by)
        key = key or seal_refusal(match, proposal.events, self.referee.holds_seals())
        return reject(match, key) if key else None

    def draw(self, match: Match, by: Actor, moment: PageMoment) -> TableAnswer:
        """Draw the chance that is due now."""
        if self._paused:
            return reject(match, "paused")
        return stale_answer(match, None, moment) or answer_to(match, match.draw(by))

    def _is_reseated(self, match: Match, bodies: Iterable[Event]) -> bool:
        """Whether a new device replaced what another one had sealed; then all seats must press ready again."""
        replaced = self.shown.veiled - veiled_seats(match.line)
        return any(seat_of(body) in replaced for body in bodies)

    def note(
        self, match: Match, body: SeatFreed | SeatTaken | AdviceAsked, by: Actor, keep: Mapping[str, bytes | None]
    ) -> TableAnswer:
        """Write what became of a seat, or that it asked for advice, and other values to keep."""
        match.note(body, by, keep)
        return TableAnswer(True, match.seq)

    def rename(self, match: Match, seat: Seat, name: str, by: Actor) -> TableAnswer:
        """Rename the person at a seat, even after the match."""
        players = len(match.setup.seated())
        if not 0 <= seat < players:
            return reject(match, "unknown_seat", players=players)
        match.rename(seat, name, by)
        return TableAnswer(True, match.seq)

    def correct(self, match: Match, event: Event | None, by: Actor, moment: PageMoment) -> TableAnswer:
        """Correct a seat's money; `event` is None if the game has no money."""
        if event is None:
            return reject(match, "no_money")
        # The smallest amount that a closed fist allows would reveal its bid.
        if seat_of(event) in self.shown.veiled:
            return reject(match, "sealed_elsewhere")
        return stale_answer(match, event, moment) or answer_to(match, match.propose(event, by))

    def show_sight(self, sight: SightState) -> None:
        """Show the camera's view of the table."""
        self._sight = sight
        self._publish()

    # --- presses ----------------------------------------------------------------------------------

    def press(self, press: Press, held: str = "") -> None:
        """Accept a press: the referee judges a seat's, the host's pauses or resumes, any other is ignored."""
        match = self._match
        if match is None:
            return
        claim = pressed_claim(self.shown, press)
        if claim is not None:
            self._claim(claim, press)
        elif 0 <= press.seat < len(match.setup.seated()):
            refused = held_refusal(match, held) if Seat(press.seat) not in self.referee.ready() else None
            if refused is not None:
                self.cues.refuse(Seat(press.seat), refused)
                return
            self._hear(evidence_of(press, self.scheduler.clock(), held))
        elif press.seat != HOST:
            return
        elif press.contact == "closed" and (self._host_at is None or abs(press.at - self._host_at) >= DOUBLE_TAP):
            self._host_at = press.at  # neither a second tap nor a press delivered twice reverses it
            self.act(lambda match: self.pause(match, Actor.HOST, not self._paused))

    def _claim(self, claim: Event, press: Press) -> None:
        """Take a claim that tokens suggest, confirmed by its seat's press."""
        seat = Seat(press.seat)
        by = Actor.bot(seat) if press.source == "bot" else Actor.at_seat(seat)

        def take(match: Match) -> TableAnswer:
            answer = self._take(match, Proposal((claim,), by))
            if answer.accepted:  # a press delivered twice claims nothing more
                left = tuple([each for each in self._sight.claims if each != claim])
                self._sight = msgspec.structs.replace(self._sight, claims=left)
            return answer

        answer = self.act(take)
        if answer.refusal is not None:
            self.cues.refuse(seat, answer.refusal)

    def _hear(self, evidence: PressEvidence) -> None:
        """Pass a press or a timed proposal to the referee."""
        self.cues.show(self.referee.hear(evidence))
        self.judge()

    def judge(self) -> None:
        """Carry out every due ruling, and withdraw moves that a seat can no longer take back."""
        match = self._match
        if match is None:
            return
        now = self.scheduler.clock()
        if self._own is not None and now >= self._own.until:
            self._own = None
            self._publish()
        elif (due := self._curtain.due(self.shown.at)) is not None and now >= due:
            self._publish()
        while True:
            ruling = self.referee.next(self.scheduler.clock(), lambda event: rule(match.game, match.state, event))
            if ruling is None:
                break
            answer = self._carry_out(ruling)
            self.cues.show(ruling.cues)
            self._answer(ruling, answer)
        self._wake_in_time()

    def _carry_out(self, ruling: Ruling) -> TableAnswer:
        """Write a ruling of the referee, and publish it."""
        by = self._actor(ruling.heard)

        def act(match: Match) -> TableAnswer:
            if ruling.judged is not None:
                events = () if ruling.event is None else (ruling.event,)
                answer = answer_to(match, match.judge(ruling.judged, by, *events))
                if not answer.accepted:
                    return answer
            self.cues.show(self.referee.confirm(ruling))
            return TableAnswer(ruling.refusal is None, match.seq, ruling.refusal)

        answer = self.act(act)
        if self.referee.ready() != self.shown.ready:
            self._publish()
        return answer

    def _actor(self, evidence: PressEvidence) -> Actor:
        """Return the actor to record for a press or a proposal."""
        if evidence.ticket in self._pending:
            return self._pending[evidence.ticket].by
        if evidence.seat == OWN:
            return Actor.COMPANION
        return Actor.bot(evidence.seat) if evidence.source == "bot" else Actor.at_seat(evidence.seat)

    def _answer(self, ruling: Ruling, answer: TableAnswer) -> None:
        """Answer the waiting proposal, or tell the seat why its press had no effect."""
        pending = self._pending.pop(ruling.heard.ticket, None)
        if pending is not None:
            pending.answer.set_result(answer)
        elif not answer.accepted and answer.refusal is not None:
            self.cues.refuse(ruling.heard.seat, answer.refusal)

    def set_trouble(self, what: str) -> None:
        """Show that a service has failed and break a running count; empty: all services work."""
        self._trouble = what
        self._recalled = bool(what)
        before = self.shown.number
        if what:
            self.act(lambda match: self._interrupt(match, what, Actor.TABLE))
        if self.shown.number == before:
            self._publish()

    def _interrupt(self, match: Match, cause: str, by: Actor) -> TableAnswer:
        """Break a running count; price and leader stay."""
        broken = match.game.interruption(match.state, cause)
        if broken is not None:
            match.propose(broken, by)
        return TableAnswer(True, match.seq)

    # --- undo and pause ---------------------------------------------------------------------------

    def take_back(self, match: Match, seat: Seat, moment: PageMoment) -> TableAnswer:
        """Take back a seat's own last move, if its page shows that move and it is not too late."""
        own = self._own
        if own is None or own.seat != seat or self.scheduler.clock() >= own.until:
            return reject(match, "take_back_over")
        stale = moment.match not in (None, match.id) or (moment.seq is not None and moment.seq < own.seq)
        if stale or match.line.node.entry.seq != own.seq:
            return reject(match, "take_back_over")
        return answer_to(match, match.rewind(own.to, Actor.at_seat(seat)))

    def ask_undo(self, match: Match, to: int, by: Actor) -> TableAnswer:
        """Go back at once, or ask every seat to consent if something was revealed."""
        if not match.reveals_after(to):
            return answer_to(match, match.rewind(to, by))
        seats = [Seat(s) for s in range(len(match.setup.seated()))]
        self._undo = UndoRequest(to, by, tuple([seat for seat in seats if by == Actor.at_seat(seat)]))
        return self._undo_if_agreed(match, self._undo)

    def consent(self, match: Match, seat: Seat, yes: bool | None) -> TableAnswer:
        """Record a seat's yes or no to the requested undo; None withdraws its yes."""
        request, players = self._undo, len(match.setup.seated())
        if request is None:
            return reject(match, "no_undo_asked")
        if not 0 <= seat < players:
            return reject(match, "unknown_seat", players=players)
        if yes is False:
            self._undo = None
            return TableAnswer(True, match.seq)
        agreed = tuple(sorted({*request.agreed, seat} if yes else {*request.agreed} - {seat}))
        self._undo = request = msgspec.structs.replace(request, agreed=agreed)
        return self._undo_if_agreed(match, request)

    def _undo_if_agreed(self, match: Match, request: UndoRequest) -> TableAnswer:
        """Carry out the requested undo after every seat has agreed."""
        if len(request.agreed) < len(match.setup.seated()):
            return TableAnswer(True, match.seq)
        return answer_to(match, match.rewind(request.to, request.by))

    def pause(self, match: Match, by: Actor, paused: bool) -> TableAnswer:
        """Pause the game and break a running count, or resume the game."""
        if paused:
            self._interrupt(match, "pause", by)
        self._paused = paused
        return TableAnswer(True, match.seq)

    # --- showing ----------------------------------------------------------------------------------

    def _publish(self, fresh: Iterable[HistoryNode] = ()) -> None:
        """Show the current table; `fresh` are the new entries."""
        shown, entries = self._snapshot(), tuple([node.entry for node in fresh])
        now = shown.at
        self.cues.show((tokens_readable(shown),))
        if self._recalled:
            self._recalled = False
            recalled, cues = self.referee.clear(shown.timing, now)
            for ruling in recalled:
                self._answer(ruling, TableAnswer(False, shown.seq, ruling.refusal))
            self.cues.show(cues)
        self.cues.show(self.referee.watch(shown.timing, now))
        self.cues.show(self.referee.withhold(withheld_seats(self._sight), now))
        self.referee.ignore_silence(unsettled_seats(self._sight))
        self.cues.show(event_cues(entries) + standing_cues(shown, self._trouble))
        self._wake_in_time()
        self.shown = msgspec.structs.replace(shown, ready=self.referee.ready())
        self._show(self.shown, entries)

    def _wake_in_time(self) -> None:
        """Have the scheduler call `judge` when a ruling is due, a move binds or an end is told."""
        own = None if self._own is None else self._own.until
        dues = (self.referee.due(), own, self._curtain.due(self.scheduler.clock()))
        self.scheduler.wake_at(min([due for due in dues if due is not None], default=None))

    def _snapshot(self) -> Snapshot:
        """Return the next snapshot, without the referee's additions."""
        match, number, findings = self._match, self.shown.number + 1, tuple(self.journal.findings)
        if match is None:
            unsaved, at = self.journal.held, self.scheduler.clock()
            return Snapshot(number, findings=findings, unsaved=unsaved, sight=self._sight, at=at)
        own, now = self._own, self.scheduler.clock()
        closes = None if own is None else own.until
        running = self.shown.match_id == match.id and not self.shown.told
        return Snapshot(
            number,
            match_id=match.id,
            seq=match.seq,
            match_game=match.game,
            setup=match.setup,
            begun_as=match.line.begun_as,
            state=match.state,
            entries=match.line.entries,
            ledger=match.ledger,
            started=match.started,
            paused=self._paused,
            undo=self._undo,
            can_redo=match.can_redo,
            redo_lost=match.line.redo_lost,
            last_move=match.last_move(),
            seed=match.seed if match.state.over else "",
            findings=findings,
            unsaved=self.journal.held,
            verdicts=match.line.verdicts(),
            sight=self._sight,
            devices=tuple(match.line.devices),
            advised=tuple(match.line.advised),
            veiled=veiled_seats(match.line),
            own_move=own,
            taken_back=match.line.taken_back,
            amended=match.line.amended,
            pace=self.referee.pace,
            at=now,
            telling=self._curtain.look(match, running, now, closes, self._undo is not None),
        )
