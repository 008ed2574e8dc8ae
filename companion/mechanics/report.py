"""A game's report on a finished match: tables of figures, without words; pages translate them.

A game's module `report` has `sections(steps)`, which returns tables for the page of a finished match, and may have
`feats(steps)`: feats of seats to count over many matches. The match is over, so the report may reveal everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from companion.engine import AnyState, Event, Seat


class ReportStep(NamedTuple):
    """An event of a finished match with its states before and after."""

    before: AnyState
    event: Event
    after: AnyState


class SeatsCell(msgspec.Struct, frozen=True):
    """The players of some seats, such as partners."""

    seats: tuple[Seat, ...]


class ScoreCell(msgspec.Struct, frozen=True):
    """An amount of the game's money, or a plain figure of a game without money."""

    amount: int


class PercentCell(msgspec.Struct, frozen=True):
    """A share of something, in hundredths."""

    hundredths: int


class CardCell(msgspec.Struct, frozen=True):
    """A card, by its name in layouts."""

    card: str


class WordCell(msgspec.Struct, frozen=True):
    """A sentence or a name by its key in the game's words."""

    key: str
    fields: dict[str, str | int] = {}


ReportCell = SeatsCell | ScoreCell | PercentCell | CardCell | WordCell | int | None
"""A cell of a table; None if unknown or not applicable."""


class ReportSection(msgspec.Struct, frozen=True):
    """A table: `report.<key>.title` is its title and the optional `report.<key>.note` explains its calculation.

    The heads are words (`report.column.<head>`) or cells, such as seats. `bars` is the column drawn as bars, if any.
    """

    key: str
    heads: tuple[str | ReportCell, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    bars: int | None = None


class Feat(NamedTuple):
    """A feat or possession of some seats in a match, to count how often its owners won.

    `kind` names its table: `records.<kind>.title` in the game's words.
    """

    kind: str
    what: CardCell | WordCell
    seats: tuple[Seat, ...]


def tally(
    key: str, head: str, found: Iterable[tuple[str, Seat]], players: int, cell: Callable[[str], ReportCell]
) -> ReportSection:
    """Return how often each seat achieved each of several items, the most frequent first; `cell` shows an item."""
    counts: dict[str, list[int]] = {}
    for thing, seat in found:
        counts.setdefault(thing, [0] * players)[seat] += 1
    rows = [(cell(each), *own) for each, own in sorted(counts.items(), key=lambda each: (-sum(each[1]), each[0]))]
    return ReportSection(key, (head, *[SeatsCell((Seat(seat),)) for seat in range(players)]), tuple(rows))
