"""The search for explanations: states that differ only in what a step says are not the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.engine import Choice, Event, Layout, Offer, Place, Seat, SeatEvent, Setup, Spot, State, Step, Turn, begin
from companion.mechanics.plain import OpenGame
from companion.sight.reconcile import reconcile

CARDS = ("crate-1", "crate-2", "crate-3")


class Named(SeatEvent, frozen=True):
    """A seat said which crate it will lay."""

    card: str


class Laid(SeatEvent, frozen=True):
    """It lay there."""


class Table(msgspec.Struct, frozen=True):
    """The crate that lies in the row."""

    row: tuple[str, ...] = ()


class Name(Step[Table], frozen=True):
    """A seat names a crate."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer all."""
        return (Choice(Seat(0), tuple([Named(Seat(0), card) for card in CARDS])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Wait for it."""
        assert isinstance(event, Named)
        return table, (Lay(event.card),), ()


class Lay(Step[Table], frozen=True):
    """The named crate is laid."""

    card: str

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer that."""
        return (Choice(Seat(0), (Laid(Seat(0)),)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """It lies in the row."""
        return Table((self.card,)), (), ()


class Naming(OpenGame[Table]):
    """The rules."""

    name = "naming"
    seats = range(1, 2)
    events: Any = Named | Laid

    def begin(self, setup: Setup) -> State[Table]:
        """Wait for a name."""
        return begin(self, Table(), (Name(),))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return nothing."""
        return (0,)

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Nothing is revealed."""
        return False

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the row."""
        return (Place("row.1", "spread", 3),)

    def layout(self, state: State[Table]) -> Layout:
        """Return the row."""
        return Layout({"row.1": Spot(state.table.row)})

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> Iterator[Event]:
        """Return every name, and that the crate was laid."""
        yield from [Named(Seat(0), card) for card in CARDS]
        yield Laid(Seat(0))


def test_what_a_step_remembers_tells_states_apart() -> None:
    """The third crate lies there: it was named, though all three names leave the same table behind."""
    game = Naming()
    found = reconcile(game, game.begin(Setup(game.name, 1)), Layout({"row.1": Spot(("crate-3",))}))
    assert found.explanations == ((Named(Seat(0), "crate-3"), Laid(Seat(0))),)
