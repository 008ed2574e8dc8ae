"""How people play Take a Train with real tokens, for demonstrations: what lies where, and what they show with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine import Event, Seat, State, TokenLayout, money_place
from companion.games.take_a_train.events import Claimed, FistConfirmed, FistCounted
from companion.games.take_a_train.steps.open_fists import OpenFists
from companion.games.take_a_train.steps.preemption import Choose, Choosing, OrderTie, OrderTies
from companion.games.take_a_train.steps.sealed_auctions import BreakTie, Fists
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.token_sight import AUCTION_PLACE, ordered_tokens, purpose_place, token_places
from companion.games.take_a_train.tokens import auction_token, purpose_token

TOKEN_OPTIONS = {"bid_channel": "hand"}
"""Options of a match in which people close their fists round real money (R-30)."""


def token_layout(state: State[Table]) -> TokenLayout | None:
    """Return which tokens lie on the table; None where bids are made on devices and no money is laid down."""
    table = state.table
    if table.fixed.options.bid_channel != "hand":
        return None
    tokens: dict[str, tuple[str, ...]] = {
        place.name: () for place in token_places(table.fixed.players) if not place.name.endswith("money")
    }
    if table.kind:
        tokens[AUCTION_PLACE] = (auction_token(table.kind),)
    tokens |= {place: (token,) for place, token in ordered_tokens(state).items()}
    return TokenLayout(tokens, dict(_lying_money(state)))


def _lying_money(state: State[Table]) -> Iterator[tuple[str, int]]:
    """Yield what lies in front of each seat; not of one whose hand is open and has not been counted."""
    for seat in map(Seat, range(state.table.fixed.players)):
        amount = 0
        for step in state.agenda:
            match step:
                case OpenFists() if seat in step.waiting and step.counted[seat] is None:
                    break
                case Choose():
                    amount += step.bids[seat] if seat in step.order else 0
                case OpenFists() | Fists() | BreakTie() | OrderTie() | OrderTies() | Choosing():
                    amount += step.owes(seat)
        else:
            yield money_place(seat), amount


def count_of(state: State[Table], event: Event) -> Event | None:
    """Return the count of an open hand that a seat's word about it needs, if the hand has not been counted (R-32a)."""
    head = state.agenda[0] if state.agenda else None
    if isinstance(head, OpenFists) and isinstance(event, FistConfirmed) and head.counted[event.seat] is None:
        return FistCounted(event.seat, event.amount)
    return None


def counts_shown(view: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the counts of open hands that a public view shows."""
    amounts = [(Seat(each["seat"]), each["counted"]) for each in view["seats"]]
    return tuple([FistCounted(seat, amount) for seat, amount in amounts if amount is not None])


def word_of(count: Event) -> Event:
    """Return what a seat says of its open hand where no camera counts it, or counts it wrong (R-32a)."""
    assert isinstance(count, FistCounted)
    return FistConfirmed(count.seat, count.amount)


def claim_layout(event: Event) -> dict[str, tuple[str, ...]]:
    """Return the purpose that a seat lays open to claim it (R-73); nothing for another event."""
    return {purpose_place(event.seat): (purpose_token(event.purpose),)} if isinstance(event, Claimed) else {}
