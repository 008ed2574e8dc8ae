"""The base of a program that fills a seat: it asks the game who may act and what a seat knows."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from companion.engine import AnyGame, Event, Luck, Seat, State, offers_of

T = TypeVar("T")


class PlainPolicy(Generic[T]):
    """A player of a plain game; derive from it and say what the seat does (`choose`). It never sees a state."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def asked(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now; what is drawn or seen, nobody chooses."""
        head = state.agenda[0]
        chosen = any(not offer.chance for offer in offers_of(head, state.table))
        return head.awaits(state.table) if chosen else ()

    def look(self, state: State[T], seat: Seat) -> Any:
        """Return what the seat may know."""
        return self.game.view(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what the seat does, or None when it waits. Each game overrides this."""
        raise NotImplementedError(f"{self.game.name} has no player")

    def together(self, state: State[T], luck: Luck) -> Event | None:
        """Return None: nothing is done by all seats at once by hand."""
        return None
