"""Twist: place one card, pass the rest left; reveal together and pay, or turn cards face down (R-51 to R-56)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, Luck, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.purposes import drive_mask, note_one
from companion.games.take_a_train.steps.reveal import Figures, read_figures, unread
from companion.games.take_a_train.table import TRAINS, Table, paid, power, replacement, train_of, with_trains
from companion.mechanics.pool import Pool, shuffle, without

Hand = tuple[str, ...]
Hands = tuple[Hand, ...]


class Deals(msgspec.Struct, frozen=True, gc=False):
    """Chance: three cards of the deck for every seat, as hands or as revealed cards."""

    kind: type[ev.TwistDealt] | type[ev.TwistRevealed]
    pool: Pool
    players: int
    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        hands = event.hands if isinstance(event, ev.TwistDealt) else event.trains
        cards = [card for hand in hands for card in hand]
        return (
            len(hands) == self.players
            and all(len(hand) == TRAINS for hand in hands)
            and len(set(cards)) == len(cards)
            and all(card in self.pool for card in cards)
        )

    def __iter__(self) -> Iterator[Event]:
        yield self.pick(lambda: 0.0)

    def pick(self, luck: Luck) -> Event:
        """Return a random deal."""
        cards = shuffle(self.pool, luck)
        return self.kind(tuple([cards[TRAINS * s : TRAINS * (s + 1)] for s in range(self.players)]))


class Deal(Step[Table], frozen=True):
    """Chance: three locomotives in each hand, where the companion deals (R-51)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every deal out of the deck."""
        return (Deals(ev.TwistDealt, table.pool, table.fixed.players),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Let everyone pick from its own hand."""
        assert isinstance(event, ev.TwistDealt)
        cards = [card for hand in event.hands for card in hand]
        table = replace(table, pool=without(table.pool, cards), deck=0, in_hands=len(cards))
        nothing: Hands = ((),) * table.fixed.players
        return table, (Pick(event.hands, nothing, (False,) * table.fixed.players),), ()


class Pick(Step[Table], frozen=True):
    """Every seat places one card of its hand; after the last one, the rest goes left (R-52 to R-54).

    `hands` and `placed` hold cards only when the companion dealt them; otherwise they stay empty and
    only the flags of who has placed are known.
    """

    hands: Hands
    placed: Hands
    ready: tuple[bool, ...]
    passes: int = 0

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each seat that has not placed yet the cards of its hand."""
        offers: list[Offer] = []
        for s, ready in enumerate(self.ready):
            if not ready:
                seat = Seat(s)
                cards: tuple[str | None, ...] = self.hands[s] if table.fixed.dealt else (None,)
                offers.append(Choice(seat, tuple([ev.TwistPicked(seat, card) for card in cards])))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Place the card; after the last seat pass the rest left, and place the last card automatically."""
        assert isinstance(event, ev.TwistPicked)
        seat, card = event.seat, event.card
        hands, placed = self.hands, self.placed
        if card is not None:
            hands = (*hands[:seat], without(hands[seat], (card,)), *hands[seat + 1 :])
            placed = (*placed[:seat], (*placed[seat], card), *placed[seat + 1 :])
        ready = (*self.ready[:seat], True, *self.ready[seat + 1 :])
        if not all(ready):
            return table, (replace(self, hands=hands, placed=placed, ready=ready),), ()
        hands = (*hands[-1:], *hands[:-1])
        if self.passes == 0:
            return table, (Pick(hands, placed, (False,) * len(ready), 1),), ()
        if not table.fixed.dealt:
            return table, (TurnUp(),), ()
        return turned_up(table, tuple([own + last for own, last in zip(placed, hands, strict=True)]))

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return (privately) that the seat has placed already, or holds no such card."""
        if not isinstance(event, ev.TwistPicked):
            return None
        if self.ready[event.seat]:
            return refusals.ALREADY_PICKED.to(event.seat)
        return refusals.NOT_IN_HAND.to(event.seat, card=event.card)


class TurnUp(Step[Table], frozen=True):
    """Chance: with real cards, every seat reveals the three cards it placed (R-55)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every deal of known cards, and reading the figures of new ones."""
        new = unread(table, table.pool)
        pool = tuple([card for card in table.pool if card not in new])
        offers: list[Offer] = []
        if len(pool) >= TRAINS * table.fixed.players:
            offers.append(Deals(ev.TwistRevealed, pool, table.fixed.players))
        if new:
            offers.append(Figures(new))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Note the figures, or reveal all cards."""
        if isinstance(event, ev.FigureRead):
            return read_figures(table, event), (self,), ()
        assert isinstance(event, ev.TwistRevealed)
        table = replace(table, pool=without(table.pool, [c for t in event.trains for c in t]), deck=0)
        return turned_up(table, event.trains)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that every seat needs three different cards with known figures."""
        if isinstance(event, ev.TwistRevealed):
            return refusals.CARD_ALREADY_IN_PLAY(cards=", ".join(c for t in event.trains for c in t))
        return None


def cost(table: Table, cards: Hand) -> int:
    """Return the price of some locomotives: the sum of their powers times their highest multiplier (R-55)."""
    total = sum([power(table, card) for card in cards])
    if not cards or table.fixed.options.twist_payment == "sum_only":
        return total
    return total * max([table.fixed.book.locos[card].multiplier or 0 for card in cards])


def turned_up(table: Table, trains: Hands) -> Turn[Table]:
    """Let every seat pay for its three cards, or wait for those that must turn cards face down (R-55, R-56)."""
    effects: tuple[Effect, ...] = ()
    broke: list[Seat] = []
    table = replace(table, in_hands=TRAINS * table.fixed.players)
    for s, cards in enumerate(trains):
        if cost(table, cards) > table.cash[s]:
            broke.append(Seat(s))
            continue
        table, more = settle(table, Seat(s), cards, ())
        effects += more
    return table, ((Flips(trains, tuple(broke)),) if broke else ()), effects


def settle(table: Table, seat: Seat, cards: Hand, down: Hand) -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat its three locomotives, some of them face down, for the price of the others."""
    up = without(cards, down)
    price = cost(table, up)
    table, effects = paid(table, seat, -price, "locomotives")
    own = tuple([replacement(c) if c in down else train_of(table.fixed.book.locos[c]) for c in cards])
    table = replace(table, trains=with_trains(table, seat, own), in_hands=table.in_hands - TRAINS)
    table = note_one(table, seat, drive_mask(own))
    sold: list[Effect] = [ev.Sold(seat, card, power(table, card)) for card in up]
    if down:
        sold.append(ev.Replaced(seat, len(down)))
    return table, (*sold, *effects)


def flips(table: Table, seat: Seat, cards: Hand) -> tuple[Hand, ...]:
    """Return the sets of cards a seat may turn face down: as few as suffice (R-56).

    A seat that can pay for all three by now, having claimed a purpose in between, turns none.
    """
    for count in range(TRAINS + 1):
        enough = tuple(
            [down for down in combinations(cards, count) if cost(table, without(cards, down)) <= table.cash[seat]]
        )
        if enough and table.fixed.options.twist_flips == "minimal":
            return enough
    every = (down for count in range(TRAINS + 1) for down in combinations(cards, count))
    return tuple([down for down in every if cost(table, without(cards, down)) <= table.cash[seat]])


class FlipSets(msgspec.Struct, frozen=True, gc=False):
    """An offer of sets of a seat's cards, in any order."""

    by: Seat
    sets: tuple[Hand, ...]
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        return (
            type(event) is ev.Flipped
            and event.seat == self.by
            and any(sorted(event.cards) == sorted(cards) for cards in self.sets)
        )

    def __iter__(self) -> Iterator[Event]:
        return (ev.Flipped(self.by, cards) for cards in self.sets)

    def pick(self, luck: Luck) -> Event:
        """Return one of the sets."""
        return ev.Flipped(self.by, self.sets[int(luck() * len(self.sets))])


class Flips(Step[Table], frozen=True):
    """Seats that cannot pay turn as few of their three cards face down as necessary (R-56)."""

    trains: Hands
    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each of these seats the smallest sets that suffice."""
        return tuple([FlipSets(seat, flips(table, seat, self.trains[seat])) for seat in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Turn the cards face down and pay for the rest."""
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
