"""Which fields of events are secret, until when, and which events reveal something (secrecy table of the rules)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from companion.engine import Effect, Event, Seat, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps import sealed_auctions as sealing
from companion.games.take_a_train.steps import twist
from companion.games.take_a_train.steps.open_fists import OpenFists
from companion.games.take_a_train.table import Table

SECRET: dict[type[Event], tuple[str, ...]] = {
    ev.PurposesDealt: ("purposes",),
    ev.PurposesEntered: ("purposes",),
    ev.Committed: ("amount",),
    ev.TwistDealt: ("hands",),
    ev.TwistPicked: ("card",),
    ev.CashCorrected: ("to",),
}
"""Fields that only their owner may read when the event happens."""
SAID: dict[type[Event], tuple[str, ...]] = {
    ev.Opened: ("amount",),
    ev.Bid: ("amount",),
    ev.Raised: ("amount",),
    ev.RaisedTogether: ("amount",),
    ev.RaiseGrown: ("amount",),
    ev.BidsRevealed: ("amounts",),
    ev.Committed: ("amount",),
    ev.FistCounted: ("amount",),
    ev.FistConfirmed: ("amount",),
    ev.FistCorrected: ("amount",),
}
"""Public amounts that the log shows only during their round (R-25)."""
TURNED_UP = (
    ev.PurposesDealt,
    ev.TokenDrawn,
    ev.LocosRevealed,
    ev.TwistDealt,
    ev.TwistRevealed,
    ev.CardsRevealed,
    ev.BidsRevealed,
)
"""Events after which somebody knows something that nobody could know before."""
WORDS = (ev.FistConfirmed, ev.FistCorrected, ev.CorrectionAnswered)
"""What seats said openly of their hands: nobody unsays it alone (R-32b)."""


def secret(before: State[Table], event: Event) -> tuple[str, ...]:
    """Return the event's fields that are secret when it happens."""
    fields = SECRET.get(type(event), ())
    if isinstance(event, ev.TwistPicked) and event.card is None:
        return ()
    return fields


def newly_public(back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
    """Return the positions of the bids that the last event opened (R-32).

    Only the final amount of each seat becomes public, not the ones it replaced. Twist's hands, purposes and corrected
    cash stay secret until the game is over.
    """
    opened = next((effect for effect in effects if isinstance(effect, ev.FistsOpened)), None)
    if opened is None:
        return ()
    closed = {Seat(s) for s, amount in enumerate(opened.amounts) if amount is not None}
    found: list[int] = []
    for at, event in enumerate(back):
        if isinstance(event, ev.RevealSignalled):
            continue
        if isinstance(event, ev.Committed):
            if event.seat in closed:
                closed.discard(event.seat)
                found.append(at)
        elif not isinstance(event, ev.Claimed | ev.PurposesEntered | ev.CashCorrected):
            break
        if not closed:
            break
    return tuple(found)


def no_longer_shown(now: State[Table], before: State[Table], event: Event) -> tuple[str, ...]:
    """Return the fields that were public but are no longer shown: amounts of earlier rounds (R-25)."""
    if before.table.round >= now.table.round:
        return ()
    return SAID.get(type(event), ())


def reveals(event: Event, after: State[Table]) -> bool:
    """Whether the event, which led to this state, revealed something: opened fists, cards, a token, a seat's word."""
    match event:
        case ev.RevealSignalled() if after.agenda and isinstance(after.agenda[0], OpenFists):
            return True
        case ev.Committed() | ev.RevealSignalled():
            return any(isinstance(effect, ev.FistsOpened) for effect in after.effects)
        case ev.TwistPicked():
            return after.table.fixed.dealt and not (after.agenda and isinstance(after.agenda[0], twist.Pick))
    return isinstance(event, TURNED_UP + WORDS)


def has_sealed(state: State[Table]) -> bool:
    """Whether a closed fist or a placed or dealt card lies sealed on the table.

    Once it has been opened, a rewind must go back to before it was sealed: everybody bids again (R-30, R-52).
    """
    head = state.agenda[0] if state.agenda else None
    match head:
        case sealing.Fists():
            return any(amount is not None for amount in head.amounts)
        case twist.Pick():
            return any(head.ready) or head.passes > 0 or any(head.hands)
        case twist.TurnUp():
            return True
    return False


def sealing_events(state: State[Table], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
    """Return the positions of the events that sealed a seat's closed fist or placed cards."""
    head = state.agenda[0] if state.agenda else None
    kind: type[ev.Committed] | type[ev.TwistPicked] = ev.Committed
    match head:
        case sealing.Fists():
            number = int(head.amounts[seat] is not None)
        case twist.Pick():
            kind, number = ev.TwistPicked, len(head.placed[seat])
        case _:
            number = 0
    own = (at for at, event in enumerate(back) if isinstance(event, kind) and event.seat == seat)
    return tuple(islice(own, number))
