"""Tokens on sheets of paper, in rows of both faces, with outlines for cutting, bleed and a ruler.

The faces align when the paper is flipped on its long edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.drawing import TOKEN_BLEED, DrawError, Drawing, Mark, Stroke, TokenDesign, transform
from vision.print.card_sheets import PAPERS, RIM, ruler_at_foot
from vision.print.drawing.pdf import PdfSheet

GAP = 1.0
"""The white gap between the art of two tokens in millimetres, for scissors."""
FOOT = 6.0
"""The height in millimetres of the strip with the ruler. The same height is left free above."""
CUT, CUT_INK = 0.15, "#8a8a8a"
"""Width and colour of the outlines for cutting: a grey hairline is inconspicuous if a cut is slightly outside."""


class PlacedToken(msgspec.Struct, frozen=True):
    """A token on a sheet."""

    token: TokenDesign
    x: float
    """The position of its middle in millimetres from the sheet's upper left corner."""
    y: float


class TokenRow(msgspec.Struct, frozen=True):
    """Tokens of one outline side by side."""

    tokens: tuple[TokenDesign, ...]
    cell: tuple[float, float]


def token_sheets(designs: Sequence[TokenDesign], title: str, paper: str = "a4") -> Iterator[PdfSheet]:
    """Yield sheets with every token as often as in the box, each followed by the sheet of the other faces.

    title: the text beside the ruler. Raise `DrawError` for an unknown paper, or for a token wider than the paper.
    """
    pages = _pages(designs, paper)
    faces = {token.name: face_drawing(token, token.face) for token in designs}
    others = {id(token.other): face_drawing(token, token.other) for token in designs if token.other}
    size = PAPERS[paper]
    for number, page in enumerate(pages, 1):
        said = f"{title}  {number}/{len(pages)}"
        fronts = [_at(faces[placed.token.name], placed.x, placed.y) for placed in page]
        yield PdfSheet(Drawing(*size, ruler_at_foot(size, FOOT + RIM, said)), (*fronts, _outlines(size, page)))
        behind = [
            _at(others.get(id(placed.token.other), faces[placed.token.name]), size[0] - placed.x, placed.y)
            for placed in page
        ]
        yield PdfSheet(Drawing(*size), tuple(behind))


def face_drawing(token: TokenDesign, marks: tuple[Mark, ...], beyond: float = TOKEN_BLEED) -> Drawing:
    """Return a face centred on an area that extends beyond its outline."""
    wide, high = _span(token)
    area = wide + 2 * beyond, high + 2 * beyond
    return Drawing(*area, transform(marks, area[0] / 2, area[1] / 2))


def _span(token: TokenDesign) -> tuple[float, float]:
    """Return a token's width and height, measured symmetrically about its middle."""
    return 2 * max([abs(x) for x, _ in token.outline]), 2 * max([abs(y) for _, y in token.outline])


def _at(drawing: Drawing, x: float, y: float) -> tuple[Drawing, float, float]:
    return drawing, x - drawing.width / 2, y - drawing.height / 2


def _outlines(size: tuple[float, float], page: Sequence[PlacedToken]) -> tuple[Drawing, float, float]:
    """Return the lines for cutting, over all art."""
    lines = [
        Stroke(tuple([(x + placed.x, y + placed.y) for x, y in placed.token.outline]), CUT, CUT_INK, closed=True)
        for placed in page
    ]
    return Drawing(*size, tuple(lines)), 0.0, 0.0


# --- laying out -----------------------------------------------------------------------------------


def _pages(designs: Sequence[TokenDesign], paper: str) -> list[list[PlacedToken]]:
    """Return all tokens in rows, centred on as many pages as they need."""
    if paper not in PAPERS:
        raise DrawError(f"{paper!r} is not a known paper size: choose one of {', '.join(PAPERS)}.")
    wide, high = PAPERS[paper]
    room = high - 2 * (RIM + FOOT)
    pages: list[list[TokenRow]] = [[]]
    for row in _rows(designs, wide - 2 * RIM, paper):
        if sum([each.cell[1] for each in pages[-1]]) + row.cell[1] > room:
            pages.append([])
        pages[-1].append(row)
    return [_placed(page, PAPERS[paper]) for page in pages]


def _rows(designs: Sequence[TokenDesign], room: float, paper: str) -> list[TokenRow]:
    """Return rows of tokens of the same size, in order, as long as they fit."""
    lots: dict[tuple[float, float], list[TokenDesign]] = {}
    for token in designs:
        wide, high = _span(token)
        cell = wide + 2 * TOKEN_BLEED + GAP, high + 2 * TOKEN_BLEED + GAP
        if cell[0] > room:
            raise DrawError(f"The token {token.name} does not fit on {paper}.")
        lots.setdefault(cell, []).extend([token] * token.count)
    rows: list[TokenRow] = []
    for cell, tokens in lots.items():
        each = int(room // cell[0])
        rows += [TokenRow(tuple(tokens[n : n + each]), cell) for n in range(0, len(tokens), each)]
    return rows


def _placed(rows: Sequence[TokenRow], paper: tuple[float, float]) -> list[PlacedToken]:
    """Return the tokens of a page, with all rows together centred on the paper."""
    made: list[PlacedToken] = []
    top = (paper[1] - sum([row.cell[1] for row in rows])) / 2
    for row in rows:
        left = (paper[0] - len(row.tokens) * row.cell[0]) / 2
        made += [
            PlacedToken(token, left + (n + 0.5) * row.cell[0], top + row.cell[1] / 2)
            for n, token in enumerate(row.tokens)
        ]
        top += row.cell[1]
    return made
