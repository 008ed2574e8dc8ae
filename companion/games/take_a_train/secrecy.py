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
from companion.mechanics.plain import PlainGame

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
    **dict.fromkeys((ev.Opened, ev.Bid, ev.Raised, ev.RaisedTogether, ev.RaiseGrown), ("amount",)),
    **dict.fromkeys((ev.Committed, ev.FistCounted, ev.FistConfirmed, ev.FistCorrected), ("amount",)),
    ev.BidsRevealed: ("amounts",),
}
"""Public amounts that the log shows only during their round (R-25)."""
BESIDE_FISTS = (ev.Committed, ev.RevealSignalled, ev.Claimed, ev.PurposesEntered, ev.CashCorrected)
"""What happens while fists close."""
TURNED_UP = (
    *(ev.PurposesDealt, ev.TokenDrawn, ev.LocosRevealed, ev.CardsRevealed),
    *(ev.TwistDealt, ev.TwistRevealed, ev.BidsRevealed),
)
"""Events after which somebody knows something that nobody could know before."""
WORDS = (ev.FistConfirmed, ev.FistCorrected, ev.CorrectionAnswered)
"""What seats said openly of their hands: nobody unsays it alone (R-32b)."""


class Secrecy(PlainGame[Table]):
    """Which fields of events are secret, until when, and what lies sealed."""

    def secret(self, before: State[Table], event: Event) -> tuple[str, ...]:
        """Return the event's fields that are secret when it happens."""
        unseen = isinstance(event, ev.TwistPicked) and event.card is None
        return () if unseen else SECRET.get(type(event), ())

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the positions of the bids that the last event opened (R-32).

        Only the final amount of each seat becomes public, not the ones it replaced. Twist's hands, purposes and
        corrected cash stay secret until the game is over.
        """
        amounts = next((effect.amounts for effect in effects if isinstance(effect, ev.FistsOpened)), ())
        closed = {seat for seat, amount in enumerate(amounts) if amount is not None}
        found: list[int] = []
        for at, event in enumerate(back):
            if not closed or not isinstance(event, BESIDE_FISTS):
                break
            if isinstance(event, ev.Committed) and event.seat in closed:
                closed.discard(event.seat)
                found.append(at)
        return tuple(found)

    def no_longer_shown(self, now: State[Table], before: State[Table], event: Event) -> tuple[str, ...]:
        """Return the fields that were public but are no longer shown: amounts of earlier rounds (R-25)."""
        return SAID.get(type(event), ()) if before.table.round < now.table.round else ()

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Whether the event, which led to this state, revealed something: opened fists, cards, a token, a word."""
        match event:
            case ev.RevealSignalled() if isinstance(after.head, OpenFists):
                return True
            case ev.Committed() | ev.RevealSignalled():
                return any(isinstance(effect, ev.FistsOpened) for effect in after.effects)
            case ev.TwistPicked():
                return after.table.fixed.dealt and not isinstance(after.head, twist.Pick)
        return isinstance(event, TURNED_UP + WORDS)

    def has_sealed(self, state: State[Table]) -> bool:
        """Whether a closed fist or a placed or dealt card lies sealed on the table.

        Once it has been opened, a rewind must go back to before it was sealed: everybody bids again (R-30, R-52).
        """
        match state.head:
            case sealing.Fists(amounts=amounts):
                return any(amount is not None for amount in amounts)
            case twist.Pick() as head:
                return any(head.ready) or head.passes > 0 or any(head.hands)
        return isinstance(state.head, twist.TurnUp)

    def sealing_events(self, state: State[Table], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return the positions of the events that sealed a seat's closed fist or placed cards."""
        number = 0
        match state.head:
            case sealing.Fists(amounts=amounts):
                number = int(amounts[seat] is not None)
            case twist.Pick(placed=placed):
                number = len(placed[seat])
        kinds = ev.Committed | ev.TwistPicked
        own = (at for at, event in enumerate(back) if isinstance(event, kinds) and event.seat == seat)
        return tuple(islice(own, number))
