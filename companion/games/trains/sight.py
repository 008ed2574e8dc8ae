"""What cards and pieces on the table say of Trains: guesses at the next event, which the rules then try."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.engine import CellName, Event, Layout, State
from companion.games.trains.events import (
    Applied,
    Bought,
    CardRevealed,
    Declined,
    Ended,
    Played,
    RailLaid,
    Reshuffled,
    StartPlaced,
    StationBuilt,
    TurnPassed,
)
from companion.games.trains.table import GAINED, REVEALED, Table
from companion.mechanics.pool import without


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return what may have happened: cubes and stations first, then cards, then what leaves no trace."""
    for seat in state.agenda[0].awaits(state.table):
        for piece in said.added_pieces(seen):
            cell = CellName(piece.cell)
            if piece.kind == "station":
                yield StationBuilt(seat, cell)
            else:
                yield from (RailLaid(seat, cell), StartPlaced(seat, cell))
        yield from [Played(seat, card) for card in added(said, seen, "play")]
        yield from [Bought(seat, card) for card in added(said, seen, GAINED)]
        yield from [Declined(seat), Applied(seat), Ended(seat), TurnPassed(seat), Reshuffled(seat)]
    seat = state.table.turn
    yield from [CardRevealed(seat, card) for card in added(said, seen, REVEALED)]


def added(said: Layout, seen: Layout, place: str) -> Iterator[str]:
    """Yield the cards that lie at a place and were not expected there."""
    here = tuple(seen.spot(place).up)
    for card in said.spot(place).up:
        if card in here:
            here = without(here, (card,))
    yield from dict.fromkeys(here)
