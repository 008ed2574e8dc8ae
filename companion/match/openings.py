"""Lots of sealed bids: the closed fists of the present lot, and the bids of an opened one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.engine import Amounts, AnyGame, AnyState, Effect, Event, Seat, Unveiling
from companion.mechanics.seals import SealedAmount, set_of
from companion.referee.press_rulings import name_of_lot


class ClosedFists(msgspec.Struct, frozen=True):
    """The lot whose fists wait for the signal: its name, the participants, and the bids closed so far, by seat.

    The bids contain secrets; `event` is the name of the event that closes a fist.
    """

    lot: str
    event: str
    seats: tuple[Seat, ...]
    bids: dict[int, SealedAmount]

    @property
    def all_closed(self) -> bool:
        """Whether every fist is closed."""
        return len(self.bids) == len(self.seats)

    def set_hash(self, match: str) -> str:
        """Return the hash of all seals of the lot."""
        return set_of(match, self.lot, {seat: bid.seal for seat, bid in self.bids.items()})


def closed_fists(game: AnyGame, state: AnyState, events: Iterable[Event]) -> ClosedFists | None:
    """Return the lot of sealed amounts that waits for the signal, or None; `events` is the whole line, the last
    first."""
    lot = lot_of(state)
    kind = None if lot is None else _kind(state)
    if lot is None or kind is None:
        return None
    timing = state.agenda[0].timing(state.table)
    assert isinstance(timing, Unveiling)
    bids: dict[int, SealedAmount] = {}
    back = tuple(events)
    for seat in timing.closed:
        for at in game.sealing_events(state, seat, back):
            event = back[at]
            if isinstance(event, SealedAmount):
                bids[seat] = event
    return ClosedFists(lot, str(kind.__struct_config__.tag), timing.seats, bids)


def lot_of(state: AnyState) -> str | None:
    """Return the name of the lot whose fists open at a signal, or None."""
    timing = state.agenda[0].timing(state.table) if state.agenda else None
    return name_of_lot(timing.lot) if isinstance(timing, Unveiling) else None


def opened_bids(game: AnyGame, back: Sequence[Event], effects: Sequence[Effect]) -> dict[int, int]:
    """Return the positions in `back` (the last event first) of the bids that the last event opened, by seat."""
    places = game.newly_public(back, effects)
    return {event.seat: at for at in places if isinstance(event := back[at], SealedAmount)}


def _kind(state: AnyState) -> type[Event] | None:
    """Return the kind of event that now closes an amount in a fist, or None."""
    offers = state.agenda[0].legal(state.table)
    return next((o.kind for o in offers if isinstance(o, Amounts) and issubclass(o.kind, SealedAmount)), None)
