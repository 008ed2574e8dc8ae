"""The rules of Hill and Harbour: the beginning, views and sentences, the layout, the ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.engine import CellName, Event, Layout, Piece, Place, Seat, Setup, Spot, State, begin, by_cell
from companion.games.examples.hill_and_harbour import steps
from companion.games.examples.hill_and_harbour.board import BOARD, Price, price
from companion.games.examples.hill_and_harbour.options import BY_PLAYERS, Options
from companion.games.examples.hill_and_harbour.steps import OPEN, Build, Delivered, Ended, Laid, Table, TurnUp, Waited
from companion.mechanics.options import resolve
from companion.mechanics.plain import OpenGame
from companion.mechanics.sides import Sides
from companion.mechanics.telling import GameTeller


class HillAndHarbour(OpenGame[Table]):
    """The rules of Hill and Harbour."""

    name = "hill-and-harbour"
    seats = range(2, 5)
    events: Any = steps.ContractTurned | Laid | Delivered | Ended | Waited
    boards = (BOARD,)
    piece_counts: Mapping[str, int] = {"cube": steps.CUBES}

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        players = self.count_players(setup, options=True)
        options = resolve(Options, setup.options, players, BY_PLAYERS)
        assert options.coins is not None
        coins = tuple([options.coins + steps.LATER * seat for seat in range(players)])
        table = Table(coins, ((),) * players, ((),) * players, options.goods)
        return begin(self, table, (TurnUp(), Build(Seat(0))))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return everybody's coins (R-09)."""
        return state.table.coins

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the richest first; of equals, those with more contracts; the rest share a rank (R-09)."""
        table = state.table
        return Sides.alone(len(table.coins)).ranking(table.coins, tuple(map(len, table.won)))

    def cost(self, state: State[Table], event: Event) -> Price:
        """Return the cost of a cube (R-04, R-05)."""
        return price(state.table.tracks, event.seat, event.cell) if isinstance(event, Laid) else ()

    # --- for the camera ---------------------------------------------------------------------------

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places of the table: the open contracts, and each seat's fulfilled ones."""
        won = [Place(f"seat.{seat + 1}.won", "row", 12, Seat(seat)) for seat in range(players)]
        return (Place("open", "spread", OPEN), *won)

    def layout(self, state: State[Table]) -> Layout:
        """Return the contracts at each place, and the cubes on the board."""
        table = state.table
        won = {f"seat.{seat}.won": Spot(cards) for seat, cards in enumerate(table.won, 1)}
        cubes = [Piece("cube", Seat(seat), cell) for seat, track in enumerate(table.tracks) for cell in track]
        return Layout({"open": Spot(table.open), **won}, pieces=by_cell(cubes))

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return possible events: a contract turned up or taken, a cube, or the end of the turn."""
        turned = [steps.ContractTurned(card) for card in seen.spot("open").up if card not in state.table.open]
        mine = state.agenda[0].awaits(state.table)
        laid = [Laid(seat, CellName(piece.cell)) for seat in mine for piece in said.added_pieces(seen)]
        taken = [Delivered(seat, card) for seat in mine for card in seen.spot(f"seat.{seat + 1}.won").up]
        return [*turned, *laid, *taken, *[kind(seat) for seat in mine for kind in (Waited, Ended)]]


class Teller(GameTeller[Table]):
    """Makes the sentences of Hill and Harbour: the sign lists the remaining options of a restricted seat."""

    signs: ClassVar = {
        "build": {
            "you": (Laid, Delivered, Ended), "lay": (Laid, Ended), "deliver": (Delivered, Ended), "end": (Ended,),
            "you_or_wait": (Laid, Delivered, Waited), "lay_or_wait": (Laid, Waited),
            "deliver_or_wait": (Delivered, Waited), "wait": (Waited,),
        },
    }  # fmt: skip


RULES = HillAndHarbour()
TELLER = Teller((BOARD,))
