"""What disasters hit, what protects from them, and what they do (R-23 to R-25)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.engine import Effect, Refusal, Seat
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.table import (
    SLOT,
    WRECK,
    Table,
    engine_of,
    hand_of,
    into_hand,
    next_of_side,
    with_train,
    without_train,
)
from companion.games.express.trains import Train
from companion.mechanics.pool import without
from companion.mechanics.seating import with_value

BROKEN, DERAILMENT, STEAL, SWITCH, WRECKED = "broken_car", "derailment", "steal_car", "switch_engines", "wreck"
LAST_CAR = (BROKEN, STEAL)
"""Disasters that hit the last car of a train (R-24)."""

Result = tuple[Table, tuple[Effect, ...]]


def targets(table: Table, card: str) -> Iterator[ev.DisasterPlayed]:
    """Yield everything that a disaster can hit: trains, or seats, of other sides (R-20)."""
    seat, groups = table.turn, table.fixed.sides.groups
    for side, group in enumerate(groups):
        if side == table.side:
            continue
        if card == DERAILMENT:
            yield from (ev.DisasterPlayed(seat, card, each) for each in group)
        for train in table.trains[side] if card != DERAILMENT else ():
            if card == SWITCH:
                own = [each.number for each in table.own_trains]
                yield from (ev.DisasterPlayed(seat, card, group[0], train.number, 0, mine) for mine in own)
            elif card == WRECKED:
                yield ev.DisasterPlayed(seat, card, group[0], train.number)
            elif not train.closed:
                yield ev.DisasterPlayed(seat, card, group[0], train.number, len(train.cars))


def target_objection(table: Table, event: ev.DisasterPlayed) -> Refusal | None:
    """Return what is wrong with the target of a disaster (R-11, R-20, R-24)."""
    if not 0 <= event.target < table.fixed.players:
        return refusals.NO_SUCH_TARGET()
    side = table.fixed.sides.side_of(event.target)
    if side == table.side:
        return refusals.OWN_SIDE()
    train = table.train(side, event.train)
    if event.card != DERAILMENT and train is None:
        return refusals.NO_SUCH_TARGET()
    if event.card in LAST_CAR and train is not None:
        if event.car != len(train.cars):
            return refusals.ONLY_THE_LAST(train=train.number)
        if train.closed:
            return refusals.SHIELDED(train=train.number)
    return None if event in targets(table, event.card) else refusals.NO_SUCH_TARGET()


# --- protection -----------------------------------------------------------------------------------


def shield_against(table: Table, card: str) -> str:
    """Return the maintenance card that protects from a disaster, empty for none (R-15)."""
    return next((each.id for each in table.fixed.book.values() if each.counters == card), "")


def avert(table: Table, side: int, card: str) -> Result:
    """Return the table after a side's laid maintenance card was spent; it goes into the slot (R-23, A-04)."""
    left = with_value(table.maintenance, side, without(table.maintenance[side], (card,)))
    table = replace(table, maintenance=left, zones=table.zones.put(SLOT, card))
    return table, (ev.DisasterAverted(table.fixed.sides.groups[side], card),)


# --- what happens ---------------------------------------------------------------------------------


def strike(table: Table, event: ev.DisasterPlayed) -> Result:
    """Return the table after a disaster that nothing averted."""
    side = table.fixed.sides.side_of(event.target)
    if event.card == DERAILMENT:
        return replace(table, skips=with_value(table.skips, event.target, table.skips[event.target] + 1)), ()
    train = table.train(side, event.train)
    assert train is not None
    if event.card == SWITCH:
        return swap(table, event, side)
    if event.card == WRECKED:
        return destroy(table, side, train)
    card = train.cars[-1]
    said: Effect
    if event.card == STEAL:
        table, said = into_hand(table, event.seat, card), ev.CarStolen(event.seat, card)
    else:
        zones = table.zones.put(SLOT, card)
        table, said = replace(table, zones=zones), ev.CarBroken(table.fixed.sides.groups[side], card)
    if len(train.cars) > 1:
        return with_train(table, side, replace(train, cars=train.cars[:-1])), (said,)
    owner = next_of_side(table, side)
    if train.diesel:
        table = into_hand(table, owner, "diesel")
    table = without_train(table, side, train.number, hand_of(owner))
    return table, (said, ev.LocomotiveReturned(owner))


def swap(table: Table, event: ev.DisasterPlayed, side: int) -> Result:
    """Return the table after two trains swapped their locomotives, which stay face down."""
    mine, theirs = engine_of(table.side, event.own_train), engine_of(side, event.train)
    zones = table.zones.move_all(mine, WRECK)
    zones = zones.move_all(theirs, mine)
    zones = zones.move_numbers(WRECK, theirs, zones.count(WRECK) - 1)
    groups = table.fixed.sides.groups
    return replace(table, zones=zones), (ev.LocomotivesSwapped((groups[table.side][0], groups[side][0])),)


def destroy(table: Table, side: int, train: Train) -> Result:
    """Return the table after a train was destroyed: its cards lie in the slot, the locomotive still face down."""
    zones = table.zones.put(SLOT, *train.cars, *(["diesel"] if train.diesel else []))
    table = without_train(replace(table, zones=zones), side, train.number, WRECK)
    return table, (ev.TrainWrecked(table.fixed.sides.groups[side], train.number),)


def owners(table: Table, target: Seat) -> tuple[Seat, ...]:
    """Return the seats that may hold a protecting card, the target first."""
    return (target, *table.fixed.sides.partners(target))
