"""The report of a finished match: points by source, rails and stations built, cards bought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Event, Seat, SeatEvent, State, seat_of
from companion.games.trains import events as ev
from companion.games.trains.catalogue import NORMAL
from companion.games.trains.rails import card_points, cell_points, map_points, score
from companion.games.trains.table import Table
from companion.mechanics.definition import Moments, Report
from companion.mechanics.moments import IncomePart
from companion.mechanics.report import CardCell, ReportCell, ReportSection, ReportStep, ScoreCell, SeatsCell, tally

TURNS: dict[str, tuple[type[SeatEvent], ...]] = {
    "rails": (ev.RailLaid,),
    "stations": (ev.StationBuilt,),
    "bought": (ev.Bought, ev.BoughtOnDeck),
    "passed": (ev.TurnPassed,),
}
"""The counted events of each seat's turns."""


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    table: Table = steps[-1].after.table
    bought = [step.event for step in steps if isinstance(step.event, ev.Bought | ev.BoughtOnDeck)]
    cards = [(event.card, event.seat) for event in bought if event.card != NORMAL]
    return points(table), turns(steps), tally("cards", "card", cards, table.fixed.players, CardCell)


def points(table: Table) -> ReportSection:
    """Return each seat's points by source (R-22)."""
    rows: list[tuple[ReportCell, ...]] = []
    for seat, own in enumerate(table.rails):
        cells = [table.board.by_name[name] for name in own]
        cities, remote = [
            sum([cell_points(table, cell) for cell in cells if cell.kind == kind]) for kind in ("city", "remote")
        ]
        parts = cities, remote, card_points(table, seat), table.track[seat], score(table, seat)
        rows.append((SeatsCell((Seat(seat),)), *map(ScoreCell, parts)))
    return ReportSection("points", ("player", "cities", "remote", "cards", "track", "total"), tuple(rows), bars=5)


def turns(steps: Sequence[ReportStep]) -> ReportSection:
    """Return how often each seat laid rails, built stations, bought cards and passed."""
    events, players = [step.event for step in steps], steps[-1].after.table.fixed.players
    did = [[seat_of(event) for event in events if isinstance(event, kind)] for kind in TURNS.values()]
    rows: list[tuple[ReportCell, ...]] = [
        (SeatsCell((Seat(seat),)), *[by.count(Seat(seat)) for by in did]) for seat in range(players)
    ]
    return ReportSection("turns", ("player", *TURNS), tuple(rows))


def sources(before: State[Table], event: Event, after: State[Table]) -> Iterator[IncomePart]:
    """Return the changes that an event made to each part of every seat's points: track, map and cards (R-22)."""
    for seat in map(Seat, range(after.table.fixed.players)):
        was, now = [(each.track[seat], map_points(each, seat), card_points(each, seat))
                    for each in (before.table, after.table)]  # fmt: skip
        for name, old, new in zip(("track", "map", "cards"), was, now, strict=True):
            if new != old:
                yield IncomePart((seat,), new - old, f"source.{name}")


REPORT = Report(sections)
MOMENTS = Moments(sources=sources)
