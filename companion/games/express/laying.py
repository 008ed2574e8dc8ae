"""What may be laid and taken back, and what it does to the table (R-07 to R-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.engine import Event, Refusal, Seat, SeatEvent
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.profile import STARTERS
from companion.games.express.table import (
    Table,
    engine_of,
    free_number,
    hand_of,
    into_hand,
    lay_engine,
    mix_real,
    with_train,
    without_train,
)
from companion.games.express.trains import (
    CABOOSE,
    DIESEL,
    Train,
    adding_objection,
    group_of,
    joining_objection,
    starting_objection,
)
from companion.mechanics.seating import with_value

LAYING = (ev.TrainBegun, ev.CarLaid, ev.MaintenanceLaid, ev.LaidTakenBack, ev.LocomotiveExchanged)
"""Events of the laying phase."""
PAIR = 2
"""A locomotive and a car (R-07)."""


def laying_events(table: Table, cards: tuple[str, ...]) -> tuple[tuple[SeatEvent, ...], ...]:
    """Return what the seat on turn can lay of certain cards, and last what it can take back; no new trains."""
    seat, fixed = table.turn, table.fixed
    laid: list[tuple[SeatEvent, ...]] = [
        tuple([ev.MaintenanceLaid(seat, card) for card in cards if card in fixed.shields])
    ]
    for train in table.own_trains:
        joining = fixed.joining(train)
        laid.append(tuple([ev.CarLaid(seat, train.number, card) for card in cards if card in joining]))
    return (*laid, tuple(taking_back(table)))


def taking_back(table: Table) -> Iterator[ev.LaidTakenBack]:
    """Yield what the seat on turn can take back: the last card of each train that it laid this turn (R-17)."""
    for train in table.own_trains:
        if train.fresh:
            yield ev.LaidTakenBack(table.turn, train.number, train.cars[-1])
        if train.fresh_diesel:
            yield ev.LaidTakenBack(table.turn, train.number, DIESEL)
    if table.fresh_maintenance:
        yield ev.LaidTakenBack(table.turn, 0, table.maintenance[table.side][-1])


# --- what is wrong --------------------------------------------------------------------------------


def laying_objection(table: Table, event: Event) -> Refusal | None:
    """Return why the seat on turn cannot lay or take back this, None if it can."""
    match event:
        case ev.TrainBegun(_, card, locomotive):
            return beginning_objection(table, card, locomotive)
        case ev.CarLaid(seat, number, card):
            train = table.train(table.side, number)
            if train is None:
                return car_without_train(table, number, card)
            return adding_objection(table.fixed.book, train, card) or not_held(table, seat, card)
        case ev.MaintenanceLaid(seat, card):
            kind = group_of(table.fixed.book, card)
            if not kind:
                return refusals.NOT_IN_PROFILE(card=card)
            return not_held(table, seat, card) if kind == "maintenance" else refusals.NO_MAINTENANCE()
        case ev.LaidTakenBack(_, number, card):
            return taking_back_objection(table, number, card)
        case ev.LocomotiveExchanged(_, number, card):
            return engine_objection(table, number, card)
    raise TypeError(f"{type(event).__name__} lays nothing")


def beginning_objection(table: Table, card: str, locomotive: str) -> Refusal | None:
    """Return why a train cannot begin so (R-07, R-08)."""
    if not card:
        return refusals.LOCOMOTIVE_NEEDS_CAR()
    found = starting_objection(table.fixed.book, card)
    if found is not None:
        return found
    if table.fixed.dealt and not locomotive:
        return refusals.CAR_NEEDS_LOCOMOTIVE(card=card)
    if not table.fixed.dealt and locomotive:
        return refusals.FACE_DOWN()
    return not_held(table, table.turn, card, locomotive)


def car_without_train(table: Table, number: int, card: str) -> Refusal:
    """Return why a car cannot be laid to a train that its side does not have (R-07, R-10)."""
    found = joining_objection(table.fixed.book, card)
    if found is not None:
        return found
    if number:
        return refusals.NO_SUCH_TRAIN(train=number)
    return refusals.CAR_NEEDS_LOCOMOTIVE(card=card)


def taking_back_objection(table: Table, number: int, card: str) -> Refusal | None:
    """Return why a card cannot be taken back: only what was laid this turn, the last first (R-10, R-17)."""
    train = table.train(table.side, number)
    if train is None:
        fresh = table.maintenance[table.side][-1:] if not number and table.fresh_maintenance else ()
    elif card == DIESEL:
        fresh = (DIESEL,) if train.fresh_diesel else ()
    else:
        fresh = train.cars[-1:] if train.fresh else ()
        if card not in fresh and train.fresh and card in train.cars[-train.fresh :]:
            return refusals.ORDER_FROZEN(card=train.cars[-1])
    return None if card in fresh else refusals.ONLY_THIS_TURN()


def engine_objection(table: Table, number: int, card: str) -> Refusal | None:
    """Return why a locomotive cannot be exchanged (R-07, R-08, R-10, R-16): real ones are, without a word."""
    if table.train(table.side, number) is None:
        if number:
            return refusals.NO_SUCH_TRAIN(train=number)
        return refusals.LOCOMOTIVE_NEEDS_CAR()
    if not table.fixed.dealt:
        return refusals.FACE_DOWN()
    if card in table.zones.named(engine_of(table.side, number)):
        return refusals.SAME_CARD.to(table.turn)
    return not_held(table, table.turn, card)


def not_held(table: Table, seat: Seat, *cards: str) -> Refusal | None:
    """Return that a hand cannot hold these cards, which only its seat may read; a real locomotive has no name."""
    hand, named = hand_of(seat), [card for card in cards if card]
    held = table.hand(seat) >= len(cards)
    for card, count in Counter(named).items():
        held = held and count <= table.zones.bounds(hand, card)[1]
    nameless = not table.fixed.dealt and len(named) == len(cards) - 1
    if held and (len(named) == len(cards) or nameless):
        return None
    return refusals.NOT_IN_HAND.to(seat)


# --- what it does ---------------------------------------------------------------------------------


def lay(table: Table, event: Event) -> Table:
    """Return the table after something was laid or taken back."""
    side = table.side
    table = replace(table, touched=True)
    match event:
        case ev.TrainBegun(seat, card, locomotive):
            number = free_number(table.trains[side])
            table = take_from_hand(table, seat, card)
            return lay_engine(with_train(table, side, Train(number, (card,), fresh=1)), seat, number, locomotive)
        case ev.CarLaid(seat, number, card):
            train = table.train(side, number)
            assert train is not None
            if card == DIESEL:
                train = replace(train, diesel=True, fresh_diesel=True)
            else:
                train = replace(train, cars=(*train.cars, card), fresh=train.fresh + 1)
            return with_train(take_from_hand(table, seat, card), side, train)
        case ev.MaintenanceLaid(seat, card):
            table = take_from_hand(table, seat, card)
            laid = with_value(table.maintenance, side, (*table.maintenance[side], card))
            return replace(table, maintenance=laid, fresh_maintenance=table.fresh_maintenance + 1)
        case ev.LaidTakenBack(seat, number, card):
            return mix_real(take_back(table, seat, number, card))
        case ev.LocomotiveExchanged(seat, number, card):
            taken = replace(table, zones=table.zones.move_all(engine_of(side, number), hand_of(seat)))
            return lay_engine(taken, seat, number, card)
    raise TypeError(f"{type(event).__name__} lays nothing")


def take_from_hand(table: Table, seat: Seat, card: str) -> Table:
    """Return the table after a card left a hand for the table."""
    return replace(table, zones=table.zones.move(hand_of(seat), None, card))


def take_back(table: Table, seat: Seat, number: int, card: str) -> Table:
    """Return the table after a card laid this turn went back; a train without cars is gone (R-07, R-17)."""
    side = table.side
    table = into_hand(table, seat, card)
    train = table.train(side, number)
    if train is None:
        left = with_value(table.maintenance, side, table.maintenance[side][:-1])
        return replace(table, maintenance=left, fresh_maintenance=table.fresh_maintenance - 1)
    if card == DIESEL:
        return with_train(table, side, replace(train, diesel=False, fresh_diesel=False))
    if len(train.cars) > 1:
        return with_train(table, side, replace(train, cars=train.cars[:-1], fresh=train.fresh - 1))
    if train.diesel:
        table = into_hand(table, seat, DIESEL)
    return without_train(table, side, number, hand_of(seat))


# --- the hand limit -------------------------------------------------------------------------------


def least_left(table: Table) -> int:
    """Return how many cards the seat on turn must at least keep, whatever it lays: dealt cards only (A-05).

    Every car that can begin a train takes a locomotive with it. Wild cards, cabooses and Diesels follow where there
    are trains; maintenance cards lie alone.
    """
    trains, fresh = table.own_trains, [train for train in table.own_trains if train.is_new]
    cards = [*table.zones.named(hand_of(table.turn)), *table.maintenance[table.side][len_old(table) :]]
    for train in trains:
        cards += [*train.cars[len(train.cars) - train.fresh :], *([DIESEL] if train.fresh_diesel else [])]
    for train in fresh:
        cards += table.zones.named(engine_of(table.side, train.number))
    kinds = Counter([group_of(table.fixed.book, card) for card in cards])
    old = [train for train in trains if not train.is_new]
    begun = sum([kinds[group] for group in STARTERS])
    diesels = sum([not train.diesel or train.fresh_diesel for train in old]) + begun
    open_trains = sum([CABOOSE not in train.cars[: len(train.cars) - train.fresh] for train in old]) + begun
    laid = PAIR * begun + kinds["maintenance"] + min(kinds["diesel"], diesels) + min(kinds["caboose"], open_trains)
    laid += kinds["wild"] if open_trains else 0
    return max(0, len(cards) - 1 - laid)


def len_old(table: Table) -> int:
    """Return how many maintenance cards of the side on turn were there before this turn."""
    return len(table.maintenance[table.side]) - table.fresh_maintenance


def settle(trains: Iterable[Train]) -> tuple[Train, ...]:
    """Return trains none of whose cards is new any more."""
    return tuple([replace(train, fresh=0, fresh_diesel=False) for train in trains])
