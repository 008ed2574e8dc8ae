"""The protocols that a game implements, split by their users: rules, matches, secrecy, the camera, demonstrations."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from types import UnionType
from typing import Any, Protocol, TypeGuard, TypeVar, runtime_checkable

import msgspec

from companion.engine.event import Effect, Event, JsonObject, Seat
from companion.engine.layout import Fault, Layout, Place
from companion.engine.offer import Luck, Offer
from companion.engine.refusal import Refusal
from companion.engine.setup import Setup
from companion.engine.state import State

T = TypeVar("T")
View = Any
"""The information visible to one seat or to everybody: a record of the game's own, read by its pages and bots."""


class Holdings(msgspec.Struct, frozen=True):
    """Each holder's property: every seat's money, the bank's, and the card at each place, such as `("train", "2", "0",
    "1")`.

    A place consists of its kind, the seat, then positions. The seats' money is secret while the rules say so; in a game
    without money `cash` is empty and `bank` is None.
    """

    cash: tuple[int, ...]
    bank: int | None
    cards: dict[tuple[str, ...], str]


class Rules(Protocol[T]):
    """The rules themselves, as functions over the game's table, for `play`, bots and simulations."""

    name: str
    """The name on the command line and in journals, such as `take-a-train`."""
    order: int
    """The position in the list of games, lowest first."""
    seats: range
    """The possible numbers of players."""
    events: UnionType
    """The tagged union of this game's events, for decoding journals and proposals."""
    rulings: tuple[str, ...]
    """The names of the rulings made since the game's first journals; a match's header names those in force at its
    start.

    Such a ruling changes how a recorded game replays. The game asks `Setup.held` which ones apply.
    """

    def begin(self, setup: Setup) -> State[T]:
        """Return the first state; raise `BadSetup` for impossible players, options or catalogues."""
        ...

    def standing(self, state: State[T]) -> tuple[Offer, ...]:
        """Return the offers that are open at any moment, in anybody's turn (claims)."""
        ...

    def stands(self, event: Event) -> bool:
        """Return whether this kind of event may happen at any moment (a claim, a correction)."""
        ...

    def stand_refusal(self, state: State[T], event: Event) -> Refusal | None:
        """Return why an event that may happen at any moment is refused now, or None."""
        ...

    def stand(self, state: State[T], event: Event) -> tuple[T, tuple[Effect, ...]]:
        """Return the table and effects after a standing event; the agenda stays the same."""
        ...

    def expire(self, table: T, event: Event) -> T:
        """Return the table before an event of the agenda, without the facts that lasted only until this event."""
        ...

    def explain(self, state: State[T], event: Event) -> Refusal:
        """Return why the event is refused, the most informative rule first."""
        ...

    def scores(self, state: State[T]) -> tuple[int, ...]:
        """Return every seat's current score. Secret during the game if the rules say so."""
        ...

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return the sides in a match with this set-up, as a partition of the seats."""
        ...

    def ranking(self, state: State[T]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats in groups, best first; seats that share a rank, such as partners, share a group.

        While the game runs, it follows from public information, and may be empty if scores are secret.
        """
        ...

    def winners(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the winners of a finished game, several if they share the victory: the first group of the ranking."""
        ...


class MatchRules(Protocol[T]):
    """The part of a game that matches and tables also use: chance, tokens, corrections, interruptions."""

    money: Mapping[int, int]
    """All money tokens in the box, by value; empty for a game without money."""
    first_tokens: Mapping[int, int]
    """The money tokens that each seat begins with, by value."""

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the set-up with full players and the whole catalogue, so that the match never changes later."""
        ...

    def question(self, state: State[T], event: Event) -> object:
        """Return everything that a decision for this event depends on: if it has changed, the page was stale."""
        ...

    def interruption(self, state: State[T], cause: str) -> Event | None:
        """Return the event that a pause or a restart causes now (a broken count), or None."""
        ...

    def correction(self, seat: Seat, to: int) -> Event | None:
        """Return the event that corrects a seat's money to the amount it really holds; None in a game without money."""
        ...

    def holdings(self, state: State[T]) -> Holdings:
        """Return everybody's holdings, to show the effects of an amendment."""
        ...

    def learn_catalogue(self, data: JsonObject, event: Event, after: State[T]) -> JsonObject:
        """Return the owner's catalogue, with the details of the owner's cards that an event revealed."""
        ...


class SecrecyRules(Protocol[T]):
    """The part of a game that decides what each seat may know, and when.

    `back` is always the line of play from the last event backwards; positions in it count from 0.
    """

    def view(self, state: State[T], seat: Seat | None) -> View:
        """Return the view of a seat, or the public view for None, built up from nothing."""
        ...

    def veiled_view(self, state: State[T], seat: Seat) -> View:
        """Return the seat's view without its sealed bids and cards, for a device that did not seal them."""
        ...

    def secret(self, before: State[T], event: Event) -> tuple[str, ...]:
        """Return the event's fields that are secret when it happens."""
        ...

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the positions of events whose secrets became public by the last event with these effects."""
        ...

    def no_longer_shown(self, now: State[T], before: State[T], event: Event) -> tuple[str, ...]:
        """Return the fields that were public when the event happened but that logs no longer show."""
        ...

    def has_sealed(self, state: State[T]) -> bool:
        """Return whether a sealed bid or card on the table is still closed."""
        ...

    def sealing_events(self, state: State[T], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return the positions of the events that sealed a seat's current fist or face-down cards."""
        ...

    def reveals(self, event: Event, after: State[T]) -> bool:
        """Return whether the event, which led to this state, revealed something that people cannot forget."""
        ...


class Game(Rules[T], MatchRules[T], SecrecyRules[T], Protocol[T]):
    """Everything that a game must implement. Register an instance in `companion.games`.

    `companion.mechanics.plain` implements most of it for a game without money, secrets and clocks.
    """


class SightRules(Protocol[T]):
    """The part of a game that the camera uses: the expected positions of cards, possible events, and illegal
    arrangements."""

    def places(self, players: int) -> tuple[Place, ...]:
        """Return every place of a table for this number of players."""
        ...

    def layout(self, state: State[T]) -> Layout:
        """Return the cards that the rules expect at each place, as a camera sees them."""
        ...

    def candidate_events(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Event]:
        """Return events that may have happened next, judged by the camera's view: a few guesses, legal or not.

        `said` is the state's own layout, `seen` names its places in the same way. Its `passed` and `returned` list the
        cards that came and went since the last event.
        """
        ...

    def beside_mat(self, state: State[T]) -> Hashable:
        """Return differences between states that people notice and a camera cannot: counts of hands and piles, money.

        People are asked to choose between explanations that differ in it; otherwise any of them will do.
        """
        ...

    def unseen_alternatives(self, state: State[T], event: Event) -> Iterable[tuple[Sequence[Event], str]]:
        """Return the alternatives to an event that pictures alone do not prove.

        Each comes with the place where one card would then lie unseen; empty if the same cards are visible. A person is
        asked which of them happened.
        """
        ...

    def faults(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Fault]:
        """Return faults of the table that break every rule and that no event explains; people must fix them first.

        Cards that merely lie in the wrong place need not be reported.
        """
        ...

    def with_other_card(self, event: Event, card: str, other: str) -> Iterable[Event]:
        """Return the event as it would be with another card in place of one; nothing if it does not name that card."""
        ...

    def resting_layouts(self, before: State[T], event: Event, after: State[T]) -> Iterable[Layout]:
        """Return the intermediate layouts while people move the cards from one state to the next."""
        ...


@runtime_checkable
class OwnLayouts(Protocol):
    """A game in which a seat sees more of the table than a camera does, such as its own hidden pawn."""

    def shown_layout(self, state: State[T], seat: Seat) -> Layout:
        """Return the layout as a seat's own page draws it."""
        ...


def layout_for(game: SightRules[T], state: State[T], seat: Seat | None) -> Layout:
    """Return the layout that pages draw for a seat or for everybody: the game's own, or else the camera's."""
    if seat is not None and isinstance(game, OwnLayouts):
        return game.shown_layout(state, seat)
    return game.layout(state)


class DemoRules(Protocol[T]):
    """The part of a game that a demonstration uses: how simulated people play it with real cards and tablets."""

    unordered_fields: Collection[str]
    """Fields of the public view whose order means nothing."""

    def draws_before_match(self, state: State[T], luck: Luck) -> Iterable[Event]:
        """Return the draws that people make before the match and enter on their own tablets."""
        ...


class SeenGame(Game[T], SightRules[T], DemoRules[T], Protocol[T]):
    """A game whose table a camera can follow. `companion.mechanics.plain` implements what most games share."""


AnyGame = Game[Any]
"""A game whose table is opaque: code outside the games uses only the protocol."""
AnyState = State[Any]
"""A state whose table only its game reads."""
AnySeenGame = SeenGame[Any]
"""A game that a camera can follow, with an opaque table."""


def seen(game: Game[T]) -> TypeGuard[SeenGame[T]]:
    """Return whether a camera can follow the game's table, derived from what the game implements."""
    return all(hasattr(game, name) for name in ("places", "layout", "candidate_events", "faults", "with_other_card"))
