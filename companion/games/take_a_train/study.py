"""Statistics over many games: who earned what with which locomotives, wagons and auctions.

A study watches games event by event and keeps one record for each train, each seat's round and each game.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Event, Moved, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import Table


class TrainRecord(msgspec.Struct, frozen=True, gc=False):
    """One train at the end of a round. Money in dollars; `place`: first, second or third multiplier of its owner."""

    kind: str
    loco: str
    drive: str
    power: int
    multiplier: int
    price: int
    cargo: str | None
    wagons: int
    value: int
    profit: int
    won: bool = False


class RoundRecord(msgspec.Struct, frozen=True, gc=False):
    """One seat's round: `start` counts seats from the round starter, `token` from 1."""

    kind: str
    start: int
    token: int
    paid: int
    exchanged: int
    profit: int
    bonus: int
    prizes: int
    multipliers: tuple[int, ...]


class GameRecord(msgspec.Struct, frozen=True, gc=False):
    """One game: cash after each round by seat, who won, how the rounds ended and after how many turns."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    starter: int
    standings: tuple[tuple[int, ...], ...]
    endings: tuple[str, ...]
    turns: tuple[int, ...]
    claims: int


class Study:
    """Collects records; call `watch` for every event."""

    def __init__(self) -> None:
        self.trains: list[TrainRecord] = []
        self.rounds: list[RoundRecord] = []
        self.games: list[GameRecord] = []
        self._clear()
        self._game()

    def _clear(self) -> None:
        """Forget the last round's payments."""
        self.paid: dict[int, int] = {}
        self.exchanged: dict[int, int] = {}
        self.bonus: dict[int, int] = {}
        self.prizes: dict[int, int] = {}
        self.sold: dict[str, int] = {}
        self.count = 0

    def _game(self) -> None:
        """Begin a new game."""
        self.standings: list[tuple[int, ...]] = []
        self.endings: list[str] = []
        self.turns: list[int] = []
        self.claims = 0
        self.starter = 0
        self.open: list[tuple[int, TrainRecord]] = []

    def watch(self, before: State[Table], event: Event, after: State[Table]) -> None:
        """Record the effects of an event."""
        if before.agenda and isinstance(before.agenda[0], Act) and isinstance(event, ev.Took | ev.TurnPassed):
            self.count += 1
        profits: dict[tuple[int, int], int] = {}
        for effect in after.effects:
            match effect:
                case Moved(seat, amount, why):
                    book = {"locomotive": self.paid, "locomotives": self.paid, "bid": self.paid}.get(why)
                    book = {"exchange": self.exchanged, "bonus": self.bonus, "purpose": self.prizes}.get(why, book)
                    if book is not None:
                        book[seat] = book.get(seat, 0) + amount
                    self.claims += why == "purpose"
                case ev.Sold(_, card, price):
                    self.sold[card] = price
                case ev.RoundEnded(reason, _):
                    self.endings.append(reason)
                    self.turns.append(self.count)
                case ev.OrderSet() if after.table.round == 1:
                    self.starter = after.table.starter
                case ev.Profited(seat, train, amount):
                    profits[seat, train] = amount
                case ev.Ended(cash, winners):
                    self._end(cash, winners)
        if profits:
            self._round(after.table, profits)

    def _round(self, table: Table, profits: dict[tuple[int, int], int]) -> None:
        """Keep the records of a round that has just been paid."""
        players = table.fixed.players
        for seat, own in enumerate(table.trains):
            powers = sum(t.power for t in own) or 1
            for at, train in enumerate(own):
                price = self.sold.get(train.loco, 0) if train.face_up else 0
                if table.kind == "twist" and train.face_up:
                    price = round(-self.paid.get(seat, 0) * train.power / powers)
                record = TrainRecord(
                    kind=table.kind,
                    loco=train.loco if train.face_up else "",
                    drive=train.drive if train.face_up else "replacement",
                    power=train.power,
                    multiplier=train.multiplier,
                    price=price,
                    cargo=train.cargo,
                    wagons=len(train.wagons),
                    value=sum(w.value for w in train.wagons),
                    profit=profits[seat, at],
                )
                self.open.append((seat, record))
            self.rounds.append(
                RoundRecord(
                    kind=table.kind,
                    start=(seat - table.starter) % players,
                    token=table.order.index(seat) + 1,
                    paid=-self.paid.get(seat, 0),
                    exchanged=-self.exchanged.get(seat, 0),
                    profit=sum(profits[seat, at] for at in range(len(own))),
                    bonus=self.bonus.get(seat, 0),
                    prizes=self.prizes.get(seat, 0),
                    multipliers=tuple(sorted([t.multiplier for t in own], reverse=True)),
                )
            )
        self.standings.append(table.cash)
        self._clear()

    def _end(self, cash: tuple[int, ...], winners: tuple[Any, ...]) -> None:
        """Keep the game's record and whether each train belonged to a winner."""
        self.trains += [msgspec.structs.replace(record, won=seat in winners) for seat, record in self.open]
        self.games.append(
            GameRecord(
                cash,
                tuple(winners),
                self.starter,
                tuple(self.standings),
                tuple(self.endings),
                tuple(self.turns),
                self.claims,
            )
        )
        self._game()
