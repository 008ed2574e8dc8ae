"""The costs and earnings of each auction, drive, cargo and seat over many games, and whether any dominates.

A study watches games event by event and keeps one record for each train, each seat's round and each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median

import msgspec

from companion.engine import Event, JsonObject, Moved, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import CARGO, DRIVES
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import Table
from companion.mechanics.definition import Balance, Criterion

PRICES = ("locomotive", "locomotives", "bid")
"""The names of payments for locomotives."""


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
    """One game: cash after each round by seat, the winners, and the ends and lengths of the rounds."""

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
        """Total receipts by purpose of the payment and seat."""
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
        """Store the records of a round that has just been paid."""
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
        """Store the game's record and whether each train belonged to a winner."""
        self.trains += [msgspec.structs.replace(record, won=seat in winners) for seat, record in self.open]
        course = tuple(self.standings), tuple(self.endings), tuple(self.turns)
        self.games.append(GameRecord(cash, winners, self.starter, *course, self.claims))
        self._begin_game()


COLUMNS = {
    "auctions": ("rounds", "price", "price_median", "price_over_power", "paid", "profit", "net", "replacements"),
    "drives": ("locomotives", "price", "profit", "net", "returned", "profit_share", "wagons", "edge"),
    "cargos": ("trains", "wagons", "profit_per_train", "profit_per_card", "multiplier"),
}
"""The printed columns of each table of figures."""
BIDDING = ("pass", "blind", "double_blind", "preemption", "open")
"""Auctions in which seats name their own price; Twist uses the rulebook's formula."""

AUCTION_MOST, DRIVE_MOST, CARGO_MOST, START_MOST, TOKEN_MOST = 1.5, 1.25, 1.5, 1.35, 1.6
"""The limits of the criteria."""


def figures(study: Study) -> JsonObject:
    """Return all figures of a study, money in dollars."""
    return {
        "games": len(study.games),
        "auctions": {kind: auction(study, kind) for kind in ev.KINDS if any(r.kind == kind for r in study.rounds)},
        "drives": {
            drive: holding(study, [t for t in study.trains if t.drive == drive]) for drive in (*DRIVES, "replacement")
        },
        "cargos": {cargo: hauling([t for t in study.trains if t.cargo == cargo]) for cargo in CARGO},
        "seats": seats(study),
        "game": whole(study),
    }


def part(count: float, of: float) -> float:
    """Return a share, 0 of an empty total."""
    return round(count / of, 3) if of else 0.0


def dollars(amounts: Iterable[float]) -> int:
    """Return the mean in whole dollars, 0 of no amounts."""
    every = list(amounts)
    return round(mean(every)) if every else 0


def auction(study: Study, kind: str) -> JsonObject:
    """Return the cost and earnings of one type of auction for a seat in a round."""
    rounds = [r for r in study.rounds if r.kind == kind]
    trains = [t for t in study.trains if t.kind == kind]
    sold = [t for t in trains if t.drive != "replacement"]
    return {
        "rounds": len(rounds),
        "price": dollars(t.price for t in sold),
        "price_median": round(median([t.price for t in sold])) if sold else 0,
        "price_over_power": part(sum(t.price for t in sold), sum(t.power for t in sold)),
        "paid": dollars(r.paid for r in rounds),
        "profit": dollars(r.profit for r in rounds),
        "net": dollars(r.profit + r.bonus - r.paid - r.exchanged for r in rounds),
        "replacements": part(len(trains) - len(sold), len(trains)),
    }


def holding(study: Study, trains: Sequence[TrainRecord]) -> JsonObject:
    """Return the cost and earnings of locomotives of one drive. `edge`: how much more often winners held one."""
    won = part(sum(t.won for t in trains), len(trains))
    every = part(sum(t.won for t in study.trains), len(study.trains))
    return {
        "locomotives": len(trains),
        "share": part(len(trains), len(study.trains)),
        "price": dollars(t.price for t in trains),
        "profit": dollars(t.profit for t in trains),
        "net": dollars(t.profit - t.price for t in trains),
        "returned": part(sum(t.profit for t in trains), sum(t.price for t in trains)),
        "profit_share": part(sum(t.profit for t in trains), sum(t.profit for t in study.trains)),
        "wagons": part(sum(t.wagons for t in trains), len(trains)),
        "edge": part(won, every),
    }


def hauling(trains: Sequence[TrainRecord]) -> JsonObject:
    """Return the load and earnings of trains with one cargo."""
    wagons = sum(t.wagons for t in trains)
    return {
        "trains": len(trains),
        "wagons": part(wagons, len(trains)),
        "profit_per_train": dollars(t.profit for t in trains),
        "profit_per_card": round(sum(t.profit for t in trains) / wagons) if wagons else 0,
        "multiplier": part(sum(t.multiplier for t in trains), len(trains)),
    }


def seats(study: Study) -> JsonObject:
    """Return each seat's share of victories, by seat and from the first starter, and profits by sequence token."""
    players = len(study.games[0].scores)

    def wins(of: Sequence[int]) -> float:
        games = zip(study.games, of, strict=True)
        return part(sum(1 / len(g.winners) for g, seat in games if seat in g.winners), len(study.games))

    return {
        "wins": [wins([seat] * len(study.games)) for seat in range(players)],
        "wins_from_starter": [wins([(g.starter + k) % players for g in study.games]) for k in range(players)],
        "profit_by_token": [
            dollars(r.profit + r.bonus for r in study.rounds if r.token == token) for token in range(1, players + 1)
        ],
    }


def whole(study: Study) -> JsonObject:
    """Return figures of whole games: money, length, endings, leads kept and lost."""
    games = study.games
    players = len(games[0].scores)

    def wins(place: Callable[[Sequence[int]], int], after: int) -> float:
        at = [g.standings[after - 1].index(place(g.standings[after - 1])) for g in games]
        return part(sum(seat in g.winners for g, seat in zip(games, at, strict=True)), len(games))

    endings = [ending for g in games for ending in g.endings]
    return {
        "money": dollars(score for g in games for score in g.scores),
        "winner": dollars(max(g.scores) for g in games),
        "last": dollars(min(g.scores) for g in games),
        "turns_a_round": part(sum(sum(g.turns) for g in games), len(endings) * players),
        "ended_by_a_full_train": part(endings.count("full"), len(endings)),
        "claims": part(sum(g.claims for g in games), len(games) * players),
        "leader_after_1_wins": wins(max, 1),
        "leader_after_2_wins": wins(max, 2),
        "last_after_2_wins": wins(min, 2),
    }


def verdicts(found: JsonObject) -> list[Criterion]:
    """Return the criteria by which nothing dominates, with the measured figures."""
    nets = [found["auctions"][kind]["net"] for kind in BIDDING if kind in found["auctions"]]
    edges = [found["drives"][drive]["edge"] for drive in DRIVES]
    trains = [cargo["profit_per_train"] for cargo in found["cargos"].values()]
    starts = found["seats"]["wins_from_starter"]
    tokens = found["seats"]["profit_by_token"]
    return [
        Criterion("best over worst net result of a round, among auctions with bids", ratio(nets), AUCTION_MOST),
        Criterion("best over worst drive, by how often winners hold it", ratio(edges), DRIVE_MOST),
        Criterion("best over worst cargo, by profit of a train", ratio(trains), CARGO_MOST),
        Criterion("most frequent winner's share over a fair share, by seat from the starter",
                round(max(starts) * len(starts), 2), START_MOST),
        Criterion("profit with the first sequence token over that with the last", ratio(tokens), TOKEN_MOST),
    ]  # fmt: skip


def ratio(amounts: Sequence[float]) -> float:
    """Return the maximum over the minimum, rounded; infinity if the minimum is not above 0."""
    return round(max(amounts) / min(amounts), 2) if min(amounts) > 0 else float("inf")


BALANCE = Balance(COLUMNS, Study, figures, verdicts)
"""The study of many games."""
