"""The report of a finished match in a language: the game's tables and the decisive move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.engine import AnyGame, Player
from companion.games import definition_of, load_part, teller_of
from companion.i18n import Words
from companion.mechanics.definition import Report
from companion.mechanics.report import (
    CardCell,
    PercentCell,
    ReportCell,
    ReportSection,
    ReportStep,
    ScoreCell,
    SeatsCell,
)
from companion.mechanics.telling import format_money

NOTHING = "–"


class ShownCell(NamedTuple):
    """A cell as shown on pages, and its `value` for files; `bar` is in hundredths of the longest, -1 for none."""

    text: str
    value: str | int | None
    seats: tuple[int, ...] = ()
    number: bool = False
    bar: float = -1.0


class ShownSection(NamedTuple):
    """A table in words."""

    key: str
    title: str
    note: str
    heads: tuple[ShownCell, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    columns: tuple[str, ...]
    """The kind of each column, for style sheets; empty for seats."""


class Wordings(NamedTuple):
    """Players' names, the language, and the table that names cards."""

    game: AnyGame
    players: Sequence[Player]
    say: Words
    table: object = None

    def cell(self, cell: ReportCell) -> ShownCell:
        """Return a cell in words."""
        say = self.say
        match cell:
            case None:
                return ShownCell(NOTHING, None)
            case int():
                return ShownCell(str(cell), cell, number=True)
            case ScoreCell(amount):
                text = format_money(amount, say.lang) if self.game.money else str(amount).replace("-", "−")
                return ShownCell(text, amount, number=True)
            case PercentCell(hundredths):
                return ShownCell(say("report.percent", hundredths=hundredths), hundredths, number=True)
            case SeatsCell(seats):
                names = ", ".join([self.players[seat].name for seat in seats])
                return ShownCell(names, names, seats=tuple(seats))
            case CardCell(card):
                name = teller_of(self.game).card_name(card, say, self.table)
                return ShownCell(name, name)
            case _:
                text = say(cell.key, **cell.fields)
                return ShownCell(text, text)

    def section(self, section: ReportSection) -> ShownSection:
        """Return a table in words, with its bars."""
        heads = [
            ShownCell(text := self.say(f"report.column.{head}"), text) if isinstance(head, str) else self.cell(head)
            for head in section.heads
        ]
        rows = [tuple([self.cell(cell) for cell in row]) for row in section.rows]
        numbers = [all([isinstance(row[at].value, int | None) for row in rows]) for at in range(len(heads))]
        heads = [head._replace(number=number) for head, number in zip(heads, numbers, strict=True)]
        if section.bars is not None:
            rows = with_bars(rows, section.bars)
        note = f"report.{section.key}.note"
        return ShownSection(
            section.key,
            self.say(f"report.{section.key}.title"),
            self.say(note) if self.say.has(note) else "",
            tuple(heads),
            tuple(rows),
            tuple([head if isinstance(head, str) else "" for head in section.heads]),
        )


def with_bars(rows: Sequence[tuple[ShownCell, ...]], at: int) -> list[tuple[ShownCell, ...]]:
    """Return rows with bars in one column, the longest for the amount furthest from zero."""
    sizes = [abs(value) if isinstance(value := row[at].value, int) else 0 for row in rows]
    longest = max(sizes, default=0) or 1
    return [
        (*row[:at], row[at]._replace(bar=round(100 * size / longest, 1)), *row[at + 1 :])
        for row, size in zip(rows, sizes, strict=True)
    ]


def report_sections(game: AnyGame, steps: Sequence[ReportStep], wordings: Wordings) -> tuple[ShownSection, ...]:
    """Return the tables of a finished match's report, without empty ones."""
    report = load_part(game, definition_of(game).report, Report)
    if report is None or not steps:
        return ()
    return tuple([wordings.section(each) for each in report.sections(steps) if each.rows])


def turning_point(history: Sequence[Sequence[int]], sides: Sequence[Sequence[int]], winners: Sequence[int]) -> int:
    """Return the number of the event from which the winners alone led by score; 0 for none, or for several winning
    sides.

    `history` has every seat's score at the beginning and after each event.
    """
    own = next((side for side in sides if set(side) == set(winners)), None)
    others = [side[0] for side in sides if side is not own]
    if own is None or not others:
        return 0
    at = len(history)
    while at and all(history[at - 1][own[0]] > history[at - 1][other] for other in others):
        at -= 1
    return at if at < len(history) else 0
