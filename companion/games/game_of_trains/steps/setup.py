"""The set-up: lines are dealt, the first player is drawn, everybody exchanges one wagon (R-03 to R-06)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Event, Luck, Offer, Refusal, Seat, Step, Turn
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import refusals
from companion.games.game_of_trains.lines import descending
from companion.games.game_of_trains.steps.pool import exchange
from companion.games.game_of_trains.steps.turn import Act, elsewhere
from companion.games.game_of_trains.table import DISCARD, HANDS, LENGTH, PILE, Cards, Table
from companion.mechanics.pool import ChanceOffer, drawable, sample
from companion.mechanics.seating import clockwise, with_value
from companion.mechanics.steps import FirstPlayer


class Deals(ChanceOffer, frozen=True, gc=False):
    """Chance: seven wagons for one seat, in falling order (R-03, R-04)."""

    seat: Seat
    unseen: Cards

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.LineDealt or event.seat != self.seat or len(event.cards) != LENGTH:
            return False
        return descending(event.cards) and drawable(self.unseen, event.cards)

    def pick(self, luck: Luck) -> Event:
        return ev.LineDealt(self.seat, tuple(sorted(sample(self.unseen, LENGTH, luck), reverse=True)))


class Deal(Step[Table], frozen=True):
    """Chance: every seat is dealt seven wagons and lines them up (R-03, R-04)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return tuple([Deals(seat, table.zones.next_candidates(PILE)) for seat in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay out the line; after the last one, draw the first player."""
        assert isinstance(event, ev.LineDealt)
        zones = table.zones.draw(PILE, None, LENGTH, event.cards)
        table = replace(table, lines=with_value(table.lines, event.seat, event.cards), zones=zones)
        left = tuple([seat for seat in self.seats if seat != event.seat])
        return table, ((Deal(left),) if left else (NameFirst(),)), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.LineDealt):
            return None
        if event.seat not in self.seats:
            return refusals.LINE_LIES_THERE(seat=event.seat)
        if len(event.cards) != LENGTH or len(set(event.cards)) != LENGTH:
            return refusals.DEAL_SEVEN(count=len(set(event.cards)))
        for card in event.cards:
            if not table.zones.possible(PILE, card):
                return elsewhere(table, card)
        return refusals.LINE_MUST_DESCEND(cards=" ".join(map(str, sorted(event.cards, reverse=True))))


class NameFirst(FirstPlayer[Table], frozen=True):
    """Chance: the first player (R-05)."""

    kind: ClassVar = ev.FirstNamed

    def players(self, table: Table) -> int:
        return table.fixed.players

    def named(self, table: Table, seat: Seat) -> Turn[Table]:
        """Let everybody draw: the first player one card, the second two, and so on."""
        table = replace(table, first=seat)
        return (table, (DrawHands(),), ()) if table.fixed.dealt else draw_hands(table)


def draws(table: Table, seat: int) -> int:
    """Return the number of cards that a seat draws in the set-up: the first player 1, the next 2, and so on (R-05)."""
    return (seat - table.first) % table.fixed.players + 1


def draw_hands(table: Table, cards: Cards = ()) -> Turn[Table]:
    """Return the table after everybody drew, with the cards in seat order if the companion deals (R-05)."""
    players = table.fixed.players
    zones = table.zones.deal(PILE, {HANDS[seat]: draws(table, seat) for seat in range(players)}, cards)
    return replace(table, zones=zones), (Choose(tuple(clockwise(table.first, players))),), ()


class Hands(ChanceOffer, frozen=True, gc=False):
    """Chance: a number of cards for each seat (R-05)."""

    sizes: tuple[int, ...]
    unseen: Cards
    kind: ClassVar = ev.HandsDrawn

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.HandsDrawn or tuple(map(len, event.hands)) != self.sizes:
            return False
        return drawable(self.unseen, sum(event.hands, ()))

    def pick(self, luck: Luck) -> Event:
        cards = iter(sample(self.unseen, sum(self.sizes), luck))
        return ev.HandsDrawn(tuple([tuple(islice(cards, size)) for size in self.sizes]))


class DrawHands(Step[Table], frozen=True):
    """Chance: the hands of the set-up, if the companion deals (R-05)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        sizes = tuple([draws(table, seat) for seat in range(table.fixed.players)])
        return (Hands(sizes, table.zones.next_candidates(PILE)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take the cards from the pile and let the first player choose."""
        assert isinstance(event, ev.HandsDrawn)
        return draw_hands(table, sum(event.hands, ()))


class Keeps(msgspec.Struct, frozen=True, gc=False):
    """Any card of a hand at any position of the line (R-06)."""

    by: Seat
    hand: Cards
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.Kept or event.seat != self.by:
            return False
        return 1 <= event.position <= LENGTH and event.card in self.hand

    def __iter__(self) -> Iterator[Event]:
        return (ev.Kept(self.by, card, position) for card in self.hand for position in range(1, LENGTH + 1))

    def pick(self, luck: Luck) -> Event:
        return ev.Kept(self.by, self.hand[int(luck() * len(self.hand))], 1 + int(luck() * LENGTH))


class Choose(Step[Table], frozen=True):
    """In turn, each seat keeps one of the cards it drew and puts it into its line (R-06)."""

    seats: tuple[Seat, ...]
    """The seats that still have to choose, the next one first."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.seats[0]
        return (Keeps(seat, table.zones.candidates(HANDS[seat])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Put the card into the line and discard the others; the old wagon joins the pool."""
        assert isinstance(event, ev.Kept)
        seat, hand, left = event.seat, HANDS[event.seat], self.seats[1:]
        zones = table.zones.move(hand, None, event.card)
        rejected = (ev.Rejected(seat, zones.count(hand)),) if zones.count(hand) else ()
        table = replace(table, zones=zones.move_all(hand, DISCARD))
        table, asked, (replaced, *followed) = exchange(table, seat, event.card, event.position)
        return table, (*asked, Choose(left) if left else Act(table.first)), (replaced, *rejected, *followed)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.Kept):
            return None
        if event.seat != self.seats[0]:
            return refusals.NOT_YOUR_CHOICE(seat=self.seats[0])
        if not 1 <= event.position <= LENGTH:
            return refusals.POSITION(position=event.position)
        return refusals.NOT_DRAWN.to(event.seat, card=event.card)
