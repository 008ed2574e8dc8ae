"""Guesses at the next event of Game of Trains from the cards that are seen.

The guesses need not be legal or complete; `companion.sight.reconcile` tries them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from companion.engine import Event, Layout, Seat, Spot, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import number_of
from companion.games.game_of_trains.layout import POOL, line_place
from companion.games.game_of_trains.lines import descending, shift, swap
from companion.games.game_of_trains.steps.pool import KeepOdd, ReadAbility
from companion.games.game_of_trains.steps.setup import Choose, Deal
from companion.games.game_of_trains.steps.turn import Act, Draw, Place, Refill
from companion.games.game_of_trains.steps.uses import AT, BY, open_uses
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, Cards, Line, Table
from companion.mechanics import renaming

CARDS = ("card", "cards", "hands")
"""Fields of events that hold wagons' numbers."""
NOTHING = Spot()


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return what may have happened next. `said` is the state's own layout; `seen` names its places in the same way."""
    table = state.table
    match state.agenda[0]:
        case Deal(seats):
            return _dealt(seats, seen)
        case Choose(seats):
            return [ev.Kept(seats[0], card, at) for at, card in _fresh(table, seats[0], seen)]
        case Act(seat):
            return _actions(table, seat, said, seen)
        case Draw(seat):
            fresh = _fresh(table, seat, seen)
            return [ev.CardDrawn(card) for _, card in fresh] if table.pile or not fresh else [ev.Reshuffled()]
        case Place(seat):
            return [ev.Placed(seat, at) for at in range(1, LENGTH + 1) if lying(seen, seat, at) in table.hand(seat)]
        case Refill(seats=seats, position=position):
            filled = lying(seen, seats[0], position)
            return [] if not filled else [ev.Refilled(seats[0], position, filled) if table.pile else ev.Reshuffled()]
        case KeepOdd(cards):
            return [ev.OddKept(card) for card in cards if card in pool(seen)]
        case ReadAbility(card):
            return _read(table, card, said, seen)
    return []


def with_other_card(event: Event, card: str, other: str) -> Iterator[Event]:
    """Yield the event with another wagon; events name wagons by their numbers."""
    old, new = number_of(card), number_of(other)
    if not old or not new:
        return
    for found in renaming.replace_card(event, [name for name in CARDS if hasattr(event, name)], old, new):
        if isinstance(found, ev.LineDealt):  # a line falls, whatever was misread in it
            yield msgspec.structs.replace(found, cards=tuple(sorted(found.cards, reverse=True)))
        else:
            yield found


def _dealt(seats: Iterable[Seat], seen: Layout) -> Iterator[Event]:
    """Yield the first complete falling line; the others follow after it (R-03, R-04)."""
    for seat in seats:
        line = tuple([lying(seen, seat, at) for at in range(1, LENGTH + 1)])
        if GAP not in line and descending(line):
            yield ev.LineDealt(seat, line)
            return


def _actions(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield what the seat on turn may have done: drawn a card that is new in its line, or used one from the pool.

    If the pool is covered, the wagons show which card it was: no two cards of a pool change a line in the same way.
    """
    if _fresh(table, seat, seen):
        yield ev.Drew(seat)
    for card in _gone(said, seen) if POOL in seen.spots else table.pool:
        for event in open_uses(table.fixed, seat, card, table.locks[seat]):
            if _shows(table, event, seen):
                yield event


def _shows(table: Table, event: Event, seen: Layout) -> bool:
    """Whether anything of a card's use is seen: wagons where it moves them, a padlock, a wagon less or another one.

    What else has happened since may have replaced some of it, so that all of it need not be seen.
    """
    match event:
        case ev.Protected(seat, _, position):
            spot = seen.spots.get(line_place(seat, position), NOTHING)
            return len(spot.up) + spot.unnamed > 1
        case ev.Removed(_, card):
            at = AT[table.fixed.book.abilities[card] or ""]
            hit = [seat for seat, locks in enumerate(table.locks) if not locks[LOCK[at]]]
            return not hit or any(_differs(table.lines[seat], seen, seat, at) for seat in hit)
        case ev.Swapped(seat, _, left, right):
            return _lies(table, seat, swap(table.lines[seat], left, right), seen)
        case ev.Shifted(seat, card, position):
            to = position + BY[table.fixed.book.abilities[card] or ""]
            return _lies(table, seat, shift(table.lines[seat], position, to), seen)
    return True


def _lies(table: Table, seat: Seat, after: Line, seen: Layout) -> bool:
    """Whether wagons of a line lie where they would after they were moved, and none where it did before."""
    before = table.lines[seat]
    changed = [at for at in range(1, LENGTH + 1) if before[at - 1] != after[at - 1]]
    return not any(_differs(after, seen, seat, at) and lying(seen, seat, at) in before for at in changed)


def _differs(line: Line, seen: Layout, seat: int, position: int) -> bool:
    """Whether a position is seen, and does not show the wagon of a line; one without a name may be that wagon."""
    spot = seen.spots.get(line_place(seat, position))
    return spot is not None and not spot.unnamed and lying(seen, seat, position) != line[position - 1]


def _read(table: Table, card: int, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield the abilities by which a card may have left the pool as half of a pair; else people must be asked."""
    gone = _gone(said, seen)
    abilities = {table.fixed.book.abilities[other] for other in gone if other != card} if card in gone else set()
    for ability in sorted(each for each in abilities if each is not None):
        yield ev.AbilityRead(card, ability)  # type: ignore[arg-type]


def lying(seen: Layout, seat: int, position: int) -> int:
    """Return the wagon that is seen at a position of a line; 0 where there is none, or none with a name."""
    up = seen.spots.get(line_place(seat, position), NOTHING).up
    return number_of(up[0]) if up else GAP


def pool(seen: Layout) -> Cards:
    """Return the wagons that are seen in the pool."""
    return tuple([number_of(card) for card in seen.spots.get(POOL, NOTHING).up])


def _fresh(table: Table, seat: Seat, seen: Layout) -> list[tuple[int, int]]:
    """Return the positions of a line where a wagon is seen that does not stand in it, with that wagon."""
    found = [(at, lying(seen, seat, at)) for at in range(1, LENGTH + 1)]
    return [(at, card) for at, card in found if card and card not in table.lines[seat]]


def _gone(said: Layout, seen: Layout) -> Cards:
    """Return the wagons of the pool that are not seen there; none where it is covered."""
    if POOL not in seen.spots:
        return ()
    gone = Counter(said.spots[POOL].up) - Counter(seen.spots[POOL].up)
    return tuple([number_of(card) for card in gone])
