"""The complete rules of Branch Lines, from the first line to the score."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import Effect, Event, EventFacts, Layout, Place, Seat, SeatEvent, Setup, Spot, State, Turn, begin
from companion.mechanics import steps
from companion.mechanics.plain import OpenGame
from companion.mechanics.pool import without
from companion.mechanics.seating import clockwise, left_of, with_value
from companion.mechanics.telling import GameTeller
from companion.mechanics.view import Fact

LINES = tuple([f"line-{value}" for value in range(3, 15)])
COINS = 30
"""Everybody's starting coins (R-01)."""


class LineTurned(Event, frozen=True):
    """Chance: this line is for sale (R-02)."""

    card: str


class Bid(SeatEvent, frozen=True):
    """A seat bid an amount of coins (R-03)."""

    facts = EventFacts(binding=True, declared=True)
    amount: int


class Passed(SeatEvent, frozen=True):
    """A seat left this auction (R-03)."""

    facts = EventFacts(binding=True, declared=True)


class LineSold(Effect, frozen=True):
    """A seat bought the line (R-04)."""

    seat: Seat
    card: str
    count: int


class Table(msgspec.Struct, frozen=True):
    """The whole table."""

    coins: tuple[int, ...]
    won: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...] = LINES
    line: str = ""
    """The line for sale."""
    first: Seat = Seat(0)
    """The seat that speaks first."""


class TurnUp(steps.TurnUp[Table], frozen=True):
    """A line turns up (R-02)."""

    kind = LineTurned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return the lines of the pile."""
        return table.pile

    def turned(self, table: Table, card: str) -> Turn[Table]:
        """Offer it for sale."""
        table = replace(table, line=card, pile=without(table.pile, (card,)))
        return table, (Auction(tuple(clockwise(table.first, len(table.coins)))),), ()


class Auction(steps.BiddingInTurn[Table], frozen=True):
    """The seats bid for the line (R-03, R-04)."""

    bid, passed = Bid, Passed

    def most(self, table: Table, seat: Seat) -> int:
        """Return the seat's coins."""
        return table.coins[seat]

    def sold(self, table: Table, buyer: Seat | None, price: int) -> Turn[Table]:
        """Give the line to the buyer; the seat to the buyer's left speaks first next."""
        effects: tuple[Effect, ...] = ()
        if buyer is not None:
            effects = (LineSold(buyer, table.line, price),)
            coins = with_value(table.coins, buyer, table.coins[buyer] - price)
            won = with_value(table.won, buyer, (*table.won[buyer], table.line))
            table = replace(table, coins=coins, won=won, first=left_of(buyer, len(coins)))
        return replace(table, line=""), (TurnUp(),) if table.pile else (), effects


class BranchLines(OpenGame[Table]):
    """The rules of Branch Lines."""

    name = "branch-lines"
    seats = range(2, 6)
    events: Any = LineTurned | Bid | Passed

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        players = self.count_players(setup)
        return begin(self, Table((COINS,) * players, ((),) * players), (TurnUp(),))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the values of everybody's lines, and a point for every three coins (R-05)."""
        table = state.table
        values = [sum([int(card.removeprefix("line-")) for card in own]) for own in table.won]
        return tuple([value + coins // 3 for value, coins in zip(values, table.coins, strict=True)])

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return everybody's coins, and the highest bid."""
        coins = [Fact("coins", {"seat": seat, "count": count}) for seat, count in enumerate(state.table.coins)]
        match state.agenda:
            case (Auction(leader=seat, price=price), *_) if seat is not None:
                return (Fact("leads", {"seat": seat, "count": price}), *coins)
        return tuple(coins)

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the place of the line for sale, and everybody's lines."""
        won = [Place(f"seat.{seat + 1}.lines", "pile", len(LINES), Seat(seat)) for seat in range(players)]
        return (Place("sale", "spread"), *won)

    def layout(self, state: State[Table]) -> Layout:
        """Return the line for sale, and everybody's lines."""
        table = state.table
        won = {f"seat.{seat}.lines": Spot(cards) for seat, cards in enumerate(table.won, 1)}
        return Layout({"sale": Spot((table.line,) if table.line else ()), **won}, loose=state.over)


class Teller(GameTeller[Table]):
    """Makes the sentences of Branch Lines: the sign offers a bid only to a seat that can pay for one."""

    signs: ClassVar = {"auction": {"you": (Bid, Passed), "too_dear": (Passed,)}}


RULES = BranchLines()
TELLER = Teller()
