"""Tracks what the camera sees and what the table does, and decides what happened. Time is passed in."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.engine import AnySeenGame, AnyState, Event, Layout, Place, Spot, follow, legal, seen
from companion.engine.board import same_pieces
from companion.messages import SECOND, Sighted, Sighting
from companion.sight.corrections import find_correction
from companion.sight.ghosts import find_ghosts, remaining_ghosts, unexpected_ghosts, without_some
from companion.sight.memory import SightMemory, read_cells, read_spot
from companion.sight.reconcile import Mismatch, Reconciliation, find_mismatches, reconcile
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
        self.sighted: Sighted | None = None
        self.sight = SightState()
        self._table = Snapshot(0)
        self._ghosts: list[Sighting] = []
        """Cards that the rules have cleared away but people not yet."""
        self._memory = SightMemory()
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
        if sighted is None:
            self.sighted = None
            self._memory.lose_camera()
            return
        old, self.sighted = self.sighted, sighted
        ghosts, self._ghosts = self._ghosts, remaining_ghosts(self._ghosts, sighted, old)
        if self._table.state is not None:
            self._memory.note_passing(self._expected_layout(), self._places(), sighted, ghosts)
            self._note_missing()

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        if table.match_game is not None and not seen(table.match_game):
            table = Snapshot(table.number)  # no camera can follow this game, so there is nothing to compare
        old, self._table = self._table, table
        if table.state is None:
            self._ghosts, self._waits, self._accepted = [], False, None
            self._memory.clear()
            return
        if table.match_id != old.match_id or old.state is None:
            self._waits, self._accepted, self._settled = False, None, {}
            self._memory.clear()
            self._ghosts = self._find_ghosts(None, table.state)
            return
        if table.entries[: len(old.entries)] != old.entries:
            # After an undo or an amendment, people must restore the table first.
            self._waits, self._accepted, self._ghosts = True, None, []
            self._memory.clear()
            return
        state: AnyState = old.state
        happened = table.entries[len(old.entries) :]
        for entry in happened:
            self._ghosts += self._find_ghosts(state, entry.after)
            state = entry.after
        if self._ghosts and self.sighted is not None:
            self._ghosts = unexpected_ghosts(self._ghosts, self._expected_layout(), self.seen_layout())
        if happened and not table.seen_game.layout(old.state).same_table(self._expected_layout()):
            self._layout_changed = True
        if happened and tuple([entry.event for entry in happened]) != self._begun:
            self._memory.clear()
        if happened:
            answered = tuple([entry.event for entry in happened]) in self._choices
            self._settle_cells(None if answered else table.seen_game.layout(old.state))
        self._note_missing()

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
        table, sighted = self._table, self.sighted
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
                return find_correction(self._table, mismatch, self.seen_layout(), len(self._mismatches))
        return None

    # --- inside -----------------------------------------------------------------------------------

    def _explain(self, table: Snapshot, state: AnyState, now: int) -> ProposedMove | None:
        """Compare; keep mismatches and questions, and return what happened if that is certain."""
        seen = self.seen_layout()
        if self._waits:
            self._set_mismatches(find_mismatches(table.seen_game, state, seen), now)
            self._waits = bool(self._mismatches)
            return None
        outcome = self._reconcile(table, state, seen)
        self._tolerated &= {mismatch.name for mismatch in find_mismatches(table.seen_game, state, seen)}
        if not outcome.explanations:
            self._choices = self._guess_unnamed(table, state, frozenset() if outcome.barred else self._tolerated)
        self._set_mismatches(() if self._choices else outcome.mismatches, now)
        if not outcome.explanations:
            return None
        explanations, otherwise = outcome.explanations, self.seen_layout(shifted=True)
        if otherwise != seen:
            others = self._reconcile(table, state, otherwise).explanations
            explanations += tuple([each for each in others if each not in explanations])
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

    def seen_layout(
        self,
        instead: dict[int, str] | None = None,
        instead_on: dict[str, tuple[str, ...]] | None = None,
        ghosts: Sequence[Sighting] | None = None,
        shifted: bool = False,
    ) -> Layout:
        """Return what is seen as a layout, without cards that only have to be cleared away.

        `instead` gives some sightings another name, by their number; `instead_on` decides what stands on unsure cells;
        `ghosts` are other cards to be cleared away than those that are believed to be; `shifted` as for
        `SightMemory.recall`.
        """
        assert self.sighted is not None and self._table.state is not None and self._table.setup is not None
        places = [p for p in self._places() if p.kind != "pile" and p.name not in self.sighted.covered]
        ghosts = list(self._ghosts if ghosts is None else ghosts)
        found: dict[str, list[tuple[int, Sighting]]] = {place.name: [] for place in places}
        for number, each in enumerate(self.sighted.sightings):
            if each in ghosts:
                ghosts.remove(each)
            elif each.place in found:
                found[each.place].append((number, each))
        spots = {name: read_spot(sightings, instead or {}) for name, sightings in found.items()}
        colours = [player.colour for player in self._table.setup.seated()]
        cells = read_cells(self.sighted, colours, instead_on or {})
        layout = Layout(spots, pieces=cells.pieces, unsure=cells.unsure)
        return self._memory.recall(self._expected_layout(), layout, shifted)

    def _guess_unnamed(self, table: Snapshot, state: AnyState, ignored: frozenset[str]) -> tuple[Explanation, ...]:
        """Return the explanations if one unnamed card were one of its likeliest, or one unsure cell read otherwise."""
        assert self.sighted is not None
        found: list[Explanation] = []
        for number, each in enumerate(self.sighted.sightings):
            if each.card is not None or each in self._ghosts or not each.place:
                continue
            for card in each.likeliest:
                for explanation in reconcile(
                    table.seen_game, state, self.seen_layout({number: card}), ignored
                ).explanations:
                    if explanation not in found:
                        found.append(explanation)
        for cell in self.sighted.cells:
            if self._settled.get(cell.cell, frozenset()).issuperset(cell.choices):
                continue
            for names in cell.choices:
                layout = self.seen_layout(instead_on={cell.cell: names})
                for explanation in reconcile(table.seen_game, state, layout, ignored).explanations:
                    if explanation not in found:
                        found.append(explanation)
        return tuple([_first_part(table.seen_game, state, each) for each in found])

    def _guess_ghosts(
        self, table: Snapshot, state: AnyState, mismatches: tuple[Mismatch, ...]
    ) -> tuple[Explanation, ...]:
        """Return the explanations if cards that had to be cleared away are equal ones laid in their place."""
        for ghosts in without_some(self._ghosts, {each.place for each in mismatches}):
            seen = self.seen_layout(ghosts=ghosts)
            if found := reconcile(table.seen_game, state, seen, self._tolerated).explanations:
                return tuple([_first_part(table.seen_game, state, each) for each in found])
        return ()

    def _settle_cells(self, before: Layout | None) -> None:
        """Do not ask again about cells whose possible readings include what the rules now expect there.

        A piece may lie on a line for the rest of the game. Only cells that changed since `before` are settled; an
        answer to a question (None) settles all.
        """
        if self.sighted is None:
            return
        expected, unsure = self._expected_layout().pieces, self.seen_layout().unsure
        for cell in self.sighted.cells:
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
            if reconcile(game, state, self.seen_layout(), {each.name for each in older}).explanations:
                return older
        return ()

    def _set_mismatches(self, mismatches: tuple[Mismatch, ...], now: int) -> None:
        self._since = {key: self._since.get(key, now) for key in map(_identity, mismatches)}
        if mismatches != self._mismatches:
            self._mismatches, self._mismatches_since = mismatches, now

    def _find_ghosts(self, before: AnyState | None, after: AnyState) -> list[Sighting]:
        """Return the seen cards that the rules no longer expect. `before` is None for a new match."""
        if self.sighted is None:
            return []
        game, left = self._table.seen_game, [each for each in self.sighted.sightings if each not in self._ghosts]
        was = None if before is None else game.layout(before)
        return find_ghosts(was, game.layout(after), self.seen_layout(), self._memory, left)

    def _describe(self, mismatch: Mismatch) -> LayoutMismatch:
        """Return a mismatch as it is shown, with its correction if there is one."""
        assert self.sighted is not None
        corners = tuple([s.corners for s in self.sighted.sightings if s.place == mismatch.place and s.corners])
        correction = find_correction(self._table, mismatch, self.seen_layout(), len(self._mismatches))
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

    def _expected_layout(self) -> Layout:
        """Return the layout that the rules expect."""
        assert self._table.state is not None
        return self._table.seen_game.layout(self._table.state)

    def _places(self) -> tuple[Place, ...]:
        assert self._table.setup is not None
        return self._table.seen_game.places(len(self._table.setup.seated()))

    def _note_missing(self) -> None:
        """Remember which expected cards are missing."""
        if self.sighted is not None:
            self._memory.note_missing(self._expected_layout(), self._places(), self.sighted, self._ghosts)


def _identity(mismatch: Mismatch) -> tuple[str, Spot, Spot]:
    return mismatch.name, mismatch.seen, mismatch.expected


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
