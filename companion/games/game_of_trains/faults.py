"""Faults of a table of Game of Trains: seen cards that no rule allows and no event explains.

Each fault names the card, its place, and what to do with it. Cards in hands are not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from companion.engine import Fault, Layout, Seat, State
from companion.games.game_of_trains.catalogue import number_of, wagon_id
from companion.games.game_of_trains.layout import POOL, line_place
from companion.games.game_of_trains.lines import descending
from companion.games.game_of_trains.sight import NOTHING, lying, pool
from companion.games.game_of_trains.steps.pool import KeepOdd, ReadAbility
from companion.games.game_of_trains.steps.setup import Deal
from companion.games.game_of_trains.steps.turn import Act, Refill
from companion.games.game_of_trains.steps.uses import AT
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, LOCKABLE, Line, Table


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
    table = state.table
    for seat, at in _positions(table, seen):
        spot = seen.spots[line_place(seat, at)]
        up = spot.up
        most = 2 if at in LOCK else 1
        second = [card for card in up[1:] if card not in said.spots.get(line_place(seat, at), NOTHING).up]
        locks = [card for card in second if _ability(table, number_of(card)) == "protect"]
        if locks and at not in LOCK:
            yield Fault(line_place(seat, at), "lock_misplaced", seat, tuple(locks[:1]), at)
        elif len(up) + spot.unnamed + spot.down > most or (second and not locks):
            yield Fault(line_place(seat, at), "eight", seat, up, at)


def _fallen(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield padlocks that still lie below a wagon that was moved or replaced (R-16)."""
    table = state.table
    for seat, locks in enumerate(table.locks):
        for at, lock in zip(LOCKABLE, locks, strict=True):
            place = line_place(seat, at)
            up = seen.spots.get(place, NOTHING).up
            if lock and wagon_id(lock) in up[1:] and number_of(up[0]) != table.lines[seat][at - 1]:
                yield Fault(place, "lock_fallen", Seat(seat), (wagon_id(lock),), at, _line(seat) + (POOL,))


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
    """Yield a used card that is still in the pool: wagons were moved, or removed from every line (R-09)."""
    table, head = state.table, state.agenda[0] if state.agenda else None
    if not isinstance(head, Act) or set(table.pool) - set(pool(seen)):
        return
    own = _seen_line(seen, head.seat)
    if GAP not in own and own != table.lines[head.seat] and sorted(own) == sorted(table.lines[head.seat]):
        yield Fault(POOL, "moved", head.seat, (), 0, _line(head.seat))
        return
    for card in table.pool:
        at = AT.get(_ability(table, card) or "")
        if at is None:
            continue
        open_seats = [seat for seat, locks in enumerate(table.locks) if not locks[LOCK[at]]]
        gaps = [seat for seat in open_seats if _gap(seen, seat, at)]
        if gaps and gaps == open_seats and len(gaps) > 1:
            yield Fault(POOL, "uncoupled", None, (wagon_id(card),), at, tuple([line_place(s, at) for s in gaps]))
            return


def _early(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield a gap that was refilled before its turn (R-15)."""
    head = state.agenda[0] if state.agenda else None
    if isinstance(head, Refill) and _gap(seen, head.seats[0], head.position):
        early = [line_place(seat, head.position) for seat in head.seats[1:] if lying(seen, seat, head.position)]
        if early:
            yield Fault(early[0], "refill_first", head.seats[0], (), head.position, tuple(early[1:]))


def _short(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield lines of six, except for gaps that wait for their refills."""
    for seat, at in _positions(state.table, seen):
        if state.table.lines[seat] and state.table.lines[seat][at - 1] != GAP and _gap(seen, seat, at):
            yield Fault(line_place(seat, at), "six", seat, (), at)


def _rising(state: State[Table], said: Layout, seen: Layout) -> Iterator[Fault]:
    """Yield dealt lines that do not fall (R-04)."""
    head = state.agenda[0] if state.agenda else None
    for seat in head.seats if isinstance(head, Deal) else ():
        line = _seen_line(seen, seat)
        if GAP not in line and not descending(line):
            falling = tuple([wagon_id(card) for card in sorted(set(line), reverse=True)])
            yield Fault(line_place(seat, 1), "must_fall", seat, falling, 0, _line(seat))


Check = Callable[[State[Table], Layout, Layout], Iterator[Fault]]
CHECKS: tuple[Check, ...] = (_crowded, _fallen, _paired, _unused, _early, _short, _rising)
"""The checks, the most informative first."""


def _positions(table: Table, seen: Layout) -> Iterator[tuple[Seat, int]]:
    """Yield every position of every line that is seen."""
    for seat in range(table.fixed.players):
        for at in range(1, LENGTH + 1):
            if line_place(seat, at) in seen.spots:
                yield Seat(seat), at


def _seen_line(seen: Layout, seat: int) -> Line:
    return tuple([lying(seen, seat, at) for at in range(1, LENGTH + 1)])


def _line(seat: int) -> tuple[str, ...]:
    return tuple([line_place(seat, at) for at in range(1, LENGTH + 1)])


def _gap(seen: Layout, seat: int, position: int) -> bool:
    """Whether a position is seen and empty."""
    place = line_place(seat, position)
    return place in seen.spots and seen.spots[place].empty


def _ability(table: Table, card: int) -> str | None:
    abilities = table.fixed.book.abilities
    return abilities[card] if 0 < card < len(abilities) else None
