"""The printed sheet of four coasters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.drawing import Drawing, Fill, Mark, Stroke, rectangle, text, transform
from companion.i18n import Words
from vision.mat.aruco import modules
from vision.mat.coasters import SIDE, coaster_numbers
from vision.mat.drawing import words
from vision.mat.print_style import BLACK, FAINT, INK
from vision.mat.tiling import PAPERS
from vision.print.drawing.pdf import PdfSheet, to_pdf

CUT = (92.0, 112.0)
"""Width and height of a coaster after cutting, in millimetres."""
CORNERS = ("near_right", "near_left", "far_left", "far_right")
"""The word keys for the corners of coasters 1 to 4, clockwise like the seats."""
RULER = 50.0


def coaster_sheet(players: int, paper: str = "a4", lang: str = "en") -> PdfSheet:
    """Return the sheet for a number of players."""
    said, (width, height) = words(lang), PAPERS[paper]
    marks: list[Mark] = []
    for nth, number in enumerate(coaster_numbers(players)):
        x, y = width * (0.25 + 0.5 * (nth % 2)), height * (0.25 + 0.5 * (nth // 2))
        marks += transform(tuple(_coaster(nth, number, players, said)), x - CUT[0] / 2, y - CUT[1] / 2)
    marks += _ruler((width - RULER) / 2, height / 2, said)
    return PdfSheet(Drawing(width, height, tuple(marks)))


def print_coasters(players: int, path: Path, paper: str = "a4", lang: str = "en") -> None:
    """Write the sheet to a PDF file."""
    to_pdf((coaster_sheet(players, paper, lang),), path, words(lang)("coaster.title", players=players))


def seats_at(players: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the seats at the near side and at the far side, in order."""
    near = (players + 1) // 2
    return tuple(range(1, near + 1)), tuple(range(near + 1, players + 1))


def _coaster(nth: int, number: int, players: int, said: Words) -> Iterator[Mark]:
    """Yield one coaster from its upper left corner: its cut line, marker and words."""
    yield Stroke(rectangle(0, 0, *CUT), 0.2, FAINT, closed=True)
    left = (CUT[0] - SIDE) / 2
    module = SIDE / 7
    for row, line in enumerate(modules(number)):
        for column in range(len(line)):
            if line[column]:
                yield Fill((rectangle(left + column * module, left + row * module, module, module),), BLACK)
    low = left + SIDE + 9
    yield text(said("coaster.name", number=nth + 1), (CUT[0] / 2, low), 4.4, BLACK, 700, "middle")
    yield text(said(f"coaster.{CORNERS[nth]}"), (CUT[0] / 2, low + 6), 2.8, INK, 500, "middle")
    side = " · ".join(map(str, seats_at(players)[nth // 2]))
    key = "coaster.seat" if len(seats_at(players)[nth // 2]) == 1 else "coaster.seats"
    yield text(said(key, seats=side), (CUT[0] / 2, low + 11), 2.8, INK, 500, "middle")
    yield text(said("coaster.title", players=players), (CUT[0] / 2, low + 16), 2.2, INK, 500, "middle")


def _ruler(x: float, y: float, said: Words) -> Iterator[Mark]:
    yield Stroke(((x, y), (x + RULER, y)), 0.2, INK)
    for nth in range(6):
        yield Stroke(((x + nth * 10, y), (x + nth * 10, y - (2.0 if nth in (0, 5) else 1.2))), 0.2, INK)
    yield text(f"{said('mat.ruler')}  ·  {said('mat.full')}", (x + RULER / 2, y + 3), 1.8, INK, 500, "middle")
