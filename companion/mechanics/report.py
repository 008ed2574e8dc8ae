"""What a game tells of a finished match: tables of figures, without words; the pages put them into a language.

A game's module `report` has `sections(steps)`, which returns tables for the page of a finished match, and may have
`feats(steps)`: what seats had or did that is worth counting over many matches. The match is over: all may be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from companion.engine import AnyState, Event, Seat


class ReportStep(NamedTuple):
    """An event of a finished match with the states before and after it."""

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
"""What stands in a table; None: nothing is known, or nothing applies."""


class ReportSection(msgspec.Struct, frozen=True):
    """A table: `report.<key>.title` is its title and `report.<key>.note`, if there is one, says how it is reckoned.

    The heads are words (`report.column.<head>`) or cells, such as seats. `bars` is the column drawn as bars, if any.
    """

    key: str
    heads: tuple[str | ReportCell, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    bars: int | None = None


class Feat(NamedTuple):
    """Something that some seats had or did in a match, and of which one can ask how often its owners won.

    `kind` names the table that counts it: `records.<kind>.title` in the game's words.
    """

    kind: str
    what: CardCell | WordCell
    seats: tuple[Seat, ...]


def tally(
    key: str, head: str, found: Iterable[tuple[str, Seat]], players: int, cell: Callable[[str], ReportCell]
) -> ReportSection:
    """Return how often each seat did each of several things, the most frequent first; `cell` shows a thing."""
    counts: dict[str, list[int]] = {}
    for thing, seat in found:
        counts.setdefault(thing, [0] * players)[seat] += 1
    rows = [(cell(each), *own) for each, own in sorted(counts.items(), key=lambda each: (-sum(each[1]), each[0]))]
    return ReportSection(key, (head, *[SeatsCell((Seat(seat),)) for seat in range(players)]), tuple(rows))
