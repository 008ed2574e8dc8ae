"""The events and steps of Hill and Harbour."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import CellName, Choice, Effect, Event, EventFacts, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.examples.hill_and_harbour import refusals
from companion.games.examples.hill_and_harbour.board import CITIES, CONTRACTS, PASSAGE, full, hosts, price, reachable
from companion.mechanics import steps
from companion.mechanics.pool import without
from companion.mechanics.seating import left_of, with_value

OPEN = 3
"""Number of open contracts (R-01)."""
LATER = 3
"""Extra starting coins of each seat over the one before (R-01)."""
CUBES, PER_TURN = 15, 3
"""Cubes of each seat (R-01), and the most in a turn (R-02)."""
WAGES = 3
"""Coins for waiting (R-08)."""


class Table(msgspec.Struct, frozen=True):
    """The whole table. The deck holds the remaining contracts."""

    coins: tuple[int, ...]
    tracks: tuple[tuple[str, ...], ...]
    """The cells of each seat's cubes, in the order laid."""
    won: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    open: tuple[str, ...] = ()
    """The open contracts, the oldest first."""


class ContractTurned(Event, frozen=True):
    """Chance: this contract was the next one in the deck (R-01, R-07)."""

    card: str


class Laid(SeatEvent, frozen=True):
    """A seat laid a cube of track (R-02 to R-06)."""

    cell: CellName


class Delivered(SeatEvent, frozen=True):
    """A seat took an open contract that its track fulfils (R-07)."""

    card: str


class Ended(SeatEvent, frozen=True):
    """A seat stopped laying in this turn (R-02)."""


class Waited(SeatEvent, frozen=True):
    """A seat waited, and took coins instead (R-08)."""

    facts = EventFacts(binding=True)


class CityReached(Effect, frozen=True):
    """A seat was the first to reach a city (R-06)."""

    seat: Seat
    city: str
    count: int


class PassagePaid(Effect, frozen=True):
    """A seat paid another for passage (R-05)."""

    seat: Seat
    host: Seat


class Expired(Effect, frozen=True):
    """The oldest open contract left the game (R-08)."""

    card: str


class TurnUp(steps.Refill[Table], frozen=True):
    """Chance: a new contract is turned up for each missing one."""

    kind = ContractTurned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return every contract that the deck can hold."""
        return table.deck

    def empty(self, table: Table) -> range:
        """Return the empty places of the row."""
        return range(len(table.open), OPEN)

    def filled(self, table: Table, place: int, card: str) -> Table:
        """Lay it open."""
        return replace(table, open=(*table.open, card), deck=without(table.deck, (card,)))


class Build(Step[Table], frozen=True):
    """A seat lays cubes and delivers, or waits (R-02)."""

    seat: Seat
    laid: int = 0
    acted: bool = False

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the cells that the seat can pay for, the contracts that it fulfils, and the end of its turn."""
        seat = self.seat
        cells = [cell for cell in reachable(table.tracks[seat]) if self._objection(table, cell) is None]
        lays = tuple([Laid(seat, CellName(cell)) for cell in cells])
        others = [Delivered(seat, card) for card in table.open if fulfils(table, seat, card)]
        end = Ended(seat) if self.acted else Waited(seat)
        return (Choice(seat, lays), Choice(seat, (*others, end))) if lays else (Choice(seat, (*others, end)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Carry it out. After the last cube the turn ends automatically, unless the seat can deliver."""
        after: tuple[Step[Table], ...] = (Build(left_of(self.seat, len(table.coins))),)
        match event:
            case Laid(seat, cell):
                table, effects = lay(table, seat, cell)
                done = self.laid + 1 == PER_TURN and not any(fulfils(table, seat, card) for card in table.open)
                return table, after if done else (Build(seat, self.laid + 1, True),), effects
            case Delivered(seat, card):
                won = with_value(table.won, seat, (*table.won[seat], card))
                table = replace(gain(table, seat, pay_of(card)), open=without(table.open, (card,)), won=won)
                return *refilled(table, (Build(seat, self.laid, True),)), ()
            case Waited(seat):
                waited = replace(gain(table, seat, WAGES), open=table.open[1:])
                return *refilled(waited, after), (Expired(table.open[0]),)
        return table, after, ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Explain the fault of the cell or the contract; the offers explain the rest."""
        match event:
            case Laid(self.seat, cell):
                return self._objection(table, cell)
            case Delivered(self.seat, card):
                return (refusals.NOT_LINKED if card in table.open else refusals.NOT_OPEN)(card=card)
            case Waited(self.seat):
                return refusals.HAS_ACTED()
        return super().explain(table, event)

    def _objection(self, table: Table, cell: str) -> Refusal | None:
        """Return why the seat cannot lay a cube on a cell, None if it can (R-01 to R-05)."""
        track = table.tracks[self.seat]
        if self.laid == PER_TURN:
            return refusals.ENOUGH(most=PER_TURN)
        if len(track) == CUBES:
            return refusals.NO_CUBES(most=CUBES)
        if cell not in reachable(track):
            return (refusals.NOT_IN_REACH if track else refusals.BEGIN_IN_A_CITY)(cell=cell)
        if full(table.tracks, cell):
            return refusals.FULL(cell=cell)
        total = sum([item.amount for item in price(table.tracks, self.seat, cell)])
        return refusals.TOO_DEAR(amount=total) if total > table.coins[self.seat] else None


def pay_of(card: str) -> int:
    """Return the pay of a contract (R-07)."""
    return int(card.partition("-")[2])


def fulfils(table: Table, seat: Seat, card: str) -> bool:
    """Return whether a seat has cubes in both cities of a contract (R-07)."""
    return set(CONTRACTS[card]) <= set(table.tracks[seat])


def gain(table: Table, seat: Seat, amount: int) -> Table:
    """Return the table after a seat received or paid coins."""
    return replace(table, coins=with_value(table.coins, seat, table.coins[seat] + amount))


def lay(table: Table, seat: Seat, cell: str) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a seat laid and paid for a cube (R-04 to R-06)."""
    effects: list[Effect] = []
    after = gain(table, seat, -sum([item.amount for item in price(table.tracks, seat, cell)]))
    for host in map(Seat, hosts(table.tracks, seat, cell)):
        after = gain(after, host, PASSAGE)
        effects.append(PassagePaid(seat, host))
    if table.tracks[seat] and cell in CITIES and not any(cell in track for track in table.tracks):
        city, value = CITIES[cell]
        after = gain(after, seat, value)
        effects.append(CityReached(seat, city, value))
    return replace(after, tracks=with_value(table.tracks, seat, (*table.tracks[seat], cell))), tuple(effects)


def refilled(table: Table, then: tuple[Step[Table], ...]) -> tuple[Table, tuple[Step[Table], ...]]:
    """Return the table and the steps after a contract left the row: the next contract, or the end (R-07 to R-09)."""
    return table, (*TurnUp().begin(table), *then) if table.deck or table.open else ()
