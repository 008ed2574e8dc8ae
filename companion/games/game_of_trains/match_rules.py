"""What matches and the table ask of Game of Trains: what decisions depend on, who holds what, what cards show."""

from __future__ import annotations

import msgspec

from companion.engine import Event, Holdings, JsonObject, State
from companion.games.game_of_trains.catalogue import Catalogue, Wagon, wagon_id
from companion.games.game_of_trains.events import AbilityRead, Reshuffled
from companion.games.game_of_trains.table import GAP, LOCKABLE, Table


def question(state: State[Table], event: Event) -> object:
    """Return everything that a decision for the event depends on: all visible cards, and those drawn."""
    table = state.table
    if isinstance(event, Reshuffled):
        return table.pile
    return state.agenda[:1], table.lines, table.locks, table.pool, tuple(map(table.hand, range(table.fixed.players)))


def holdings(state: State[Table]) -> Holdings:
    """Return the card at each place: lines and padlocks by seat and position (1 to 7), the pool in order."""
    table = state.table
    cards: dict[tuple[str, ...], str] = {}
    for seat, line in enumerate(table.lines):
        for position, card in enumerate(line, 1):
            if card != GAP:
                cards[("line", str(seat), str(position))] = wagon_id(card)
        for position, lock in zip(LOCKABLE, table.locks[seat], strict=True):
            if lock:
                cards[("lock", str(seat), str(position))] = wagon_id(lock)
    for at, card in enumerate(table.pool):
        cards[("pool", str(at))] = wagon_id(card)
    return Holdings((), None, cards)


def learn_catalogue(data: JsonObject, event: Event, after: State[Table]) -> JsonObject:
    """Return the owner's catalogue with the ability that was read off a card."""
    if not isinstance(event, AbilityRead):
        return data
    known = msgspec.convert(data, Catalogue)
    read = Wagon(event.card, event.ability, "owner")
    wagons = tuple([read if wagon.number == event.card else wagon for wagon in known.wagons])
    found: JsonObject = msgspec.to_builtins(Catalogue(known.name, wagons))
    return found
