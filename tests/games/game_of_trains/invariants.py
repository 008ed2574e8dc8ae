"""Check what must hold after every event of Game of Trains (F-1 to F-9).

The property tests use short random games, `python -m tests.bench.bench_sorting --check` thousands of whole ones.
"""

from __future__ import annotations

from companion.engine import Event, Seat, State, legal
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import WAGONS
from companion.games.game_of_trains.lines import ascending
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.pool import KeepOdd, ReadAbility
from companion.games.game_of_trains.steps.setup import Choose, Deal, draws
from companion.games.game_of_trains.steps.turn import Act, Place, Refill
from companion.games.game_of_trains.table import GAP, HANDS, LENGTH, LOCKABLE, Cards, Table


def lying(table: Table) -> Cards:
    """Return every card whose place the companion knows."""
    cards = table.pool
    for line, locks in zip(table.lines, table.locks, strict=True):
        cards += (*line, *locks)
    for zone in table.zones.zones:
        cards += table.zones.named(zone)
    return tuple(filter(None, cards))


def every_wagon_is_in_one_place(state: State[Table]) -> None:
    """Each of the 84 wagons is in exactly one place (F-1, R-01)."""
    zones = state.table.zones
    unseen = tuple([card for pool in zones.pools for card in pool])
    cards = lying(state.table) + unseen
    assert len(cards) == len(set(cards)) == WAGONS
    assert len(unseen) == sum([zones.count(zone) - len(zones.named(zone)) for zone in zones.zones])


def hands_hold_what_was_drawn(state: State[Table]) -> None:
    """A seat holds cards only while it chooses in the set-up or places a drawn card (F-1, R-05, R-08)."""
    table = state.table
    held = [0] * len(table.lines)
    for step in state.agenda:
        if isinstance(step, Choose):
            for seat in step.seats:
                held[seat] = draws(table, seat)
        elif isinstance(step, Place):
            held[step.seat] = 1
    assert [table.zones.count(HANDS[seat]) for seat in range(len(held))] == held


def lines_are_whole_between_turns(state: State[Table], event: Event) -> None:
    """A line has a gap only while its seat must refill it, or after a victory during the refills (F-2, R-15)."""
    head = state.agenda[0] if state.agenda else None
    gaps = [Seat(s) for s, line in enumerate(state.table.lines) if GAP in line]
    if isinstance(head, Act | Place | Choose):
        assert not gaps
        assert all([len(line) == LENGTH for line in state.table.lines])
    elif isinstance(head, Refill):
        assert gaps == sorted(head.seats)
    elif head is None:
        assert not gaps or isinstance(event, ev.Refilled)


def the_pools_abilities_differ(state: State[Table]) -> None:
    """No two pool cards have the same ability when a seat may act (F-3, R-11)."""
    if state.agenda and not isinstance(state.agenda[0], Deal | KeepOdd | ReadAbility):
        book = state.table.fixed.book.abilities
        abilities = {book[card] for card in state.table.pool}
        assert len(abilities) == len(state.table.pool)
        assert None not in abilities


def padlocks_are_padlocks(before: State[Table], event: Event, state: State[Table]) -> None:
    """Only padlock cards lie under a line, each at the position where a seat put it (F-4, B-8)."""
    table = state.table
    for own in table.locks:
        for card in own:
            assert not card or table.fixed.book.abilities[card] == "protect"
    if isinstance(event, ev.Protected):
        at = LOCKABLE.index(event.position)
        assert (before.table.locks[event.seat][at], table.locks[event.seat][at]) == (0, event.card)


def actions_change_what_they_say(before: State[Table], event: Event, state: State[Table]) -> None:
    """A move permutes one line, a placed card changes one position, and a removal spares protected wagons (F-5, 6,
    7)."""
    old, new = before.table.lines, state.table.lines
    if isinstance(event, ev.Swapped | ev.Shifted | ev.Placed):
        own = event.seat
        assert [s for s in range(len(old)) if s != own and old[s] != new[s]] == []
        if isinstance(event, ev.Placed):
            assert changed(old[own], new[own]) == [event.position]
            return
        assert sorted(old[own]) == sorted(new[own])
        for at, lock in zip(LOCKABLE, state.table.locks[own], strict=True):
            assert not lock or old[own][at - 1] == new[own][at - 1]
    elif isinstance(event, ev.Removed):
        assert state.table.locks == before.table.locks
        for s, locks in enumerate(before.table.locks):
            positions = changed(old[s], new[s])
            assert len(positions) <= 1
            for position in positions:
                assert not locks[LOCKABLE.index(position)]
                assert new[s][position - 1] == GAP


def changed(old: Cards, new: Cards) -> list[int]:
    """Return the positions, counted from 1, where two lines differ."""
    return [at for at, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b]


def one_wins_or_nobody(state: State[Table]) -> None:
    """Only the winner's line rises, and the game is over as soon as a line rises (F-8, R-14)."""
    rising = tuple([Seat(s) for s, line in enumerate(state.table.lines) if len(line) == LENGTH and ascending(line)])
    assert rising == RULES.winners(state)
    assert bool(rising) == state.over
    assert state.table.winner == (rising[0] if rising else None)


def there_is_always_something_to_draw(state: State[Table]) -> None:
    """The pile or the discard has a card, and some event is legal until the game is over (F-9, R-13)."""
    assert state.table.pile >= 0
    assert state.table.pile + state.table.discarded > 0
    assert state.over or legal(RULES, state)


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Check all invariants after one event."""
    every_wagon_is_in_one_place(state)
    hands_hold_what_was_drawn(state)
    lines_are_whole_between_turns(state, event)
    the_pools_abilities_differ(state)
    padlocks_are_padlocks(before, event, state)
    actions_change_what_they_say(before, event, state)
    one_wins_or_nobody(state)
    there_is_always_something_to_draw(state)
