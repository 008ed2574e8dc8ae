"""Revealing locomotive cards, and reading figures off the owner's cards for the first time (R-01, R-24)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Event, Offer, Refusal, Step, Turn
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import FIGURES, LOCO_FIGURES, UNIT, Loco, can_be
from companion.games.take_a_train.events import FigureRead, LocosRevealed, Reshuffled
from companion.games.take_a_train.table import Table
from companion.mechanics.pool import Draw, Pool, without


class Figures(msgspec.Struct, frozen=True, gc=False):
    """Any figures for locomotives of the owner's box that nobody has read yet (R-01)."""

    unread: tuple[str, ...]
    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __contains__(self, event: object) -> bool:
        return (
            type(event) is FigureRead
            and event.card in self.unread
            and all(can_be(figure, getattr(event, figure)) for figure in LOCO_FIGURES)
        )

    def __iter__(self) -> Iterator[Event]:
        return (FigureRead(card, UNIT, 1, 1) for card in self.unread)

    def pick(self, luck: object) -> Event:
        """Return a plausible reading of the first unread card."""
        return FigureRead(self.unread[0], 6 * UNIT, 100, 2)


def unread(table: Table, pool: Pool) -> tuple[str, ...]:
    """Return the cards of a pool whose figures nobody has read yet."""
    locos = table.fixed.book.locos
    return tuple(card for card in pool if not locos[card].known)


def read_figures(table: Table, event: FigureRead) -> Table:
    """Return the table with a card's figures in its book, as read off the owner's card."""
    book = table.fixed.book
    drive = book.locos[event.card].drive
    loco = Loco(event.card, drive, event.power, event.speed, event.multiplier, "owner")
    return replace(table, fixed=replace(table.fixed, book=replace(book, locos={**book.locos, event.card: loco})))


class RevealLocos(Step[Table], frozen=True):
    """Chance: `size` locomotive cards are revealed; a short deck is completed by a reshuffle (R-24)."""

    size: int

    def parts(self, table: Table) -> tuple[int, int]:
        """Return how many cards come from the deck, and how many from the reshuffled pile."""
        first = min(table.deck, self.size)
        return first, self.size - first

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every draw of cards whose figures are known, and reading the figures of the others."""
        first, second = self.parts(table)
        pool = table.pool
        if table.fixed.dealt:
            return (Draw(LocosRevealed, pool, first, table.aside, second),)
        new = unread(table, pool)
        if not new:
            return (Draw(LocosRevealed, pool, first, table.aside, second),)
        readable = tuple(card for card in pool if card not in new)
        if len(readable) < first:
            return (Figures(new),)
        return Draw(LocosRevealed, readable, first, table.aside, second), Figures(new)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Reveal the cards, reshuffling the set-aside pile if the deck runs out."""
        if isinstance(event, FigureRead):
            return read_figures(table, event), (self,), ()
        assert isinstance(event, LocosRevealed)
        first, second = self.parts(table)
        pool = without(table.pool, event.cards[:first])
        if not second:
            return replace(table, pool=pool, deck=table.deck - first, revealed=event.cards), (), ()
        pile = without(table.aside, event.cards[first:])
        after = replace(table, pool=pile, deck=len(pile), aside=(), revealed=event.cards)
        return after, (), (Reshuffled("locos", len(table.aside)),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return how many cards must be revealed, or which card is impossible."""
        if isinstance(event, FigureRead):
            power, speed, times = (FIGURES[name][-1] for name in LOCO_FIGURES)
            return refusals.BAD_FIGURES(card=event.card, total=power, speed=speed, times=times)
        if not isinstance(event, LocosRevealed):
            return None
        if len(event.cards) != self.size:
            return refusals.WRONG_REVEAL_COUNT(expected=self.size, seen=len(event.cards))
        for card in event.cards:
            if card not in table.fixed.book.locos:
                return refusals.NO_SUCH_LOCOMOTIVE(card=card)
            if not table.fixed.book.locos[card].known:
                return refusals.FIGURES_UNREAD(card=card)
        return refusals.CARD_ALREADY_IN_PLAY(cards=", ".join(event.cards))
