"""The beginning of a turn: two cards from the pile, or the top discard (R-05, R-06)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Automatic, Choice, Effect, Event, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.steps.endings import EndTurn
from companion.games.express.steps.lay import Lay
from companion.games.express.table import DISCARD, DRAWN, PILE, SLOT, Table, hand_of, mix_real
from companion.mechanics import steps


class Draw(Step[Table], frozen=True):
    """The seat on turn draws two cards from the pile, or takes the top discard (R-05)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        top = table.zones.named(DISCARD)[-1:]
        return (Choice(self.seat, (ev.PileDrawn(self.seat), *[ev.DiscardTaken(self.seat, card) for card in top])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Draw as many cards as are left, then lay."""
        if isinstance(event, ev.DiscardTaken):
            zones = table.zones.move_numbers(DISCARD, hand_of(self.seat), table.zones.count(DISCARD) - 1)
            return replace(table, zones=zones, drew=1), (BeginLaying(self.seat),), ()
        count = min(DRAWN, table.zones.count(PILE) + table.zones.count(DISCARD))
        table = replace(table, drew=count)
        return table, (*((DrawCards(self.seat, count),) if count else ()), BeginLaying(self.seat)), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, SeatEvent):
            return None
        if event.seat != self.seat:
            return refusals.NOT_YOUR_TURN(seat=self.seat)
        match event:
            case ev.Reshuffled():
                return refusals.NOT_DUE()
            case ev.LocomotiveExchanged():
                return refusals.LOCOMOTIVES_CLOSED()
            case ev.DiscardTaken(_, card):
                return wrong_discard(table, card)
        return refusals.DRAW_FIRST()


def wrong_discard(table: Table, card: str) -> Refusal:
    """Return why a card cannot be taken (R-05)."""
    if card in table.zones.named(SLOT):
        return refusals.SLOT_CLOSED(card=card)
    if not table.zones.count(DISCARD):
        return refusals.DISCARD_EMPTY()
    return refusals.ONLY_THE_TOP(card=table.zones.named(DISCARD)[-1])


PILES = steps.Piles(hand=hand_of)


class DealCards(steps.DealCards[Table], frozen=True):
    """Chance: the cards that a seat draws if the companion deals (R-05, R-06)."""

    kind, piles = ev.CardsDrawn, PILES

    def shuffled(self, table: Table) -> tuple[Effect, ...]:
        """Return the announcement of the new pile's size."""
        return (ev.PileShuffled(table.zones.count(DISCARD)),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.NOT_IN_PILE() if isinstance(event, ev.CardsDrawn) else None


class Shuffle(steps.Shuffle[Table], frozen=True):
    """People shuffle the real discard into a new pile because a card is due; the slot stays as it is (R-06)."""

    kind, piles = ev.Reshuffled, PILES

    def shuffled(self, table: Table) -> tuple[Effect, ...]:
        """Return the announcement of the new pile's size."""
        return (ev.PileShuffled(table.zones.count(DISCARD)),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.SHUFFLE_FIRST(seat=self.seat)


class DrawCards(steps.DrawFromPile[Table], frozen=True):
    """A seat draws cards from the pile; if real ones run out, people shuffle (R-06)."""

    deal, shuffle = DealCards, Shuffle

    def dealt(self, table: Table) -> bool:
        return table.fixed.dealt


class BeginLaying(Automatic[Table], frozen=True):
    """After its draw the seat may lay, and look at its side's locomotives (R-16)."""

    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        """Open the laying phase; a seat without any card cannot even discard."""
        if not table.hand(self.seat):
            return table, (EndTurn(),), ()
        return mix_real(replace(table, laying=True)), (Lay(self.seat),), ()
