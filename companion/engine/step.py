"""Steps: frozen values that wait for an event. A state's agenda is a tuple of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

import msgspec

from companion.engine.event import Effect, Event, Seat, _snake
from companion.engine.objection import objection
from companion.engine.offer import Offer
from companion.engine.refusal import Refusal
from companion.engine.timing import Timing

T = TypeVar("T")

Needs = Mapping[str, tuple[type[Event], tuple[str, ...]]]
"""Classes of events by the attribute that holds them: the required base and fields."""
Turn = tuple[T, tuple["Step[T]", ...], tuple[Effect, ...]]
"""The result of applying an event: the next table, the steps that follow, and the effects."""


class Step(msgspec.Struct, Generic[T], frozen=True, gc=False, tag_field="step", tag=_snake):
    """The table's next decision. `legal` alone decides legality; `apply` relies on it; `explain` gives the reason."""

    needs: ClassVar[Needs] = {}
    """The event classes that a ready-made step requires of a game."""
    triggered: ClassVar[bool] = False
    """Whether a person triggers this step of chance (draws the token), even if the companion deals."""
    automatic: ClassVar[bool] = False
    """Whether the step needs nobody and runs (`run`) as soon as it is first on the agenda."""

    @property
    def name(self) -> str:
        """The step's tag, such as `draw_token`."""
        return str(self.__struct_config__.tag)

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Return the legal events now. Together the offers contain exactly the events that `apply` accepts."""
        return ()

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Return the result of an event that one of the offers contains."""
        raise TypeError(f"{type(self).__name__} takes no {type(event).__name__}")

    def run(self, table: T) -> Turn[T]:
        """Return the result of an automatic step."""
        raise TypeError(f"{type(self).__name__} is not automatic")

    def explain(self, table: T, event: Event) -> Refusal | None:
        """Return why no offer contains the event, or None if the event does not belong to this step.

        The offers themselves explain most refusals: another seat's turn, a card or an amount that is not offered. A
        step with a better reason gives it first.
        """
        return objection(offers_of(self, table), self.awaits(table), event)

    def awaits(self, table: T) -> tuple[Seat, ...]:
        """Return the seats whose decision the step waits for (none: chance or the clock)."""
        return tuple(dict.fromkeys([offer.by for offer in offers_of(self, table) if offer.by is not None]))

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats with a sealed choice in this step, until all choices open."""
        return ()

    def conceals(self, event: Event) -> tuple[str, ...]:
        """Return the fields of an event of this step that are secret when it happens."""
        return ()

    def resting_table(self, table: T, event: Event) -> T | None:
        """Return the table as cards lie briefly after the event, until people move them on; None if they stay."""
        return None

    def owes(self, seat: Seat) -> int:
        """Return how much of a seat's cash is promised in this step, in dollars."""
        return 0

    def unsaid(self, event: Event) -> Event | None:
        """Return a decision that older journals leave out before this event, or None."""
        return None

    def timing(self, table: T) -> Timing | None:
        """Return the current meaning of a button press, or None."""
        return None


_latest: tuple[object, object, tuple[Offer, ...]] = (None, None, ())
"""The step and table of the last call, and their offers: each seat's view asks for them."""


def offers_of(step: Step[T], table: T) -> tuple[Offer, ...]:
    """Return a step's offers (`legal`), cached for the last step and table."""
    global _latest
    known_step, known_table, found = _latest
    if known_step is step and known_table is table:
        return found
    found = step.legal(table)
    _latest = (step, table, found)
    return found


class Automatic(Step[T], Generic[T], frozen=True):
    """A step that needs nobody and runs as soon as it is first on the agenda."""

    automatic: ClassVar[bool] = True
