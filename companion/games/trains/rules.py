"""The rules of Trains: the start of a match, scores, and ranking."""

from __future__ import annotations

import msgspec

from companion.engine import BadSetup, Board, Event, Refusal, Seat, Setup, State, begin, events_in
from companion.engine.board import CostItem
from companion.games.trains import boards, refusals, sight
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
from companion.mechanics.sides import Sides
from companion.mechanics.view import Fact

SHARING_WASTE = CostItem("waste", 1, unit="waste")
"""The cost of a cell with another seat's cube, besides coins (R-16)."""

TURNED_UP = (ev.CardsDrawn, ev.TopSeen, ev.CardRevealed, ev.KingdomDrawn)
"""Events by which somebody learns a card that was unknown before."""
DRAWING = (ev.FirstNamed, ev.Ended, ev.TurnPassed, ev.Reshuffled, ev.Applied, ev.CrewSent, ev.CardsDiscarded)
"""Events after which people draw real cards without entering them."""


class Trains(PlainGame[Table]):
    """The rules of Trains (OKAZU, 2012)."""

    name = "trains"
    order = 2
    seats = PLAYERS
    events = events_in(ev)
    rulings: tuple[str, ...] = RULINGS
    boards = boards.shipped()
    places = staticmethod(sight.places)
    layout = staticmethod(sight.layout)
    candidate_events = staticmethod(sight.candidate_events)
    faults = staticmethod(sight.faults)
    beside_mat = staticmethod(sight.beside_mat)

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the set-up with full players, and with the whole list of the owner's box (R-10)."""
        full = super().resolve_setup(setup)
        if setup.deck != "box":
            return full
        return msgspec.structs.replace(full, catalogue=msgspec.to_builtins(given(setup.catalogue)))

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01 to R-03); raise `BadSetup` for an impossible set-up."""
        players, colours = self.count_players(setup, options=True), [player.colour for player in setup.seated()]
        if len(set(colours)) < players:
            raise BadSetup(refusals.SAME_COLOUR(), "Each player's cubes have a colour of their own.")
        if setup.deck == "ours" and dict(boards.NEUTRAL)["station"] in colours:
            why = "With printed cards black cubes are the stations: choose another colour."
            raise BadSetup(refusals.STATION_COLOUR(), why)
        check_kingdom(setup.options.get("kingdom", ()))
        options = resolve(Options, setup.options, players)
        catalogue = given(setup.catalogue)
        drawn = (DrawKingdom(catalogue.kingdom),) if options.draw_kingdom == "yes" else ()
        kinds = catalogue.kingdom if drawn else options.kingdom
        book = {card.id: card for card in catalogue.cards}
        missing = [card for card in (*BASIC, *kinds) if book[card].cost is None or book[card].value is None]
        if missing:
            said = " ".join([f"R-10: the cost or value of {card} has not been entered." for card in missing])
            raise BadSetup(refusals.COST_MISSING(cards=tuple(missing)), said)
        supply = first_supply(catalogue, () if drawn else options.kingdom, players)
        table = new_table(Fixed(players, options, book, setup.deck == "dealt", setup.held(self.rulings)), supply)
        return begin(self, table, (*drawn, NameFirst()))

    def board(self, state: State[Table]) -> Board:
        return state.table.board

    def cost(self, state: State[Table], event: Event) -> tuple[CostItem, ...]:
        """Return the cost of a rail, part by part (R-16)."""
        head = state.agenda[0] if state.agenda else None
        if isinstance(event, ev.RailLaid) and isinstance(head, ApplyText):
            waste = brings_waste(state.table, event.seat, event.cell, head.card)
            return (*price(state.table, event.seat, event.cell, head.card), *((SHARING_WASTE,) if waste else ()))
        return ()

    def cell_figures(self, state: State[Table]) -> dict[str, str]:
        """Return the value of a cube in each city that has a station (R-22)."""
        return {cell: str(STATION_POINTS[count]) for cell, count in state.table.stations.items() if count}

    def explain(self, state: State[Table], event: Event) -> Refusal:
        table, waits = state.table, bool(state.agenda) and not isinstance(state.agenda[0], Shuffle)
        if waits and isinstance(event, ev.Reshuffled) and event.seat in range(self.players(state)):
            return refusals.NOT_DUE(seat=event.seat, count=table.zones.count(deck_of(event.seat)))
        return super().explain(state, event)

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return whether somebody learns a card that was unknown before."""
        return isinstance(event, TURNED_UP) or (not after.table.fixed.dealt and isinstance(event, DRAWING))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        return view(state, seat, self.basics(state, seat))

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return the coins of the turn (R-11)."""
        return (Fact("coins", {"count": state.table.coins}),)

    def shown_scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the points on the map; card points are added at the end (R-22)."""
        return self.scores(state) if state.over else live_points(state.table)

    def players(self, state: State[Table]) -> int:
        return state.table.fixed.players

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return every seat's points (R-22)."""
        return tuple([score(state.table, seat) for seat in range(state.table.fixed.players)])

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats by their points; the later edition breaks ties by cubes on the map (R-23)."""
        table = state.table
        cubes = [len(own) if table.fixed.options.later else 0 for own in table.rails]
        return Sides.alone(len(cubes)).ranking(self.scores(state), cubes)


def check_kingdom(chosen: object) -> None:
    """Raise `BadSetup` for a list that is not eight different kinds of the thirty (R-02); an empty list means no
    choice.
    """
    cards = [*map(str, chosen)] if isinstance(chosen, list | tuple) else []
    if cards and (len(cards) != KINGDOM or len(set(cards)) != KINGDOM or not set(cards) <= set(shipped().kingdom)):
        raise BadSetup(refusals.KINGDOM(count=KINGDOM), f"A kingdom needs {KINGDOM} different cards of the 30.")


def first_supply(catalogue: Catalogue, kingdom: tuple[str, ...], players: int) -> dict[str, int]:
    """Return the piles of a match: starting cards are taken out of theirs, and Normal Trains have none (R-02)."""
    counts = {card.id: card.count for card in catalogue.cards}
    for card in (RAILS, STATION):
        counts[card] -= STARTING[card] * players
    return {card: counts[card] for card in (*BASIC, *kingdom) if card != NORMAL}


RULES = Trains()
