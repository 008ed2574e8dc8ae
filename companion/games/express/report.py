"""The sources of points: the moment at the end of a hand on every page, and the report of a finished match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Effect, Seat, seat_of
from companion.games.express import events as ev
from companion.mechanics.definition import Moments, Report
from companion.mechanics.moments import Income, IncomePart
from companion.mechanics.report import ReportCell, ReportSection, ReportStep, ScoreCell, SeatsCell

PARTS = ("trains", "maintenance", "out", "left")
"""The parts of a side's points in a hand."""


def parts(score: ev.HandScored) -> tuple[int, ...]:
    """Return the parts of a side's points; cards left in hand cost points (R-28)."""
    return score.trains, score.maintenance, score.bonus, -score.left


def income(effects: Sequence[Effect]) -> Iterator[IncomePart]:
    """Return the points of a hand, side by side and part by part (R-28)."""
    for hand in effects:
        if isinstance(hand, ev.HandScored):
            figures = zip(PARTS, parts(hand), strict=True)
            yield from [IncomePart(hand.seats, points, f"source.{name}") for name, points in figures if points]


def hands(steps: Sequence[ReportStep]) -> list[tuple[ev.HandScored, ...]]:
    """Return each side's scores, hand by hand."""
    found = [tuple([each for each in step.after.effects if isinstance(each, ev.HandScored)]) for step in steps]
    return [each for each in found if each]


def sections(steps: Sequence[ReportStep]) -> tuple[ReportSection, ...]:
    """Return every hand with the points of each side (R-28), the sides' points over all hands, and the seats' deeds."""
    rows: list[tuple[ReportCell, ...]] = []
    sums: dict[tuple[Seat, ...], list[int]] = {}
    for number, scores in enumerate(hands(steps), 1):
        for score in scores:
            figures = (*parts(score), score.count)
            rows.append((number, SeatsCell(score.seats), *map(ScoreCell, figures)))
            sums[score.seats] = list(map(int.__add__, sums.get(score.seats, [0] * len(figures)), figures))
    totals: list[tuple[ReportCell, ...]] = [
        (SeatsCell(seats), *map(ScoreCell, figures)) for seats, figures in sums.items()
    ]
    heads = ("player", *PARTS, "points")
    return (
        ReportSection("hands", ("hand", *heads), tuple(rows)),
        ReportSection("totals", heads, tuple(totals), bars=len(PARTS) + 1),
        ReportSection("deeds", ("player", "went_out", "disasters", "averted"), tuple(deeds(steps))),
    )


def deeds(steps: Sequence[ReportStep]) -> Iterator[tuple[ReportCell, ...]]:
    """Yield how often each seat went out, played a disaster, and averted one."""
    for seat in range(steps[-1].after.table.fixed.players):
        own = [step for step in steps if seat_of(step.event) == seat]
        averted = sum([isinstance(effect, ev.DisasterAverted) for step in own for effect in step.after.effects])
        counts = [sum([isinstance(step.event, kind) for step in own]) for kind in (ev.WentOut, ev.DisasterPlayed)]
        yield SeatsCell((Seat(seat),)), *counts, averted


MOMENTS = Moments(
    lambda event, effects: [Income("income.hand", found)] if (found := tuple(income(effects))) else [],
    lambda before, event, after: income(after.effects),
)
REPORT = Report(sections)
