"""The events and steps of Twenty Tons. Offers alone decide legality."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import Choice, Event, EventFacts, Offer, Reason, Refusal, Seat, SeatEvent, Step, Turn
from companion.mechanics import steps
from companion.mechanics.pool import without
from companion.mechanics.seating import clockwise, left_of

WAGONS = tuple(range(1, 10))
"""The weights of the wagons in the pile, in tons (R-01)."""
MOST = 20
"""How many tons a locomotive can pull (R-04)."""
LONGEST = 5
"""More wagons than this are always too heavy."""
TOO_HEAVY = Reason("R-04", "too_heavy", "most")


class WagonTurned(Event, frozen=True):
    """Chance: this wagon was the next one in the pile (R-02)."""

    wagon: int


class Took(SeatEvent, frozen=True):
    """A seat put the wagon behind its train (R-03)."""


class Passed(SeatEvent, frozen=True):
    """A seat let the wagon pass (R-03)."""

    facts = EventFacts(binding=True)


class Table(msgspec.Struct, frozen=True):
    """The whole table. The pile lists the remaining wagons: its order is never known."""

    trains: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...] = WAGONS
    wagon: int = 0
    first: Seat = Seat(0)


class TurnUp(steps.TurnUp[Table], frozen=True):
    """Chance: a wagon turns up (R-02)."""

    kind = WagonTurned

    def cards(self, table: Table) -> tuple[int, ...]:
        """Return every wagon that the pile can hold."""
        return table.pile

    def turned(self, table: Table, card: int) -> Turn[Table]:
        """Lay it out; then ask everybody, clockwise."""
        table = replace(table, wagon=card, pile=without(table.pile, (card,)))
        return table, (Ask(tuple(clockwise(table.first, len(table.trains)))),), ()


class Ask(Step[Table], frozen=True):
    """The first of these seats takes the wagon, or lets it pass to the next seat (R-03, R-04)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer to let it pass, or to take it if the locomotive can pull it."""
        seat = self.seats[0]
        able = sum(table.trains[seat]) + table.wagon <= MOST
        return (Choice(seat, (Took(seat), Passed(seat)) if able else (Passed(seat),)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Ask the next seat, or turn up the next wagon; a wagon that nobody takes leaves the game."""
        if isinstance(event, Passed) and self.seats[1:]:
            return table, (Ask(self.seats[1:]),), ()
        trains = list(table.trains)
        if isinstance(event, Took):
            trains[event.seat] += (table.wagon,)
        after = replace(table, trains=tuple(trains), wagon=0, first=left_of(table.first, len(trains)))
        return after, (TurnUp(),) if table.pile else (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Explain that the wagon is too heavy; the offers explain the rest."""
        return TOO_HEAVY(most=MOST) if event == Took(self.seats[0]) else super().explain(table, event)
