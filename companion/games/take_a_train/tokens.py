"""The tokens of Take a Train: the box's contents, the camera's readings, and simulated play with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine import Event, Seat, State, Step
from companion.engine.token_rules import SeenTokens, TokenKind, TokenLayout, TokenPlace, money_place, worth
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import MONEY
from companion.games.take_a_train.purposes import PURPOSES, claim_refusal
from companion.games.take_a_train.steps.lots import Nominate
from companion.games.take_a_train.steps.preemption import Choose, Choosing, OrderTie
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.sealed_auctions import BreakTie, Fists, OpenFists
from companion.games.take_a_train.steps.twist import Deal, Pick, TurnUp
from companion.games.take_a_train.table import Table

SEQUENCE = 6
"""Sequence tokens, numbered from 1 (both rulebooks; R-03)."""
AUCTION_BACK, PURPOSE_BACK = "back-auction", "back-purpose"
"""The names of the hiding faces."""


def token(family: str, which: object) -> str:
    """Return the name of a token, such as `money-500`, `auction-blind`, `sequence-1` or `purpose-P-1`."""
    return f"{family}-{which}"


TOKEN_KINDS: tuple[TokenKind, ...] = (
    *[TokenKind(token("money", value), count, value) for value, count in sorted(MONEY.items())],
    *[TokenKind(token("auction", kind), 1, back=AUCTION_BACK) for kind in ev.KINDS],
    *[TokenKind(token("sequence", number), 1) for number in range(1, SEQUENCE + 1)],
    *[TokenKind(token("purpose", purpose.id), 1, back=PURPOSE_BACK) for purpose in PURPOSES],
)
"""All 155 tokens, of 35 kinds (both rulebooks; R-03, R-04). Money and sequence tokens are the same on both faces."""

AUCTION_PLACE = "auction.token"
"""The place of the drawn auction token."""
MOST_MONEY = 14
"""The most tokens of a payment: two more than a player's starting tokens (R-09). The bank changes smaller ones."""
SEALED_KINDS = ("blind", "double_blind")
"""Auctions in which fists close after a locomotive is nominated."""


def own_place(seat: int, family: str) -> str:
    """Return the place of a seat's open purpose, or of its sequence token; the seat is counted from 0."""
    return f"seat.{seat + 1}.{family}"


def by_hand(table: Table) -> bool:
    """Return whether bids are tokens in real fists."""
    return table.fixed.options.bid_channel == "hand"


class Tokens:
    """The camera's questions about the tokens, and the tokens that people lay down in demonstrations."""

    token_kinds = TOKEN_KINDS
    token_options: Mapping[str, str] = {"bid_channel": "hand"}
    """Options of a match in which people close their fists around real money (R-30)."""

    def token_places(self, players: int) -> tuple[TokenPlace, ...]:
        """Return the places for tokens of a table: all in the open, none behind a screen."""
        places = [TokenPlace(AUCTION_PLACE)]
        for seat in map(Seat, range(players)):
            places.append(TokenPlace(money_place(seat), MOST_MONEY, seat))
            places += [TokenPlace(own_place(seat, family), 1, seat) for family in ("purpose", "sequence")]
        return tuple(places)

    def readable_places(self, state: State[Table]) -> tuple[str, ...]:
        """Return all places, except those of money while real fists are closed or cards of Twist lie face down."""
        head, players = state.head, state.table.fixed.players
        secret = by_hand(state.table) if isinstance(head, Fists) else isinstance(head, Deal | Pick | TurnUp)
        money = {money_place(seat) for seat in range(players)} if secret else set()
        return tuple([place.name for place in self.token_places(players) if place.name not in money])

    def lying_money(self, state: State[Table]) -> dict[str, int]:
        """Return the amount that may lie in front of each seat before fists close: nothing, or its first fist
        (R-35).
        """
        table, head = state.table, state.head
        if head is None or table.order or not by_hand(table):
            return {}
        return {money_place(seat): amount for seat, amount in enumerate(lying(table, head)) if amount is not None}

    def ordered_tokens(self, state: State[Table]) -> dict[str, str]:
        """Return the sequence token that the order gives to each seat (R-57)."""
        order = enumerate(state.table.order, 1)
        return {own_place(seat, "sequence"): token("sequence", number) for number, seat in order}

    def token_events(self, state: State[Table], seen: SeenTokens) -> Iterator[Event]:
        """Yield the drawn auction token, and the amounts laid down by opened hands.

        The rules refuse an amount that a seat cannot have (R-16).
        """
        match state.head:
            case DrawToken() if seen.certain(AUCTION_PLACE):
                kinds: dict[tuple[str, ...], ev.Kind] = {(token("auction", kind),): kind for kind in ev.KINDS}
                kind = kinds.get(seen.places[AUCTION_PLACE])
                if kind is not None and kind not in state.table.used:
                    yield ev.TokenDrawn(kind)
            case OpenFists(fists) as head:
                for seat in head.waiting:
                    if head.counted[seat] is None and seen.certain(money_place(seat)):
                        amount = worth(TOKEN_KINDS, seen.places[money_place(seat)]) - fists.first_bid(seat)
                        if amount >= 0:
                            yield ev.FistCounted(seat, amount)

    def token_claims(self, state: State[Table], seen: SeenTokens) -> Iterator[Event]:
        """Yield claims of open purposes, if they are fulfilled (R-73)."""
        purposes: dict[tuple[str, ...], str] = {(token("purpose", purpose.id),): purpose.id for purpose in PURPOSES}
        for seat in map(Seat, range(state.table.fixed.players if state.agenda else 0)):
            place = own_place(seat, "purpose")
            purpose = purposes.get(seen.places[place], "") if seen.certain(place) else ""
            if purpose and claim_refusal(state.table, seat, purpose) is None:
                yield ev.Claimed(seat, purpose)

    # --- in a demonstration -----------------------------------------------------------------------

    def token_layout(self, state: State[Table]) -> TokenLayout | None:
        """Return the tokens that lie on the table; None if bids are made on devices without money."""
        table = state.table
        if not by_hand(table):
            return None
        places = [place.name for place in self.token_places(table.fixed.players)]
        tokens: dict[str, tuple[str, ...]] = {name: () for name in places if not name.endswith("money")}
        if table.kind:
            tokens[AUCTION_PLACE] = (token("auction", table.kind),)
        tokens |= {place: (token,) for place, token in self.ordered_tokens(state).items()}
        money = {money_place(s): laid_down(state, Seat(s)) for s in range(table.fixed.players)}
        return TokenLayout(tokens, {place: amount for place, amount in money.items() if amount is not None})

    def count_of(self, state: State[Table], event: Event) -> Event | None:
        """Return the count of an open hand that must precede its seat's statement, if nobody has counted it (R-32a)."""
        match state.head, event:
            case OpenFists(counted=counted), ev.FistConfirmed(seat, amount) if counted[seat] is None:
                return ev.FistCounted(seat, amount)
        return None

    def counts_shown(self, view: Mapping[str, Any]) -> tuple[Event, ...]:
        """Return the counts of open hands that a public view shows."""
        amounts = [(Seat(each["seat"]), each["counted"]) for each in view["seats"]]
        return tuple([ev.FistCounted(seat, amount) for seat, amount in amounts if amount is not None])

    def word_of(self, count: Event) -> Event:
        """Return a seat's statement about its open hand if no camera counts it, or if the camera miscounts (R-32a)."""
        assert isinstance(count, ev.FistCounted)
        return ev.FistConfirmed(count.seat, count.amount)

    def claim_layout(self, event: Event) -> dict[str, tuple[str, ...]]:
        """Return the purpose that a seat lays open for its claim (R-73), otherwise nothing."""
        if not isinstance(event, ev.Claimed):
            return {}
        return {own_place(event.seat, "purpose"): (token("purpose", event.purpose),)}


def lying(table: Table, head: Step[Table]) -> tuple[int | None, ...]:
    """Return the amounts that may lie in front of each seat; None if not compared."""
    seats = tuple(map(Seat, range(table.fixed.players)))
    match head:
        case Fists():
            return tuple(map(head.first_bid, seats))
        case OpenFists(Fists() as fists) if fists.firsts:
            return tuple([fists.firsts[seat] if head.counted[seat] is None else None for seat in seats])
        case Nominate() | RevealLocos() if table.kind in SEALED_KINDS:
            return (0,) * len(seats)
        case Choose():  # a seat that has chosen has paid; the bids of the others still lie there
            return tuple([None if seat in head.order else 0 for seat in seats])
    return ()


def laid_down(state: State[Table], seat: Seat) -> int | None:
    """Return the amount in front of a seat; None for an open hand without a count."""
    amount = 0
    for step in state.agenda:
        match step:
            case OpenFists() if seat in step.waiting and step.counted[seat] is None:
                return None
            case Choose():
                amount += step.bids[seat] if seat in step.order else 0
            case OpenFists() | Fists() | BreakTie() | OrderTie() | Choosing():
                amount += step.owes(seat)
    return amount
