"""The bases of plain games: no clock, no money, no events outside the agenda.

A game that is plain in most respects inherits these answers and overrides the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from types import UnionType
from typing import Generic, TypeVar

from msgspec.structs import astuple, replace

from companion.engine import (
    GAME_OVER,
    UNKNOWN_SEAT,
    WRONG_PHASE,
    BadSetup,
    Board,
    Choice,
    CostItem,
    Effect,
    Event,
    Fault,
    Holdings,
    JsonObject,
    Layout,
    Luck,
    Offer,
    Reason,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    State,
    View,
    offers_of,
    piece_name,
)
from companion.engine.layout import BOARD
from companion.mechanics import renaming
from companion.mechanics.options import BAD_OPTION
from companion.mechanics.pool import NextCard
from companion.mechanics.sealed import ChoicesOpened
from companion.mechanics.sides import Sides
from companion.mechanics.view import Fact, OpenView, PlainView

T = TypeVar("T")
BAD_PLAYER_COUNT = Reason("R-00", "bad_player_count", "players")


class PlainGame(Generic[T]):
    """Answers of a plain game. `companion.engine.game` explains each method."""

    name: str
    order: int = 100
    seats: range
    events: UnionType
    rulings: tuple[str, ...] = ()
    money: Mapping[int, int] = {}
    first_tokens: Mapping[int, int] = {}
    unordered_fields: Collection[str] = ()
    boards: tuple[Board, ...] = ()
    piece_counts: Mapping[str, int] = {}
    """The number of pieces of each kind that an owner has; unlisted kinds never run out."""

    def begin(self, setup: Setup) -> State[T]:
        """Return the first state; raise `BadSetup` for an invalid set-up. Each game overrides this."""
        raise NotImplementedError(f"{self.name} does not begin")

    def scores(self, state: State[T]) -> tuple[int, ...]:
        """Return every seat's score; partners share their side's score. Each game overrides this."""
        raise NotImplementedError(f"{self.name} has no scores")

    def players(self, state: State[T]) -> int:
        """Return the number of players."""
        return len(self.scores(state))

    def shown_scores(self, state: State[T]) -> tuple[int, ...]:
        """Return the public scores: all of them, unless a game overrides this."""
        return self.scores(state)

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return each seat by itself: nobody has partners."""
        return Sides.alone(len(setup.seated())).groups

    def ranking(self, state: State[T]) -> tuple[tuple[Seat, ...], ...]:
        """Return the usual sides by their scores, highest first; a game with other sides overrides this."""
        scores = self.scores(state)
        sides = Sides(self.sides(Setup(self.name, len(scores))))
        return sides.ranking([scores[side[0]] for side in sides.groups])

    def winners(self, state: State[T]) -> tuple[Seat, ...]:
        """Return the first group of the ranking once the game is over."""
        return self.ranking(state)[0] if state.over else ()

    def view(self, state: State[T], seat: Seat | None) -> View:
        """Return the seat's view, built up from nothing. Each game overrides this; see also `OpenGame`."""
        raise NotImplementedError(f"{self.name} has no view")

    def basics(self, state: State[T], seat: Seat | None) -> JsonObject:
        """Return the fields of `PlainView` for a game's own view: `View(**self.basics(state, seat), wagon=…)`."""
        head = state.agenda[0] if state.agenda else None
        offers = offers_of(head, state.table) if head else ()
        return {
            "moment": head.name if head else "over",
            "awaited": head.awaits(state.table) if head else (),
            "chance": any(offer.chance for offer in offers),
            "scores": self.shown_scores(state),
            "offers": tuple([offer for offer in offers if seat is not None and offer.by == seat]),
            "facts": self.facts(state),
        }

    def facts(self, state: State[T]) -> tuple[Fact, ...]:
        """Return the lasting public facts, such as trumps; none by default."""
        return ()

    def layout(self, state: State[T]) -> Layout:
        """Return the card at each place. Each game that a camera follows overrides this."""
        raise NotImplementedError(f"{self.name} has no layout")

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the set-up with full players; the cards are always the same."""
        return replace(setup, players=setup.seated())

    def explain(self, state: State[T], event: Event) -> Refusal:
        """Return why the event is refused: no such seat, game over, the step's own reason, or the wrong moment
        (R-00).
        """
        players = self.players(state)
        if isinstance(event, SeatEvent) and not 0 <= event.seat < players:
            return UNKNOWN_SEAT(players=players)
        if not state.agenda:
            return GAME_OVER()
        return state.agenda[0].explain(state.table, event) or WRONG_PHASE()

    def count_players(self, setup: Setup, *, options: bool = False) -> int:
        """Return the number of players.

        Raise `BadSetup` if the game is for fewer or for more, and for any option unless it has `options`.
        """
        players, known = len(setup.seated()), "-".join(map(str, dict.fromkeys((self.seats[0], self.seats[-1]))))
        if players not in self.seats:
            raise BadSetup(BAD_PLAYER_COUNT(players=known), f"{self.name} is for {known} players, not {players}.")
        if setup.options and not options:
            raise BadSetup(BAD_OPTION(option=", ".join(setup.options)), f"{self.name} has no options.")
        return players

    # --- no event at any moment -------------------------------------------------------------------

    def standing(self, state: State[T]) -> tuple[Offer, ...]:
        """Return no offers: only the agenda offers events."""
        return ()

    def stands(self, event: Event) -> bool:
        """Return False: no event may happen at any moment."""
        return False

    def stand_refusal(self, state: State[T], event: Event) -> Refusal | None:
        """Return None: no event stands, so nobody asks."""
        return None

    def stand(self, state: State[T], event: Event) -> tuple[T, tuple[Effect, ...]]:
        """Raise `TypeError`: no event stands."""
        raise TypeError(f"{type(event).__name__} stands at no moment")

    def expire(self, table: T, event: Event) -> T:
        """Return the table unchanged: nothing lasts only until the next event."""
        return table

    # --- no clock, no money, sealed choices ------------------------------------------------------------

    def question(self, state: State[T], event: Event) -> object:
        """Return the view of the event's seat without the other seats that the table waits for; otherwise the whole
        state.

        This way another seat's secret choice neither makes a page stale nor shows on it.
        """
        if not isinstance(event, SeatEvent) or event.seat not in range(self.players(state)):
            return state.agenda, state.table
        view = self.view(state, event.seat)
        return replace(view, awaited=()) if isinstance(view, PlainView) else view

    def interruption(self, state: State[T], cause: str) -> Event | None:
        """Return None: a pause or a restart breaks nothing."""
        return None

    def correction(self, seat: Seat, to: int) -> Event | None:
        """Return None: nobody has money."""
        return None

    def secret(self, before: State[T], event: Event) -> tuple[str, ...]:
        """Return the fields that the step conceals, such as a deal or a sealed choice."""
        return before.agenda[0].conceals(event) if before.agenda and not self.stands(event) else ()

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the last choice of each seat whose sealed choices were opened."""
        opened = next((effect.seats for effect in effects if isinstance(effect, ChoicesOpened)), ())
        found: dict[Seat, int] = {}
        for at, event in enumerate(back):
            if len(found) == len(opened):
                break
            if isinstance(event, SeatEvent) and not self.stands(event):
                found.setdefault(event.seat, at)
        return tuple(found.values())

    def reveals(self, event: Event, after: State[T]) -> bool:
        """Return whether chance revealed something, or sealed choices were opened."""
        return not isinstance(event, SeatEvent) or any(isinstance(each, ChoicesOpened) for each in after.effects)

    def no_longer_shown(self, now: State[T], before: State[T], event: Event) -> tuple[str, ...]:
        """Return no fields: public information stays public."""
        return ()

    def has_sealed(self, state: State[T]) -> bool:
        """Return whether the present step holds a sealed choice."""
        return bool(state.agenda and state.agenda[0].sealed)

    def sealing_events(self, state: State[T], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return the position of the seat's last event, if its choice is sealed."""
        if not state.agenda or seat not in state.agenda[0].sealed:
            return ()
        own = (at for at, each in enumerate(back) if isinstance(each, SeatEvent) and each.seat == seat)
        return tuple(islice(own, 1))

    def veiled_view(self, state: State[T], seat: Seat) -> View:
        """Return the seat's view: nothing in it is sealed."""
        return self.view(state, seat)

    # --- with real cards --------------------------------------------------------------------------

    def candidate_events(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Event]:
        """Return the events of the offers; for chance, those that name a card newly seen on the table."""
        came = {card for name, spot in seen.spots.items() for card in spot.up if card not in said.spot(name).up}
        for offer in offers_of(state.agenda[0], state.table) if state.agenda else ():
            if not offer.chance:
                yield from offer if isinstance(offer, Choice) else ()
            elif isinstance(offer, Choice | NextCard):
                yield from [event for event in offer if came & set(map(str, astuple(event)))]

    def beside_mat(self, state: State[T]) -> Hashable:
        """Return nothing: states that look the same on the mat are the same."""
        return ()

    def unseen_alternatives(self, state: State[T], event: Event) -> Iterable[tuple[Sequence[Event], str]]:
        """Return nothing: pictures prove every event."""
        return ()

    def faults(self, state: State[T], said: Layout, seen: Layout) -> Iterable[Fault]:
        """Return nothing: misplaced cards are reported one by one and do not stop the rest."""
        return ()

    def with_other_card(self, event: Event, card: str, other: str) -> Iterable[Event]:
        """Return the event with another card; events name cards as the deck does."""
        return renaming.replace_card(event, event.__struct_fields__, card, other)

    def holdings(self, state: State[T]) -> Holdings:
        """Return the card at each place, by the layout's names of places: `("seat", "1", "train", "0")`.

        Pieces of one kind and owner are counted on each cell: `("board", "C4", "cube.1", "0")`.
        """
        layout = self.layout(state)
        places = {
            (*name.split("."), str(at)): card for name, spot in layout.spots.items() for at, card in enumerate(spot.up)
        }
        for cell, pieces in layout.pieces.items():
            for name, count in Counter(map(piece_name, pieces)).items():
                places |= {(BOARD, cell, name, str(at)): name for at in range(count)}
        return Holdings((), None, places)

    def learn_catalogue(self, data: JsonObject, event: Event, after: State[T]) -> JsonObject:
        """Return the catalogue unchanged: it is complete."""
        return data

    # --- boards -----------------------------------------------------------------------------------

    def board(self, state: State[T]) -> Board | None:
        """Return the game's board if it has exactly one; a game with several returns this match's board."""
        if len(self.boards) > 1:
            raise NotImplementedError(f"{self.name} does not say which of its boards a match uses")
        return self.boards[0] if self.boards else None

    def cost(self, state: State[T], event: Event) -> tuple[CostItem, ...]:
        """Return nothing: events cost nothing."""
        return ()

    def cell_figures(self, state: State[T]) -> Mapping[str, str]:
        """Return no figures: pages show the printed ones."""
        return {}

    # --- in a demonstration -----------------------------------------------------------------------

    def resting_layouts(self, before: State[T], event: Event, after: State[T]) -> Iterable[Layout]:
        """Return the cards' positions before people move them on, if the step gives them."""
        resting = before.head.resting_table(before.table, event) if before.head else None
        return () if resting is None else (self.layout(replace(before, table=resting)),)

    def draws_before_match(self, state: State[T], luck: Luck) -> Iterable[Event]:
        """Return no events: people draw nothing before the match."""
        return ()


class OpenGame(PlainGame[T]):
    """A plain game without secrets: every view shows the whole table."""

    def view(self, state: State[T], seat: Seat | None) -> View:
        """Return the whole table and the seat's offers."""
        return OpenView(**self.basics(state, seat), table=state.table)
