"""The positions of Express cards, and guesses at the next event, for the rules to try.

Trains and maintenance cards lie in rows. A train's first card is its locomotive, face down, and each car shows beyond
the card before it. Only the top cards of the discard and the slot are compared.

A draw from the pile leaves no trace; a later laid or discarded card proves it. People say whom a disaster hits and what
its victims answer, what partners ask and answer, and that a card was discarded on one of its own kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from companion.engine import Event, Layout, Place, Seat, Spot, State
from companion.games.express import events as ev
from companion.games.express.disasters import shield_against, targets
from companion.games.express.ending import TURNTABLE
from companion.games.express.steps.answers import Protect
from companion.games.express.steps.draw import Draw, Shuffle
from companion.games.express.steps.endings import ShowHand
from companion.games.express.steps.lay import Lay
from companion.games.express.steps.setup import DrawForDeal, NextHand
from companion.games.express.table import DISCARD, PILE, SLOT, Table, hand_of
from companion.games.express.trains import DIESEL
from companion.mechanics.renaming import replace_card
from companion.mechanics.seating import clockwise

FEW = 8
"""The most targets of a disaster to ask people about."""
SHOWN = "shown"
"""The place for hands shown at the end of a hand."""
MOST_SHOWN = 5
"""Cards of a hand at the end of a turn (R-19); after a theft there may be more, and people enter them (R-25)."""


class Room(NamedTuple):
    """The space for each seat's cards on the mat; the rest lies beside it, and people enter it."""

    trains: int
    train: int
    """Cards of a train, including its locomotive."""
    maintenance: int


LARGE, SMALL = Room(6, 9, 6), Room(4, 8, 5)
MANY = 5
"""The number of players that reduces the space."""
LAY_AND_DISCARD, TRAIN_AND_DISCARD = 2, 3
"""Cards of a hand used by laying a card and discarding, and by a new train and a discard (R-07, R-18)."""


def room_of(players: int) -> Room:
    """Return the space of each seat."""
    return SMALL if players >= MANY else LARGE


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table."""
    room = room_of(players)
    found = [Place(PILE, "pile"), Place(DISCARD, "spread"), Place(SLOT, "spread"), Place(SHOWN, "spread", MOST_SHOWN)]
    for seat in range(players):
        found += [Place(row_of(seat, at), "row", room.train, Seat(seat)) for at in range(1, room.trains + 1)]
        found.append(Place(maintenance_of(seat), "row", room.maintenance, Seat(seat)))
    return tuple(found)


def row_of(seat: int, at: int) -> str:
    """Return the name of a seat's row for a train, counted from 1."""
    return f"seat.{seat + 1}.train.{at}"


def maintenance_of(seat: int) -> str:
    """Return the name of the place of a seat's maintenance cards."""
    return f"seat.{seat + 1}.maintenance"


def train_rows(table: Table, side: int) -> tuple[str, ...]:
    """Return the rows of a side's trains by their numbers, partner by partner."""
    rows = range(1, room_of(table.fixed.players).trains + 1)
    return tuple([row_of(seat, at) for seat in table.fixed.sides.groups[side] for at in rows])


def layout(state: State[Table]) -> Layout:
    """Return the cards at each place; cards without space are not compared.

    The cards drawn for the deal lie in the places of maintenance cards until somebody clears them away (R-02).
    """
    table, step = state.table, state.agenda[0] if state.agenda else None
    spots = {name: Spot(table.zones.named(name)[-1:]) for name in (DISCARD, SLOT)} | {SHOWN: Spot()}
    lingering: dict[str, tuple[str, ...]] = {}
    sides, seats = range(len(table.trains)), range(table.fixed.players)
    rows = [train_rows(table, side) for side in sides]
    for side in sides:
        spots |= train_spots(table, side, rows[side])
    compared = [maintenance_of(seat) for seat in seats]
    if isinstance(step, DrawForDeal):
        spots |= {maintenance_of(seat): Spot((card,)) for seat, card in zip(step.seats, step.cards, strict=False)}
        compared.remove(maintenance_of(step.seats[len(step.cards)]))
    else:
        for side in sides:
            spots |= maintenance_spots(table, side)
        if not table.turns:
            lingering |= {maintenance_of(seat): (card,) for seat, card in enumerate(table.drawn) if card}
    if isinstance(step, ShowHand):
        lingering[SHOWN] = last_shown(table, step)
    loose = state.over or isinstance(step, NextHand)
    if loose:
        del spots[SHOWN]  # the last hand lies there
    left = tuple([name for name in (*chain(*rows), *compared) if name not in spots])
    return Layout(spots, alike=tuple(rows), lingering=lingering, loose=loose, overflowing=left)


def resting_layouts(before: State[Table], event: Event, after: State[Table]) -> Iterator[Layout]:
    """Yield the layout before cards are cleared away: those drawn for the deal, and a shown hand."""
    said = layout(before)
    if isinstance(event, ev.DealerCardDrawn):
        yield replace(said, spots=said.spots | {maintenance_of(event.seat): Spot((event.card,))})
    if isinstance(event, ev.HandShown) and len(event.cards) <= MOST_SHOWN:
        yield replace(said, spots=said.spots | {SHOWN: Spot(event.cards)})


def train_spots(table: Table, side: int, rows: tuple[str, ...]) -> dict[str, Spot]:
    """Return the rows of a side's trains."""
    most = room_of(table.fixed.players).train
    spots = {}
    for number, name in enumerate(rows, 1):
        train = table.train(side, number)
        cards = (*train.cars, *(DIESEL,) * train.diesel) if train else ()
        if len(cards) < most:
            spots[name] = Spot(cards, down=int(train is not None))  # its Diesel may lie anywhere among the cars
    return spots


def maintenance_spots(table: Table, side: int) -> dict[str, Spot]:
    """Return the maintenance cards of a side: those without space at one partner lie at the next."""
    most, laid = room_of(table.fixed.players).maintenance, table.maintenance[side]
    seats = table.fixed.sides.groups[side]
    spots = {maintenance_of(seat): Spot(laid[nth * most : (nth + 1) * most]) for nth, seat in enumerate(seats)}
    return spots if len(laid) <= most * len(seats) else {}


def may_be_unseen(table: Table) -> bool:
    """Return whether the seat on turn may have laid a card beside the mat and still have one to discard."""
    room, seats = room_of(table.fixed.players), len(table.fixed.sides.groups[table.side])
    held, kinds, fixed = table.hand(table.turn), set(table.zones.kinds(hand_of(table.turn))), table.fixed
    if held < LAY_AND_DISCARD:
        return False
    unseen = set[str]()
    for train in table.own_trains:
        if len(train.cars) + train.diesel + 1 >= room.train:
            unseen |= fixed.joining(train)
    if len(table.maintenance[table.side]) >= room.maintenance * seats:
        unseen |= fixed.shields
    if len(table.own_trains) >= room.trains * seats and held >= TRAIN_AND_DISCARD:
        unseen |= fixed.starters
    return bool(unseen & kinds)


def last_shown(table: Table, step: ShowHand) -> tuple[str, ...]:
    """Return the hand that was shown last and may still lie there."""
    seats = [seat for seat in clockwise(table.turn, table.fixed.players) if table.hand(seat)]
    before = seats.index(step.seats[0])
    return table.zones.named(hand_of(seats[before - 1])) if before else ()


# --- possible events ---------------------------------------------------------------------------------


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return possible next events."""
    table = state.table
    match state.agenda[0]:
        case DrawForDeal(seats, cards):
            seat = seats[len(cards)]
            lying = seen.spot(maintenance_of(seat)).up
            return [ev.DealerCardDrawn(seat, card) for card in lying if card != table.drawn[seat]]
        case Draw(seat):
            return draws(table, seat, seen)
        case Shuffle(seat):
            return [ev.Reshuffled(seat)] if seen.spots.get(DISCARD, said.spots[DISCARD]).empty else []
        case Lay(seat):
            return (*lays(table, seat, said, seen), *endings(table, seat, said, seen))
        case Protect(seats, disaster):
            shield = shield_against(table, disaster.card)
            return [ev.ProtectionPlayed(seats[0], shield)] if shield in said.added_cards(seen, SLOT) else []
        case ShowHand(seats):
            cards, before = tuple(sorted(seen.spot(SHOWN).up)), tuple(sorted(said.lingering[SHOWN]))
            return [ev.HandShown(seats[0], cards)] if len(cards) == table.hand(seats[0]) and cards != before else []
    return []


def draws(table: Table, seat: Seat, seen: Layout) -> Iterator[Event]:
    """Yield the draw from the pile, and that of the top discard if it may be gone."""
    yield ev.PileDrawn(seat)
    *_, below, top = (*["", ""], *table.zones.named(DISCARD))
    after = (below,) if below else ()
    if top and (DISCARD not in seen.spots or seen.spots[DISCARD].up == after or below == top):
        yield ev.DiscardTaken(seat, top)


def lays(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible laid cards: the next card of each row in order, and maintenance cards.

    A missing card may be hidden under others, so people enter cards that they take back.
    """
    for number, row in enumerate(train_rows(table, table.side), 1):
        train = table.train(table.side, number)
        for card in said.added_cards(seen, row)[:1]:
            yield ev.TrainBegun(seat, card, "") if train is None else ev.CarLaid(seat, number, card)
    for place in [maintenance_of(each) for each in table.fixed.sides.groups[table.side]]:
        yield from [ev.MaintenanceLaid(seat, card) for card in said.added_cards(seen, place)]


def endings(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible ends of the turn.

    A card may be discarded on one of its own kind; this is guessed only once the next seat has moved. If cards may have
    been laid beside the mat, people enter the end of the turn.
    """
    if may_be_unseen(table):
        return
    cards = said.added_cards(seen, DISCARD)
    if not cards and has_laid(table, table.next_seat(seat), said, seen):
        cards = said.spots[DISCARD].up
    for card in cards:
        yield ev.DiscardedUnused(seat, card) if card in table.fixed.actions else ev.Discarded(seat, card)
        yield ev.WentOut(seat, card)
    for card in said.added_cards(seen, SLOT):
        if card == TURNTABLE:
            yield ev.TurntablePlayed(seat)
        elif card in table.fixed.actions:
            hits = list(targets(table, card))
            yield from hits if len(hits) <= FEW else ()


def has_laid(table: Table, seat: Seat, said: Layout, seen: Layout) -> bool:
    """Return whether a seat's side shows more cards than the rules expect."""
    side = table.fixed.sides.side_of(seat)
    places = (*train_rows(table, side), *[maintenance_of(each) for each in table.fixed.sides.groups[side]])
    return any(said.added_cards(seen, place) for place in places)


def unseen_alternatives(state: State[Table], event: Event) -> Iterator[tuple[tuple[Event, ...], str]]:
    """Yield an alternative to taking the top discard: drawing, and discarding a card of the kind below it."""
    below = state.table.zones.named(DISCARD)[-2:-1]
    if isinstance(event, ev.DiscardTaken) and below:
        kind = ev.DiscardedUnused if below[0] in state.table.fixed.actions else ev.Discarded
        yield (ev.PileDrawn(event.seat), kind(event.seat, below[0])), ""


def with_other_card(event: Event, card: str, other: str) -> Iterable[Event]:
    """Return the event with the correct card in place of a misread one; nothing for a card on a pile, which later ones
    cover rightly.
    """
    if isinstance(event, ev.Ending | ev.ProtectionPlayed | ev.DiscardTaken):
        return ()
    return replace_card(event, event.__struct_fields__, card, other)


def beside_mat(state: State[Table]) -> Hashable:
    """Return public facts about hands and turns, and the disaster that waits for an answer."""
    table, step = state.table, state.agenda[0] if state.agenda else None
    hands = tuple([table.zones.count(hand_of(seat)) for seat in range(table.fixed.players)])
    return hands, table.skips, table.turn, table.reversed, step.disaster if isinstance(step, Protect) else None
