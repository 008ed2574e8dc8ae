"""The set-up: lines are dealt, the first player is drawn, everybody exchanges one wagon (R-03 to R-06)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Choice, Event, Luck, Offer, Refusal, Seat, Step, Turn
from companion.games.game_of_trains.events import FirstNamed, HandsDrawn, Kept, LineDealt, Rejected, Replaced
from companion.games.game_of_trains.lines import descending, replace_wagon
from companion.games.game_of_trains.steps.pool import join_pool
from companion.games.game_of_trains.steps.turn import Act, elsewhere
from companion.games.game_of_trains.table import LENGTH, Cards, Table
from companion.mechanics.pool import sample, without
from companion.mechanics.seating import clockwise


class Deals(msgspec.Struct, frozen=True, gc=False):
    """Chance: seven wagons for one seat, in falling order (R-03, R-04)."""

    seat: Seat
    unseen: Cards
    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __contains__(self, event: object) -> bool:
        return (
            type(event) is LineDealt
            and event.seat == self.seat
            and len(event.cards) == LENGTH
            and descending(event.cards)
            and all(card in self.unseen for card in event.cards)
        )

    def __iter__(self) -> Iterator[Event]:
        yield self.pick(lambda: 0.0)

    def pick(self, luck: Luck) -> Event:
        """Return a random line in falling order."""
        return LineDealt(self.seat, tuple(sorted(sample(self.unseen, LENGTH, luck), reverse=True)))


class Deal(Step[Table], frozen=True):
    """Chance: every seat is dealt seven wagons and lines them up (R-03, R-04)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every line to each seat that has none yet."""
        return tuple([Deals(seat, table.unseen) for seat in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay out the line; after the last one, draw the first player."""
        assert isinstance(event, LineDealt)
        lines = (*table.lines[: event.seat], event.cards, *table.lines[event.seat + 1 :])
        table = replace(table, lines=lines, unseen=without(table.unseen, event.cards), pile=table.pile - LENGTH)
        left = tuple([seat for seat in self.seats if seat != event.seat])
        return table, ((Deal(left),) if left else (NameFirst(),)), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return the fault of a line."""
        if not isinstance(event, LineDealt):
            return None
        if event.seat not in self.seats:
            return Refusal("R-03", "line_lies_there", {"seat": event.seat})
        if len(event.cards) != LENGTH or len(set(event.cards)) != LENGTH:
            return Refusal("R-03", "deal_seven", {"count": len(set(event.cards))})
        for card in event.cards:
            if card not in table.unseen:
                return elsewhere(table, card)
        ordered = " ".join(map(str, sorted(event.cards, reverse=True)))
        return Refusal("R-04", "line_must_descend", {"cards": ordered})


class NameFirst(Step[Table], frozen=True):
    """Chance: who goes first (R-05)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every seat."""
        return (Choice(None, tuple([FirstNamed(Seat(s)) for s in range(table.fixed.players)]), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Let everybody draw: the first player one card, the second two, and so on."""
        assert isinstance(event, FirstNamed)
        table = replace(table, first=event.seat)
        if table.fixed.dealt:
            return table, (DrawHands(),), ()
        players = table.fixed.players
        drawn = players * (players + 1) // 2  # real cards, which only their drawers see
        return replace(table, pile=table.pile - drawn), (Choose(seats_from(table)),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Say that there is no such seat."""
        if isinstance(event, FirstNamed):
            return Refusal("R-05", "first_not_seated", {"players": table.fixed.players})
        return None


def seats_from(table: Table) -> tuple[Seat, ...]:
    """Return the seats clockwise from the first player."""
    return tuple(clockwise(table.first, table.fixed.players))


def draws(table: Table, seat: int) -> int:
    """Return how many cards a seat draws in the set-up: the first player 1, the next 2, and so on (R-05)."""
    return (seat - table.first) % table.fixed.players + 1


class Hands(msgspec.Struct, frozen=True, gc=False):
    """Chance: a number of cards for each seat (R-05)."""

    sizes: tuple[int, ...]
    unseen: Cards
    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __contains__(self, event: object) -> bool:
        if type(event) is not HandsDrawn or tuple(map(len, event.hands)) != self.sizes:
            return False
        every = [card for hand in event.hands for card in hand]
        return len(set(every)) == len(every) and all(card in self.unseen for card in every)

    def __iter__(self) -> Iterator[Event]:
        yield self.pick(lambda: 0.0)

    def pick(self, luck: Luck) -> Event:
        """Return one outcome at random."""
        cards = sample(self.unseen, sum(self.sizes), luck)
        starts = [sum(self.sizes[:seat]) for seat in range(len(self.sizes))]
        return HandsDrawn(tuple([cards[at : at + size] for at, size in zip(starts, self.sizes, strict=True)]))


class DrawHands(Step[Table], frozen=True):
    """Chance: the hands of the set-up, where the companion deals (R-05)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every outcome."""
        return (Hands(tuple([draws(table, seat) for seat in range(table.fixed.players)]), table.unseen),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take the cards from the pile and let the first player choose."""
        assert isinstance(event, HandsDrawn)
        cards = tuple([card for hand in event.hands for card in hand])
        table = replace(table, unseen=without(table.unseen, cards), pile=table.pile - len(cards))
        return table, (Choose(seats_from(table), event.hands),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the hands have the wrong size."""
        return Refusal("R-05", "hands_wrong", {}) if isinstance(event, HandsDrawn) else None


class Keeps(msgspec.Struct, frozen=True, gc=False):
    """Any card of a hand at any position of the line (R-06)."""

    by: Seat
    hand: Cards
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        return (
            type(event) is Kept and event.seat == self.by and 1 <= event.position <= LENGTH and event.card in self.hand
        )

    def __iter__(self) -> Iterator[Event]:
        return (Kept(self.by, card, position) for card in self.hand for position in range(1, LENGTH + 1))

    def pick(self, luck: Luck) -> Event:
        """Return one of them, all equally likely."""
        return Kept(self.by, self.hand[int(luck() * len(self.hand))], 1 + int(luck() * LENGTH))


class Choose(Step[Table], frozen=True):
    """In turn, each seat keeps one of the cards it drew and puts it into its line (R-06)."""

    seats: tuple[Seat, ...]
    """The seats that still have to choose, the next one first."""
    hands: tuple[Cards, ...] = ()
    """The cards that each seat drew; empty with real cards, which only the drawer knows."""

    def hand(self, table: Table) -> Cards:
        """Return the cards that the seat on turn may have drawn."""
        return self.hands[self.seats[0]] if self.hands else table.unseen

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every drawn card at every position."""
        return (Keeps(self.seats[0], self.hand(table)),)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return whose choice it is."""
        return self.seats[:1]

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Put the card into the line, discard the others, the old wagon joins the pool."""
        assert isinstance(event, Kept)
        seat, card, position = event.seat, event.card, event.position
        line = table.lines[seat]
        count = draws(table, seat) - 1
        if self.hands:
            rejected = tuple([other for other in self.hands[seat] if other != card])
            unseen = table.unseen
        else:
            rejected, unseen = (0,) * count, without(table.unseen, (card,))
        table = replace(
            table,
            lines=(*table.lines[:seat], replace_wagon(line, position, card), *table.lines[seat + 1 :]),
            unseen=unseen,
            rejected=table.rejected + rejected,
        )
        table, asked, followed = join_pool(table, (line[position - 1],))
        left = self.seats[1:]
        effects = (Replaced(seat, position, line[position - 1], card), *([Rejected(seat, count)] if count else ()))
        return table, (*asked, Choose(left, self.hands) if left else Act(table.first)), effects + followed

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return whose choice it is, or why the card or position is impossible."""
        if not isinstance(event, Kept):
            return None
        if event.seat != self.seats[0]:
            return Refusal("R-06", "not_your_choice", {"seat": self.seats[0]})
        if not 1 <= event.position <= LENGTH:
            return Refusal("R-06", "position", {"position": event.position})
        return Refusal("R-06", "not_drawn", {"card": event.card}, event.seat)
