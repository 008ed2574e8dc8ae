"""What the report of a finished match tells: where money came from, locomotives, auctions, purposes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.engine import Moved, Seat
from companion.games.take_a_train.purposes import ids, prize
from companion.games.take_a_train.study import Study, TrainRecord
from companion.games.take_a_train.table import START_CASH, TRAINS, Table
from companion.mechanics.definition import Report
from companion.mechanics.report import (
    Feat,
    PercentCell,
    ReportCell,
    ReportSection,
    ReportStep,
    ScoreCell,
    SeatsCell,
    WordCell,
)

COLUMNS = {
    "locomotive": "locomotives",
    "locomotives": "locomotives",
    "bid": "locomotives",
    "exchange": "exchanges",
    "profit": "profits",
    "bonus": "bonus",
    "purpose": "purposes",
    "correction": "corrections",
}
"""The column of the money table in which a payment counts, by what it was for."""
FLOWS = ("locomotives", "exchanges", "profits", "bonus", "purposes", "corrections")
ALWAYS = ("locomotives", "profits", "purposes")
"""Columns that stand there even if nobody paid or received anything."""


class Purchase(NamedTuple):
    """A locomotive of a seat in a round, with what it cost and what its train paid."""

    round: int
    seat: Seat
    record: TrainRecord

    @property
    def balance(self) -> int:
        """What its train paid beyond its price."""
        return self.record.profit - self.record.price


def named(record: TrainRecord) -> WordCell:
    """Return a locomotive's name in a table: its drive and its figures."""
    return WordCell(f"report.loco.{record.drive}", {"multiplier": record.multiplier, "power": record.power})


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    table: Table = steps[-1].after.table
    bought = tuple(purchases(steps))
    return money(steps), locomotives(bought), auctions(bought), purposes(table)


def purchases(steps: Sequence[ReportStep]) -> Iterator[Purchase]:
    """Yield all locomotives, replacements too, round by round and seat by seat."""
    study = Study()
    for step in steps:
        study.watch(*step)
    players = steps[-1].after.table.fixed.players
    for at, record in enumerate(study.trains):  # each round has the three trains of every seat, in order
        yield Purchase(at // (TRAINS * players) + 1, Seat(at // TRAINS % players), record)


def money(steps: Sequence[ReportStep]) -> ReportSection:
    """Return what each seat paid and received, from its first money to its last."""
    table: Table = steps[-1].after.table
    flows = [dict.fromkeys(FLOWS, 0) for _ in table.cash]
    for step in steps:
        for effect in step.after.effects:
            if isinstance(effect, Moved):
                flows[effect.seat][COLUMNS[effect.why]] += effect.amount
    shown = [each for each in FLOWS if each in ALWAYS or any(own[each] for own in flows)]
    rows: list[tuple[ReportCell, ...]] = [
        (SeatsCell((Seat(seat),)), ScoreCell(START_CASH), *[ScoreCell(own[each]) for each in shown], ScoreCell(end))
        for seat, (own, end) in enumerate(zip(flows, table.cash, strict=True))
    ]
    return ReportSection("money", ("player", "start", *shown, "end"), tuple(rows))


def locomotives(bought: Sequence[Purchase]) -> ReportSection:
    """Return every locomotive that was paid for, the one that brought most first."""
    rows: list[tuple[ReportCell, ...]] = [
        (
            SeatsCell((each.seat,)),
            named(each.record),
            each.round,
            WordCell(f"kind_short.{each.record.kind}"),
            ScoreCell(each.record.price),
            ScoreCell(each.record.profit),
            ScoreCell(each.balance),
        )
        for each in sorted(bought, key=lambda each: -each.balance)
        if each.record.loco
    ]
    heads = ("player", "locomotive", "round", "auction", "paid", "profit", "balance")
    return ReportSection("locomotives", heads, tuple(rows), bars=len(heads) - 1)


def auctions(bought: Sequence[Purchase]) -> ReportSection:
    """Return for each round what was paid in its auction, against the least that its locomotives could cost."""
    rows: list[tuple[ReportCell, ...]] = []
    for number in sorted({each.round for each in bought}):
        sold = [each.record for each in bought if each.round == number and each.record.loco]
        if not sold:
            continue
        least, paid = sum([each.power for each in sold]), sum([each.price for each in sold])
        share = PercentCell(round(100 * paid / least)) if least else None
        kind = WordCell(f"kind_short.{sold[0].kind}")
        rows.append((number, kind, len(sold), ScoreCell(least), ScoreCell(paid), share))
    return ReportSection("auctions", ("round", "auction", "sold", "power", "paid", "share"), tuple(rows), bars=5)


def purposes(table: Table) -> ReportSection:
    """Return each seat's tokens as far as the companion knows them, with what they brought."""
    rows: list[tuple[ReportCell, ...]] = []
    for seat, claimed in enumerate(table.claimed):
        known = table.held[seat] if table.known[seat] else 0
        for purpose in ids(claimed | known):
            brought = prize(table, purpose) if purpose in ids(claimed) else 0
            rows.append((SeatsCell((Seat(seat),)), WordCell(f"purpose.{purpose}.title"), ScoreCell(brought)))
    return ReportSection("purposes", ("player", "purpose", "brought"), tuple(rows))


def feats(steps: Sequence[ReportStep]) -> tuple[Feat, ...]:
    """Return who bought which locomotive, and who earned most in each kind of auction's round."""
    bought = tuple(purchases(steps))
    found = [Feat("locomotive", named(each.record), (each.seat,)) for each in bought if each.record.loco]
    for number in sorted({each.round for each in bought}):
        balances: dict[Seat, int] = {}
        for each in bought:
            if each.round == number:
                balances[each.seat] = balances.get(each.seat, 0) + each.balance
                kind = each.record.kind
        best = max(balances.values())
        seats = tuple([seat for seat, balance in balances.items() if balance == best])
        found.append(Feat("auction", WordCell(f"kind_short.{kind}"), seats))
    return tuple(found)


REPORT = Report(sections, feats)
"""The report of a finished match."""
