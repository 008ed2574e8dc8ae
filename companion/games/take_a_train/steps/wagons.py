"""Stage two: a seat's turn (take, exchange or pass) and the special cards (R-60 to R-67)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Automatic, Choice, Deciding, Effect, Event, Luck, Offer, Seat, Step, Turn
from companion.engine.refusal import NOT_YOUR_TURN, Refusal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import FIGURES, TAKEABLE_SPECIALS, UNIT, can_be
from companion.games.take_a_train.purposes import bit, note_one, wagon_mask
from companion.games.take_a_train.steps.market import refill
from companion.games.take_a_train.table import MARKET_SIZE, Table, Train, limit, paid, wagon, with_train
from companion.mechanics.offers import Pairs, TableOffer
from companion.mechanics.seating import with_value

BONUS = 600
"""The payment for the Bonus card (both rulebooks; R-67d)."""
_SPECIAL_TAKEN = bit("P-2")


class OpenMarket(Automatic[Table], frozen=True):
    """The market is filled, then the turns begin with sequence token 1 (R-59)."""

    def run(self, table: Table) -> Turn[Table]:
        size = MARKET_SIZE[table.fixed.players]
        deck = tuple([card for card in table.fixed.book.wagons if card not in table.boxed])
        table = replace(table, market=(None,) * size, wagons=deck, discard=(), longer=False)
        return table, (*refill(table, tuple(range(size))), Act(0)), ()


class Takes(Pairs, frozen=True, gc=False):
    """An offer of the cards a seat may take, each with a possible train."""

    moves: tuple[tuple[int, int | None], ...]
    kind: ClassVar = ev.Took

    def pairs(self) -> tuple[tuple[int, int | None], ...]:
        return self.moves


class Exchanges(msgspec.Struct, frozen=True, gc=False):
    """An offer of any filled slots to exchange together for one price (R-61)."""

    by: Seat
    filled: tuple[int, ...]
    price: int
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.Exchanged or event.seat != self.by or not event.slots:
            return False
        slots = event.slots
        return len(set(slots)) == len(slots) and all(slot in self.filled for slot in slots)

    def __iter__(self) -> Iterator[Event]:
        every = (s for count in range(1, len(self.filled) + 1) for s in combinations(self.filled, count))
        return (ev.Exchanged(self.by, slots) for slots in every)

    def pick(self, luck: Luck) -> Event:
        which = 1 + int(luck() * ((1 << len(self.filled)) - 1))
        return ev.Exchanged(self.by, tuple([slot for i, slot in enumerate(self.filled) if which >> i & 1]))


def costs(token: int) -> TableOffer[ev.CostRead]:
    """Return the offer of any possible price on an unread sequence token (R-58)."""
    return TableOffer(
        ev.CostRead,
        lambda event: event.token == token and can_be("price", event.amount),
        (ev.CostRead(token, 6 * UNIT),),
        lambda luck: ev.CostRead(token, UNIT * (2 + int(luck() * 10))),
        chance=True,
    )


class Act(Step[Table], frozen=True):
    """A seat's turn: at most one exchange, then exactly one of take or pass (R-60 to R-65)."""

    at: int
    """Position in the order of the sequence tokens, from 0."""
    passes: int = 0
    exchanges: int = 0

    def moves(self, table: Table, seat: Seat) -> tuple[tuple[int, int | None], ...]:
        """Return the allowed pairs of a market slot and one of the seat's trains (R-62, R-63, R-67)."""
        own = table.trains[seat]
        cargos = [train.cargo for train in own]
        free = [i for i, cargo in enumerate(cargos) if cargo is None]
        found: list[tuple[int, int | None]] = []
        for slot, card in enumerate(table.market):
            if card in TAKEABLE_SPECIALS:
                found += [(slot, train) for train in special_targets(table, card, own)]
            elif card is not None:
                cargo = wagon(card).type
                if cargo in cargos:
                    found.append((slot, cargos.index(cargo)))
                else:
                    found += [(slot, i) for i in free]
        return tuple(found)

    def exchange_price(self, table: Table) -> int | None:
        """Return the price of an exchange for the seat, None if its token is unread (R-58)."""
        return table.fixed.book.price(self.at + 1, table.fixed.players)

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = table.order[self.at]
        offers: list[Offer] = [Choice(seat, (ev.TurnPassed(seat),))]
        moves = self.moves(table, seat)
        if moves:
            offers.append(Takes(seat, moves))
        if not self.exchanges or table.fixed.options.exchanges_per_turn == "unlimited":
            price = table.fixed.book.price(self.at + 1, table.fixed.players)
            filled = filled_slots(table)
            if price is None:
                offers.append(costs(self.at + 1))
            elif filled and table.cash[seat] >= price:
                offers.append(Exchanges(seat, filled, price))
        return tuple(offers)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        return (table.order[self.at],)

    def timing(self, table: Table) -> Deciding:
        """Return the meaning of a press of the seat on turn: a pass (R-64)."""
        seat = table.order[self.at]
        return Deciding((table.round, self), seat, ev.TurnPassed(seat))

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take, pass or exchange, and continue."""
        match event:
            case ev.Took():
                return self.take(table, event)
            case ev.TurnPassed() if self.passes + 1 < table.fixed.players:
                return table, (Act(self.following(table), self.passes + 1),), ()
            case ev.TurnPassed():
                return table, (), (ev.RoundEnded("passed", None),)
            case ev.Exchanged():
                return self.exchange(table, event)
            case ev.CostRead(token, amount):
                book = table.fixed.book
                book = replace(book, sequence=with_value(book.sequence, token - 1, amount))
                return replace(table, fixed=replace(table.fixed, book=book)), (self,), ()
        raise TypeError(f"a turn takes no {type(event).__name__}")

    def exchange(self, table: Table, event: ev.Exchanged) -> Turn[Table]:
        """Pay, discard the chosen cards and reveal as many; the turn goes on (R-61)."""
        price = self.exchange_price(table)
        assert price is not None
        slots = tuple(sorted(event.slots))
        gone = tuple([table.market[slot] or "" for slot in slots])
        market = tuple([None if i in slots else card for i, card in enumerate(table.market)])
        table, effects = paid(table, event.seat, -price, "exchange")
        table = replace(table, market=market, discard=table.discard + gone)
        again = Act(self.at, self.passes, self.exchanges + 1)
        return table, (*refill(table, slots), again), effects

    def take(self, table: Table, event: ev.Took) -> Turn[Table]:
        """Attach the card or use it; end the round if a train is full, otherwise refill the slot (R-62, R-65)."""
        seat, slot = event.seat, event.slot
        card = table.market[slot]
        assert card is not None
        table = replace(table, market=with_value(table.market, slot, None))
        effects: tuple[Effect, ...] = (ev.Taken(seat, card, event.train),)
        if event.train is None:
            table, moves = paid(replace(table, discard=(*table.discard, card)), seat, BONUS, "bonus")
            table = note_one(table, seat, _SPECIAL_TAKEN)
            effects += moves
        else:
            train = attach(table, table.trains[seat][event.train], card)
            table = replace(table, trains=with_train(table, seat, event.train, train))
            mask = wagon_mask(table, seat) | (_SPECIAL_TAKEN if card in TAKEABLE_SPECIALS else 0)
            table = note_one(table, seat, mask)
            if len(train.wagons) >= limit(table):
                return table, (), (*effects, ev.RoundEnded("full", seat))
        return table, (*refill(table, (slot,)), Act(self.following(table))), effects

    def following(self, table: Table) -> int:
        """Return the next position in the order."""
        return (self.at + 1) % table.fixed.players

    def explain(self, table: Table, event: Event) -> Refusal | None:
        seat = table.order[self.at]
        match event:
            case ev.CostRead(token, amount):
                known, most = can_be("price", amount), FIGURES["price"][-1]
                return refusals.COST_KNOWN(token=token) if known else refusals.BAD_PRICE(token=token, total=most)
            case ev.Exchanged(other) if other == table.order[self.at - 1] != seat:
                return refusals.EXCHANGE_AFTER_ACTION(seat=seat)
            case ev.Took(other) | ev.TurnPassed(other) | ev.Exchanged(other) if other != seat:
                return NOT_YOUR_TURN(seat=seat)
            case ev.Exchanged():
                return self.explain_exchange(table, event)
            case ev.Took():
                return take_refusal(table, event)
        return None

    def explain_exchange(self, table: Table, event: ev.Exchanged) -> Refusal:
        """Return why the exchange is refused; price and cash only privately (R-58, R-60, R-61)."""
        if self.exchanges and table.fixed.options.exchanges_per_turn != "unlimited":
            return refusals.ALREADY_EXCHANGED()
        if not event.slots:
            return refusals.EMPTY_SELECTION()
        for slot in event.slots:
            if slot not in filled_slots(table) or event.slots.count(slot) > 1:
                return refusals.SLOT_EMPTY_R61(slot=slot + 1)
        price = self.exchange_price(table)
        if price is None:
            return refusals.EXCHANGE_COST_UNKNOWN(token=self.at + 1)
        return refusals.CANNOT_AFFORD_EXCHANGE.to(event.seat, price=price, cash=table.cash[event.seat])


def filled_slots(table: Table) -> tuple[int, ...]:
    """Return the filled slots of the market."""
    return tuple([slot for slot, card in enumerate(table.market) if card is not None])


def special_targets(table: Table, card: str, own: tuple[Train, ...]) -> list[int | None]:
    """Return the possible places of a special card: train numbers, or None for the Bonus (R-67c to R-67e)."""
    if card == "bonus":
        return [] if table.fixed.options.bank_limit == "strict" and table.bank < BONUS else [None]
    return [i for i, train in enumerate(own) if train.wagons or card != "twin"]


def attach(table: Table, train: Train, card: str) -> Train:
    """Return the train with the card attached: a wagon, a Twin's copy, or Multiplier +1 beside it."""
    if card == "multiplier":
        return replace(train, boosted=True)
    wagons = train.wagons
    if card == "twin" and table.fixed.options.twin_first:
        return replace(train, wagons=(replace(wagons[0], twin=True), *wagons))
    if card == "twin":
        return replace(train, wagons=(*wagons, replace(wagons[-1], twin=True)))
    new = wagon(card)
    return replace(train, wagons=(*wagons, new), cargo=new.type)


def take_refusal(table: Table, event: ev.Took) -> Refusal:
    """Return why a card cannot be taken there (R-62, R-63, R-67)."""
    if event.slot not in filled_slots(table):
        return refusals.SLOT_EMPTY(slot=event.slot + 1)
    card = table.market[event.slot] or ""
    own = table.trains[event.seat]
    if card == "bonus":
        return refusals.BANK_EMPTY() if event.train is None else refusals.BONUS_NEEDS_NO_TRAIN()
    if event.train is None or not 0 <= event.train < len(own):
        return refusals.NO_SUCH_TRAIN(train=event.train)
    if card == "twin":
        return refusals.TWIN_NEEDS_WAGON()
    cargo = wagon(card).type
    if own[event.train].cargo not in (None, cargo):
        return refusals.TYPE_MISMATCH(cargo=cargo, train=own[event.train].cargo)
    return refusals.TYPE_USED_ELSEWHERE(cargo=cargo)
