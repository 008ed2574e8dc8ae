"""Disasters: their targets, the protection against them, and their effects (R-23 to R-25)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.engine import Effect, Refusal
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.table import SLOT, WRECK, Table, engine_of
from companion.games.express.trains import DIESEL
from companion.mechanics.pool import without
from companion.mechanics.seating import with_value

BROKEN, DERAILMENT, STEAL, SWITCH, WRECKED = "broken_car", "derailment", "steal_car", "switch_engines", "wreck"
LAST_CAR = (BROKEN, STEAL)
"""Disasters that hit the last car of a train (R-24)."""

Result = tuple[Table, tuple[Effect, ...]]


def targets(table: Table, card: str) -> Iterator[ev.DisasterPlayed]:
    """Yield every possible use of a disaster: against trains, or seats, of other sides (R-20)."""
    seat = table.turn
    for side, group in enumerate(table.fixed.sides.groups):
        if side == table.side:
            continue
        if card == DERAILMENT:
            yield from (ev.DisasterPlayed(seat, card, each) for each in group)
            continue
        for train in table.trains[side]:
            if card == SWITCH:
                own = [each.number for each in table.own_trains]
                yield from (ev.DisasterPlayed(seat, card, group[0], train.number, 0, mine) for mine in own)
            elif card == WRECKED:
                yield ev.DisasterPlayed(seat, card, group[0], train.number)
            elif not train.closed:
                yield ev.DisasterPlayed(seat, card, group[0], train.number, len(train.cars))


def target_objection(table: Table, event: ev.DisasterPlayed) -> Refusal | None:
    """Return the fault in a disaster's target (R-11, R-20, R-24)."""
    if not 0 <= event.target < table.fixed.players:
        return refusals.NO_SUCH_TARGET()
    side = table.fixed.side_of[event.target]
    if side == table.side:
        return refusals.OWN_SIDE()
    train = table.train(side, event.train)
    if event.card in LAST_CAR and train is not None:
        if event.car != len(train.cars):
            return refusals.ONLY_THE_LAST(train=train.number)
        if train.closed:
            return refusals.SHIELDED(train=train.number)
    return None if event in targets(table, event.card) else refusals.NO_SUCH_TARGET()


def shield_against(table: Table, card: str) -> str:
    """Return the maintenance card that protects from a disaster, empty for none (R-15)."""
    return next((each.id for each in table.fixed.book.values() if each.counters == card), "")


def avert(table: Table, side: int, card: str) -> Result:
    """Return the table after a side's laid maintenance card was spent and moved into the slot (R-23, A-04)."""
    left = with_value(table.maintenance, side, without(table.maintenance[side], (card,)))
    table = replace(table, maintenance=left, zones=table.zones.put(SLOT, card))
    return table, (ev.DisasterAverted(table.fixed.sides.groups[side], card),)


# --- effects -----------------------------------------------------------------------------------------


def strike(table: Table, event: ev.DisasterPlayed) -> Result:
    """Return the table after a disaster that nothing averted."""
    if event.card == DERAILMENT:
        return replace(table, skips=with_value(table.skips, event.target, table.skips[event.target] + 1)), ()
    side = table.fixed.side_of[event.target]
    return swap(table, event, side) if event.card == SWITCH else hit_train(table, event, side)


def swap(table: Table, event: ev.DisasterPlayed, side: int) -> Result:
    """Return the table after two trains swapped their locomotives, which stay face down."""
    mine, theirs = engine_of(table.side, event.own_train), engine_of(side, event.train)
    zones = table.zones.move_all(mine, WRECK).move_all(theirs, mine)
    zones = zones.move_numbers(WRECK, theirs, zones.count(WRECK) - 1)
    groups = table.fixed.sides.groups
    return replace(table, zones=zones), (ev.LocomotivesSwapped((groups[table.side][0], groups[side][0])),)


def hit_train(table: Table, event: ev.DisasterPlayed, side: int) -> Result:
    """Return the table after a train was wrecked, its locomotive still face down, or lost its last car (R-24, R-25)."""
    seats, train = table.fixed.sides.groups[side], table.train(side, event.train)
    assert train is not None
    if event.card == WRECKED:
        zones = table.zones.put(SLOT, *train.cars, *[DIESEL] * train.diesel)
        table = replace(table, zones=zones).without_train(side, train.number, WRECK)
        return table, (ev.TrainWrecked(seats, train.number),)
    card, owner = train.cars[-1], table.next_of_side(side)
    said: Effect
    if event.card == STEAL:
        table, said = table.into_hand(event.seat, card), ev.CarStolen(event.seat, card)
    else:
        table, said = replace(table, zones=table.zones.put(SLOT, card)), ev.CarBroken(seats, card)
    returned = () if len(train.cars) > 1 else (ev.LocomotiveReturned(owner),)
    return table.without_last_car(side, train, owner), (said, *returned)
