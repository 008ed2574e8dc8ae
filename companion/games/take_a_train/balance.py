"""Figures of a study: what each auction, drive, cargo and seat earned, and whether any dominates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median

import msgspec

from companion.engine import JsonObject
from companion.games.take_a_train.catalogue import CARGO, DRIVES
from companion.games.take_a_train.events import KINDS
from companion.games.take_a_train.study import Study, TrainRecord
from companion.mechanics.definition import Balance


class Verdict(msgspec.Struct, frozen=True):
    """One criterion of balance: what was asked, what was measured, and whether it holds."""

    asked: str
    measured: float
    most: float

    @property
    def good(self) -> bool:
        """Whether the measured figure keeps within the limit."""
        return self.measured <= self.most


COLUMNS = {
    "auctions": ("rounds", "price", "price_median", "price_over_power", "paid", "profit", "net", "replacements"),
    "drives": ("locomotives", "price", "profit", "net", "returned", "profit_share", "wagons", "edge"),
    "cargos": ("trains", "wagons", "profit_per_train", "profit_per_card", "multiplier"),
}
"""The columns printed of each table of figures."""
BIDDING = ("pass", "blind", "double_blind", "preemption", "open")
"""Auctions in which seats name their own price; in Twist the rulebook's formula does."""

AUCTION_MOST, DRIVE_MOST, CARGO_MOST, START_MOST, TOKEN_MOST = 1.5, 1.25, 1.5, 1.35, 1.6
"""The limits of the criteria."""


def figures(study: Study) -> JsonObject:
    """Return all the figures of a study, money in dollars."""
    return {
        "games": len(study.games),
        "auctions": {kind: auction(study, kind) for kind in KINDS if any(r.kind == kind for r in study.rounds)},
        "drives": {
            drive: holding(study, [t for t in study.trains if t.drive == drive]) for drive in (*DRIVES, "replacement")
        },
        "cargos": {cargo: hauling([t for t in study.trains if t.cargo == cargo]) for cargo in CARGO},
        "seats": seats(study),
        "game": whole(study),
    }


def part(count: float, of: float) -> float:
    """Return a share, 0 of nothing."""
    return round(count / of, 3) if of else 0.0


def dollars(amounts: Iterable[float]) -> int:
    """Return the mean in whole dollars, 0 of nothing."""
    every = list(amounts)
    return round(mean(every)) if every else 0


def auction(study: Study, kind: str) -> JsonObject:
    """Return what one type of auction cost and earned a seat in a round."""
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
    """Return what locomotives of one drive cost and earned. `edge`: how much oftener winners held one."""
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
    """Return what trains with one cargo carried and earned."""
    wagons = sum(t.wagons for t in trains)
    return {
        "trains": len(trains),
        "wagons": part(wagons, len(trains)),
        "profit_per_train": dollars(t.profit for t in trains),
        "profit_per_card": round(sum(t.profit for t in trains) / wagons) if wagons else 0,
        "multiplier": part(sum(t.multiplier for t in trains), len(trains)),
    }


def seats(study: Study) -> JsonObject:
    """Return how often each seat wins, by seat and counted from the first starter, and profits by sequence token."""
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
    """Return what whole games are like: money, length, endings, leads kept and come from behind."""
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


def verdicts(found: JsonObject) -> list[Verdict]:
    """Return the criteria by which nothing dominates, with what was measured."""
    nets = [found["auctions"][kind]["net"] for kind in BIDDING if kind in found["auctions"]]
    edges = [found["drives"][drive]["edge"] for drive in DRIVES]
    trains = [cargo["profit_per_train"] for cargo in found["cargos"].values()]
    starts = found["seats"]["wins_from_starter"]
    tokens = found["seats"]["profit_by_token"]
    return [
        Verdict("best over worst net result of a round, among auctions with bids", ratio(nets), AUCTION_MOST),
        Verdict("best over worst drive, by how often winners hold it", ratio(edges), DRIVE_MOST),
        Verdict("best over worst cargo, by profit of a train", ratio(trains), CARGO_MOST),
        Verdict("most frequent winner's share over a fair share, by seat from the starter",
                round(max(starts) * len(starts), 2), START_MOST),
        Verdict("profit with the first sequence token over that with the last", ratio(tokens), TOKEN_MOST),
    ]  # fmt: skip


def ratio(amounts: Sequence[float]) -> float:
    """Return the greatest over the least, rounded; infinity when the least is not above 0."""
    return round(max(amounts) / min(amounts), 2) if min(amounts) > 0 else float("inf")


BALANCE = Balance(COLUMNS, Study, figures, verdicts)
"""What many games show."""
