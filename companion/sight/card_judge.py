"""Judge the cards and pieces that the camera sees: find events, questions and mismatches."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Event, seen
from companion.messages import Sighted
from companion.sight.card_readings import CardReadings
from companion.sight.card_scene import CardScene, is_reveal
from companion.sight.corrections import find_correction
from companion.sight.lasting import LastingMismatches, ShownEvents
from companion.sight.moves import ProposedMove, entries_since, is_other_match, takes_part
from companion.sight.reconcile import Mismatch, find_mismatches
from companion.table.sight_records import AcceptedEvents, Explanation, LayoutMismatch, MisreadCorrection, SightState
from companion.table.snapshot import Snapshot


class CardJudge:
    """Follows the cards and pieces of one table."""

    def __init__(self) -> None:
        self.sight = SightState()
        """The part of the sight shown for cards, without tokens."""
        self._readings = CardReadings()
        self._accepted = ShownEvents()
        self._mismatches = LastingMismatches()
        self._asked: tuple[Explanation, ...] = ()
        """The explanations offered to people last."""
        self._begun: tuple[Event, ...] = ()
        """Proposed events before a reveal seen at the same time; cards that came and went belong to that reveal."""
        self._waits = False
        """Whether people must restore the table first, after an undo or an amendment."""

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera is lost."""
        self._readings.accept(sighted)

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies, even after an undo, and read it again."""
        self._waits = False

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        if table.match_game is not None and not seen(table.match_game):
            # No camera can follow this game, so there is nothing to compare.
            table = Snapshot(table.number)
        old = self._readings.table
        other, happened = is_other_match(old, table), entries_since(old, table)
        if other or happened is None:
            self._waits, self._accepted = not other, ShownEvents()
            self._readings.begin(table, again=not other)
            return
        events = tuple([entry.event for entry in happened])
        self._readings.follow(table, [entry.after for entry in happened], keep=events == self._begun)
        if happened and old.state is not None:
            before = table.seen_game.layout(old.state)
            self._mismatches.must_carry |= not before.same_table(self._readings.expected())
            self._readings.settle_cells(None if events in self._asked else before)

    def due(self) -> list[int]:
        """Return the moments at which the judgement may change without new input."""
        silent = not self.sight.mismatches and not self._asked
        return self._accepted.due() + (self._mismatches.due() if silent else [])

    def judge(self, now: int) -> ProposedMove | None:
        """Compare the reading with the table; return a move if it is certain."""
        self._accepted.hide_old(now)
        table = self._readings.table
        if table.state is None or not takes_part(table, self._readings.sighted):
            self.sight = SightState()
            self._mismatches.found = ()
            return None
        self._asked = ()
        stopped = table.paused or not table.state.agenda
        move = None if stopped else self._explain(now)
        self._mismatches.allow_carrying(now)
        if not stopped and not self._waits:
            move = self._explain_the_rest(now) or move
        shown = () if self._asked else self._mismatches.shown(now)
        self._tolerate(shown)
        described = tuple(map(self._describe, shown))
        self.sight = SightState(True, self._waits, self._accepted.events, self._asked, described)
        return move

    def sight_after(self, move: ProposedMove) -> SightState:
        """Return what to show after the table accepts a move."""
        return replace(self.sight, accepted=AcceptedEvents(move.events, move.seq), choices=(), mismatches=())

    def note_accepted(self, move: ProposedMove, now: int) -> None:
        """Note that the table accepted a move, and show it for a while."""
        self.sight = self.sight_after(move)
        self._accepted.show(move, now)

    def propose(self, explanation: Explanation) -> ProposedMove:
        """Return the move for an explanation."""
        return ProposedMove(explanation, self._readings.table.match_id, self._readings.table.seq)

    def correction_at(self, place: str, card: str) -> MisreadCorrection | None:
        """Return the correction if this card was misread at a place; None if no correction fits."""
        for mismatch in self._mismatches.found:
            if mismatch.place == place and mismatch.extra == (card,):
                return self._correct(mismatch)
        return None

    # --- inside -----------------------------------------------------------------------------------

    def _scene(self) -> CardScene:
        table = self._readings.table
        assert table.state is not None
        return CardScene(table.seen_game, table.state, self._readings, self._mismatches.tolerated)

    def _explain(self, now: int) -> ProposedMove | None:
        """Compare; keep mismatches and questions, and return a move if it is certain."""
        scene = self._scene()
        unfitting = find_mismatches(scene.game, scene.state, self._readings.layout())
        if self._waits:
            self._mismatches.note(unfitting, unfitting, now)
            self._waits = bool(unfitting)
            return None
        outcome = scene.reconcile()
        self._mismatches.keep_tolerated(unfitting)
        scene = self._scene()
        if not outcome.explanations:
            self._asked = scene.guess_unnamed(() if outcome.barred else scene.tolerated)
            self._mismatches.note(() if self._asked else outcome.mismatches, unfitting, now)
            return None
        self._mismatches.note((), unfitting, now)
        explanations = (*outcome.explanations, *scene.besides(outcome.explanations))
        self._asked = explanations if len(explanations) > 1 else ()
        return None if self._asked else self._begin(scene, explanations[0])

    def _begin(self, scene: CardScene, explanation: Explanation) -> ProposedMove | None:
        """Return the events up to the next reveal, unless accepted events must be shown for a while first."""
        events = scene.first_part(explanation)
        revealed = is_reveal(scene.game, scene.state, events[0])
        self._begun = () if revealed or events == explanation else events
        waits = revealed and self._accepted.events is not None and not self._is_reveal_shown()
        return None if waits else self.propose(events)

    def _explain_the_rest(self, now: int) -> ProposedMove | None:
        """Look for events apart from lasting mismatches, or ask about ghosts."""
        move = None
        for oldest in self._mismatches.oldest(self._mismatches.shown(now)):
            if self._scene().is_explained_without(oldest):
                self._mismatches.keep_tolerated(oldest)
                self._tolerate(oldest)
                move = self._explain(now)
                break
        if shown := self._mismatches.shown(now):
            self._asked = self._scene().guess_ghosts({each.place for each in shown})
        return move

    def _is_reveal_shown(self) -> bool:
        """Whether the accepted events shown now are a reveal, so that the next reveal need not wait."""
        entries = self._readings.table.entries
        before = entries[-2].after if len(entries) > 1 else None
        return before is not None and is_reveal(self._readings.table.seen_game, before, entries[-1].event)

    def _tolerate(self, mismatches: tuple[Mismatch, ...]) -> None:
        self._mismatches.tolerate(mismatches, self._readings.expected().strict)

    def _correct(self, mismatch: Mismatch) -> MisreadCorrection | None:
        readings = self._readings
        return find_correction(readings.table, mismatch, readings.layout(), len(self._mismatches.found))

    def _describe(self, mismatch: Mismatch) -> LayoutMismatch:
        """Return a mismatch for display, with its correction if there is one."""
        public = (mismatch.place, mismatch.name, mismatch.seen, mismatch.expected, mismatch.extra, mismatch.missing)
        corners = self._readings.corners_at(mismatch.place)
        return LayoutMismatch(*public, corners, self._correct(mismatch), mismatch.fault)
