"""The rules of Twenty Tons: the beginning, views and sentences, the layout, the score."""

from __future__ import annotations

from typing import Any, ClassVar

from companion.engine import Event, Layout, Place, Seat, Setup, Spot, State, begin
from companion.games.examples.twenty_tons.steps import LONGEST, Passed, Table, Took, TurnUp, WagonTurned
from companion.mechanics.plain import OpenGame
from companion.mechanics.telling import GameTeller


class TwentyTons(OpenGame[Table]):
    """The rules of Twenty Tons."""

    name = "twenty-tons"
    seats = range(2, 5)
    events: Any = WagonTurned | Took | Passed

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        return begin(self, Table(((),) * self.count_players(setup)), (TurnUp(),))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the weight of every train in tons; the highest wins (R-05)."""
        return tuple([sum(train) for train in state.table.trains])

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places of the table: the wagon in the middle, and everybody's train."""
        trains = [Place(f"seat.{seat + 1}.train", "row", LONGEST, Seat(seat)) for seat in range(players)]
        return (Place("middle", "spread"), *trains)

    def layout(self, state: State[Table]) -> Layout:
        """Return the cards at each place."""
        table = state.table
        trains = {f"seat.{s}.train": Spot(tuple(map("wagon-{}".format, t))) for s, t in enumerate(table.trains, 1)}
        return Layout({"middle": Spot((f"wagon-{table.wagon}",) if table.wagon else ()), **trains})

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return possible events, judged by the camera's view: a wagon in the middle, taken, or passed on."""
        turned = [WagonTurned(int(card.removeprefix("wagon-"))) for card in seen.spots["middle"].up]
        return [*turned, *[kind(seat) for seat in state.agenda[0].awaits(state.table) for kind in (Took, Passed)]]


class Teller(GameTeller[Table]):
    """Makes the sentences of Twenty Tons: the sign offers a wagon only if the seat's locomotive can pull it."""

    signs: ClassVar = {"ask": {"you": (Took, Passed), "too_heavy": (Passed,)}}


RULES = TwentyTons()
TELLER = Teller()
