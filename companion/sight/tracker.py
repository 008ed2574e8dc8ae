"""Tracks what the camera sees and what the table does, and decides what happened. Time is passed in."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from companion.engine import AnySeenGame, AnyState, Event, Layout, Spot, follow, legal, seen
from companion.engine.board import same_pieces
from companion.messages import SECOND, Sighted
from companion.sight.corrections import find_correction
from companion.sight.evidence import Evidence
from companion.sight.reconcile import Mismatch, Reconciliation, expects, find_mismatches, reconcile
from companion.table.sight_records import AcceptedEvents, Explanation, LayoutMismatch, MisreadCorrection, SightState
from companion.table.snapshot import Snapshot

SHOWN = 4 * SECOND
"""How long accepted events are shown before the next reveal is read."""
PATIENCE = int(2.5 * SECOND)
"""How long a mismatch must last before it is shown: people may still be moving cards."""
CARRYING = 7 * SECOND
"""How long people have to move cards after an event that changes where they belong."""


class ProposedMove(msgspec.Struct, frozen=True):
    """Events that happened one after another, to be proposed as of a record of a match."""

    events: tuple[Event, ...]
    match_id: str
    seq: int


class SightTracker:
    """Follows one table and one camera. Pass in what is seen and done, then call `judge`, again when it is `due`."""

    def __init__(self) -> None:
        self.sight = SightState()
        self._table = Snapshot(0)
        self._evidence = Evidence()
        self._begun: tuple[Event, ...] = ()
        """Proposed events that precede a reveal seen with them; cards that came and went belong to that reveal."""
        self._waits = False
        self._choices: tuple[Explanation, ...] = ()
        self._accepted: AcceptedEvents | None = None
        self._accepted_until = 0
        self._mismatches: tuple[Mismatch, ...] = ()
        self._mismatches_since = 0
        self._since: dict[tuple[str, Spot, Spot], int] = {}
        """Since when each mismatch has lasted."""
        self._searched: tuple[tuple[str, Spot, Spot], ...] = ()
        """The mismatches of which the oldest were left out last."""
        self._layout_changed = False
        """Whether the rules expect other cards somewhere than at the last `judge`."""
        self._carry_until = 0
        self._tolerated: frozenset[str] = frozenset()
        """Places, by the rules' names, that have not fitted for long; the rest is judged without them."""
        self._settled: dict[str, frozenset[tuple[str, ...]]] = {}
        """What may stand on cells that could not be read when something happened there; it is not asked again."""

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept what lies on the table now; None if the camera is lost."""
        self._evidence.accept_reading(sighted)

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        if table.match_game is not None and not seen(table.match_game):
            table = Snapshot(table.number)  # no camera can follow this game, so there is nothing to compare
        old, self._table = self._table, table
        if table.state is None or table.match_id != old.match_id or old.state is None:
            self._waits, self._accepted, self._settled = False, None, {}
            self._evidence.begin(table)
            return
        if table.entries[: len(old.entries)] != old.entries:
            # After an undo or an amendment, people must restore the table first.
            self._waits, self._accepted = True, None
            self._evidence.begin_again(table)
            return
        happened = table.entries[len(old.entries) :]
        events = tuple([entry.event for entry in happened])
        self._evidence.follow(table, [entry.after for entry in happened], keep=events == self._begun)
        if happened:
            before = table.seen_game.layout(old.state)
            self._layout_changed = self._layout_changed or not before.same_table(self._evidence.expected())
            self._settle_cells(None if events in self._choices else before)

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies, after an undo or not: it is read again."""
        self._waits = False

    # --- output -----------------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return the moment from which `judge` may decide otherwise without new input, or None."""
        times = []
        if self._accepted is not None:
            times.append(self._accepted_until)
        if self._mismatches and not self.sight.mismatches and not self._choices:
            times.append(max(self._mismatches_since + PATIENCE, self._carry_until))
        return min(times, default=None)

    def judge(self, now: int) -> ProposedMove | None:
        """Compare what is seen with the table; return what happened, if that is certain.

        `sight` has the rest: events accepted, questions, and mismatches.
        """
        table, sighted = self._table, self._evidence.sighted
        if self._accepted is not None and now >= self._accepted_until:
            self._accepted = None
        if sighted is None or table.state is None or table.setup is None or table.setup.deck == "dealt":
            self.sight, self._mismatches = SightState(), ()
            return None
        if sighted.game not in ("", table.game.name):
            self.sight, self._mismatches = SightState(), ()  # another game's mat
            return None
        self._choices = ()
        stopped = table.paused or not table.state.agenda
        move = None if stopped else self._explain(table, table.state, now)
        if self._layout_changed and self._mismatches:
            self._carry_until = now + CARRYING
        self._layout_changed = False
        shown = self._patient(now)
        before = () if stopped or self._waits else self._mismatches_before(table.seen_game, table.state, shown)
        if before:
            self._tolerated &= {each.name for each in before}
            self._tolerate(before, table.state)
            move = self._explain(table, table.state, now)
            shown = self._patient(now)
        if shown and not self._waits and not stopped:
            self._choices = self._guess_ghosts(table, table.state, shown)
        if self._choices:
            shown = ()
        self._tolerate(shown, table.state)
        described = tuple([self._describe(each) for each in shown])
        self.sight = SightState(True, self._waits, self._accepted, self._choices, described)
        return move

    def note_accepted(self, move: ProposedMove, now: int) -> None:
        """Note that the table accepted a move: it is shown for a while."""
        self.sight = self.sight_after(move)
        self._accepted, self._accepted_until = self.sight.accepted, now + SHOWN

    def sight_after(self, move: ProposedMove) -> SightState:
        """Return what is shown once the table has accepted a move."""
        return replace(self.sight, accepted=AcceptedEvents(move.events, move.seq), choices=(), mismatches=())

    def move_for_choice(self, explanation: Explanation) -> ProposedMove | None:
        """Return the move for the explanation that a person chose; None if it is no longer asked."""
        if explanation not in self.sight.choices:
            return None
        return ProposedMove(explanation, self._table.match_id, self._table.seq)

    def correction_at(self, place: str, card: str) -> MisreadCorrection | None:
        """Return the correction if this card was misread at a place; None if no correction fits."""
        for mismatch in self._mismatches:
            if mismatch.place == place and mismatch.extra == (card,):
                return find_correction(self._table, mismatch, self._evidence.layout(), len(self._mismatches))
        return None

    # --- inside -----------------------------------------------------------------------------------

    def _explain(self, table: Snapshot, state: AnyState, now: int) -> ProposedMove | None:
        """Compare; keep mismatches and questions, and return what happened if that is certain."""
        seen = self._evidence.layout()
        found = find_mismatches(table.seen_game, state, seen)
        if self._waits:
            self._set_mismatches(found, found, now)
            self._waits = bool(self._mismatches)
            return None
        outcome = self._reconcile(table, state, seen)
        self._tolerated &= {mismatch.name for mismatch in found}
        if not outcome.explanations:
            self._choices = self._guess_unnamed(table, state, frozenset() if outcome.barred else self._tolerated)
        self._set_mismatches(() if self._choices else outcome.mismatches, found, now)
        if not outcome.explanations:
            return None
        explanations = outcome.explanations
        for otherwise in self._evidence.otherwise():
            others = self._reconcile(table, state, otherwise).explanations
            explanations += tuple([each for each in others if not _begins_like_any(each, explanations)])
        if len(explanations) > 1:
            self._choices = explanations
            return None
        events = _first_part(table.seen_game, state, outcome.explanations[0])
        revealed = _is_reveal(table.seen_game, state, events[0])
        self._begun = () if revealed or events == outcome.explanations[0] else events
        if self._accepted is not None and revealed and not self._is_reveal_shown(table):
            return None  # the accepted events are shown for a while first
        return ProposedMove(events, table.match_id, table.seq)

    def _reconcile(self, table: Snapshot, state: AnyState, seen: Layout) -> Reconciliation:
        """Compare; where nothing explains what is seen, without the tolerated places."""
        outcome = reconcile(table.seen_game, state, seen)
        if outcome.mismatches and self._tolerated and not outcome.barred:
            without = reconcile(table.seen_game, state, seen, self._tolerated)
            return without if without.explanations else outcome
        return outcome

    def _is_reveal_shown(self, table: Snapshot) -> bool:
        """Whether the accepted events shown now are a reveal: the next reveal need not wait for it."""
        taken = self._accepted
        if taken is None or not table.entries:
            return False
        before = table.entries[-2].after if len(table.entries) > 1 else None
        return before is not None and _is_reveal(table.seen_game, before, table.entries[-1].event)

    def _guess_unnamed(self, table: Snapshot, state: AnyState, ignored: frozenset[str]) -> tuple[Explanation, ...]:
        """Return the explanations if one unnamed card were one of its likeliest, or one unsure cell read otherwise."""
        evidence = self._evidence
        assert evidence.sighted is not None
        game, found = table.seen_game, list[Explanation]()
        for place, card, layout in evidence.with_unnamed_as():
            for each in reconcile(game, state, layout, ignored).explanations:
                if each not in found and expects(game, state, each, layout, place, card):
                    found.append(each)
        for cell in evidence.sighted.cells:
            if not self._settled.get(cell.cell, frozenset()).issuperset(cell.choices):
                for names in cell.choices:
                    layout = evidence.layout(instead_on={cell.cell: names})
                    explanations = reconcile(game, state, layout, ignored).explanations
                    found += [each for each in explanations if each not in found]
        return tuple([_first_part(game, state, each) for each in found])

    def _guess_ghosts(
        self, table: Snapshot, state: AnyState, mismatches: tuple[Mismatch, ...]
    ) -> tuple[Explanation, ...]:
        """Return the explanations if cards that had to be cleared away are equal ones laid in their place."""
        for layout in self._evidence.with_ghosts_as_new({each.place for each in mismatches}):
            if found := reconcile(table.seen_game, state, layout, self._tolerated).explanations:
                return tuple([_first_part(table.seen_game, state, each) for each in found])
        return ()

    def _settle_cells(self, before: Layout | None) -> None:
        """Do not ask again about cells whose possible readings include what the rules now expect there.

        A piece may lie on a line for the rest of the game. Only cells that changed since `before` are settled; an
        answer to a question (None) settles all.
        """
        evidence = self._evidence
        if evidence.sighted is None:
            return
        expected, unsure = evidence.expected().pieces, evidence.layout().unsure
        for cell in evidence.sighted.cells:
            here = expected.get(cell.cell, ())
            if before is not None and same_pieces(here, before.pieces.get(cell.cell, ())):
                continue
            if any(same_pieces(here, choice) for choice in unsure.get(cell.cell, ())):
                self._settled[cell.cell] = self._settled.get(cell.cell, frozenset()) | set(cell.choices)

    def _tolerate(self, mismatches: tuple[Mismatch, ...], state: AnyState) -> None:
        """Judge the rest without these places, as far as the rules let it be."""
        strict = self._table.seen_game.layout(state).strict
        self._tolerated |= {each.name for each in mismatches if each.fault is None and each.name not in strict}

    def _patient(self, now: int) -> tuple[Mismatch, ...]:
        """Return the mismatches if they have lasted long enough to be shown."""
        return self._mismatches if now >= max(self._mismatches_since + PATIENCE, self._carry_until) else ()

    def _mismatches_before(
        self, game: AnySeenGame, state: AnyState, mismatches: tuple[Mismatch, ...]
    ) -> tuple[Mismatch, ...]:
        """Return the oldest mismatches without which the later ones are explained: a card was missed already when
        something happened. Each set of mismatches is searched once."""
        searched, self._searched = self._searched, tuple(map(_identity, mismatches))
        if searched == self._searched:
            return ()
        for last in sorted({self._since[_identity(each)] for each in mismatches})[:-1]:
            older = tuple([each for each in mismatches if self._since[_identity(each)] <= last])
            if reconcile(game, state, self._evidence.layout(), {each.name for each in older}).explanations:
                return older
        return ()

    def _set_mismatches(self, mismatches: tuple[Mismatch, ...], found: tuple[Mismatch, ...], now: int) -> None:
        """Set the mismatches to be shown. `found`: all there are, also those that something explains."""
        self._since = {key: self._since.get(key, now) for key in map(_identity, (*found, *mismatches))}
        if mismatches != self._mismatches:
            self._mismatches, self._mismatches_since = mismatches, now

    def _describe(self, mismatch: Mismatch) -> LayoutMismatch:
        """Return a mismatch as it is shown, with its correction if there is one."""
        assert self._evidence.sighted is not None
        corners = tuple(
            [s.corners for s in self._evidence.sighted.sightings if s.place == mismatch.place and s.corners]
        )
        correction = find_correction(self._table, mismatch, self._evidence.layout(), len(self._mismatches))
        return LayoutMismatch(
            mismatch.place,
            mismatch.name,
            mismatch.seen,
            mismatch.expected,
            mismatch.extra,
            mismatch.missing,
            corners,
            correction,
            mismatch.fault,
        )


def _identity(mismatch: Mismatch) -> tuple[str, Spot, Spot]:
    return mismatch.name, mismatch.seen, mismatch.expected


def _begins_like_any(explanation: Explanation, others: Iterable[Explanation]) -> bool:
    """Whether an explanation is one of some others, with more events after it or not."""
    return any(explanation[: len(other)] == other for other in others)


def _is_reveal(game: AnySeenGame, state: AnyState, event: Event) -> bool:
    """Whether chance puts a card on the table. A card drawn into a hand shows only when it is played."""
    if not any(offer.chance and event in offer for offer in legal(game, state)):
        return False
    after = game.layout(follow(game, state, event))
    return bool(after.lingering or not after.same_table(game.layout(state)))


def _first_part(game: AnySeenGame, state: AnyState, explanation: Explanation) -> Explanation:
    """Return the events up to the next reveal; or that reveal alone, where it comes first."""
    part: list[Event] = []
    for event in explanation:
        if _is_reveal(game, state, event):
            return tuple(part) if part else (event,)
        part.append(event)
        state = follow(game, state, event)
    return tuple(part)
