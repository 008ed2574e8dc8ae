"""The rules of Game of Trains: how a match begins, events at any moment, and refusals."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import (
    UNKNOWN_SEAT,
    WRONG_PHASE,
    BadSetup,
    Effect,
    Event,
    JsonObject,
    Offer,
    Refusal,
    Seat,
    Setup,
    State,
    View,
    begin,
    seat_of,
)
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import faults, layout, match_rules, refusals, secrecy, sight
from companion.games.game_of_trains.catalogue import book_of, given
from companion.games.game_of_trains.lines import in_order
from companion.games.game_of_trains.options import Options
from companion.games.game_of_trains.steps.setup import Deal
from companion.games.game_of_trains.steps.turn import RESHUFFLE, Draw, Refill, reshuffle
from companion.games.game_of_trains.table import PLAYERS, Fixed, Table, new_table
from companion.games.game_of_trains.view import public_view, seat_view
from companion.mechanics.options import resolve
from companion.mechanics.plain import PlainGame

POSITIONS = ("position", "left", "right")
"""Fields that hold a place in a line, 1 to 7; 0 would be the locomotive."""


class GameOfTrains(PlainGame[Table]):
    """The rules of Game of Trains (Brain Games, 2015)."""

    name = "game-of-trains"
    order = 4
    seats = PLAYERS
    events: Any = ev.Any
    # for matches and the table
    question = staticmethod(match_rules.question)
    holdings = staticmethod(match_rules.holdings)
    learn_catalogue = staticmethod(match_rules.learn_catalogue)
    secret = staticmethod(secrecy.secret)
    newly_public = staticmethod(secrecy.newly_public)
    reveals = staticmethod(secrecy.reveals)
    # for demonstrations
    # for the camera
    places = staticmethod(layout.places)
    layout = staticmethod(layout.layout)
    candidate_events = staticmethod(sight.candidate_events)
    faults = staticmethod(faults.faults)
    with_other_card = staticmethod(sight.with_other_card)

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the setup with full players and the whole catalogue; raise `BadSetup` for an impossible one."""
        plain: JsonObject = msgspec.to_builtins(given(setup.catalogue))
        return replace(setup, players=setup.seated(), catalogue=plain)

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01 to R-03); raise `BadSetup` for an impossible setup."""
        players = len(setup.seated())
        if players not in self.seats:
            raise BadSetup(refusals.BAD_PLAYER_COUNT(players=players), "Game of Trains is for 2 to 4 players.")
        options = resolve(Options, setup.options, players)
        catalogue = given(setup.catalogue)
        if setup.deck != "box" and not catalogue.known:
            missing = ", ".join([str(wagon.number) for wagon in catalogue.wagons if wagon.ability is None])
            said = f"These wagons have no ability in the list, and only a box's cards are asked for theirs: {missing}."
            raise BadSetup(refusals.BAD_CATALOGUE(why=said), said)
        table = new_table(Fixed(players, options, book_of(catalogue), setup.deck == "dealt"))
        return begin(self, table, (Deal(tuple([Seat(s) for s in range(players)])),))

    # --- at any moment ----------------------------------------------------------------------------

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Offer to shuffle the discard as soon as the pile is empty, where people shuffle (R-13)."""
        table = state.table
        if table.fixed.dealt or table.pile or isinstance(state.agenda[0], Draw | Refill):
            return ()  # these steps offer it themselves
        return RESHUFFLE

    def stands(self, event: Event) -> bool:
        """Whether this kind of event may happen at any moment."""
        return type(event) is ev.Reshuffled

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Return why the discard cannot be shuffled now, or None (R-13)."""
        table = state.table
        if table.pile:
            return refusals.PILE_NOT_EMPTY(pile=table.pile)
        if table.fixed.dealt and not isinstance(state.agenda[0], Draw | Refill):
            return refusals.NOT_NEEDED_YET()
        return None

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Return the table with its new pile (R-13)."""
        after = reshuffle(state.table)
        return after, (ev.PileMade(after.pile),)

    # --- refusals ---------------------------------------------------------------------------------

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return why the event is refused: game over, the locomotive, then the step's own reason, then the moment."""
        table = state.table
        if not state.agenda:
            return refusals.GAME_OVER()
        seat = seat_of(event)
        if seat is not None and not 0 <= seat < table.fixed.players and not isinstance(event, ev.FirstNamed):
            return UNKNOWN_SEAT(players=table.fixed.players)
        if any(getattr(event, name, 1) == 0 for name in POSITIONS):
            return refusals.LOCOMOTIVE()
        if self.stands(event):
            found = self.stand_refusal(state, event)
            assert found is not None
            return found
        return state.agenda[0].explain(table, event) or WRONG_PHASE()

    # --- views and scores -------------------------------------------------------------------------

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return what the seat may know, or the public view for None."""
        return public_view(state) if seat is None else seat_view(state, seat)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the longest rising sequence of each seat; only the winner's has all 7 wagons (R-14)."""
        return tuple([in_order(line) for line in state.table.lines])


RULES = GameOfTrains()
"""The registered game."""
