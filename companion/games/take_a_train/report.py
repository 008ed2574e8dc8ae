"""Moments for pages, and the report of a finished match: sources of money, locomotives, auctions, purposes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.engine import Effect, Event, Moved, Seat, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.balance import Study, TrainRecord
from companion.games.take_a_train.purposes import BY_ID, PURPOSES, ids, prize
from companion.games.take_a_train.table import START_CASH, TRAINS, Table
from companion.mechanics import report as tables
from companion.mechanics.definition import Moments, Report
from companion.mechanics.moments import CardTurned, FistReveal, Income, IncomePart, Moment, sales
from companion.mechanics.report import Feat, ReportCell, ReportSection, ReportStep

SOURCES = {
    "profit": "source.profit",
    "purpose": "source.purpose",
    "bonus": "source.bonus",
    "exchange": "source.exchange",
}
"""The names of money's sources by key; unlisted payments were for locomotives."""


def moments(event: Event, effects: Sequence[Effect]) -> Iterator[Moment]:
    """Return the moments of an event for pages (R-32, R-69, R-73)."""
    fists = [effect for effect in effects if isinstance(effect, ev.FistsOpened)]
    if fists:
        yield opened(fists[0], effects)
    else:
        yield from sales(effects)
    if isinstance(event, ev.Claimed):
        purpose = PURPOSES[BY_ID[event.purpose]]
        paid = sum([effect.amount for effect in effects if isinstance(effect, Moved)])
        yield CardTurned(event.seat, f"purpose.{purpose.id}.title", f"purpose.{purpose.id}.text", paid)
    parts = tuple([train(effect) for effect in effects if isinstance(effect, ev.Profited) and effect.amount])
    if parts:
        yield Income("income.trains", parts)


def opened(fists: ev.FistsOpened, effects: Sequence[Effect]) -> FistReveal:
    """Return opened fists with their result."""
    tied = [effect.seats for effect in effects if isinstance(effect, ev.Tied)]
    final = bool(tied) or any(isinstance(effect, ev.Sold | ev.NoSale) for effect in effects)
    return FistReveal(fists.amounts, next(iter(sales(effects)), None), tied[0] if tied else (), final)


def train(paid: ev.Profited) -> IncomePart:
    """Return the pay of one train."""
    return IncomePart((paid.seat,), paid.amount, "source.train", {"number": paid.train + 1})


def sources(before: State[Table], event: Event, after: State[Table]) -> Iterator[IncomePart]:
    """Return the sources and uses of money, except for corrections, which concern only a seat and the bank (R-05)."""
    for effect in after.effects:
        if isinstance(effect, Moved) and effect.amount and effect.why != "correction":
            yield IncomePart((effect.seat,), effect.amount, SOURCES.get(effect.why, "source.bought"))


MOMENTS = Moments(moments, sources)
"""The moments for pages."""


COLUMNS = {
    **dict.fromkeys(("locomotive", "locomotives", "bid"), "locomotives"),
    "exchange": "exchanges",
    "profit": "profits",
    "bonus": "bonus",
    "purpose": "purposes",
    "correction": "corrections",
}
"""The column of the money table for each kind of payment."""
FLOWS = tuple(dict.fromkeys(COLUMNS.values()))
ALWAYS = ("locomotives", "profits", "purposes")
"""Columns that appear even if empty."""


class Purchase(NamedTuple):
    """A seat's locomotive in a round, with its cost and its train's pay."""

    round: int
    seat: Seat
    record: TrainRecord

    @property
    def balance(self) -> int:
        """Its train's pay minus its price."""
        return self.record.profit - self.record.price


def named(record: TrainRecord) -> tables.WordCell:
    """Return a locomotive's name in a table: its drive and its figures."""
    return tables.WordCell(f"report.loco.{record.drive}", {"multiplier": record.multiplier, "power": record.power})


def kind_of(record: TrainRecord) -> tables.WordCell:
    """Return the short name of a locomotive's auction."""
    return tables.WordCell(f"kind_short.{record.kind}")


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    table: Table = steps[-1].after.table
    bought = tuple(purchases(steps))
    return money(steps), locomotives(bought), auctions(bought), purposes(table)


def purchases(steps: Sequence[ReportStep]) -> Iterator[Purchase]:
    """Yield all locomotives, including replacements, round by round and seat by seat."""
    study = Study()
    for step in steps:
        study.watch(*step)
    players = steps[-1].after.table.fixed.players
    for at, record in enumerate(study.trains):  # each round has the three trains of every seat, in order
        yield Purchase(at // (TRAINS * players) + 1, Seat(at // TRAINS % players), record)


def money(steps: Sequence[ReportStep]) -> ReportSection:
    """Return each seat's payments and receipts, from its starting money to its final money."""
    table: Table = steps[-1].after.table
    flows = [dict.fromkeys(FLOWS, 0) for _ in table.cash]
    for effect in [effect for step in steps for effect in step.after.effects if isinstance(effect, Moved)]:
        flows[effect.seat][COLUMNS[effect.why]] += effect.amount
    shown = [each for each in FLOWS if each in ALWAYS or any(own[each] for own in flows)]
    rows: list[tuple[ReportCell, ...]] = []
    for seat, (own, end) in enumerate(zip(flows, table.cash, strict=True)):
        amounts = (START_CASH, *[own[each] for each in shown], end)
        rows.append((tables.SeatsCell((Seat(seat),)), *map(tables.ScoreCell, amounts)))
    return ReportSection("money", ("player", "start", *shown, "end"), tuple(rows))


def locomotives(bought: Sequence[Purchase]) -> ReportSection:
    """Return every purchased locomotive, the most profitable first."""
    rows: list[tuple[ReportCell, ...]] = []
    for each in sorted(bought, key=lambda each: -each.balance):
        if each.record.loco:
            sold = tables.SeatsCell((each.seat,)), named(each.record), each.round, kind_of(each.record)
            rows.append((*sold, *map(tables.ScoreCell, (each.record.price, each.record.profit, each.balance))))
    heads = ("player", "locomotive", "round", "auction", "paid", "profit", "balance")
    return ReportSection("locomotives", heads, tuple(rows), bars=len(heads) - 1)


def auctions(bought: Sequence[Purchase]) -> ReportSection:
    """Return the payments in each round's auction, compared with the minimum prices of its locomotives."""
    rows: list[tuple[ReportCell, ...]] = []
    for number in sorted({each.round for each in bought}):
        sold = [each.record for each in bought if each.round == number and each.record.loco]
        least, paid = sum([each.power for each in sold]), sum([each.price for each in sold])
        share = tables.PercentCell(round(100 * paid / least)) if least else None
        if sold:
            rows.append((number, kind_of(sold[0]), len(sold), tables.ScoreCell(least), tables.ScoreCell(paid), share))
    return ReportSection("auctions", ("round", "auction", "sold", "power", "paid", "share"), tuple(rows), bars=5)


def purposes(table: Table) -> ReportSection:
    """Return each seat's known tokens with their earnings."""
    rows: list[tuple[ReportCell, ...]] = []
    for seat, claimed in enumerate(table.claimed):
        known = table.held[seat] if table.known[seat] else 0
        for purpose in ids(claimed | known):
            brought = prize(table, purpose) if purpose in ids(claimed) else 0
            title = tables.WordCell(f"purpose.{purpose}.title")
            rows.append((tables.SeatsCell((Seat(seat),)), title, tables.ScoreCell(brought)))
    return ReportSection("purposes", ("player", "purpose", "brought"), tuple(rows))


def feats(steps: Sequence[ReportStep]) -> tuple[Feat, ...]:
    """Return the buyers of locomotives, and the top earner in the round of each kind of auction."""
    bought = tuple(purchases(steps))
    found = [Feat("locomotive", named(each.record), (each.seat,)) for each in bought if each.record.loco]
    for number in sorted({each.round for each in bought}):
        own = [each for each in bought if each.round == number]
        balances = Counter[Seat]()
        for each in own:
            balances[each.seat] += each.balance
        seats = tuple([seat for seat, balance in balances.items() if balance == max(balances.values())])
        found.append(Feat("auction", kind_of(own[0].record), seats))
    return tuple(found)


REPORT = Report(sections, feats)
"""The report of a finished match."""
