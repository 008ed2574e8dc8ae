"""What a game must be for the house to run it. Knows no game itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from companion.engine.event import Effect, Event, Seat
from companion.engine.offer import Offer
from companion.engine.ruling import Refusal
from companion.engine.setup import Setup

if TYPE_CHECKING:
    from companion.engine.state import State

T = TypeVar("T")


class Game(Protocol[T]):
    """The rules of one game as functions over its table. Register an instance in `companion.games`."""

    name: str
    """The name used on the command line and in journals, such as `take-a-train`."""
    seats: range
    """How many may play."""
    events: Any
    """The tagged union of this game's events, for decoding journals and proposals."""
    asked: frozenset[str]
    """Moments of chance that a person sets off (draws the token), even where the companion deals."""

    def begin(self, setup: Setup) -> State[T]:
        """Return the first state; raise `BadSetup` for players, options or a catalogue that cannot be."""
        ...

    def standing(self, state: State[T]) -> tuple[Offer, ...]:
        """Return the offers that stand at any moment, whoever's turn it is (claims)."""
        ...

    def stands(self, event: Event) -> bool:
        """Whether this kind of event may come at any moment (a claim, a correction)."""
        ...

    def stand_refusal(self, state: State[T], event: Event) -> Refusal | None:
        """Return why an event that may come at any moment is refused now, or None."""
        ...

    def stand(self, state: State[T], event: Event) -> tuple[T, tuple[Effect, ...]]:
        """Return the table and effects after a standing event; the agenda stays."""
        ...

    def explain(self, state: State[T], event: Event) -> Refusal:
        """Return why the event is refused, most telling rule first."""
        ...

    def view(self, state: State[T], seat: Seat | None) -> Any:
        """Return what the seat (None: the public table) may know, built up from nothing."""
        ...

    def scores(self, state: State[T]) -> tuple[int, ...]:
        """Return every seat's score now. Secret while the game runs where the rules say so."""
        ...

    def winners(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the winners of a finished game, several where the victory is shared."""
        ...
