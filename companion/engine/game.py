"""What a game must be for the house to run it. Knows no game itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard, TypeVar

import msgspec

from companion.engine.event import Effect, Event, Seat
from companion.engine.layout import Fault, Layout, Place
from companion.engine.offer import Offer
from companion.engine.ruling import Refusal
from companion.engine.setup import Setup
from companion.engine.state import State

T = TypeVar("T")


class Holdings(msgspec.Struct, frozen=True):
    """What lies where: every seat's money, the bank's, and cards by place, such as `("train", "2", "0", "1")`.

    A place names what it is, then the seat, then positions. The seats' money is secret while the rules say so; in a
    game without money `cash` is empty and `bank` None.
    """

    cash: tuple[int, ...]
    bank: int | None
    cards: dict[tuple[str, ...], str]


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
    declared: frozenset[str]
    """Events of chance that people tell (who starts), even where the companion deals."""
    dealt_only: frozenset[str]
    """Events that only a companion that deals can know: a text in which one stands was dealt by the companion."""
    money: Mapping[int, int]
    """All the money tokens in the box, by value; empty for a game without money."""
    first_tokens: Mapping[int, int]
    """The money tokens each seat begins with, by value."""

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

    def faded(self, table: T, event: Event) -> T:
        """Return the table as an event of the agenda finds it: without what held only until this event."""
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

    # --- for a table that keeps matches -----------------------------------------------------------

    def resolved(self, setup: Setup) -> Setup:
        """Return the setup with players written out and the whole catalogue in it, so that a match never changes."""
        ...

    def question(self, state: State[T], event: Event) -> object:
        """Return all that a decision for this event depends on: when it has changed, the page was stale."""
        ...

    def interrupted(self, state: State[T], cause: str) -> Event | None:
        """Return what a pause or a restart brings about now (a broken count), or None."""
        ...

    def correction(self, seat: Seat, to: int) -> Event | None:
        """Return the event that puts a seat's money to what really lies there; None in a game without money."""
        ...

    def secret(self, before: State[T], event: Event) -> tuple[str, ...]:
        """Return the event's fields that are secret when it happens."""
        ...

    def told(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return which events' secrets the last one, from which these effects followed, made public.

        `back` is the line of play from the last event backwards; the positions in it are counted from 0.
        """
        ...

    def forgotten(self, now: State[T], before: State[T], event: Event) -> tuple[str, ...]:
        """Return the fields that were public when the event happened, but that no log shows any more."""
        ...

    def sealed_by(self, state: State[T], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return which events put down what lies sealed from a seat now: its closed fist, its placed cards.

        `back` is the line of play from the last event backwards; the positions in it are counted from 0.
        """
        ...

    def veiled_view(self, state: State[T], seat: Seat) -> Any:
        """Return the seat's view without what lies sealed from it, for a device that did not put it there."""
        ...

    def reveals(self, event: Event, after: State[T]) -> bool:
        """Whether the event, which led to this state, turned something up that cannot be unlearned."""
        ...

    def sealed(self, state: State[T]) -> bool:
        """Whether somebody has put something sealed on the table that is not open yet."""
        ...

    def holdings(self, state: State[T]) -> Holdings:
        """Return what lies where, for telling what a correction changes."""
        ...

    def learned(self, data: dict[str, Any], event: Event, after: State[T]) -> dict[str, Any]:
        """Return the owner's catalogue with what an event, which led to this state, shows of his box."""
        ...


class SeenGame(Game[T], Protocol[T]):
    """A game whose table a camera can follow: it says what lies where, what may have happened, and what may not be.

    `companion.mechanics.plain` has plain answers for the last three."""

    def places(self, players: int) -> tuple[Place, ...]:
        """Return every place of a table for so many players."""
        ...

    def layout(self, state: State[T]) -> Layout:
        """Return what the rules say lies where."""
        ...

    def supposed(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Event]:
        """Return what may have happened next, judged by what is seen: a few guesses, legal or not.

        `said` is the state's own layout, `seen` names its places in the same way. A place `<name>.before` in it holds
        what lay there since the last event and is gone again, `<name>.again` cards that left it, and others like them
        lie there now.
        """
        ...

    def overlooked(self, state: State[T], event: Event) -> Iterable[tuple[Event, str]]:
        """Return what else may have happened instead of an event that was judged by what is gone, each with the place
        at which one card would lie that is not seen: somebody is asked then."""
        ...

    def faults(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Fault]:
        """Return what no rule allows of what is seen, where no event explains it; nothing is taken until it is mended.

        What merely lies elsewhere than it should need not be named here.
        """
        ...

    def renamed(self, event: Event, card: str, other: str) -> Iterable[Event]:
        """Return the event as it would be, had a card been read as another one; nothing where it names no such card."""
        ...


def seen(game: Game[T]) -> TypeGuard[SeenGame[T]]:
    """Whether a camera can follow the game's table: derived from what the game brings."""
    return all(hasattr(game, name) for name in ("places", "layout", "supposed", "faults", "renamed"))
