"""Exchanged wagons, and the pool: cards that join, pairs that leave, unread abilities (R-01, R-06 to R-16)."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from companion.engine import Automatic, Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import refusals
from companion.games.game_of_trains.catalogue import ABILITIES, Book
from companion.games.game_of_trains.lines import drop_locks, replace_wagon
from companion.games.game_of_trains.table import DISCARD, Cards, Line, Table
from companion.mechanics.pool import without
from companion.mechanics.seating import with_value

LEAST_ODD = 3
"""The smallest odd group of equal cards: people choose the card that stays."""


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


def join_pool(table: Table, cards: Cards) -> Turn[Table]:
    """Return the table after cards joined the pool together, and the steps before pairs can leave (R-11)."""
    book = table.fixed.book
    after = replace(table, pool=table.pool + cards)
    unread = [ReadAbility(card) for card in cards if book.abilities[card] is None]
    return (after, (*unread, Pair()), ()) if unread else settle_pool(after)


def settle_pool(table: Table) -> Turn[Table]:
    """Return the table after equal cards left the pool; with real cards people choose the one that stays (R-11)."""
    pool, book = table.pool, table.fixed.book
    asked = () if table.fixed.dealt else odd(pool, book)
    if asked:
        return table, (*[KeepOdd(cards) for cards in asked], Pair()), ()
    gone = pairs(pool, book)
    return (discard(table, gone), (), (ev.PairsDiscarded(gone),)) if gone else (table, (), ())


def discard(table: Table, cards: Cards) -> Table:
    """Return the table after pool cards were discarded."""
    return replace(table, pool=without(table.pool, cards), zones=table.zones.put(DISCARD, *cards))


def exchange(table: Table, seat: Seat, card: int, position: int) -> Turn[Table]:
    """Return the table after a seat moved a card from its hand into its line (R-06, R-08)."""
    line = table.lines[seat]
    old = line[position - 1]
    table, lost = set_line(table, seat, replace_wagon(line, position, card), (position,))
    table, asked, followed = join_pool(table, (old,))
    return table, asked, (ev.Replaced(seat, position, old, card), *lost, *followed)


def set_line(table: Table, seat: Seat, line: Line, changed: Container[int]) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table with a seat's new line; padlocks at the changed positions go to the discard (R-16)."""
    lines = with_value(table.lines, seat, line)
    locks, fallen = drop_locks(table.locks[seat], changed)
    if not fallen:
        return replace(table, lines=lines), ()
    zones = table.zones.put(DISCARD, *[lock for _, lock in fallen])
    table = replace(table, lines=lines, locks=with_value(table.locks, seat, locks), zones=zones)
    return table, tuple([ev.LockLost(seat, position, lock) for position, lock in fallen])


class Pair(Automatic[Table], frozen=True):
    """Equal cards leave the pool in pairs (R-11)."""

    def run(self, table: Table) -> Turn[Table]:
        return settle_pool(table)


class KeepOdd(Step[Table], frozen=True):
    """Three or five equal cards are in the pool: people keep one and discard the others (R-11)."""

    cards: Cards

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (Choice(None, tuple([ev.OddKept(card) for card in self.cards]), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.OddKept)
        gone = tuple([card for card in self.cards if card != event.card])
        return discard(table, gone), (), (ev.PairsDiscarded(gone),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        cards = ", ".join(map(str, self.cards))
        if isinstance(event, ev.OddKept):
            return refusals.ONE_OF_THESE(cards=cards)
        return refusals.PAIR_MUST_GO(cards=cards)


class ReadAbility(Step[Table], frozen=True):
    """A card of the owner's box with an unknown ability came to the pool (R-01)."""

    card: int

    def legal(self, table: Table) -> tuple[Offer, ...]:
        said = tuple([ev.AbilityRead(self.card, ability) for ability in ABILITIES])  # type: ignore[arg-type]
        return (Choice(None, said, chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.AbilityRead)
        fixed = table.fixed
        book = fixed.book.reading(self.card, event.ability)
        return replace(table, fixed=replace(fixed, book=book)), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.ABILITY_UNREAD(card=self.card)
