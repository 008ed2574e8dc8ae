"""Guesses at the next event of Game of Trains from the visible cards, and faults that no rule allows.

The guesses need not be legal or complete; `companion.sight.reconcile` tries them. Each fault names the card, its place,
and the remedy. The camera does not see cards in hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import msgspec

from companion.engine import Event, Fault, Layout, Seat, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import number_of, wagon_id
from companion.games.game_of_trains.layout import POOL, line_place
from companion.games.game_of_trains.lines import descending
from companion.games.game_of_trains.steps.pool import KeepOdd, ReadAbility
from companion.games.game_of_trains.steps.setup import Choose, Deal
from companion.games.game_of_trains.steps.turn import Act, Draw, Place, Refill
from companion.games.game_of_trains.steps.uses import AT, moved, open_uses
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, LOCKABLE, Cards, Line, Table
from companion.mechanics import renaming

CARDS = ("card", "cards", "hands")
"""Fields of events that hold wagons' numbers."""


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return possible next events. `said` is the state's own layout; `seen` names its places in the same way."""
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
        if isinstance(found, ev.LineDealt):  # a line falls, even if one card was misread
            yield msgspec.structs.replace(found, cards=tuple(sorted(found.cards, reverse=True)))
        else:
            yield found


def _dealt(seats: Iterable[Seat], seen: Layout) -> Iterator[Event]:
    """Yield the first complete falling line; the other lines follow later (R-03, R-04)."""
    for seat in seats:
        line = seen_line(seen, seat)
        if GAP not in line and descending(line):
            yield ev.LineDealt(seat, line)
            return


def _actions(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible actions of the seat on turn: a card drawn, if new in its line, or one used from the pool.

    If the pool is covered, the wagons reveal the card: no two cards of a pool change a line in the same way.
    """
    if _fresh(table, seat, seen):
        yield ev.Drew(seat)
    for card in _gone(said, seen) if POOL in seen.spots else table.pool:
        for event in open_uses(table.fixed, seat, card, table.locks[seat]):
            if _shows(table, event, seen):
                yield event


def _shows(table: Table, event: Event, seen: Layout) -> bool:
    """Return whether any trace of a card's use is visible: moved wagons, a padlock, a wagon missing or replaced.

    Later events may have replaced some of it, so it need not all be visible.
    """
    match event:
        case ev.Protected(seat, _, position):
            spot = seen.spot(line_place(seat, position))
            return len(spot.up) + spot.unnamed > 1
        case ev.Removed(_, card):
            at = AT[table.fixed.book.abilities[card] or ""]
            hit = _unlocked(table, at)
            return not hit or any(_differs(table.lines[seat], seen, seat, at) for seat in hit)
        case ev.Swapped(seat) | ev.Shifted(seat):
            return _lies(table, seat, moved(table.fixed.book, event, table.lines[seat])[0], seen)
    return True


def _lies(table: Table, seat: Seat, after: Line, seen: Layout) -> bool:
    """Return whether wagons of a line lie at their positions after a move, and none at its position before."""
    before = table.lines[seat]
    changed = [at for at, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]]
    return not any(_differs(after, seen, seat, at) and lying(seen, seat, at) in before for at in changed)


def _differs(line: Line, seen: Layout, seat: int, position: int) -> bool:
    """Return whether a position is visible and does not show the wagon of a line; an unnamed one may be that wagon."""
    spot = seen.spots.get(line_place(seat, position))
    return spot is not None and not spot.unnamed and lying(seen, seat, position) != line[position - 1]


def _unlocked(table: Table, position: int) -> list[Seat]:
    """Return the seats without a padlock at a position."""
    return [Seat(seat) for seat, locks in enumerate(table.locks) if not locks[LOCK[position]]]


def _read(table: Table, card: int, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield the abilities by which a card may have left the pool as half of a pair; otherwise people must be asked."""
    gone = _gone(said, seen)
    abilities = {table.fixed.book.abilities[other] or "" for other in gone if other != card} if card in gone else set()
    for ability in sorted(abilities - {""}):
        yield ev.AbilityRead(card, ability)  # type: ignore[arg-type]


def lying(seen: Layout, seat: int, position: int) -> int:
    """Return the wagon seen at a position of a line; 0 if there is none, or none with a name."""
    up = seen.spot(line_place(seat, position)).up
    return number_of(up[0]) if up else GAP


def seen_line(seen: Layout, seat: int) -> Line:
    """Return the line seen in front of a seat."""
    return tuple([lying(seen, seat, at) for at in range(1, LENGTH + 1)])


def pool(seen: Layout) -> Cards:
    """Return the wagons seen in the pool."""
    return tuple([number_of(card) for card in seen.spot(POOL).up])


def _fresh(table: Table, seat: Seat, seen: Layout) -> list[tuple[int, int]]:
    """Return the positions of a line that show a new wagon, with that wagon."""
    line = table.lines[seat]
    return [(at, card) for at, card in enumerate(seen_line(seen, seat), 1) if card and card not in line]


def _gone(said: Layout, seen: Layout) -> Cards:
    """Return the wagons of the pool that are not seen there; none if it is covered."""
    return tuple(map(number_of, said.missing_cards(seen, POOL)))


# --- faults: visible cards that no rule allows and no event explains ---------------------------------


def faults(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield the faults of the table, the worst first, at most one for each place."""
    reported: set[str] = set()
    for check in CHECKS:
        for fault in check(state, said, seen):
            if reported.isdisjoint((fault.place, *fault.besides)):
                reported |= {fault.place, *fault.besides}
                yield fault


def _crowded(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield places with more than a wagon and its padlock: a line of eight, a misplaced padlock (B-8)."""
    for seat, at in _positions(state.table, seen):
        place = line_place(seat, at)
        spot, expected = seen.spots[place], said.spot(place).up
        second = [card for card in spot.up[1:] if card not in expected]
        locks = [card for card in second if _ability(state.table, number_of(card)) == "protect"]
        if locks and at not in LOCK:
            yield Fault(place, "lock_misplaced", seat, tuple(locks[:1]), at)
        elif len(spot.up) + spot.unnamed + spot.down > (2 if at in LOCK else 1) or (second and not locks):
            yield Fault(place, "eight", seat, spot.up, at)


def _fallen(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield padlocks still below a moved or replaced wagon (R-16)."""
    for seat, locks in enumerate(state.table.locks):
        for at, lock in zip(LOCKABLE, map(wagon_id, locks), strict=True):
            place = line_place(seat, at)
            up = seen.spot(place).up
            if lock in up[1:] and number_of(up[0]) != state.table.lines[seat][at - 1]:
                yield Fault(place, "lock_fallen", Seat(seat), (lock,), at, _line(seat) + (POOL,))


def _paired(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield equal abilities in the pool, except while people choose which of three stays (R-11)."""
    if state.agenda and isinstance(state.agenda[0], KeepOdd | ReadAbility):
        return
    for one, other in combinations(pool(seen), 2):
        ability = _ability(state.table, one)
        if ability is not None and ability == _ability(state.table, other):
            yield Fault(POOL, "pair", None, (wagon_id(one), wagon_id(other)))
            return


def _unused(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield a used card still in the pool: wagons were moved, or removed from every line (R-09)."""
    table, head = state.table, state.agenda[0] if state.agenda else None
    if not isinstance(head, Act) or set(table.pool) - set(pool(seen)):
        return
    own, before = seen_line(seen, head.seat), table.lines[head.seat]
    if GAP not in own and own != before and sorted(own) == sorted(before):
        yield Fault(POOL, "moved", head.seat, (), 0, _line(head.seat))
        return
    for card, at in [(card, AT.get(_ability(table, card) or "", 0)) for card in table.pool]:
        hit = _unlocked(table, at) if at else []
        if len(hit) > 1 and all(_gap(seen, seat, at) for seat in hit):
            yield Fault(POOL, "uncoupled", None, (wagon_id(card),), at, tuple([line_place(s, at) for s in hit]))
            return


def _early(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield a gap that was refilled before its turn (R-15)."""
    head = state.agenda[0] if state.agenda else None
    if isinstance(head, Refill) and _gap(seen, head.seats[0], head.position):
        early = [line_place(seat, head.position) for seat in head.seats[1:] if lying(seen, seat, head.position)]
        if early:
            yield Fault(early[0], "refill_first", head.seats[0], (), head.position, tuple(early[1:]))


def _short(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield lines of six, except for gaps before their refills."""
    for seat, at in _positions(state.table, seen):
        if state.table.lines[seat] and state.table.lines[seat][at - 1] != GAP and _gap(seen, seat, at):
            yield Fault(line_place(seat, at), "six", seat, (), at)


def _rising(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield dealt lines in the wrong order (R-04)."""
    head = state.agenda[0] if state.agenda else None
    for seat in head.seats if isinstance(head, Deal) else ():
        line = seen_line(seen, seat)
        if GAP not in line and not descending(line):
            falling = tuple([wagon_id(card) for card in sorted(set(line), reverse=True)])
            yield Fault(line_place(seat, 1), "must_fall", seat, falling, 0, _line(seat))


Check = Callable[[State[Table], Layout, Layout], Iterator[Fault]]
CHECKS: tuple[Check, ...] = (_crowded, _fallen, _paired, _unused, _early, _short, _rising)
"""The checks, the most informative first."""


def _positions(table: Table, seen: Layout) -> list[tuple[Seat, int]]:
    places = [(Seat(seat), at) for seat in range(table.fixed.players) for at in range(1, LENGTH + 1)]
    return [each for each in places if line_place(*each) in seen.spots]


def _line(seat: int) -> tuple[str, ...]:
    return tuple([line_place(seat, at) for at in range(1, LENGTH + 1)])


def _gap(seen: Layout, seat: int, position: int) -> bool:
    spot = seen.spots.get(line_place(seat, position))
    return spot is not None and spot.empty


def _ability(table: Table, card: int) -> str | None:
    abilities = table.fixed.book.abilities
    return abilities[card] if 0 < card < len(abilities) else None
