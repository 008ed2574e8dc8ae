"""What the report of a finished match tells: points by source, what was laid and built, cards bought."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Seat, SeatEvent, seat_of
from companion.games.trains import events as ev
from companion.games.trains.catalogue import NORMAL
from companion.games.trains.rails import STATION_POINTS, card_points, score
from companion.games.trains.table import Table
from companion.mechanics.report import CardCell, ReportCell, ReportSection, ReportStep, ScoreCell, SeatsCell


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    table: Table = steps[-1].after.table
    return points(table), turns(steps), cards(steps)


def points(table: Table) -> ReportSection:
    """Return each seat's points by source (R-22)."""
    rows: list[tuple[ReportCell, ...]] = []
    for seat in range(table.fixed.players):
        cells = [table.board.by_name[name] for name in table.rails[seat]]
        cities = sum([STATION_POINTS[table.stations.get(cell.name, 0)] for cell in cells if cell.kind == "city"])
        remote = sum([int(cell.figure) for cell in cells if cell.kind == "remote"])
        parts = cities, remote, card_points(table, seat), table.track[seat], score(table, seat)
        rows.append((SeatsCell((Seat(seat),)), *map(ScoreCell, parts)))
    return ReportSection("points", ("player", "cities", "remote", "cards", "track", "total"), tuple(rows), bars=5)


def turns(steps: Sequence[ReportStep]) -> ReportSection:
    """Return how often each seat laid rails, built stations, bought cards and passed."""
    kinds: dict[str, tuple[type[SeatEvent], ...]] = {
        "rails": (ev.RailLaid,),
        "stations": (ev.StationBuilt,),
        "bought": (ev.Bought, ev.BoughtOnDeck),
        "passed": (ev.TurnPassed,),
    }
    players = steps[-1].after.table.fixed.players
    rows: list[tuple[ReportCell, ...]] = [
        (
            SeatsCell((Seat(seat),)),
            *[
                sum([isinstance(step.event, kind) and seat_of(step.event) == seat for step in steps])
                for kind in kinds.values()
            ],
        )
        for seat in range(players)
    ]
    return ReportSection("turns", ("player", *kinds), tuple(rows))


def cards(steps: Sequence[ReportStep]) -> ReportSection:
    """Return how many of each card every seat bought, the most bought first."""
    players = steps[-1].after.table.fixed.players
    bought: dict[str, list[int]] = {}
    for step in steps:
        if isinstance(step.event, ev.Bought | ev.BoughtOnDeck) and step.event.card != NORMAL:
            bought.setdefault(step.event.card, [0] * players)[step.event.seat] += 1
    rows: list[tuple[ReportCell, ...]] = [
        (CardCell(card), *counts) for card, counts in sorted(bought.items(), key=lambda each: (-sum(each[1]), each[0]))
    ]
    seats = tuple([SeatsCell((Seat(seat),)) for seat in range(players)])
    return ReportSection("cards", ("card", *seats), tuple(rows))
