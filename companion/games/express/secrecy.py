"""Who may know what of Express: fields that only some seats read, and events that tell somebody a card (§6)."""

from __future__ import annotations

from companion.engine import Event, State
from companion.games.express import events as ev
from companion.games.express.table import Table

SECRET: dict[type[Event], tuple[str, ...]] = {
    ev.HandsDealt: ("cards",),
    ev.CardsDrawn: ("cards",),
    ev.TrainBegun: ("locomotive",),
    ev.LocomotiveExchanged: ("card",),
}
"""Fields that only the seat which draws or lays may read; of a deal, nobody."""
REVEALING = (
    ev.DealerCardDrawn,
    ev.HandsDealt,
    ev.CardsDrawn,
    ev.LocomotiveExchanged,
    ev.TrainBegun,
    ev.CarLaid,
    ev.MaintenanceLaid,
    ev.Discarded,
    ev.DiscardedUnused,
    ev.WentOut,
    ev.TurntablePlayed,
    ev.DisasterPlayed,
    ev.ProtectionPlayed,
    ev.HandShown,
)
"""Events by which somebody learns a card that could not be known before."""
DRAWING = (ev.PileDrawn, ev.Reshuffled, ev.HandCalled)
"""Events after which people draw real cards by themselves."""


def secret(before: State[Table], event: Event) -> tuple[str, ...]:
    """Return the event's fields that are secret when it happens."""
    return SECRET.get(type(event), ())


def reveals(event: Event, after: State[Table]) -> bool:
    """Whether somebody knows a card now that could not be known before."""
    return isinstance(event, REVEALING) or (not after.table.fixed.dealt and isinstance(event, DRAWING))
