"""Revealing locomotive cards, and reading figures off the owner's cards for the first time (R-01, R-24)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Event, Offer, Refusal, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import FIGURES, LOCO_FIGURES, UNIT, Loco, can_be
from companion.games.take_a_train.table import Table
from companion.mechanics.offers import TableOffer
from companion.mechanics.pool import Draw, Pool, without


def figures(unread: tuple[str, ...]) -> TableOffer[ev.FigureRead]:
    """Return the offer of any figures for unread locomotives of the owner's box (R-01)."""

    def fits(event: ev.FigureRead) -> bool:
        read = {"power": event.power, "speed": event.speed, "multiplier": event.multiplier}
        return event.card in unread and all(can_be(figure, value) for figure, value in read.items())

    examples = tuple([ev.FigureRead(card, UNIT, 1, 1) for card in unread])
    return TableOffer(
        ev.FigureRead, fits, examples, lambda luck: ev.FigureRead(unread[0], 6 * UNIT, 100, 2), chance=True
    )


def unread(table: Table, pool: Pool) -> tuple[str, ...]:
    """Return the unread cards of a pool."""
    locos = table.fixed.book.locos
    return tuple(card for card in pool if not locos[card].known)


def read_figures(table: Table, event: ev.FigureRead) -> Table:
    """Return the table with a card's figures from the owner's card in its book."""
    book = table.fixed.book
    drive = book.locos[event.card].drive
    loco = Loco(event.card, drive, event.power, event.speed, event.multiplier, "owner")
    return replace(table, fixed=replace(table.fixed, book=replace(book, locos={**book.locos, event.card: loco})))


class RevealLocos(Step[Table], frozen=True):
    """Chance: `size` locomotive cards are revealed; a short deck is completed by a reshuffle (R-24)."""

    size: int

    def parts(self, table: Table) -> tuple[int, int]:
        first = min(table.deck, self.size)
        return first, self.size - first

    def legal(self, table: Table) -> tuple[Offer, ...]:
        first, second = self.parts(table)
        new = () if table.fixed.dealt else unread(table, table.pool)
        readable = tuple([card for card in table.pool if card not in new]) if new else table.pool
        draw = Draw(ev.LocosRevealed, readable, first, table.aside, second)
        if not new:
            return (draw,)
        return (draw, figures(new)) if draw else (figures(new),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Reveal the cards, reshuffling the set-aside pile if the deck runs out."""
        if isinstance(event, ev.FigureRead):
            return read_figures(table, event), (self,), ()
        assert isinstance(event, ev.LocosRevealed)
        first, second = self.parts(table)
        pool = without(table.pool, event.cards[:first])
        if not second:
            return replace(table, pool=pool, deck=table.deck - first, revealed=event.cards), (), ()
        pile = without(table.aside, event.cards[first:])
        after = replace(table, pool=pile, deck=len(pile), aside=(), revealed=event.cards)
        return after, (), (ev.Reshuffled("locos", len(table.aside)),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if isinstance(event, ev.FigureRead):
            power, speed, times = (FIGURES[name][-1] for name in LOCO_FIGURES)
            return refusals.BAD_FIGURES(card=event.card, total=power, speed=speed, times=times)
        if not isinstance(event, ev.LocosRevealed):
            return None
        if len(event.cards) != self.size:
            return refusals.WRONG_REVEAL_COUNT(expected=self.size, seen=len(event.cards))
        for card in event.cards:
            loco = table.fixed.book.locos.get(card)
            if loco is None or not loco.known:
                return (refusals.FIGURES_UNREAD if loco else refusals.NO_SUCH_LOCOMOTIVE)(card=card)
        return refusals.CARD_ALREADY_IN_PLAY(cards=", ".join(event.cards))
