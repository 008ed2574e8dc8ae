"""Laying and taking back: what is legal, and its effect on the table (R-07 to R-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.engine import Refusal, Seat, SeatEvent
from companion.games.express import events as ev
from companion.games.express import refusals, trains
from companion.games.express.table import Table, engine_of, hand_of, mix_real
from companion.games.express.trains import CABOOSE, DIESEL, Train

PAIR = 2
"""A locomotive and a car (R-07)."""


def laying_events(table: Table, cards: tuple[str, ...]) -> tuple[tuple[SeatEvent, ...], ...]:
    """Return how the seat on turn can lay certain cards, and last what it can take back; no new trains."""
    seat, fixed = table.turn, table.fixed
    laid: list[tuple[SeatEvent, ...]] = []
    if cards:
        laid.append(tuple([ev.MaintenanceLaid(seat, card) for card in cards if card in fixed.shields]))
        couplings = fixed.couplings
        for train in table.own_trains:
            joining = couplings.get((train.cars, train.diesel)) or fixed.joining(train)
            if not joining.isdisjoint(cards):
                laid.append(tuple([ev.CarLaid(seat, train.number, card) for card in cards if card in joining]))
    return (*laid, tuple(taking_back(table)))


def taking_back(table: Table) -> Iterator[ev.LaidTakenBack]:
    """Yield the cards that the seat on turn can take back: the last of each train, if laid this turn (R-17)."""
    for train in table.own_trains:
        if train.fresh:
            yield ev.LaidTakenBack(table.turn, train.number, train.cars[-1])
        if train.fresh_diesel:
            yield ev.LaidTakenBack(table.turn, train.number, DIESEL)
    if table.fresh_maintenance:
        yield ev.LaidTakenBack(table.turn, 0, table.maintenance[table.side][-1])


# --- objections --------------------------------------------------------------------------------------


def laying_objection(table: Table, event: ev.Laying) -> Refusal | None:
    """Return why the seat on turn cannot lay or take back a card, None if it can."""
    book, seat, side = table.fixed.book, table.turn, table.side
    match event:
        case ev.TrainBegun(_, card, locomotive):
            return beginning_objection(table, card, locomotive)
        case ev.CarLaid(_, number, card):
            train = table.train(side, number)
            if train is not None:
                return trains.adding_objection(book, train, card) or not_held(table, seat, card)
            missing = refusals.NO_SUCH_TRAIN(train=number) if number else refusals.CAR_NEEDS_LOCOMOTIVE(card=card)
            return trains.joining_objection(book, card) or missing
        case ev.MaintenanceLaid(_, card):
            if card not in book:
                return refusals.NOT_IN_PROFILE(card=card)
            return not_held(table, seat, card) if card in table.fixed.shields else refusals.NO_MAINTENANCE()
        case ev.LaidTakenBack(_, number, card):
            train = table.train(side, number)
            if train is not None and card in train.fresh_cards[: train.fresh] and card != train.cars[-1]:
                return refusals.ORDER_FROZEN(card=train.cars[-1])
            return None if event in taking_back(table) else refusals.ONLY_THIS_TURN()
        case ev.LocomotiveExchanged(_, number, card):
            return engine_objection(table, number, card)


def beginning_objection(table: Table, card: str, locomotive: str) -> Refusal | None:
    """Return why a train cannot begin with these cards (R-07, R-08)."""
    if not card:
        return refusals.LOCOMOTIVE_NEEDS_CAR()
    if (found := trains.starting_objection(table.fixed.book, card)) is not None:
        return found
    if table.fixed.dealt != bool(locomotive):
        return refusals.CAR_NEEDS_LOCOMOTIVE(card=card) if table.fixed.dealt else refusals.FACE_DOWN()
    return not_held(table, table.turn, card, locomotive)


def engine_objection(table: Table, number: int, card: str) -> Refusal | None:
    """Return why a locomotive cannot be exchanged (R-07, R-08, R-10, R-16); real ones are exchanged without an
    event.
    """
    if table.train(table.side, number) is None:
        return refusals.NO_SUCH_TRAIN(train=number) if number else refusals.LOCOMOTIVE_NEEDS_CAR()
    if not table.fixed.dealt:
        return refusals.FACE_DOWN()
    if card in table.zones.named(engine_of(table.side, number)):
        return refusals.SAME_CARD.to(table.turn)
    return not_held(table, table.turn, card)


def not_held(table: Table, seat: Seat, *cards: str) -> Refusal | None:
    """Return that a hand cannot hold these cards, for its seat alone; a real locomotive has no name."""
    named = Counter([card for card in cards if card])
    nameless = len(cards) - named.total()
    fits = table.hand(seat) >= len(cards) and nameless <= (not table.fixed.dealt)
    held = fits and all(count <= table.zones.bounds(hand_of(seat), card)[1] for card, count in named.items())
    return None if held else refusals.NOT_IN_HAND.to(seat)


# --- effects -----------------------------------------------------------------------------------------


def lay(table: Table, event: ev.Laying) -> Table:
    """Return the table after a card was laid or taken back."""
    seat, side, hand = event.seat, table.side, hand_of(event.seat)
    if isinstance(event, ev.LaidTakenBack):
        return mix_real(take_back(replace(table, touched=True), seat, event.train, event.card))
    if isinstance(event, ev.LocomotiveExchanged):
        zones = table.zones.move_all(engine_of(side, event.train), hand)
        return replace(table, touched=True, zones=zones).lay_engine(seat, event.train, event.card)
    table = replace(table, touched=True, zones=table.zones.move(hand, None, event.card))
    match event:
        case ev.TrainBegun(_, card, locomotive):
            taken = {train.number for train in table.own_trains}
            number = next(number for number in range(1, len(taken) + 2) if number not in taken)
            return table.with_train(side, Train(number, (card,), fresh=1)).lay_engine(seat, number, locomotive)
        case ev.CarLaid(_, number, card):
            train = table.train(side, number)
            assert train is not None
            return table.with_train(side, trains.added(train, card))
        case ev.MaintenanceLaid(_, card):
            return table.with_maintenance(side, (*table.maintenance[side], card), table.fresh_maintenance + 1)


def take_back(table: Table, seat: Seat, number: int, card: str) -> Table:
    """Return the table after a card laid this turn went back; a train without cars disappears (R-07, R-17)."""
    side = table.side
    table = table.into_hand(seat, card)
    train = table.train(side, number)
    if train is None:
        return table.with_maintenance(side, table.maintenance[side][:-1], table.fresh_maintenance - 1)
    if card == DIESEL:
        return table.with_train(side, replace(train, diesel=False, fresh_diesel=False))
    return table.without_last_car(side, train, seat)


# --- the hand limit -------------------------------------------------------------------------------


def least_left(table: Table) -> int:
    """Return the fewest cards that the seat on turn can keep by laying the most: dealt cards only (A-05).

    Every car that can begin a train also uses up a locomotive. Wild cards, cabooses and Diesels join trains;
    maintenance cards lie alone.
    """
    maintenance = table.maintenance[table.side]
    cards = [*table.zones.named(hand_of(table.turn)), *maintenance[len(maintenance) - table.fresh_maintenance :]]
    for train in table.own_trains:
        cards += train.fresh_cards
        cards += () if train.old_cars else table.zones.named(engine_of(table.side, train.number))
    kinds = Counter([trains.group_of(table.fixed.book, card) for card in cards])
    old = [train for train in table.own_trains if train.old_cars]
    begun = kinds["freight"] + kinds["passenger"]
    diesels = sum([not train.diesel or train.fresh_diesel for train in old]) + begun
    open_trains = sum([CABOOSE not in train.old_cars for train in old]) + begun
    laid = PAIR * begun + kinds["maintenance"] + min(kinds["diesel"], diesels) + min(kinds["caboose"], open_trains)
    laid += kinds["wild"] if open_trains else 0
    return max(0, len(cards) - 1 - laid)
