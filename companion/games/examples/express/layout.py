"""Where cards of Express lie, for mat and camera."""

from __future__ import annotations

from typing import NamedTuple

from companion.engine import Event, Layout, Place, Seat, Spot, State
from companion.games.examples.express.events import CarLaid, Discarded, DiscardedUnused, MaintenanceLaid, TrainBegun
from companion.games.examples.express.table import DISCARD, Table
from companion.games.examples.express.trains import DIESEL


class Room(NamedTuple):
    """What of a side finds room on the mat; more lies beside it."""

    trains: int
    cars: int
    """Cards of a train, its locomotive among them."""
    maintenance: int


SMALL, LARGE = Room(3, 7, 2), Room(4, 9, 4)
MANY = 5
"""Players from which there is less room."""


def room_of(players: int) -> Room:
    """Return how much room each seat has on the mat."""
    return SMALL if players >= MANY else LARGE


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table: the discard's top, and each seat's trains and maintenance cards.

    Partners lay their trains before the first of them.
    """
    found, room = [Place("discard", "spread")], room_of(players)
    for seat in range(players):
        owner = Seat(seat)
        found += [Place(f"seat.{seat + 1}.train.{at}", "row", room.cars, owner) for at in range(1, room.trains + 1)]
        found.append(Place(f"seat.{seat + 1}.maintenance", "spread", room.maintenance, owner))
    return tuple(found)


def layout(state: State[Table]) -> Layout:
    """Return what lies there; what finds no room on the mat is not compared."""
    table, room = state.table, room_of(state.table.fixed.players)
    spots = {"discard": Spot(table.zones.named(DISCARD)[-1:])}
    for seat in range(table.fixed.players):
        side = table.fixed.sides.side_of(Seat(seat))
        own = table.fixed.sides.groups[side][0] == seat
        for at in range(1, room.trains + 1):
            train = table.train(side, at) if own else None
            cards = (*train.cars, *((DIESEL,) if train.diesel else ())) if train else ()
            if len(cards) < room.cars:
                spots[f"seat.{seat + 1}.train.{at}"] = Spot(cards, down=int(train is not None))
        laid = table.maintenance[side] if own else ()
        if len(laid) <= room.maintenance:
            spots[f"seat.{seat + 1}.maintenance"] = Spot(laid)
    return Layout(spots, loose=state.over)


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> list[Event]:
    """Return what may have happened, judged by what is seen: cards laid by the side on turn, and a discard."""
    table, room = state.table, room_of(state.table.fixed.players)
    seat = table.turn
    first = table.fixed.sides.groups[table.side][0] + 1
    found: list[Event] = []
    for at in range(1, room.trains + 1):
        place = f"seat.{first}.train.{at}"
        begun = table.train(table.side, at) is not None
        for card in more(said, seen, place):
            found.append(CarLaid(seat, at, card) if begun else TrainBegun(seat, card, ""))
    found += [MaintenanceLaid(seat, card) for card in more(said, seen, f"seat.{first}.maintenance")]
    for card in seen.spot("discard").up:
        found += [Discarded(seat, card), DiscardedUnused(seat, card)]
    return found


def more(said: Layout, seen: Layout, place: str) -> list[str]:
    """Return the cards that are seen at a place and not expected there."""
    left = list(seen.spot(place).up)
    for card in said.spot(place).up:
        if card in left:
            left.remove(card)
    return left
