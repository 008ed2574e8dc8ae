"""A toy game for the engine's tests: seats take one to three of the sticks; a seat may propose a toast at any
moment."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from companion.engine import (
    Amounts,
    Choice,
    Effect,
    Event,
    Offer,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    State,
    Step,
    Turn,
    begin,
)
from companion.mechanics.sides import Sides


class Table(msgspec.Struct, frozen=True):
    """The sticks on the table, and those taken by each seat; `cheer` is true until somebody takes the next stick."""

    sticks: int
    taken: tuple[int, ...] = (0, 0)
    toasts: int = 0
    cheer: bool = False


class Drew(SeatEvent, frozen=True):
    """A seat took some sticks."""

    amount: int


class Toasted(SeatEvent, frozen=True):
    """A seat raised a glass."""


class Swept(Effect, frozen=True):
    """The last sticks were swept off the table."""

    sticks: int


class Draw(Step[Table], frozen=True):
    """A seat takes one, two or three sticks."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the sticks on the table."""
        return (Amounts(self.seat, Drew, 1, min(3, table.sticks), 1),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take the sticks, and go on to the other seat."""
        assert isinstance(event, Drew)
        taken = tuple(n + event.amount * (s == event.seat) for s, n in enumerate(table.taken))
        left = table.sticks - event.amount
        table = msgspec.structs.replace(table, sticks=left, taken=taken)
        return table, ((Draw(Seat(1 - self.seat)), Sweep()) if left > 1 else (Sweep(),)), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return whose turn it is, or how many sticks a seat may take."""
        if not isinstance(event, Drew):
            return None
        if event.seat != self.seat:
            return Refusal("N-1", "not_your_turn", {"seat": self.seat})
        return Refusal("N-2", "one_to_three", {"left": table.sticks}, event.seat)


class Sweep(Step[Table], frozen=True):
    """The step in which nobody wants the last stick."""

    automatic: ClassVar[bool] = True

    def run(self, table: Table) -> Turn[Table]:
        """Sweep the sticks off the table, once."""
        effects = (Swept(table.sticks),) if table.sticks else ()
        return msgspec.structs.replace(table, sticks=0), (), effects


class Nim:
    """The toy game."""

    name = "nim"
    seats = range(2, 3)
    events: Any = Drew | Toasted

    def begin(self, setup: Setup) -> State[Table]:
        """Return a table with seven sticks."""
        return begin(self, Table(7), (Draw(Seat(0)),))

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Offer seat 0 a toast, once."""
        return () if state.table.toasts else (Choice(Seat(0), (Toasted(Seat(0)),)),)

    def stands(self, event: Event) -> bool:
        """Return whether the event is a toast, which may come at any moment."""
        return isinstance(event, Toasted)

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Refuse a second toast. Seat 1 may also toast, but without an offer."""
        return Refusal("N-3", "no_more", {}) if state.table.toasts else None

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Count the toast."""
        return msgspec.structs.replace(state.table, toasts=1, cheer=True), ()

    def expire(self, table: Table, event: Event) -> Table:
        """End the cheer, which lasts until a stick is taken."""
        return msgspec.structs.replace(table, cheer=False)

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return the step's reason, or that the game is over."""
        if not state.agenda:
            return Refusal("N-0", "over", {})
        if self.stands(event):
            return self.stand_refusal(state, event) or Refusal("N-0", "odd", {})
        return state.agenda[0].explain(state.table, event) or Refusal("N-0", "odd", {})

    def view(self, state: State[Table], seat: Seat | None) -> Any:
        """Return the whole table: nothing is secret."""
        return state.table

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the number of sticks of each seat."""
        return state.table.taken

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return each seat as a side of its own."""
        return Sides.alone(len(setup.seated())).groups

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats by number of sticks, the most first."""
        return Sides.alone(2).ranking(state.table.taken)

    def winners(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats with the most sticks."""
        most = max(state.table.taken)
        return tuple(Seat(s) for s, n in enumerate(state.table.taken) if n == most) if state.over else ()


GAME = Nim()
