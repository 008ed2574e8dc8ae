"""The rules of Game of Trains: the start of a match, events at any moment, refusals, secrets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from companion.engine import (
    BadSetup,
    Effect,
    Event,
    Holdings,
    JsonObject,
    Offer,
    Refusal,
    Seat,
    Setup,
    State,
    begin,
    events_in,
)
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import layout, refusals, sight
from companion.games.game_of_trains.catalogue import Catalogue, Wagon, book_of, given, wagon_id
from companion.games.game_of_trains.lines import in_order
from companion.games.game_of_trains.steps.setup import Deal
from companion.games.game_of_trains.steps.turn import RESHUFFLE, Draw, Refill, reshuffle
from companion.games.game_of_trains.table import GAP, LOCKABLE, PLAYERS, Fixed, Options, Table, new_table
from companion.games.game_of_trains.view import SeatView, TableView, public_view, seat_view
from companion.mechanics.options import resolve
from companion.mechanics.plain import PlainGame

POSITIONS = ("position", "left", "right")
"""Fields that hold a position in a line, 1 to 7; 0 would be the locomotive."""
SECRET: dict[type[Event], tuple[str, ...]] = {ev.HandsDrawn: ("hands",), ev.CardDrawn: ("card",)}
"""Fields that only their owner may read when the event happens."""
TURNED_UP = (ev.LineDealt, ev.HandsDrawn, ev.CardDrawn, ev.Refilled)
"""Events after which somebody knows a card that nobody could know before.

A seat's later use of the card reveals nothing new to it, and may be taken back.
"""


class GameOfTrains(PlainGame[Table]):
    """The rules of Game of Trains (Brain Games, 2015)."""

    name = "game-of-trains"
    order = 4
    seats = PLAYERS
    events = events_in(ev)
    # for the camera
    places = staticmethod(layout.places)
    layout = staticmethod(layout.layout)
    candidate_events = staticmethod(sight.candidate_events)
    faults = staticmethod(sight.faults)
    with_other_card = staticmethod(sight.with_other_card)

    def resolve_setup(self, setup: Setup) -> Setup:
        plain: JsonObject = msgspec.to_builtins(given(setup.catalogue))
        return replace(setup, players=setup.seated(), catalogue=plain)

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01 to R-03); raise `BadSetup` for an impossible set-up."""
        players = self.count_players(setup, options=True)
        options, catalogue = resolve(Options, setup.options, players), given(setup.catalogue)
        if setup.deck != "box" and not catalogue.known:
            missing = ", ".join([str(wagon.number) for wagon in catalogue.wagons if wagon.ability is None])
            said = f"These wagons have no ability in the list, and only a box's cards are asked for theirs: {missing}."
            raise BadSetup(refusals.BAD_CATALOGUE(why=said), said)
        table = new_table(Fixed(players, options, book_of(catalogue), setup.deck == "dealt"))
        return begin(self, table, (Deal(tuple([Seat(s) for s in range(players)])),))

    # --- at any moment ----------------------------------------------------------------------------

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Offer a shuffle of the discard once the pile is empty, if people shuffle (R-13)."""
        table = state.table
        if table.fixed.dealt or table.pile or isinstance(state.agenda[0], Draw | Refill):
            return ()  # these steps offer it themselves
        return RESHUFFLE

    def stands(self, event: Event) -> bool:
        return type(event) is ev.Reshuffled

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Return why the discard cannot be shuffled now, or None (R-13)."""
        table = state.table
        if table.pile:
            return refusals.PILE_NOT_EMPTY(pile=table.pile)
        needed = not table.fixed.dealt or isinstance(state.agenda[0], Draw | Refill)
        return None if needed else refusals.NOT_NEEDED_YET()

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Return the table with its new pile (R-13)."""
        after = reshuffle(state.table)
        return after, (ev.PileMade(after.pile),)

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return why the event is refused: the locomotive (R-02), the pile (R-13), or the general reasons."""
        if state.agenda and any(getattr(event, name, 1) == 0 for name in POSITIONS):
            return refusals.LOCOMOTIVE()
        why = self.stand_refusal(state, event) if state.agenda and self.stands(event) else None
        return why or super().explain(state, event)

    # --- views, scores, secrets -------------------------------------------------------------------

    def view(self, state: State[Table], seat: Seat | None) -> TableView | SeatView:
        return public_view(state) if seat is None else seat_view(state, seat)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the longest rising sequence of each seat; only the winner's has all 7 wagons (R-14)."""
        return tuple([in_order(line) for line in state.table.lines])

    def secret(self, before: State[Table], event: Event) -> tuple[str, ...]:
        return SECRET.get(type(event), ())

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the position of the draw that the last event made public by placing the card (R-08).

        Unkept cards from the set-up stay secret until the game is over.
        """
        events = enumerate(back)
        if isinstance(next(events, (0, None))[1], ev.Placed):
            at, event = next(((at, each) for at, each in events if not isinstance(each, ev.Reshuffled)), (0, None))
            return (at,) if isinstance(event, ev.CardDrawn) else ()
        return ()

    def reveals(self, event: Event, after: State[Table]) -> bool:
        return isinstance(event, TURNED_UP)

    # --- for matches and the table ----------------------------------------------------------------

    def question(self, state: State[Table], event: Event) -> object:
        """Return the basis of a decision for the event: for a shuffle, the pile alone (R-13)."""
        return state.table.pile if isinstance(event, ev.Reshuffled) else super().question(state, event)

    def holdings(self, state: State[Table]) -> Holdings:
        """Return the card at each place: lines and padlocks by seat and position (1 to 7), the pool in order."""
        table = state.table
        cards: dict[tuple[str, ...], int] = {("pool", str(at)): card for at, card in enumerate(table.pool)}
        for seat, line in enumerate(table.lines):
            cards |= {("line", str(seat), str(at)): card for at, card in enumerate(line, 1)}
            cards |= {("lock", str(seat), str(at)): lock for at, lock in zip(LOCKABLE, table.locks[seat], strict=True)}
        return Holdings((), None, {place: wagon_id(card) for place, card in cards.items() if card != GAP})

    def learn_catalogue(self, data: JsonObject, event: Event, after: State[Table]) -> JsonObject:
        if not isinstance(event, ev.AbilityRead):
            return data
        known, read = msgspec.convert(data, Catalogue), Wagon(event.card, event.ability, "owner")
        wagons = tuple([read if wagon.number == event.card else wagon for wagon in known.wagons])
        found: JsonObject = msgspec.to_builtins(Catalogue(known.name, wagons))
        return found


RULES = GameOfTrains()
"""The registered game."""
