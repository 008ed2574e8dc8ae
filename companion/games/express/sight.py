"""What cards on the table say of Express: guesses at the next event, which the rules then try.

A draw from the pile leaves no trace; what is laid or discarded after it tells that it happened. People say whom a
disaster hits and what its victims answer, what partners ask and answer, and that a card was discarded on one of its own
kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from companion.engine import Event, Layout, Seat, State
from companion.games.express import events as ev
from companion.games.express.disasters import shield_against, targets
from companion.games.express.ending import TURNTABLE
from companion.games.express.layout import SHOWN, maintenance_of, may_be_unseen, train_rows
from companion.games.express.steps.answers import Protect
from companion.games.express.steps.draw import Draw, Shuffle
from companion.games.express.steps.endings import ShowHand
from companion.games.express.steps.lay import Lay
from companion.games.express.steps.setup import DrawForDeal
from companion.games.express.table import DISCARD, SLOT, Table, hand_of
from companion.mechanics.renaming import replace_card

FEW = 8
"""Targets of a disaster are asked for where there are at most so many."""


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return what may have happened next."""
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
            return [ev.ProtectionPlayed(seats[0], shield)] if shield in added(said, seen, SLOT) else []
        case ShowHand(seats):
            cards, before = tuple(sorted(seen.spot(SHOWN).up)), tuple(sorted(said.lingering[SHOWN]))
            return [ev.HandShown(seats[0], cards)] if len(cards) == table.hand(seats[0]) and cards != before else []
    return []


def draws(table: Table, seat: Seat, seen: Layout) -> Iterator[Event]:
    """Yield the draw from the pile, and that of the top discard where it may be gone."""
    yield ev.PileDrawn(seat)
    *_, below, top = (*["", ""], *table.zones.named(DISCARD))
    after = (below,) if below else ()
    if top and (DISCARD not in seen.spots or seen.spots[DISCARD].up == after or below == top):
        yield ev.DiscardTaken(seat, top)


def lays(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield what may have been laid: the next card of each row in its order, and maintenance cards.

    A card that is missing may be unseen under others: people say that they take one back.
    """
    for number, row in enumerate(train_rows(table, table.side), 1):
        train = table.train(table.side, number)
        for card in added(said, seen, row)[:1]:
            yield ev.TrainBegun(seat, card, "") if train is None else ev.CarLaid(seat, number, card)
    for place in [maintenance_of(each) for each in table.fixed.sides.groups[table.side]]:
        yield from [ev.MaintenanceLaid(seat, card) for card in added(said, seen, place)]


def endings(table: Table, seat: Seat, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield how the turn may have ended.

    A card may be discarded on one of its own kind; that is guessed only where the next seat has gone on. Where a card
    more finds no room, some may have been laid unseen, and people say that the turn ends.
    """
    if may_be_unseen(table):
        return
    cards = added(said, seen, DISCARD)
    if not cards and has_laid(table, table.next_seat(seat), said, seen):
        cards = said.spots[DISCARD].up
    for card in cards:
        yield ev.DiscardedUnused(seat, card) if card in table.fixed.actions else ev.Discarded(seat, card)
        yield ev.WentOut(seat, card)
    for card in added(said, seen, SLOT):
        if card == TURNTABLE:
            yield ev.TurntablePlayed(seat)
        elif card in table.fixed.actions:
            hits = list(targets(table, card))
            yield from hits if len(hits) <= FEW else ()


def has_laid(table: Table, seat: Seat, said: Layout, seen: Layout) -> bool:
    """Whether more lies with a seat's side than the rules expect."""
    side = table.fixed.sides.side_of(seat)
    places = (*train_rows(table, side), *[maintenance_of(each) for each in table.fixed.sides.groups[side]])
    return any(added(said, seen, place) for place in places)


def added(said: Layout, seen: Layout, place: str) -> tuple[str, ...]:
    """Return the cards that are seen at a place and not expected there, in order; none where it is not compared."""
    if place not in said.spots or place not in seen.spots:
        return ()
    left, found = list(said.spots[place].up), list[str]()
    for card in seen.spots[place].up:
        if card in left:
            left.remove(card)
        else:
            found.append(card)
    return tuple(found)


def unseen_alternatives(state: State[Table], event: Event) -> Iterator[tuple[tuple[Event, ...], str]]:
    """Yield what may have happened instead of taking the top discard: a card like the one below it was discarded."""
    below = state.table.zones.named(DISCARD)[-2:-1]
    if isinstance(event, ev.DiscardTaken) and below:
        kind = ev.DiscardedUnused if below[0] in state.table.fixed.actions else ev.Discarded
        yield (ev.PileDrawn(event.seat), kind(event.seat, below[0])), ""


def with_other_card(event: Event, card: str, other: str) -> Iterable[Event]:
    """Return the event with a card that was misread; nothing for a card on a pile, which later ones cover rightly."""
    if isinstance(event, ev.Ending | ev.ProtectionPlayed | ev.DiscardTaken):
        return ()
    return replace_card(event, event.__struct_fields__, card, other)


def beside_mat(state: State[Table]) -> Hashable:
    """Return what people know of hands and turns, and the disaster that waits for an answer."""
    table, step = state.table, state.agenda[0] if state.agenda else None
    hands = tuple([table.zones.count(hand_of(seat)) for seat in range(table.fixed.players)])
    return hands, table.skips, table.turn, table.reversed, step.disaster if isinstance(step, Protect) else None
