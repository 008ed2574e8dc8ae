"""A deck on sheets of paper: fronts, and mirrored backs for double-sided printing, with cut marks, bleed and a ruler.

Sheets are flipped on their long edge. The cards are centred on the paper, so that backs align with fronts whichever
side the printer prints first.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.drawing import BLEED, Design, DrawError, Drawing, Mark, Stroke, text, text_width, transform
from vision.print.drawing.pdf import PdfSheet

PAPERS: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
RIM = 4.2
"""The white margin of printers in millimetres, which would cut off art."""
MARK, AWAY, LEAST = 4.0, 0.6, 1.4
"""In millimetres: the length of a cut mark, its distance from art, and its minimum printed length."""
BLEEDS = tuple([n / 10 for n in range(5, round(BLEED * 10) + 1)])
"""Possible bleeds in millimetres. The widest one that does not reduce the number of cards is used."""
RULER = 50.0
"""The length of the ruler in millimetres."""
INK = "#000000"


class Grid(msgspec.Struct, frozen=True):
    """The arrangement of cards on a sheet."""

    paper: tuple[float, float]
    columns: int
    rows: int
    card: tuple[float, float]
    bleed: float
    """The bleed in millimetres beyond a card's edges. Two cards are twice as far apart."""

    def corner(self, nth: int, mirrored: bool = False) -> tuple[float, float]:
        """Return the upper left corner of the nth card, row by row."""
        column, row = nth % self.columns, nth // self.columns
        column = self.columns - 1 - column if mirrored else column
        x, y = self.origin()
        return x + column * (self.card[0] + 2 * self.bleed), y + row * (self.card[1] + 2 * self.bleed)

    def origin(self) -> tuple[float, float]:
        """Return the upper left corner of the first card, with all cards centred on the paper."""
        wide, high = self.span()
        return (self.paper[0] - wide) / 2 + self.bleed, (self.paper[1] - high) / 2 + self.bleed

    def span(self) -> tuple[float, float]:
        """Return the width and height of all cards together, including their bleed."""
        return self.columns * (self.card[0] + 2 * self.bleed), self.rows * (self.card[1] + 2 * self.bleed)


def grid_for(paper: str, card: tuple[float, float]) -> Grid:
    """Return the grid with most cards on a paper, then with the widest bleed. Raise `DrawError` if no card fits."""
    if paper not in PAPERS:
        raise DrawError(f"{paper!r} is not a known paper size: choose one of {', '.join(PAPERS)}.")
    size = PAPERS[paper]
    best: Grid | None = None
    for bleed in BLEEDS:
        columns, rows = (int((size[n] - 2 * (RIM + AWAY + LEAST)) // (card[n] + 2 * bleed)) for n in (0, 1))
        if columns * rows and (best is None or columns * rows >= best.columns * best.rows):
            best = Grid(size, columns, rows, card, bleed)
    if best is None:
        raise DrawError(f"A card of {card[0]:g} × {card[1]:g} mm does not fit on {paper}.")
    return best


def sheets(deck: Design, paper: str = "a4", backs: bool = True) -> Iterator[PdfSheet]:
    """Yield a deck's sheets, each front followed by its back if wanted. Cards with the same back share sheets."""
    grid = grid_for(paper, (deck.width, deck.height))
    each = grid.columns * grid.rows
    needed = {*deck.backs, *(deck.backs.values() if backs else ())}
    drawn = {name: deck.drawing(name, grid.bleed) for name in deck.faces if name in needed}
    pages: list[list[str]] = []
    for back in dict.fromkeys(deck.backs.values()):
        names = [name for name, own in deck.backs.items() if own == back for _ in range(deck.counts[name])]
        pages += [names[n : n + each] for n in range(0, len(names), each)]
    for number, page in enumerate(pages, 1):
        said = f"{deck.game}  {number}/{len(pages)}"
        fronts = [(drawn[name], *_position(grid, nth)) for nth, name in enumerate(page)]
        yield PdfSheet(Drawing(*grid.paper, (*cut_marks(grid), *ruler(grid, said))), tuple(fronts))
        if backs:
            behind = [(drawn[deck.backs[name]], *_position(grid, nth, True)) for nth, name in enumerate(page)]
            yield PdfSheet(Drawing(*grid.paper), tuple(behind))


def _position(grid: Grid, nth: int, mirrored: bool = False) -> tuple[float, float]:
    x, y = grid.corner(nth, mirrored)
    return x - grid.bleed, y - grid.bleed


def cut_marks(grid: Grid) -> tuple[Mark, ...]:
    """Return short lines in the margin, one at each cut, outside all art."""
    x, y = grid.origin()
    wide, high = grid.span()
    left, top = x - grid.bleed, y - grid.bleed
    marks: list[Mark] = []
    for n in range(grid.columns):
        for edge in (0.0, grid.card[0]):
            at = x + n * (grid.card[0] + 2 * grid.bleed) + edge
            marks += [_line(at, top - AWAY, at, max(0.0, top - AWAY - MARK)),
                      _line(at, top + high + AWAY, at, top + high + AWAY + MARK)]  # fmt: skip
    for n in range(grid.rows):
        for edge in (0.0, grid.card[1]):
            at = y + n * (grid.card[1] + 2 * grid.bleed) + edge
            marks += [_line(left - AWAY, at, max(0.0, left - AWAY - MARK), at),
                      _line(left + wide + AWAY, at, left + wide + AWAY + MARK, at)]  # fmt: skip
    return tuple(marks)


def _line(x0: float, y0: float, x1: float, y1: float) -> Stroke:
    return Stroke(((x0, y0), (x1, y1)), 0.15, INK)


def ruler(grid: Grid, said: str) -> tuple[Mark, ...]:
    """Return a ruler in the wider margin: at the foot, or up the left side."""
    wide, high = grid.span()
    across, down = (grid.paper[0] - wide) / 2, (grid.paper[1] - high) / 2
    if down >= across:
        return ruler_at_foot(grid.paper, down, said)
    marks, length = _ruler(said)
    return transform(marks, across / 2 + 0.2, (grid.paper[1] + length) / 2, -90)


def ruler_at_foot(paper: tuple[float, float], margin: float, said: str) -> tuple[Mark, ...]:
    """Return a ruler in the middle of a margin of this height at the paper's foot."""
    marks, length = _ruler(said)
    return transform(marks, (paper[0] - length) / 2, paper[1] - margin / 2 - 0.2)


def _ruler(said: str) -> tuple[tuple[Mark, ...], float]:
    """Return the ruler from (0, 0) to the right with its texts, and its length."""
    words = "This line is 50 mm long when it is printed at 100 %"
    size = 1.7
    marks: list[Mark] = [Stroke(((0, 0), (RULER, 0)), 0.25, INK)]
    marks += [Stroke(((x, -1.0 if x % RULER else -1.5), (x, 0.0 if x % RULER else 1.5)), 0.2, INK)
              for x in (0.0, 10.0, 20.0, 30.0, 40.0, RULER)]  # fmt: skip
    marks.append(text(words, (RULER + 3, size / 2), size, INK, 500))
    marks.append(text(said, (RULER + 9 + text_width(words, size, 500), size / 2), size, INK, 500))
    return tuple(marks), RULER + 9 + text_width(words, size, 500) + text_width(said, size, 500)
