"""The pool: cards that join, pairs that leave, and unread abilities (R-01, R-11)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, Offer, Refusal, Step, Turn
from companion.games.game_of_trains import refusals
from companion.games.game_of_trains.catalogue import ABILITIES, Book
from companion.games.game_of_trains.events import AbilityRead, OddKept, PairsDiscarded
from companion.games.game_of_trains.table import DISCARD, Cards, Table
from companion.mechanics.pool import without

LEAST_ODD = 3
"""From this many equal cards on, an odd number leaves one card, which people choose."""


def pairs(pool: Cards, book: Book) -> Cards:
    """Return the pairs that leave the pool; of an odd number the latest card stays (R-11)."""
    abilities = [book.abilities[card] for card in pool]
    if len(set(abilities)) == len(abilities):
        return ()
    single: dict[str | None, int] = {}
    gone: Cards = ()
    for card, ability in zip(pool, abilities, strict=True):
        other = single.pop(ability, None)
        if other is None:
            single[ability] = card
        else:
            gone += (other, card)
    return gone


def odd(pool: Cards, book: Book) -> tuple[Cards, ...]:
    """Return the groups of three or five equal cards in the pool."""
    groups: dict[str | None, Cards] = {}
    for card in pool:
        groups[book.abilities[card]] = (*groups.get(book.abilities[card], ()), card)
    return tuple([group for group in groups.values() if len(group) >= LEAST_ODD and len(group) % 2])


def join_pool(table: Table, cards: Cards) -> tuple[Table, tuple[Step[Table], ...], tuple[Effect, ...]]:
    """Return the table after cards joined the pool together, and the steps before pairs can leave (R-11)."""
    book = table.fixed.book
    after = replace(table, pool=table.pool + cards)
    unread = [ReadAbility(card) for card in cards if book.abilities[card] is None]
    return (after, (*unread, Pair()), ()) if unread else settle_pool(after)


def settle_pool(table: Table) -> Turn[Table]:
    """Return the table after equal cards left the pool; with real cards people choose which of three stays (R-11)."""
    pool, book = table.pool, table.fixed.book
    asked = () if table.fixed.dealt else odd(pool, book)
    if asked:
        return table, (*[KeepOdd(cards) for cards in asked], Pair()), ()
    gone = pairs(pool, book)
    return (discard(table, gone), (), (PairsDiscarded(gone),)) if gone else (table, (), ())


def discard(table: Table, cards: Cards) -> Table:
    """Return the table after pool cards were discarded."""
    return replace(table, pool=without(table.pool, cards), zones=table.zones.put(DISCARD, *cards))


class Pair(Step[Table], frozen=True):
    """Equal cards leave the pool in pairs (R-11)."""

    automatic: ClassVar[bool] = True

    def run(self, table: Table) -> Turn[Table]:
        """Discard the pairs."""
        return settle_pool(table)


class KeepOdd(Step[Table], frozen=True):
    """Three or five equal cards are in the pool: people keep one and discard the others (R-11)."""

    cards: Cards

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each of them."""
        return (Choice(None, tuple([OddKept(card) for card in self.cards]), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Discard the others."""
        assert isinstance(event, OddKept)
        gone = tuple([card for card in self.cards if card != event.card])
        return discard(table, gone), (), (PairsDiscarded(gone),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that all but one of these must be discarded first."""
        cards = ", ".join(map(str, self.cards))
        if isinstance(event, OddKept):
            return refusals.ONE_OF_THESE(cards=cards)
        return refusals.PAIR_MUST_GO(cards=cards)


class ReadAbility(Step[Table], frozen=True):
    """A card of the owner's box came to the pool, and the companion does not know its ability (R-01)."""

    card: int

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the eight abilities."""
        said = tuple([AbilityRead(self.card, ability) for ability in ABILITIES])  # type: ignore[arg-type]
        return (Choice(None, said, chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Add the ability to the book."""
        assert isinstance(event, AbilityRead)
        fixed = table.fixed
        book = fixed.book.reading(self.card, event.ability)
        return replace(table, fixed=replace(fixed, book=book)), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return which card must be read first."""
        return refusals.ABILITY_UNREAD(card=self.card)
