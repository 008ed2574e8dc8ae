"""What the report of a finished match tells: the points of each hand by their parts, and disasters."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Seat, seat_of
from companion.games.express import events as ev
from companion.games.express.table import Table
from companion.mechanics.report import ReportCell, ReportSection, ReportStep, ScoreCell, SeatsCell


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return the tables of a finished match."""
    return hands(steps), totals(steps), deeds(steps)


def scored(steps: Sequence[ReportStep]) -> list[tuple[ev.HandScored, ...]]:
    """Return what each side scored, hand by hand."""
    found = [tuple([each for each in step.after.effects if isinstance(each, ev.HandScored)]) for step in steps]
    return [each for each in found if each]


def parts(score: ev.HandScored) -> tuple[ScoreCell, ...]:
    """Return the parts of a side's points, and their sum."""
    figures = score.trains, score.maintenance, score.bonus, -score.left, score.count
    return tuple([ScoreCell(figure) for figure in figures])


def hands(steps: Sequence[ReportStep]) -> ReportSection:
    """Return every hand with the points of each side (R-28)."""
    rows: list[tuple[ReportCell, ...]] = [
        (number, SeatsCell(score.seats), *parts(score))
        for number, scores in enumerate(scored(steps), 1)
        for score in scores
    ]
    heads = ("hand", "player", "trains", "maintenance", "out", "left", "points")
    return ReportSection("hands", heads, tuple(rows))


def totals(steps: Sequence[ReportStep]) -> ReportSection:
    """Return each side's points over all hands."""
    sums: dict[tuple[Seat, ...], list[int]] = {}
    for scores in scored(steps):
        for score in scores:
            own = sums.setdefault(score.seats, [0] * len(parts(score)))
            sums[score.seats] = [one + more.amount for one, more in zip(own, parts(score), strict=True)]
    rows: list[tuple[ReportCell, ...]] = [
        (SeatsCell(seats), *map(ScoreCell, figures)) for seats, figures in sums.items()
    ]
    heads = ("player", "trains", "maintenance", "out", "left", "points")
    return ReportSection("totals", heads, tuple(rows), bars=5)


def deeds(steps: Sequence[ReportStep]) -> ReportSection:
    """Return how often each seat went out, played a disaster, and warded one off."""
    table: Table = steps[-1].after.table
    rows: list[tuple[ReportCell, ...]] = []
    for seat in range(table.fixed.players):
        own = [step for step in steps if seat_of(step.event) == seat]
        averted = sum([isinstance(effect, ev.DisasterAverted) for step in own for effect in step.after.effects])
        kinds = ev.WentOut, ev.DisasterPlayed
        counts = [sum([isinstance(step.event, kind) for step in own]) for kind in kinds]
        rows.append((SeatsCell((Seat(seat),)), *counts, averted))
    return ReportSection("deeds", ("player", "went_out", "disasters", "averted"), tuple(rows))
