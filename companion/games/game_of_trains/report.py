"""What the report of a finished match tells: how each seat used its turns, and which abilities."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Seat
from companion.games.game_of_trains.events import USES, Drew
from companion.games.game_of_trains.lines import in_order
from companion.games.game_of_trains.table import Table
from companion.mechanics.report import ReportCell, ReportSection, ReportStep, SeatsCell, WordCell


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    return lines(steps), abilities(steps)


def lines(steps: Sequence[ReportStep]) -> ReportSection:
    """Return each seat's wagons in order at the end, and the actions of its turns (R-07)."""
    table: Table = steps[-1].after.table
    rows: list[tuple[ReportCell, ...]] = []
    for seat, line in enumerate(table.lines):
        drawn = sum([isinstance(step.event, Drew) and step.event.seat == seat for step in steps])
        used = sum([isinstance(step.event, USES) and step.event.seat == seat for step in steps])
        rows.append((SeatsCell((Seat(seat),)), drawn, used, in_order(line)))
    return ReportSection("lines", ("player", "drawn", "used", "in_order"), tuple(rows), bars=3)


def abilities(steps: Sequence[ReportStep]) -> ReportSection:
    """Return how often each seat used which ability, the most used first."""
    table: Table = steps[-1].after.table
    counts: dict[str, list[int]] = {}
    for step in steps:
        if isinstance(step.event, USES):
            ability = step.after.table.fixed.book.abilities[step.event.card]
            if ability is not None:
                counts.setdefault(ability, [0] * table.fixed.players)[step.event.seat] += 1
    rows: list[tuple[ReportCell, ...]] = [
        (WordCell(f"ability.{ability}.title"), *own)
        for ability, own in sorted(counts.items(), key=lambda each: (-sum(each[1]), each[0]))
    ]
    seats = tuple([SeatsCell((Seat(seat),)) for seat in range(table.fixed.players)])
    return ReportSection("abilities", ("ability", *seats), tuple(rows))
