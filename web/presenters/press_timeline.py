"""A verdict as a picture: presses on a timeline, finest around the decisive moment, and a title."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from companion.referee.verdict import Judged, Outcome, PressMark

FINE, COARSE = 5_000.0, 1_500_000.0
"""Microseconds around the moment that are drawn nearly in proportion. Beyond them, each factor of ten takes equal
room. `COARSE` is for fists that open when all are ready, where nobody is early or late.
"""
LEAST = 40_000
"""The least microseconds to show on either side."""
ROOM = 1.5
"""How far the line extends, relative to the outermost press."""
LEFT, WIDE = 5.0, 90.0
"""Start and length of the line, in hundredths of the picture."""
APART = 15.0
"""Distance below which labels in one lane would touch."""
SCALE = (10_000, 100_000, 1_000_000, 10_000_000)
"""Marks of the scale, in microseconds."""
AFTER: tuple[Outcome, ...] = ("too_late", "undelivered")
WITHIN_LOT: tuple[Outcome, ...] = ("outbid", "same_moment")
THREE = 3
LABEL_PRIORITY: tuple[Outcome, ...] = (*AFTER, *WITHIN_LOT, "tied", "ready", "too_soon", "leads", "grown", "counted")
"""Outcomes by priority of their labels when there is no room for all."""


class TimelineSpot(msgspec.Struct, frozen=True):
    """One press in the picture. `x` is its position in hundredths, `label` whether to print its time."""

    x: float
    at: int
    outcome: Outcome
    number: int
    within: int
    late: int
    unsure: bool
    """Whether its uncertainty exceeds how early or late it was."""
    label: bool
    side: str
    """The label's anchor at the mark: `start`, `middle` or `end`."""


class Lane(msgspec.Struct, frozen=True):
    """The presses of one seat (-1: the companion's own counts), the earliest first."""

    seat: int
    spots: tuple[TimelineSpot, ...]


class PressTimeline(msgspec.Struct, frozen=True):
    """A verdict. `kind` is `sold`, `outbid`, `same_moment`, `tied` or `reveal`.

    `title` names its sentence; `seats`, `time` (microseconds) and `count` fill it in. `zero` is the position of the
    decisive moment, `scale` the positions of round times.
    """

    kind: str
    title: str
    seats: tuple[int, ...]
    time: int
    count: int
    lanes: tuple[Lane, ...]
    zero: float
    scale: tuple[tuple[float, int], ...]
    fresh: bool


class PressCase(NamedTuple):
    """A verdict worth a picture, with its presses."""

    judged: Judged
    kind: str
    marks: tuple[PressMark, ...]
    rival: int
    """The first seat, if the verdict is about another; -1: unknown."""
    nth: int
    """The count that the press would have been; 0 for none."""


def last_case(verdicts: Sequence[Judged]) -> PressCase | None:
    """Return the last verdict worth a picture."""
    found: PressCase | None = None
    rival, rivals_lot, counted, broken = -1, "", 0, 0
    for judged in verdicts:
        last = judged.marks[-1] if judged.marks else None
        if judged.lot != rivals_lot:
            rival, rivals_lot, counted, broken = -1, judged.lot, 0, 0
        if last is None:
            continue
        if judged.kind in ("sold", "reveal"):
            found = PressCase(judged, judged.kind, judged.marks, -1, 0)
        elif last.outcome == "tied":
            found = PressCase(judged, "tied", judged.marks, -1, 0)
        elif last.outcome in WITHIN_LOT and rival != last.seat:
            count = broken + 1 if last.outcome == "outbid" else 0
            first = (PressMark(rival, 0, "leads"),) if rival >= 0 else ()
            found = PressCase(judged, last.outcome, (*first, last), rival, count)
        elif last.outcome in AFTER and found is not None and found.judged.lot == judged.lot:
            found = found._replace(marks=(*found.marks, last))
        if judged.kind == "raise":
            rival, counted, broken = last.seat, 0, counted
        elif judged.kind == "count":
            counted = last.number
    return found


def timeline(case: PressCase, fresh: bool) -> PressTimeline:
    """Return a verdict's drawing."""
    low = ROOM * min(-LEAST, *(mark.at for mark in case.marks))
    high = ROOM * max(LEAST, *(mark.at for mark in case.marks))

    fine = COARSE if case.kind == "reveal" else FINE

    def place(at: float) -> float:
        bottom, top = math.asinh(low / fine), math.asinh(high / fine)
        return round(LEFT + WIDE * (math.asinh(at / fine) - bottom) / (top - bottom), 2)

    seats = list(dict.fromkeys(mark.seat for mark in sorted(case.marks, key=lambda mark: mark.at)))
    scale = sorted(sign * each for each in SCALE for sign in (-1, 1))
    title, named, time = timeline_title(case)
    return PressTimeline(
        case.kind,
        title,
        named,
        time,
        case.nth,
        tuple([Lane(seat, lane_spots([mark for mark in case.marks if mark.seat == seat], place)) for seat in seats]),
        place(0),
        tuple([(place(at), at) for at in scale if low <= at <= high]),
        fresh,
    )


def lane_spots(marks: Sequence[PressMark], place: Callable[[int], float]) -> tuple[TimelineSpot, ...]:
    """Return one seat's presses at their positions; if labels would touch, the more important one stays."""
    taken: list[float] = []
    labelled: set[int] = set()
    for mark in sorted(marks, key=label_priority):
        x = place(mark.at)
        if mark.at and all(abs(x - other) >= APART for other in taken):
            taken.append(x)
            labelled.add(id(mark))
    return tuple([
        TimelineSpot(
            x=place(mark.at),
            at=mark.at,
            outcome=mark.outcome,
            number=mark.number,
            within=mark.within,
            late=mark.late,
            unsure=bool(mark.at) and mark.within >= abs(mark.at),
            label=id(mark) in labelled,
            side=label_side(place(mark.at)),
        )
        for mark in sorted(marks, key=lambda mark: mark.at)
    ])  # fmt: skip


def label_priority(mark: PressMark) -> tuple[int, int]:
    """Return a sort key: the most important press first, among equals the latest."""
    return (LABEL_PRIORITY.index(mark.outcome) if mark.outcome in LABEL_PRIORITY else len(LABEL_PRIORITY), -mark.at)


def label_side(x: float) -> str:
    """Return the label's anchor that keeps it within the picture."""
    return "start" if x < APART else "end" if x > 100 - APART else "middle"


def timeline_title(case: PressCase) -> tuple[str, tuple[int, ...], int]:
    """Return the title's key, the seats that it names and its time in microseconds."""
    last = case.marks[-1]
    match case.kind:
        case "tied":
            return "tied", tuple([mark.seat for mark in case.marks]), 0
        case "same_moment":
            return "same_moment", (last.seat, case.rival), last.at
        case "outbid":
            return f"outbid_{min(case.nth, THREE)}", (case.rival, last.seat), last.at
        case "reveal":
            slowest = max(case.marks, key=lambda mark: mark.at)
            return "reveal", (slowest.seat,), slowest.at
    after = [mark for mark in case.marks if mark.outcome in AFTER]
    if after:
        nearest = min(after, key=lambda mark: abs(mark.at))
        return nearest.outcome, (nearest.seat,), nearest.at
    counter = next(mark for mark in reversed(case.marks) if mark.outcome == "counted")
    if counter.seat >= 0:
        return "counted", (counter.seat,), 0
    return "sold", (), 0


def format_span(micro: int, lang: str, sign: bool = True) -> str:
    """Return a readable time: −12 ms, +0.4 ms, −1.2 s; rounded away from 0."""
    size = abs(micro)
    if size >= 1_000_000:
        text, unit = f"{math.ceil(size / 100_000) / 10:g}", "s"
    elif size >= 10_000:
        text, unit = str(math.ceil(size / 1000)), "ms"
    else:
        text, unit = f"{math.ceil(size / 100) / 10:g}", "ms"
    if lang == "fr":
        text = text.replace(".", ",")
    mark = ("−" if micro < 0 else "+" if micro > 0 else "") if sign else ""
    return f"{mark}{text}\u202f{unit}"
