"""A turn: draw and place, or use a pool card; gaps are refilled; the first rising line wins (R-07 to R-17).

A step returns its successors only when it is done, so that a victory has nothing to cancel (R-14).
"""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Choice, Deciding, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import refusals
from companion.games.game_of_trains.lines import add_lock, ascending, replace_wagon
from companion.games.game_of_trains.steps.pool import discard, exchange, join_pool, set_line
from companion.games.game_of_trains.steps.uses import AT, moved, open_uses, use_refusal
from companion.games.game_of_trains.table import DISCARD, GAP, HANDS, LENGTH, LOCK, PILE, PLAYERS, Line, Table
from companion.mechanics.pool import NextCard, without
from companion.mechanics.seating import clockwise, left_of, with_value

RESHUFFLE: tuple[Offer, ...] = (Choice(None, (ev.Reshuffled(),), chance=True),)
"""The pile is empty and a card is needed (R-13)."""


def won(table: Table, seat: Seat, effects: tuple[Effect, ...]) -> Turn[Table]:
    """Return the end of the game (R-14)."""
    return replace(table, winner=seat), (), (*effects, ev.Won(seat))


def elsewhere(table: Table, card: int) -> Refusal:
    """Return why a card cannot be revealed: its number does not exist, or it lies elsewhere (R-01)."""
    if card not in table.fixed.book.numbers:
        return refusals.NO_SUCH_WAGON(card=card)
    return refusals.LIES_ELSEWHERE(card=card)


# --- the choice -----------------------------------------------------------------------------------


class Act(Step[Table], frozen=True):
    """A seat takes one action: it draws, or it uses a card of the pool (R-07)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer to draw, and every use of every pool card (R-08, R-09)."""
        seat, locks = self.seat, table.locks[self.seat]
        events: tuple[Event, ...] = (ev.Drew(seat),)
        for card in table.pool:
            events += open_uses(table.fixed, seat, card, locks)
        return (Choice(seat, events),)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        return (self.seat,)

    def timing(self, table: Table) -> Deciding:
        return Deciding((self.seat, table.pile, table.discarded, *table.pool), self.seat, ev.Drew(self.seat), "decided")

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Carry out the seat's choice."""
        match event:
            case ev.Drew():
                return table, (Draw(self.seat),), ()
            case ev.Swapped(seat, card) | ev.Shifted(seat, card):
                return self.rearranged(table, card, *moved(table.fixed.book, event, table.lines[seat]))
            case ev.Removed(_, card):
                return self.removed(table, card)
            case ev.Protected(seat, card, position):
                locks = with_value(table.locks, seat, add_lock(table.locks[seat], position, card))
                return replace(table, locks=locks, pool=without(table.pool, (card,))), self.next(table), ()
        raise TypeError(f"{type(event).__name__} is no action")

    def next(self, table: Table) -> tuple[Step[Table], ...]:
        """Return the next seat's turn."""
        return (Act(left_of(self.seat, table.fixed.players)),)

    def rearranged(self, table: Table, card: int, line: Line, changed: Container[int]) -> Turn[Table]:
        """Discard the card, set the new line, and drop the padlocks of moved wagons (R-16)."""
        table, effects = set_line(discard(table, (card,)), self.seat, line, changed)
        return won(table, self.seat, effects) if ascending(line) else (table, self.next(table), effects)

    def removed(self, table: Table, card: int) -> Turn[Table]:
        """Remove the wagon at the card's position from every line unless protected; then gaps are refilled (R-15)."""
        position = AT[table.fixed.book.abilities[card] or ""]
        lock, lines, lost, hit = LOCK[position], list(table.lines), [GAP] * table.fixed.players, []
        for seat in clockwise(self.seat, table.fixed.players):
            if not table.locks[seat][lock]:
                hit.append(seat)
                lost[seat], lines[seat] = lines[seat][position - 1], replace_wagon(lines[seat], position, GAP)
        table = discard(replace(table, lines=tuple(lines)), (card,))  # before the others come to the pool
        table, asked, followed = join_pool(table, tuple([lost[seat] for seat in hit]))
        following = (Refill(self.seat, tuple(hit), position),) if hit else self.next(table)
        return table, (*asked, *following), (ev.Cleared(position, tuple(lost)), *followed)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.Drew | ev.Placed | ev.Use):
            return None
        if event.seat != self.seat:
            following = event.seat == left_of(self.seat, table.fixed.players)
            return (refusals.ACTION_IS_A_MUST if following else NOT_YOUR_TURN)(seat=self.seat)
        # in its own turn a seat may always draw
        return use_refusal(table, event) if isinstance(event, ev.Use) else refusals.NOTHING_DRAWN()


# --- action 1 -------------------------------------------------------------------------------------


class Draw(Step[Table], frozen=True):
    """Chance: the card that a seat takes from the pile (R-08)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the possible cards of the pile, or the reshuffle if it is empty (R-13)."""
        cards = table.zones.next_candidates(PILE)
        return (NextCard(ev.CardDrawn, cards),) if cards else RESHUFFLE

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.CardDrawn)
        zones = table.zones.draw(PILE, HANDS[self.seat], 1, (event.card,))
        return replace(table, zones=zones), (Place(self.seat),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        match event:
            case ev.CardDrawn() if not table.pile:
                return refusals.RESHUFFLE_FIRST()
            case ev.CardDrawn(card):
                return elsewhere(table, card)
        return busy(self.seat, event)


class Place(Step[Table], frozen=True):
    """A seat knows the card it drew and chooses the wagon to replace (R-08)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return PLACES[self.seat]

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Place the card; the old wagon joins the pool, its padlock the discard (R-16)."""
        assert isinstance(event, ev.Placed)
        seat, hand = self.seat, HANDS[self.seat]
        (card,) = table.zones.named(hand)
        table = replace(table, zones=table.zones.move_all(hand, None))
        table, asked, effects = exchange(table, seat, card, event.position)
        if ascending(table.lines[seat]):
            return won(table, seat, effects)
        return table, (*asked, Act(left_of(seat, table.fixed.players))), effects

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if isinstance(event, ev.Placed) and event.seat == self.seat:
            return refusals.POSITION_R08(position=event.position)
        return busy(self.seat, event)


PLACES: tuple[tuple[Offer, ...], ...] = tuple(
    [(Choice(seat, tuple([ev.Placed(seat, at) for at in range(1, LENGTH + 1)])),) for seat in clockwise(0, PLAYERS[-1])]
)
"""The offers to each seat that has drawn a card."""


def busy(seat: Seat, event: Event) -> Refusal | None:
    """Return why no other event can happen while a seat draws and places (R-07, R-08)."""
    if not isinstance(event, ev.Drew | ev.Placed | ev.Use):
        return None
    return refusals.PLACE_FIRST() if event.seat == seat else NOT_YOUR_TURN(seat=seat)


# --- refills --------------------------------------------------------------------------------------


class Refill(Step[Table], frozen=True):
    """Chance: clockwise from the user, each seat with a gap draws a card into it (R-15)."""

    user: Seat
    seats: tuple[Seat, ...]
    """The seats that still have a gap, the next one first."""
    position: int

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the possible cards of the pile, or the reshuffle if it is empty (R-13)."""
        cards = table.zones.next_candidates(PILE)
        return (NextCard(ev.Refilled, cards, (self.seats[0], self.position)),) if cards else RESHUFFLE

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Fill the gap. A rising line wins at once, and the others keep their gaps (R-14)."""
        assert isinstance(event, ev.Refilled)
        seat = event.seat
        line = replace_wagon(table.lines[seat], self.position, event.card)
        zones = table.zones.draw(PILE, None, 1, (event.card,))
        table = replace(table, lines=with_value(table.lines, seat, line), zones=zones)
        if ascending(line):
            return won(table, seat, ())
        left, following = self.seats[1:], left_of(self.user, table.fixed.players)
        return table, (Refill(self.user, left, self.position) if left else Act(following),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        match event:
            case ev.Refilled(seat, position, card) if seat == self.seats[0] and position == self.position:
                return refusals.RESHUFFLE_FIRST() if not table.pile else elsewhere(table, card)
            case ev.Refilled() | ev.Drew() | ev.CardDrawn() | ev.Placed() | ev.Use():
                return refusals.REFILLS_NEXT(seat=self.seats[0], position=self.position)
        return None


def reshuffle(table: Table) -> Table:
    """Return the table with the discard as its new pile; pool and padlocks stay where they are (R-13)."""
    return replace(table, zones=table.zones.shuffle(DISCARD, PILE))
