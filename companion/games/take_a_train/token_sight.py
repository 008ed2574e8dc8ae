"""What the camera asks of Take a Train's tokens: where they lie, which may be read, and what they show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.engine import Event, Seat, SeenTokens, State, TokenPlace, money_place, worth
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.purposes import PURPOSES, claim_refusal
from companion.games.take_a_train.steps.lots import Nominate
from companion.games.take_a_train.steps.open_fists import OpenFists
from companion.games.take_a_train.steps.preemption import Choose
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Deal, Pick, TurnUp
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.tokens import TOKEN_KINDS, auction_token, purpose_token, sequence_token

if TYPE_CHECKING:
    from companion.engine import Step

AUCTION_PLACE = "auction.token"
"""The place of the auction token that was drawn."""
MOST_MONEY = 14
"""The most tokens of a payment: two more than a player has at the start (R-09). The bank changes smaller ones."""
SEALED_KINDS = ("blind", "double_blind")
"""Auctions in which fists close after a locomotive is nominated."""


def token_places(players: int) -> tuple[TokenPlace, ...]:
    """Return the places for tokens of a table: all lie in the open, none behind a screen."""
    own = [
        TokenPlace(name, most, Seat(seat))
        for seat in range(players)
        for name, most in ((money_place(seat), MOST_MONEY), (purpose_place(seat), 1), (sequence_place(seat), 1))
    ]
    return (TokenPlace(AUCTION_PLACE), *own)


def purpose_place(seat: int) -> str:
    """Return the place where a seat, counted from 0, lays a purpose open."""
    return f"seat.{seat + 1}.purpose"


def sequence_place(seat: int) -> str:
    """Return the place of a seat's sequence token."""
    return f"seat.{seat + 1}.sequence"


def readable_places(state: State[Table]) -> tuple[str, ...]:
    """Return all places, but none of money while real fists are closed or cards of Twist lie face down."""
    head = state.agenda[0] if state.agenda else None
    secret = _by_hand(state) if isinstance(head, Fists) else isinstance(head, Deal | Pick | TurnUp)
    places = [place.name for place in token_places(state.table.fixed.players)]
    money = {money_place(seat) for seat in range(state.table.fixed.players)} if secret else set()
    return tuple([name for name in places if name not in money])


def _by_hand(state: State[Table]) -> bool:
    """Whether bids are tokens in real fists."""
    return state.table.fixed.options.bid_channel == "hand"


def lying_money(state: State[Table]) -> dict[str, int]:
    """Return what may lie in front of each seat before fists close: nothing, or its first fist (R-35)."""
    table = state.table
    head = state.agenda[0] if state.agenda else None
    if head is None or table.order or not _by_hand(state):
        return {}
    return {money_place(seat): amount for seat, amount in enumerate(_lying(table, head)) if amount is not None}


def _lying(table: Table, head: Step[Table]) -> tuple[int | None, ...]:
    """Return what may lie in front of each seat; None where nothing is compared."""
    match head:
        case Fists(firsts=firsts):
            return tuple([amount or 0 for amount in firsts]) or (0,) * table.fixed.players
        case OpenFists(fists=Fists(firsts=firsts)) if firsts:
            return tuple([first if head.counted[seat] is None else None for seat, first in enumerate(firsts)])
        case Nominate() | RevealLocos() if table.kind in SEALED_KINDS:
            return (0,) * table.fixed.players
        case Choose():  # who has chosen has paid; the bids of the others still lie there
            return tuple([None if Seat(s) in head.order else 0 for s in range(table.fixed.players)])
    return ()


def ordered_tokens(state: State[Table]) -> dict[str, str]:
    """Return the sequence token that the order gives to each seat (R-57)."""
    return {sequence_place(seat): sequence_token(number) for number, seat in enumerate(state.table.order, 1)}


def token_events(state: State[Table], seen: SeenTokens) -> Iterator[Event]:
    """Yield the auction token that was drawn, and what opened hands laid down.

    The rules refuse an amount that a seat cannot have (R-16).
    """
    head = state.agenda[0] if state.agenda else None
    match head:
        case DrawToken() if seen.certain(AUCTION_PLACE):
            left = {auction_token(kind): kind for kind in ev.KINDS if kind not in state.table.used}
            lying = seen.places[AUCTION_PLACE]
            if len(lying) == 1 and lying[0] in left:
                yield ev.TokenDrawn(left[lying[0]])
        case OpenFists():
            for seat in head.waiting:
                if head.counted[seat] is None and seen.certain(money_place(seat)):
                    first = (head.fists.firsts[seat] or 0) if head.fists.firsts else 0
                    amount = worth(TOKEN_KINDS, seen.places[money_place(seat)]) - first
                    if amount >= 0:
                        yield ev.FistCounted(seat, amount)


def token_claims(state: State[Table], seen: SeenTokens) -> Iterator[Event]:
    """Yield claims of purposes that lie open, if they are fulfilled (R-73)."""
    if not state.agenda:
        return
    purposes = {purpose_token(purpose.id): purpose.id for purpose in PURPOSES}
    for seat in range(state.table.fixed.players):
        place = purpose_place(seat)
        lying = seen.places[place] if seen.certain(place) else ()
        purpose = purposes.get(lying[0], "") if len(lying) == 1 else ""
        if purpose and claim_refusal(state.table, Seat(seat), purpose) is None:
            yield ev.Claimed(Seat(seat), purpose)
