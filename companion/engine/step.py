"""Steps: frozen values that wait for something. A state's agenda is a tuple of them. Knows no game."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

import msgspec

from companion.engine.event import Effect, Event, Seat, _snake
from companion.engine.offer import Offer
from companion.engine.ruling import Refusal
from companion.engine.timing import Timing

T = TypeVar("T")

Turn = tuple[T, tuple["Step[T]", ...], tuple[Effect, ...]]
"""What applying an event gives: the next table, the steps that follow, and what followed by the rules alone."""


class Step(msgspec.Struct, Generic[T], frozen=True, tag_field="step", tag=_snake):
    """What the table waits for. `legal` says legality once; `apply` trusts it; `explain` words a refusal."""

    automatic: ClassVar[bool] = False
    """True for steps that need nobody: they run at once (`run`) when they reach the agenda's head."""

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Return what may happen now. Together the offers contain exactly the events that `apply` takes."""
        return ()

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Return what follows from an event that one of the offers contains."""
        raise TypeError(f"{type(self).__name__} takes no {type(event).__name__}")

    def run(self, table: T) -> Turn[T]:
        """Return what follows from an automatic step."""
        raise TypeError(f"{type(self).__name__} is not automatic")

    def explain(self, table: T, event: Event) -> Refusal | None:
        """Return why no offer contains the event, or None when it does not belong to this step at all."""
        return None

    def awaits(self, table: T) -> tuple[Seat, ...]:
        """Return the seats whose decision the step waits for (none: chance or the clock)."""
        return tuple(dict.fromkeys(o.by for o in self.legal(table) if o.by is not None))

    def owes(self, seat: Seat) -> int:
        """Return how much of a seat's cash this step holds promised, in dollars."""
        return 0

    def pledged(self) -> bool:
        """Return whether everybody can see that money is promised here. Must not depend on a secret amount."""
        return False

    def unsaid(self, event: Event) -> Event | None:
        """Return the decision that a journal from before a ruling leaves out ahead of this event, None for nothing."""
        return None

    def timing(self, table: T) -> Timing | None:
        """Return what a press of a button means now, None for nothing."""
        return None
