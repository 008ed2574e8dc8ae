"""The wagon market: reveals from the wagon deck, Bin and Longer stock (R-59, R-61, R-65a, R-67a, R-67b)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Effect, Event, Luck, Offer, Refusal, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import CARGO, FIGURES, SPECIALS, can_be, wagon_id, wagon_parts
from companion.games.take_a_train.table import LONGER_LIMIT, Table
from companion.mechanics.pool import ChanceOffer, Draw, Pool, without
from companion.mechanics.seating import with_value


class WagonDraw(ChanceOffer, frozen=True, gc=False):
    """Wagon cards revealed from a deck with unknown values: any value from 50 to 500 (R-02)."""

    pool: Pool
    first: int
    rest: Pool
    second: int

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.CardsRevealed or len(event.cards) != self.first + self.second:
            return False
        try:
            out_of(self.pool, event.cards[: self.first])
            out_of(self.rest, event.cards[self.first :])
        except ValueError:
            return False
        return True

    def pick(self, luck: Luck) -> Event:
        drawn = Draw(ev.CardsRevealed, self.pool, self.first, self.rest, self.second).pick(luck)
        assert isinstance(drawn, ev.CardsRevealed)
        return ev.CardsRevealed(tuple([valued(card, luck) if card in CARGO else card for card in drawn.cards]))


def valued(cargo: str, luck: Luck) -> str:
    """Return a wagon of a type with a random value."""
    values = FIGURES["value"]
    return wagon_id(cargo, values[int(luck() * len(values))])


def out_of(pool: Pool, cards: Pool) -> Pool:
    """Return the pool without the cards, which it may list by type alone; raise `ValueError` for a missing card."""
    for card in cards:
        if card not in pool:
            cargo, value = wagon_parts(card)
            if not can_be("value", value):
                raise ValueError(f"{card}: a wagon's value is a multiple of 50 from 50 to 500")
            card = cargo
        pool = without(pool, (card,))
    return pool


def drawable(table: Table) -> int:
    """Return how many cards can still be revealed: the deck and the discards that form a new one (R-65a).

    A discard of only the Bonus makes no new deck: it would return at once and pay for ever.
    """
    reshuffles = table.discard != ("bonus",)
    return len(table.wagons) + (len(table.discard) if reshuffles else 0)


def refill(table: Table, slots: tuple[int, ...]) -> tuple[Step[Table], ...]:
    """Return the reveal that fills the slots, or nothing if no card is left (R-65a)."""
    left = drawable(table)
    return (RevealCards(slots[:left]),) if left and slots else ()


class RevealCards(Step[Table], frozen=True):
    """Chance: a wagon card is revealed for each slot, in slot order (R-59, R-61, R-62)."""

    slots: tuple[int, ...]

    def parts(self, table: Table) -> tuple[int, int]:
        count = len(self.slots)
        first = min(len(table.wagons), count)
        return first, count - first

    def legal(self, table: Table) -> tuple[Offer, ...]:
        first, second = self.parts(table)
        if table.fixed.book.open_values:
            return (WagonDraw(table.wagons, first, table.discard, second),)
        return (Draw(ev.CardsRevealed, table.wagons, first, table.discard, second),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Put the cards into the slots; Bin and Longer stock act at once (R-67a, R-67b)."""
        assert isinstance(event, ev.CardsRevealed)
        cards = event.cards
        first, second = self.parts(table)
        take = out_of if table.fixed.book.open_values else without
        effects: tuple[Effect, ...] = ()
        if second:
            effects = (ev.Reshuffled("wagons", len(table.discard)),)
            deck = take(table.discard, cards[first:])
            discard: Pool = ()
        else:
            deck, discard = take(table.wagons, cards), table.discard
        if len(cards) == 1 and cards[0] not in _ACTING:
            at = self.slots[0]
            market = with_value(table.market, at, cards[0])
            return replace(table, wagons=deck, discard=discard, market=market), (), effects
        table = replace(table, wagons=deck, discard=discard)
        return lay(table, self.slots, cards, effects)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.CardsRevealed):
            return None
        if len(event.cards) != len(self.slots):
            return refusals.WRONG_CARD_COUNT(expected=len(self.slots), seen=len(event.cards))
        for card in event.cards:
            if card in SPECIALS:
                continue
            try:
                _, value = wagon_parts(card)
            except ValueError:
                return refusals.NO_SUCH_WAGON(card=card)
            if not can_be("value", value):
                return refusals.BAD_WAGON_VALUE(card=card)
        return refusals.CARD_OVER_COUNT(cards=", ".join(event.cards))


_ACTING = ("bin", "longer")


def lay(table: Table, slots: tuple[int, ...], cards: Pool, effects: tuple[Effect, ...]) -> Turn[Table]:
    """Put revealed cards into slots one by one, resolving Bin and Longer stock in between."""
    market, discard, boxed, longer = list(table.market), table.discard, table.boxed, table.longer
    todo = list(slots)
    for card in cards:
        if card == "longer":
            longer, boxed = True, (*boxed, card)
            effects += (ev.StockLengthened(LONGER_LIMIT),)
        elif card == "bin":
            boxed = (*boxed, card)
            gone = tuple([c for c in market if c is not None])
            market = [None] * len(market)
            discard += gone
            todo = [*range(len(market))]
            effects += (ev.BinCleared(gone),)
        else:
            market[todo.pop(0)] = card
    table = replace(table, market=tuple(market), discard=discard, boxed=boxed, longer=longer)
    return table, refill(table, tuple(todo)), effects
