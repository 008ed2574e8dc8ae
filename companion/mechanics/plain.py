"""A plain game: everything lies open, nothing runs against a clock, nobody has money, no event may come at any moment.

A game that is plain in all but a few of these inherits the rest, and says only what it has. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from companion.engine import Effect, Event, Fault, Holdings, Layout, Offer, Refusal, Seat, SeatEvent, Setup, State
from companion.mechanics import renaming

T = TypeVar("T")


class PlainGame(Generic[T]):
    """What a plain game need not say itself. See `companion.engine.Game` for what each of these is asked."""

    name: str
    events: Any
    asked: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    dealt_only: frozenset[str] = frozenset()
    money: Mapping[int, int] = {}
    first_tokens: Mapping[int, int] = {}

    def scores(self, state: State[T]) -> tuple[int, ...]:
        """Return every seat's score: the game's own."""
        raise NotImplementedError(f"{self.name} has no scores")

    def view(self, state: State[T], seat: Seat | None) -> Any:
        """Return what the seat may know: the game's own."""
        raise NotImplementedError(f"{self.name} has no view")

    def layout(self, state: State[T]) -> Layout:
        """Return what lies where: the game's own."""
        raise NotImplementedError(f"{self.name} has no layout")

    def resolved(self, setup: Setup) -> Setup:
        """Return the setup with players written out; the cards are always the same."""
        return replace(setup, players=setup.seated())

    def explain(self, state: State[T], event: Event) -> Refusal:
        """Say why the event is refused: nobody's seat, the game's end, the step's own reason, the moment (R-00)."""
        players = len(self.scores(state))
        if isinstance(event, SeatEvent) and not 0 <= event.seat < players:
            return Refusal("R-00", "unknown_seat", {"players": players})
        if not state.agenda:
            return Refusal("R-00", "game_over", {})
        return state.agenda[0].explain(state.table, event) or Refusal("R-00", "wrong_phase", {})

    # --- nothing at any moment --------------------------------------------------------------------

    def standing(self, state: State[T]) -> tuple[Offer, ...]:
        """Return nothing: whatever happens is what the agenda waits for."""
        return ()

    def stands(self, event: Event) -> bool:
        """Return False: no event may come at any moment."""
        return False

    def stand_refusal(self, state: State[T], event: Event) -> Refusal | None:
        """Return None: this is asked of events that stand."""
        return None

    def stand(self, state: State[T], event: Event) -> tuple[T, tuple[Effect, ...]]:
        """Fail: no event stands."""
        raise TypeError(f"{type(event).__name__} stands at no moment")

    def faded(self, table: T, event: Event) -> T:
        """Return the table as it is: nothing holds only until the next event."""
        return table

    # --- no clock, no money, no secret ------------------------------------------------------------

    def question(self, state: State[T], event: Event) -> object:
        """Return everything: whatever has changed, the page was stale."""
        return state.agenda, state.table

    def interrupted(self, state: State[T], cause: str) -> Event | None:
        """Return None: a pause or a restart breaks nothing."""
        return None

    def correction(self, seat: Seat, to: int) -> Event | None:
        """Return None: nobody has money."""
        return None

    def secret(self, before: State[T], event: Event) -> tuple[str, ...]:
        """Return nothing: everything lies open."""
        return ()

    def told(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return nothing: there was no secret."""
        return ()

    def forgotten(self, now: State[T], before: State[T], event: Event) -> tuple[str, ...]:
        """Return nothing: whatever was public stays so."""
        return ()

    def sealed(self, state: State[T]) -> bool:
        """Return False: nobody's decision lies sealed on the table."""
        return False

    def sealed_by(self, state: State[T], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return nothing: nothing lies sealed."""
        return ()

    def veiled_view(self, state: State[T], seat: Seat) -> Any:
        """Return the seat's view: nothing in it lies sealed."""
        return self.view(state, seat)

    def overlooked(self, state: State[T], event: Event) -> Iterable[tuple[Event, str]]:
        """Return nothing: no event is judged by what is gone alone."""
        return ()

    def faults(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Fault]:
        """Return nothing: what lies wrongly is said card by card, and does not stop the rest."""
        return ()

    def renamed(self, event: Event, card: str, other: str) -> Iterable[Event]:
        """Return the event with another card: cards stand in events by the names that a deck gives them."""
        return renaming.renamed(event, event.__struct_fields__, card, other)

    def holdings(self, state: State[T]) -> Holdings:
        """Return which card lies where, as the layout names its places: `("seat", "1", "train", "0")`."""
        spots = self.layout(state).spots.items()
        places = {(*name.split("."), str(at)): card for name, spot in spots for at, card in enumerate(spot.up)}
        return Holdings((), None, places)

    def learned(self, data: dict[str, Any], event: Event, after: State[T]) -> dict[str, Any]:
        """Return the list of cards as it is: no event shows what it lacks."""
        return data
