"""Twist: place one card, pass the rest left; reveal together and pay, or turn cards face down (R-51 to R-56)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.purposes import drive_mask, note_one
from companion.games.take_a_train.steps.reveal import figures, read_figures, unread
from companion.games.take_a_train.table import TRAINS, Table, paid, power, replacement, train_of
from companion.mechanics.offers import Sets
from companion.mechanics.pool import HandDeal, without
from companion.mechanics.seating import with_value

Hand = tuple[str, ...]
Hands = tuple[Hand, ...]


class Deal(Step[Table], frozen=True):
    """Chance: three locomotives in each hand, if the companion deals (R-51)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (HandDeal(ev.TwistDealt, table.pool, table.fixed.players, TRAINS),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.TwistDealt)
        cards = [card for hand in event.hands for card in hand]
        table = replace(table, pool=without(table.pool, cards), deck=0, in_hands=len(cards))
        return table, (pick_from(event.hands),), ()


class Pick(Step[Table], frozen=True):
    """Every seat places one card of its hand; after the last one, the rest goes left (R-52 to R-54).

    `hands` and `placed` hold cards only if the companion dealt them; otherwise they stay empty, and only the flags of
    the seats that have placed are known.
    """

    hands: Hands
    placed: Hands
    ready: tuple[bool, ...]
    passes: int = 0

    def legal(self, table: Table) -> tuple[Offer, ...]:
        hands: Sequence[Sequence[str | None]] = self.hands if table.fixed.dealt else [(None,)] * len(self.ready)
        return tuple([Choice(s, tuple([ev.TwistPicked(s, card) for card in hands[s]])) for s in self.picking])

    @property
    def picking(self) -> tuple[Seat, ...]:
        """The seats that have not placed a card yet."""
        return tuple([Seat(s) for s, ready in enumerate(self.ready) if not ready])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Place the card; after the last seat pass the rest left, and place the last card automatically."""
        assert isinstance(event, ev.TwistPicked)
        seat, card = event.seat, event.card
        hands, placed = self.hands, self.placed
        if card is not None:
            hands = with_value(hands, seat, without(hands[seat], (card,)))
            placed = with_value(placed, seat, (*placed[seat], card))
        ready = with_value(self.ready, seat, True)
        if not all(ready):
            return table, (replace(self, hands=hands, placed=placed, ready=ready),), ()
        hands = (*hands[-1:], *hands[:-1])
        if self.passes == 0:
            return table, (Pick(hands, placed, (False,) * len(ready), 1),), ()
        if not table.fixed.dealt:
            return table, (TurnUp(),), ()
        return turned_up(table, tuple([own + last for own, last in zip(placed, hands, strict=True)]))

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return (privately) that the seat has already placed a card, or holds no such card."""
        if not isinstance(event, ev.TwistPicked):
            return None
        if self.ready[event.seat]:
            return refusals.ALREADY_PICKED.to(event.seat)
        return refusals.NOT_IN_HAND.to(event.seat, card=event.card)


def pick_from(hands: Hands) -> Pick:
    """Return the first choice out of hands, which are empty unless the companion deals (R-52)."""
    return Pick(hands, ((),) * len(hands), (False,) * len(hands))


class TurnUp(Step[Table], frozen=True):
    """Chance: with real cards, every seat reveals the three cards it placed (R-55)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        new = unread(table, table.pool)
        pool = tuple([card for card in table.pool if card not in new])
        deals = (HandDeal(ev.TwistRevealed, pool, table.fixed.players, TRAINS),)
        return (*(deals if deals[0] else ()), *([figures(new)] if new else []))

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Record the figures, or reveal all cards."""
        if isinstance(event, ev.FigureRead):
            return read_figures(table, event), (self,), ()
        assert isinstance(event, ev.TwistRevealed)
        table = replace(table, pool=without(table.pool, [c for t in event.trains for c in t]), deck=0)
        return turned_up(table, event.trains)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.TwistRevealed):
            return None
        return refusals.CARD_ALREADY_IN_PLAY(cards=", ".join(c for t in event.trains for c in t))


def cost(table: Table, cards: Hand) -> int:
    """Return the price of some locomotives: the sum of their powers times their highest multiplier (R-55)."""
    total = sum([power(table, card) for card in cards])
    if not cards or table.fixed.options.twist_payment == "sum_only":
        return total
    return total * max([table.fixed.book.locos[card].multiplier or 0 for card in cards])


def turned_up(table: Table, trains: Hands) -> Turn[Table]:
    """Let every seat pay for its three cards, or wait for those that must turn cards face down (R-55, R-56)."""
    effects: tuple[Effect, ...] = ()
    broke: tuple[Seat, ...] = ()
    table = replace(table, in_hands=TRAINS * table.fixed.players)
    for seat, cards in zip(map(Seat, range(len(trains))), trains, strict=True):
        if cost(table, cards) > table.cash[seat]:
            broke += (seat,)
        else:
            table, more = settle(table, seat, cards, ())
            effects += more
    return table, ((Flips(trains, broke),) if broke else ()), effects


def settle(table: Table, seat: Seat, cards: Hand, down: Hand) -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat its three locomotives, some of them face down, for the price of the others."""
    up = without(cards, down)
    price = cost(table, up)
    table, effects = paid(table, seat, -price, "locomotives")
    own = tuple([replacement(c) if c in down else train_of(table.fixed.book.locos[c]) for c in cards])
    table = replace(table, trains=with_value(table.trains, seat, own), in_hands=table.in_hands - TRAINS)
    table = note_one(table, seat, drive_mask(own))
    sold = [ev.Sold(seat, card, power(table, card)) for card in up]
    return table, (*sold, *([ev.Replaced(seat, len(down))] if down else []), *effects)


def flips(table: Table, seat: Seat, cards: Hand) -> tuple[Hand, ...]:
    """Return the sets of cards that a seat may turn face down: as few as suffice (R-56).

    A seat that can now pay for all three, after claiming a purpose in between, turns none.
    """
    every = [down for count in range(TRAINS + 1) for down in combinations(cards, count)]
    enough = [down for down in every if cost(table, without(cards, down)) <= table.cash[seat]]
    few = len(enough[0]) if table.fixed.options.twist_flips == "minimal" else TRAINS
    return tuple([down for down in enough if len(down) <= few])


class Flips(Step[Table], frozen=True):
    """Seats that cannot pay turn as few of their three cards face down as necessary (R-56)."""

    trains: Hands
    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return tuple([Sets(seat, ev.Flipped, flips(table, seat, self.trains[seat])) for seat in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.Flipped)
        table, effects = settle(table, event.seat, self.trains[event.seat], event.cards)
        rest = tuple([seat for seat in self.seats if seat != event.seat])
        return table, ((Flips(self.trains, rest),) if rest else ()), effects

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return (privately) that no card, or other cards, must be turned face down."""
        if not isinstance(event, ev.Flipped):
            return None
        if event.seat not in self.seats:
            return refusals.FLIP_NOT_NEEDED.to(event.seat)
        cards = self.trains[event.seat]
        if not set(event.cards) <= set(cards) or len(set(event.cards)) != len(event.cards):
            return refusals.NOT_IN_HAND.to(event.seat, card=", ".join(event.cards))
        price, cash = cost(table, without(cards, event.cards)), table.cash[event.seat]
        if price <= cash:
            return refusals.FLIP_NOT_NEEDED.to(event.seat)
        return refusals.FLIP_INSUFFICIENT.to(event.seat, price=price, cash=cash)
