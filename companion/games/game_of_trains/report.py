"""The report of a finished match: each seat's turns and abilities."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Seat
from companion.games.game_of_trains.events import Drew, Use
from companion.games.game_of_trains.lines import in_order
from companion.games.game_of_trains.table import Table
from companion.mechanics.definition import Report
from companion.mechanics.report import ReportSection, ReportStep, SeatsCell, WordCell, tally


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return each seat's wagons in order and actions (R-07), and each seat's use of abilities."""
    table: Table = steps[-1].after.table
    events = [step.event for step in steps]
    drawn = [event.seat for event in events if isinstance(event, Drew)]
    used = [event for event in events if isinstance(event, Use)]
    by = [event.seat for event in used]
    rows = [
        (SeatsCell((Seat(seat),)), drawn.count(Seat(seat)), by.count(Seat(seat)), in_order(line))
        for seat, line in enumerate(table.lines)
    ]
    lines = ReportSection("lines", ("player", "drawn", "used", "in_order"), tuple(rows), bars=3)
    abilities = table.fixed.book.abilities
    found = [(ability, event.seat) for event in used if (ability := abilities[event.card])]
    return lines, tally("abilities", "ability", found, table.fixed.players, titled)


def titled(ability: str) -> WordCell:
    """Return the cell that names an ability."""
    return WordCell(f"ability.{ability}.title")


REPORT = Report(sections)
