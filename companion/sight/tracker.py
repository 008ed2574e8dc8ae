"""Watching: what is seen, and what the table does, to what the camera's eye makes of it. Pure: time is handed in.

Knows no threads, no cameras, no pages and no single game.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import AGAIN, Event, Layout, Place, Spot, State, follow, legal, seen
from companion.messages import SECOND, Sighted, Sighting
from companion.sight.corrections import righted
from companion.sight.memory import SightMemory, spot_of, still_there
from companion.sight.reconcile import Mismatch, oddities, reconcile
from companion.table.sight_records import Explanation, LayoutMismatch, MisreadCorrection, SightState, TakenBySight
from companion.table.snapshot import Snapshot

SHOWN = 4 * SECOND
"""What was taken is shown for so long before the next reveal is read."""
PATIENCE = int(2.5 * SECOND)
"""What does not fit is said when it has not fitted for so long: people are still moving cards."""
CARRYING = 7 * SECOND
"""After an event that lets cards lie elsewhere than they do people have so long to carry them there."""


class ProposedMove(msgspec.Struct, frozen=True):
    """What the table is asked to take: events that happened one after another, as of a record of a match."""

    events: tuple[Event, ...]
    match_id: str
    seq: int


class SightTracker:
    """Follows one table and one camera. Tell it what is seen and what was done, then ask for `judge` and `due`."""

    def __init__(self) -> None:
        self.sighted: Sighted | None = None
        self.sight = SightState()
        self._table = Snapshot(0)
        self._ghosts: list[Sighting] = []
        """Cards that the rules have cleared away and people have not yet."""
        self._passing = SightMemory()
        self._begun: tuple[Event, ...] = ()
        """Events before a reveal that was seen with them: what came and went belongs to that reveal."""
        self._held = False
        self._asked: tuple[Explanation, ...] = ()
        self._taken: TakenBySight | None = None
        self._taken_until = 0
        self._odd: tuple[Mismatch, ...] = ()
        self._odd_since = 0
        self._laid_anew = False
        """Whether the rules have other cards lie somewhere than when it was last judged."""
        self._carried_by = 0
        self._borne: frozenset[str] = frozenset()
        """Places, as the rules call them, where something has not fitted for long: the rest goes on without them."""

    # --- what comes in ----------------------------------------------------------------------------

    def sees(self, sighted: Sighted | None) -> None:
        """Take in what lies on the table now; None: the camera is lost."""
        if sighted is None:
            self.sighted = None
            self._passing.blind()
            return
        old, self.sighted = self.sighted, sighted
        ghosts, self._ghosts = self._ghosts, still_there(self._ghosts, sighted, old)
        if self._table.state is not None:
            self._passing.passes(self._said(), self._places(), sighted, ghosts)
            self._leaves()

    def follows(self, table: Snapshot) -> None:
        """Take note of how the table stands."""
        if table.game is not None and not seen(table.game):
            table = Snapshot(table.number)  # a game that no camera can follow: there is nothing to compare
        old, self._table = self._table, table
        if table.state is None:
            self._ghosts, self._held, self._taken = [], False, None
            self._passing.forget()
            return
        if table.match_id != old.match_id or old.state is None:
            self._held, self._taken = False, None
            self._passing.forget()
            self._ghosts = self._cleared(None, table.state)
            return
        if table.entries[: len(old.entries)] != old.entries:
            # Undone or amended: the table has to be put as it was, by people.
            self._held, self._taken, self._ghosts = True, None, []
            self._passing.forget()
            return
        state: State[Any] = old.state
        happened = table.entries[len(old.entries) :]
        for entry in happened:
            self._ghosts += self._cleared(state, entry.after)
            state = entry.after
        if happened and table.game.layout(old.state).spots != self._said().spots:
            self._laid_anew = True
        if happened and tuple([entry.event for entry in happened]) != self._begun:
            self._passing.forget()
        self._leaves()

    def as_it_lies(self) -> None:
        """A person says that the table is right as it lies: it is read again, undone or not."""
        self._held = False

    # --- what comes of it -------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return the moment from which `judge` may say something else, though nothing came in."""
        times = []
        if self._taken is not None:
            times.append(self._taken_until)
        if self._odd and not self.sight.odd:
            times.append(max(self._odd_since + PATIENCE, self._carried_by))
        return min(times, default=None)

    def judge(self, now: int) -> ProposedMove | None:
        """Look at the table as it is seen and as it stands; return what happened, where that is certain.

        `sight` says the rest: what was taken, what is asked, what does not fit.
        """
        table, sighted = self._table, self.sighted
        if self._taken is not None and now >= self._taken_until:
            self._taken = None
        if sighted is None or table.state is None or table.setup is None or table.setup.deck == "dealt":
            self.sight, self._odd = SightState(), ()
            return None
        if sighted.game not in ("", table.game.name):
            self.sight, self._odd = SightState(), ()  # another game's mat: nothing is looked at
            return None
        self._asked = ()
        move = None if table.paused or not table.state.agenda else self._explain(table, table.state, now)
        if self._laid_anew and self._odd:
            self._carried_by = now + CARRYING
        self._laid_anew = False
        odd = self._odd if self._odd and now >= max(self._odd_since + PATIENCE, self._carried_by) else ()
        if odd:
            strict = table.game.layout(table.state).strict
            self._borne |= {each.name for each in odd if each.fault is None and each.name not in strict}
        told = tuple([self._oddity(each) for each in odd])
        self.sight = SightState(True, self._held, self._taken, self._asked, told)
        return move

    def took(self, move: ProposedMove, now: int) -> None:
        """Take note that the table took a move: it is shown for a while."""
        self._taken, self._taken_until = TakenBySight(move.events, move.seq), now + SHOWN
        self.sight = replace(self.sight, taken=self._taken, choices=(), odd=())

    def chosen(self, explanation: Explanation) -> ProposedMove | None:
        """Return the move that a person chose of those that are asked; None when it is not asked any more."""
        if explanation not in self.sight.choices:
            return None
        return ProposedMove(explanation, self._table.match_id, self._table.seq)

    def righted(self, place: str, card: str) -> MisreadCorrection | None:
        """Return what puts a place right where this card is seen instead of another; None where nothing does."""
        for odd in self._odd:
            if odd.place == place and odd.extra == (card,):
                return righted(self._table, odd, self.seen(), len(self._odd))
        return None

    # --- inside -----------------------------------------------------------------------------------

    def _explain(self, table: Snapshot, state: State[Any], now: int) -> ProposedMove | None:
        """Compare; keep what is odd and what is asked, and return what happened where that is certain."""
        seen = self.seen()
        if self._held:
            self._set_odd(oddities(table.game, state, seen), now)
            self._held = bool(self._odd)
            return None
        outcome = reconcile(table.game, state, seen)
        if outcome.odd and self._borne and not outcome.barred:
            without = reconcile(table.game, state, seen, self._borne)
            outcome = without if without.explanations else outcome
        self._borne &= {odd.name for odd in oddities(table.game, state, seen)}
        if not outcome.explanations:
            self._asked = self._supposing(table, state, frozenset() if outcome.barred else self._borne)
        self._set_odd(() if self._asked else outcome.odd, now)
        if len(outcome.explanations) > 1:
            self._asked = outcome.explanations
            return None
        if not outcome.explanations:
            return None
        events = _first_part(table.game, state, outcome.explanations[0])
        revealed = _turned_up(table.game, state, events[0])
        self._begun = () if revealed or events == outcome.explanations[0] else events
        if self._taken is not None and revealed and not self._reveal_before(table):
            return None  # what was taken is shown for a while first
        return ProposedMove(events, table.match_id, table.seq)

    def _reveal_before(self, table: Snapshot) -> bool:
        """Whether what is shown as taken was itself a reveal: the next one need not wait for it."""
        taken = self._taken
        if taken is None or not table.entries:
            return False
        before = table.entries[-2].after if len(table.entries) > 1 else None
        return before is not None and _turned_up(table.game, before, table.entries[-1].event)

    def seen(self, instead: dict[int, str] | None = None) -> Layout:
        """Return what is seen as a layout, without what has only to be cleared away.

        `instead` names some sightings otherwise, by their number.
        """
        assert self.sighted is not None and self._table.state is not None and self._table.setup is not None
        places = [p for p in self._places() if p.kind != "pile" and p.name not in self.sighted.covered]
        ghosts = list(self._ghosts)
        found: dict[str, list[tuple[int, Sighting]]] = {place.name: [] for place in places}
        for number, each in enumerate(self.sighted.sightings):
            if each in ghosts:
                ghosts.remove(each)
            elif each.place in found:
                found[each.place].append((number, each))
        spots = {name: spot_of(of, instead or {}) for name, of in found.items()}
        return Layout(spots | self._passing.spots(self._said(), Layout(spots)))

    def _supposing(self, table: Snapshot, state: State[Any], borne: frozenset[str]) -> tuple[Explanation, ...]:
        """Return what would explain the table if one card that could not be named were one of its likeliest."""
        assert self.sighted is not None
        found: list[Explanation] = []
        for number, each in enumerate(self.sighted.sightings):
            if each.card is not None or each in self._ghosts or not each.place:
                continue
            for card in each.likeliest:
                for explanation in reconcile(table.game, state, self.seen({number: card}), borne).explanations:
                    if explanation not in found:
                        found.append(explanation)
        return tuple([_first_part(table.game, state, each) for each in found])

    def _set_odd(self, odd: tuple[Mismatch, ...], now: int) -> None:
        if odd != self._odd:
            self._odd, self._odd_since = odd, now

    def _oddity(self, odd: Mismatch) -> LayoutMismatch:
        """Return what does not fit as it is shown, with what would put it right."""
        assert self.sighted is not None
        corners = tuple([s.corners for s in self.sighted.sightings if s.place == odd.place and s.corners])
        right = righted(self._table, odd, self.seen(), len(self._odd))
        return LayoutMismatch(
            odd.place, odd.name, odd.seen, odd.said, odd.extra, odd.missing, corners, right, odd.fault
        )

    def _said(self) -> Layout:
        """Return what the rules say lies there."""
        found: Layout = self._table.game.layout(self._table.state)
        return found

    def _places(self) -> tuple[Place, ...]:
        assert self._table.setup is not None
        found: tuple[Place, ...] = self._table.game.places(len(self._table.setup.seated()))
        return found

    def _leaves(self) -> None:
        """Take note of what has gone from where the rules have it."""
        if self.sighted is not None:
            self._passing.leaves(self._said(), self._places(), self.sighted, self._ghosts)

    def _cleared(self, before: State[Any] | None, after: State[Any]) -> list[Sighting]:
        """Return the cards that are seen where the rules do not have them any more. `before` None: a new match."""
        if self.sighted is None:
            return []
        game, seen = self._table.game, self.seen()
        said = game.layout(after)
        shown, where = said.aligned(seen)
        was = None if before is None else game.layout(before)
        passed = {} if was is None else self._passing.spots(was, seen)
        absent: Counter[str] = Counter()
        for name in said.spots.keys() & shown.spots.keys():
            absent += Counter(said.spots[name].up) - Counter(shown.spots[name].up)
        gone: list[Sighting] = []
        for name, spot in said.spots.items():
            if name not in shown.spots or name in said.strict:
                continue
            extra = Counter(shown.spots[name].up) - Counter(spot.up)
            if was is not None:
                lay = Counter(was.spots.get(name, Spot()).up) + Counter(said.lingering.get(name, ()))
                extra &= lay
            for card, count in extra.items():
                # Taken by touch, and still to be moved; or cleared by the rules. Not: moved, and one like it turned up.
                if was is not None and card not in said.lingering.get(name, ()):
                    again = passed.get(f"{name}{AGAIN}", Spot()).up.count(card)
                    count = min(count, absent[card] + _total(was, card) - _total(said, card)) - again
                gone += self._some(card, where[name], count)
        return gone

    def _some(self, card: str, place: str, count: int) -> list[Sighting]:
        assert self.sighted is not None
        fits = [s for s in self.sighted.sightings if s.card == card and s.place == place and s not in self._ghosts]
        return fits[: max(0, count)]


def _total(layout: Layout, card: str) -> int:
    return sum([spot.up.count(card) for spot in layout.spots.values()])


def _turned_up(game: Any, state: State[Any], event: Event) -> bool:
    """Whether chance laid a card on the table. A card that is drawn into a hand shows with what is done with it."""
    if not any(offer.chance and event in offer for offer in legal(game, state)):
        return False
    after = game.layout(follow(game, state, event))
    return bool(after.lingering or after.spots != game.layout(state).spots)


def _first_part(game: Any, state: State[Any], explanation: Explanation) -> Explanation:
    """Return the events up to the next reveal; or that reveal alone, where it comes first."""
    part: list[Event] = []
    for event in explanation:
        if _turned_up(game, state, event):
            return tuple(part) if part else (event,)
        part.append(event)
        state = follow(game, state, event)
    return tuple(part)
