"""Statistics over many games: who earned what with which locomotives, wagons and auctions.

A study watches games event by event and keeps one record for each train, each seat's round and each game.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.engine import Event, Moved, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import Table

PRICES = ("locomotive", "locomotives", "bid")
"""What payments for locomotives are called."""


class TrainRecord(msgspec.Struct, frozen=True, gc=False):
    """One train at the end of a round. Money in dollars."""

    kind: str
    loco: str
    drive: str
    power: int
    multiplier: int
    price: int
    cargo: str | None
    wagons: int
    profit: int
    won: bool = False


class RoundRecord(msgspec.Struct, frozen=True, gc=False):
    """One seat's round: `token` counts from 1."""

    kind: str
    token: int
    paid: int
    exchanged: int
    profit: int
    bonus: int


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
        self._begin_round()
        self._begin_game()

    def _begin_round(self) -> None:
        """Forget the last round's payments."""
        self.moved: Counter[tuple[str, int]] = Counter()
        """What seats received in all, by what for and the seat."""
        self.sold: dict[str, int] = {}
        self.count = 0

    def _begin_game(self) -> None:
        """Forget the last game."""
        self.standings: list[tuple[int, ...]] = []
        self.endings: list[str] = []
        self.turns: list[int] = []
        self.claims = 0
        self.starter = 0
        self.open: list[tuple[int, TrainRecord]] = []

    def watch(self, before: State[Table], event: Event, after: State[Table]) -> None:
        """Record the effects of an event."""
        if isinstance(before.head, Act) and isinstance(event, ev.Took | ev.TurnPassed):
            self.count += 1
        profits: dict[tuple[int, int], int] = {}
        for effect in after.effects:
            match effect:
                case Moved(seat, amount, why):
                    self.moved["paid" if why in PRICES else why, seat] += amount
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
        for seat, own in enumerate(table.trains):
            paid = -self.moved["paid", seat]
            powers = sum(t.power for t in own) or 1
            for at, train in enumerate(own):
                price = self.sold.get(train.loco, 0)
                if table.kind == "twist":
                    price = round(paid * train.power / powers)
                card = (train.loco, train.drive) if train.face_up else ("", "replacement")
                figures = (train.power, train.multiplier, price if train.face_up else 0)
                record = TrainRecord(table.kind, *card, *figures, train.cargo, len(train.wagons), profits[seat, at])
                self.open.append((seat, record))
            profit = sum(profits[seat, at] for at in range(len(own)))
            token, exchanged = table.order.index(seat) + 1, -self.moved["exchange", seat]
            self.rounds.append(RoundRecord(table.kind, token, paid, exchanged, profit, self.moved["bonus", seat]))
        self.standings.append(table.cash)
        self._begin_round()

    def _end(self, cash: tuple[int, ...], winners: tuple[int, ...]) -> None:
        """Keep the game's record and whether each train belonged to a winner."""
        self.trains += [msgspec.structs.replace(record, won=seat in winners) for seat, record in self.open]
        course = tuple(self.standings), tuple(self.endings), tuple(self.turns)
        self.games.append(GameRecord(cash, winners, self.starter, *course, self.claims))
        self._begin_game()
