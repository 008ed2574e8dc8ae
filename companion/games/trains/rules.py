"""The rules of Trains: how a match begins, scores, and who wins."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import (
    UNKNOWN_SEAT,
    WRONG_PHASE,
    BadSetup,
    Board,
    Event,
    Refusal,
    Seat,
    Setup,
    State,
    begin,
    seat_of,
)
from companion.engine.board import CostItem
from companion.games.trains import boards, layout, refusals, secrecy, sight
from companion.games.trains import events as ev
from companion.games.trains.catalogue import BASIC, KINGDOM, NORMAL, RAILS, STARTING, STATION, Catalogue, given, shipped
from companion.games.trains.options import RULINGS, Options
from companion.games.trains.rails import STATION_POINTS, brings_waste, price, score
from companion.games.trains.steps.draws import Shuffle
from companion.games.trains.steps.effects import ApplyText
from companion.games.trains.steps.setup import DrawKingdom, NameFirst
from companion.games.trains.table import PLAYERS, Fixed, Table, deck_of, new_table
from companion.games.trains.view import View, live_points, view
from companion.mechanics.options import resolve
from companion.mechanics.plain import PlainGame
from companion.mechanics.view import Fact

SHARING_WASTE = CostItem("waste", 1, unit="waste")
"""What a cell with somebody else's cube costs besides coins (R-16)."""


class Trains(PlainGame[Table]):
    """The rules of Trains (OKAZU, 2012)."""

    name = "trains"
    order = 2
    seats = PLAYERS
    events: Any = ev.Any
    rulings: tuple[str, ...] = RULINGS
    boards = boards.shipped()
    secret = staticmethod(secrecy.secret)
    reveals = staticmethod(secrecy.reveals)
    places = staticmethod(layout.places)
    layout = staticmethod(layout.layout)
    candidate_events = staticmethod(sight.candidate_events)
    faults = staticmethod(sight.faults)
    beside_mat = staticmethod(sight.beside_mat)

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the setup with full players, and with the whole list of the owner's box (R-10)."""
        full = super().resolve_setup(setup)
        if setup.deck != "box":
            return full
        return msgspec.structs.replace(full, catalogue=msgspec.to_builtins(given(setup.catalogue)))

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01 to R-03); raise `BadSetup` for an impossible set-up."""
        players = len(setup.seated())
        if players not in self.seats:
            raise BadSetup(refusals.BAD_PLAYER_COUNT(players=players), "Trains is for 2 to 4 players.")
        if len({player.colour for player in setup.seated()}) < players:
            raise BadSetup(refusals.SAME_COLOUR(), "Each player's cubes have a colour of their own.")
        if setup.deck == "ours" and any(player.colour == dict(boards.NEUTRAL)["station"] for player in setup.seated()):
            why = "With printed cards black cubes are the stations: choose another colour."
            raise BadSetup(refusals.STATION_COLOUR(), why)
        check_kingdom(setup.options.get("kingdom", ()))
        options = resolve(Options, setup.options, players)
        catalogue = given(setup.catalogue)
        drawn = options.draw_kingdom == "yes"
        kinds = catalogue.kingdom if drawn else options.kingdom
        book = {card.id: card for card in catalogue.cards}
        missing = [card for card in (*BASIC, *kinds) if book[card].cost is None or book[card].value is None]
        if missing:
            said = "".join(f"R-10: the cost or value of {card} has not been entered. " for card in missing).strip()
            raise BadSetup(refusals.COST_MISSING(cards=tuple(missing)), said)
        supply = first_supply(catalogue, () if drawn else options.kingdom, players)
        table = new_table(Fixed(players, options, book, setup.deck == "dealt", setup.held(self.rulings)), supply)
        return begin(self, table, (*((DrawKingdom(catalogue.kingdom),) if drawn else ()), NameFirst()))

    def board(self, state: State[Table]) -> Board:
        """Return the board of this match."""
        return state.table.board

    def cost(self, state: State[Table], event: Event) -> tuple[CostItem, ...]:
        """Return what a rail costs, part by part (R-16)."""
        head = state.agenda[0] if state.agenda else None
        if isinstance(event, ev.RailLaid) and isinstance(head, ApplyText):
            waste = brings_waste(state.table, event.seat, event.cell, head.card)
            return (*price(state.table, event.seat, event.cell, head.card), *((SHARING_WASTE,) if waste else ()))
        return ()

    def cell_figures(self, state: State[Table]) -> dict[str, str]:
        """Return what a cube counts in each city that has a station (R-22)."""
        return {cell: str(STATION_POINTS[count]) for cell, count in state.table.stations.items() if count}

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return why the event is refused."""
        if not state.agenda:
            return refusals.GAME_OVER()
        seat = seat_of(event)
        if seat is not None and not 0 <= seat < state.table.fixed.players:
            return UNKNOWN_SEAT(players=state.table.fixed.players)
        if isinstance(event, ev.Reshuffled) and not isinstance(state.agenda[0], Shuffle):
            lying = state.table.zones.count(deck_of(event.seat))
            return refusals.NOT_DUE(seat=event.seat, count=lying)
        return state.agenda[0].explain(state.table, event) or WRONG_PHASE()

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return what the seat, or everybody, may know."""
        return view(state, seat, self.basics(state, seat))

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return the coins of the turn (R-11)."""
        return (Fact("coins", {"count": state.table.coins}),)

    def shown_scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the points that stand on the map; those on cards come at the end (R-22)."""
        return self.scores(state) if state.over else live_points(state.table)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return every seat's points (R-22)."""
        return tuple([score(state.table, seat) for seat in range(state.table.fixed.players)])

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats by their points; the later edition breaks ties by cubes on the map (R-23)."""
        rails = state.table.rails
        later = state.table.fixed.options.later
        keys = {Seat(s): (points, len(rails[s]) if later else 0) for s, points in enumerate(self.scores(state))}
        groups: dict[tuple[int, int], list[Seat]] = {}
        for seat, key in keys.items():
            groups.setdefault(key, []).append(seat)
        return tuple([tuple(groups[key]) for key in sorted(groups, reverse=True)])


def check_kingdom(chosen: Any) -> None:
    """Raise `BadSetup` for a list that is not eight different kinds of the thirty (R-02); an empty one is no choice."""
    if not isinstance(chosen, list | tuple) or not chosen:
        return
    if not len(chosen) == len(set(map(str, chosen))) == KINGDOM or not set(map(str, chosen)) <= set(shipped().kingdom):
        raise BadSetup(refusals.KINGDOM(count=KINGDOM), f"A kingdom needs {KINGDOM} different cards of the 30.")


def first_supply(catalogue: Catalogue, kingdom: tuple[str, ...], players: int) -> dict[str, int]:
    """Return the piles of a match: starting cards are taken out of theirs, and Normal Trains have none (R-02)."""
    counts = {card.id: card.count for card in catalogue.cards}
    for card in (RAILS, STATION):
        counts[card] -= STARTING[card] * players
    return {card: counts[card] for card in (*BASIC, *kingdom) if card != NORMAL}


RULES = Trains()
