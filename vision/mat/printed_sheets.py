"""The printed pages of a mat: instructions, and each sheet of paper with marks for joining it to the others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from companion.drawing import Clipped, Drawing, Fill, Mark, Stroke, circle, rectangle, text, text_width, transform
from companion.i18n import Words
from vision.mat.camera_resolution import NEEDED
from vision.mat.drawing import drawing, seat_shape, words
from vision.mat.mat import Mat, MatSheet, Slot
from vision.mat.print_style import BLACK, FAINT, FAINTER, INK, ROUND
from vision.mat.tiling import PAPERS, RIM
from vision.print.drawing.pdf import PdfSheet, to_pdf

PAPER = "#ffffff"
EDGE = 4.6
"""Millimetres from the paper's edge to the small print, which most printers can reach."""
STEPS = 5
"""The number of instructions for laying a mat or joining a board. A mat with places for tokens has one more."""
BADGE, NUMBER, CORNER = 16.0, 12.0, 17.0
"""In millimetres of the mat, on the small map: the radius of a seat's shape, the radius around a sheet's number, and
the distance of that number from a sheet's edges."""


def pages(mat: Mat, lang: str = "en", game: Words | None = None) -> tuple[PdfSheet, ...]:
    """Return the pages to print: the instructions, then the sheets.

    game: the game's words.
    """
    whole = drawing(mat, lang, game).marks
    named = titles(mat, words(lang), game)
    return (
        _instructions(mat, lang, named),
        *(PdfSheet(_sheet(mat, sheet, whole, lang, named)) for sheet in mat.sheets),
    )


def print_mat(mat: Mat, path: Path, lang: str = "en", game: Words | None = None) -> None:
    """Write the mat to a PDF file.

    game: the game's words.
    """
    to_pdf(pages(mat, lang, game), path, titles(mat, words(lang), game)[0])


def titles(mat: Mat, said: Words, game: Words | None = None) -> tuple[str, ...]:
    """Return a mat's titles: its players and its cards, or the board's name in the game's words."""
    if mat.board is not None:
        key = f"board.{mat.board.name}"
        name = mat.board.name.capitalize() if game is None or not game.has(key) else game(key)
        return (said("board.title", name=name),)
    width, height = (f"{side:g}" for side in mat.card)
    return said("mat.title", players=mat.players), said("mat.card", width=width, height=height)


def _sheet(mat: Mat, sheet: MatSheet, whole: tuple[Mark, ...], lang: str, named: tuple[str, ...]) -> Drawing:
    """Return one sheet: its part of the mat, its neighbours' numbers, a ruler and the small print."""
    shown = rectangle(RIM, RIM, sheet.width - 2 * RIM, sheet.height - 2 * RIM)
    part = Clipped(shown, transform((*whole, *_cut_away(mat, sheet)), -sheet.x, -sheet.y))
    return Drawing(
        sheet.width, sheet.height, (part, *_neighbour_arrows(mat, sheet), *_small_print(mat, sheet, words(lang), named))
    )


def _cut_away(mat: Mat, sheet: MatSheet) -> Iterator[Mark]:
    """Yield marks that hide the cells of the sheets at the left and above, because a board's sheets are cut along
    cells."""
    if mat.board is None or not mat.seams:
        return
    row, column = divmod(sheet.number - 1, len(mat.seams[0]))
    left = mat.seams[0][column - 1] if column else 0.0
    top = mat.seams[1][row - 1] if row else 0.0
    (x, y), (width, height) = mat.board_at, mat.board.size
    others = [cell for cell in mat.board.cells if cell.x + x < left or cell.y + y < top]
    yield from [Fill((tuple([(px + x, py + y) for px, py in cell.outline]),), PAPER) for cell in others]
    for beside in (0.0, y + height) if left else ():
        yield Fill((rectangle(0, beside, left, y),), PAPER)
    for beside in (0.0, x + width) if top else ():
        yield Fill((rectangle(beside, 0, x, top),), PAPER)


def _neighbour_arrows(mat: Mat, sheet: MatSheet) -> Iterator[Mark]:
    for other in mat.sheets:
        across = round((other.x - sheet.x) / sheet.width)
        down = round((other.y - sheet.y) / sheet.height)
        if abs(across) + abs(down) != 1:
            continue
        for share in (0.42,) if across == 0 else (0.25, 0.75):  # the ruler and small print are below
            x = sheet.width * share if across == 0 else (sheet.width - EDGE if across > 0 else EDGE)
            y = sheet.height * share if down == 0 else (sheet.height - EDGE if down > 0 else EDGE)
            tip = (x + across * 0.9, y + down * 0.9)
            sides = ((x + down * 1.1, y + across * 1.1), (x - down * 1.1, y - across * 1.1))
            yield Fill(((tip, *sides),), INK)
            x, y = x + abs(down) * 2.0 - across * 2.0, y + 0.8 + abs(across) * 2.8
            yield text(str(other.number), (x, y), 1.6, INK, 500, "middle")


def _small_print(mat: Mat, sheet: MatSheet, said: Words, named: tuple[str, ...]) -> Iterator[Mark]:
    """Yield the ruler and the sheet's title in the lower margin."""
    low = sheet.height - EDGE
    yield from _ruler(RIM + 2, low, 50.0, said("mat.ruler"))
    parts = (
        *named,
        said("mat.sheet", number=sheet.number, sheets=len(mat.sheets)),
        said("mat.full"),
    )
    yield text("  ·  ".join(parts), (sheet.width - RIM - 2, low), 1.5, INK, 500, "end")


def _ruler(x: float, y: float, length: float, name: str, size: float = 1.5) -> Iterator[Mark]:
    """Yield a ruler from x to the right, with upward ticks and its name behind it."""
    yield Stroke(((x, y), (x + length, y)), 0.2, INK)
    for nth in range(int(length / 10) + 1):
        high = 2.0 if nth in (0, length / 10) else 1.2
        yield Stroke(((x + nth * 10, y), (x + nth * 10, y - high)), 0.2, INK)
    yield text(name, (x + length + 1.5, y), size, INK, 500)


def _instructions(mat: Mat, lang: str, named: tuple[str, ...]) -> PdfSheet:
    """Return the first page: a map of the sheets and the instructions."""
    said = words(lang)
    width, height = PAPERS.get(mat.paper, PAPERS["a4"])
    left, wide = 18.0, width - 36.0
    kind = "mat" if mat.board is None else "board"
    marks: list[Mark] = [text(said(f"{kind}.first"), (left, 26), 6.0, BLACK)]
    marks.append(text("  ·  ".join(named), (left, 35), 3.0, INK, 500))
    y = 46.0
    for nth in range(1, STEPS + 1 + bool(mat.token_slots)):
        marks.append(text(f"{nth}", (left, y), 2.6, BLACK))
        for line in _wrap(said(f"{kind}.step_{nth}"), wide - 8, 2.6):
            marks.append(text(line, (left + 8, y), 2.6, BLACK, 500))
            y += 5.2
        if nth == 1:
            marks += _ruler(left + 8, y + 2, 100.0, "100 mm", 2.0)
            y += 7.0
        y += 2.2
    needed = f"{NEEDED:g}".replace(".", said("mat.point"))
    size = said(f"{kind}.size", width=f"{mat.size[0] / 10:.0f}", height=f"{mat.size[1] / 10:.0f}", needed=needed)
    for line in _wrap(size, wide, 2.6):
        marks.append(text(line, (left, y + 2), 2.6, INK, 500))
        y += 5.2
    marks += _map(mat, left, y + 6, wide, height - y - 24)
    return PdfSheet(Drawing(width, height, tuple(marks)))


def _map(mat: Mat, left: float, top: float, wide: float, high: float) -> tuple[Mark, ...]:
    """Return a small map of the mat within a box, with the sheets and their numbers."""
    x0, y0 = min(s.x for s in mat.sheets), min(s.y for s in mat.sheets)
    x1, y1 = max(s.x + s.width for s in mat.sheets), max(s.y + s.height for s in mat.sheets)
    scale = min(wide / (x1 - x0), high / (y1 - y0))
    marks = list[Mark]()
    if mat.board is not None:
        grounds = [Fill((cell.outline,), FAINTER) for cell in mat.board.cells]
        marks += transform(grounds, *mat.board_at)
    for slot in mat.slots:
        corner = mat.hull(slot)
        (left_x, top_y), (width, height) = corner[0], corner[2] - corner[0]
        marks.append(Fill((rectangle(left_x, top_y, width, height, ROUND),), FAINTER))
    for tokens in mat.token_slots:
        marks.append(Fill((tuple([(px, py) for px, py in tokens.corners().tolist()]),), FAINTER))
        marks.append(Fill((tuple([(px, py) for px, py in tokens.edge().tolist()]),), FAINT if tokens.bar else FAINTER))
    marks += [Fill((rectangle(m.x, m.y, m.side, m.side),), INK) for m in mat.markers]
    for sheet in mat.sheets:
        x, y = free_corner(mat, sheet)
        marks.append(Stroke(rectangle(sheet.x, sheet.y, sheet.width, sheet.height), 1.2, INK, closed=True))
        marks.append(Fill((circle(x, y, NUMBER),), "#ffffff"))
        marks.append(Stroke(circle(x, y, NUMBER), 1.2, INK, closed=True))
        marks.append(text(str(sheet.number), (x, y + 5), 10.0, BLACK, 700, "middle"))
    for seat in sorted({slot.seat for slot in mat.slots if slot.seat is not None}):
        slot = seat_slot(mat, seat)
        x, y = mat.hull(slot).mean(axis=0)
        number = text(str(seat + 1), (0, 5), 10.0, "#ffffff", 700, "middle")
        marks += [Fill((seat_shape(seat, x, y, BADGE),), FAINT), *transform([number], x, y, 90.0 * slot.turn)]
    return transform(marks, left + (wide - (x1 - x0) * scale) / 2 - x0 * scale, top - y0 * scale, scale=scale)


def seat_slot(mat: Mat, seat: int) -> Slot:
    """Return the place that carries a seat's number on the small map.

    It is near the seat's middle and, if possible, clear of joints and of the sheets' numbers.
    """
    own = [slot for slot in mat.slots if slot.seat == seat]
    numbers = [free_corner(mat, sheet) for sheet in mat.sheets]
    centres = {slot.place: mat.hull(slot).mean(axis=0) for slot in own}
    middle = np.mean(list(centres.values()), axis=0)

    def order(slot: Slot) -> tuple[bool, bool, float]:
        x, y = centres[slot.place]
        clear = any(
            min(x - s.x, s.x + s.width - x) > BADGE and min(y - s.y, s.y + s.height - y) > BADGE for s in mat.sheets
        )
        hides = any(math.dist((x, y), number) < BADGE + NUMBER for number in numbers)
        return not clear, hides, float(np.abs(centres[slot.place] - middle).sum())

    return min(own, key=order)


def free_corner(mat: Mat, sheet: MatSheet) -> tuple[float, float]:
    """Return the position of a sheet's number on the small map: the first corner without a marker."""
    corners = [
        (x, y)
        for y in (sheet.y + CORNER, sheet.y + sheet.height - CORNER)
        for x in (sheet.x + CORNER, sheet.x + sheet.width - CORNER)
    ]
    hidden = [
        any(math.dist((x, y), (m.x + m.side / 2, m.y + m.side / 2)) < CORNER + m.side / 2 for m in mat.markers)
        for x, y in corners
    ]
    return corners[hidden.index(False) if False in hidden else 0]


def _wrap(sentence: str, width: float, size: float) -> list[str]:
    lines = [""]
    for word in sentence.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size, 500) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
