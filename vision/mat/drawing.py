"""A mat as drawings: the whole of it, and each sheet of paper with the marks that help to join the sheets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from companion.engine import SHAPES
from companion.i18n import Words, cached
from vision.mat.aruco import modules
from vision.mat.mat import Marker, Mat, MatSheet, Slot, turn_vector
from vision.mat.sheets import CLEAR, PAPERS, RIM
from vision.print.drawing import (
    Clipped,
    Contour,
    Drawing,
    Fill,
    Mark,
    Stroke,
    circle,
    rectangle,
    star,
    text,
    text_width,
    to_pdf,
    transform,
)
from vision.print.drawing import PdfSheet as Page

FAINT, FAINTER, INK, BLACK = "#c3ccd6", "#dde3ea", "#5d6b7a", "#000000"
LINE = 0.35
"""Millimetres of an outline."""
ROUND = 3.0
"""Millimetres of the outlines' corners."""
NEEDED = 3.3
"""Pixels a millimetre with which values are read (the least that digits of 5 mm take to be certain)."""
BADGE, INSET = 9.6, 3.0
"""Millimetres from a seat's shape's middle to its farthest point, and from a card's outline to what stands in it."""
EDGE = 4.6
"""Millimetres from the paper's edge at which the small print stands: most printers reach there."""


def words(lang: str) -> Words:
    """Return the mat's words in a language."""
    return cached(lang, (resources.files(__package__).joinpath("words"),))


def title(place: str, said: Words) -> str:
    """Return a place's name for people: what belongs to a seat without the seat."""
    parts = place.split(".")
    if parts[0] == "seat":
        parts = parts[2:]
    number = parts.pop() if parts and parts[-1].isdigit() else ""
    key = "place." + ".".join(parts)
    name = said(key, number=number)
    return " ".join([*parts, number]).strip().capitalize() if name == key else name


# --- the whole mat --------------------------------------------------------------------------------


def drawing(mat: Mat, lang: str = "en") -> Drawing:
    """Return the whole mat, its upper left corner at 0, 0."""
    return Drawing(*mat.size, (*_clear(mat), *_places(mat, words(lang)), *[_marker(each) for each in mat.markers]))


def _places(mat: Mat, said: Words) -> Iterator[Mark]:
    for slot in mat.slots:
        yield from _slot(mat, slot, said)


def _slot(mat: Mat, slot: Slot, said: Words) -> tuple[Mark, ...]:
    """Return one place's outlines, turned to its owner."""
    width, height = mat.card
    own = list[Mark]()
    if slot.kind == "row":
        own += _row(mat, slot)
    own.append(_outline(0, 0, width, height))
    own += _name(mat, slot, 0, title(slot.place, said))
    marks = list(transform(own, slot.x, slot.y, 90.0 * slot.turn))
    for nth in range(1, slot.most) if slot.kind == "spread" else ():
        more = (_outline(0, 0, width, height), *_name(mat, slot, nth, title(slot.place, said)))
        marks += transform(more, slot.x + nth * slot.step[0], slot.y + nth * slot.step[1], 90.0 * slot.turn)
    return tuple(marks)


def _outline(x: float, y: float, width: float, height: float, colour: str = FAINT) -> Mark:
    return Stroke(rectangle(x, y, width, height, ROUND), LINE, colour, closed=True)


def _row(mat: Mat, slot: Slot) -> Iterator[Mark]:
    """Yield where the tucked cards show: the row's hull, and short ticks at its two sides for each card."""
    (width, height), beyond = mat.card, slot.most - 1
    tick = 4.0
    if height >= width:
        step = height / 4
        yield _outline(0, -beyond * step, width, height + beyond * step, FAINTER)
        for nth in range(1, slot.most):
            y = -nth * step + step
            yield Stroke(((0, y), (tick, y)), LINE, FAINT)
            yield Stroke(((width - tick, y), (width, y)), LINE, FAINT)
        return
    step = width / 4
    yield _outline(0, 0, width + beyond * step, height, FAINTER)
    for nth in range(1, slot.most):
        x = width + (nth - 1) * step
        yield Stroke(((x, 0), (x, tick)), LINE, FAINT)
        yield Stroke(((x, height - tick), (x, height)), LINE, FAINT)


def _name(mat: Mat, slot: Slot, nth: int, name: str) -> Iterator[Mark]:
    """Yield a place's name in a card's outline, with its owner's shape and number above it: in the middle, or as near
    to it as no joint of two sheets cuts it."""
    width = mat.card[0]
    size = 3.4
    while text_width(name, size, 500) > width - 8 and size > 1.6:
        size -= 0.2
    half = max(text_width(name, size, 500) / 2, 0.0 if slot.seat is None else BADGE)
    high, low = (-size / 2 - 1, size / 2 + 1) if slot.seat is None else (-6 - BADGE, size / 2 + 10)
    x, y = _beside_joints(mat, slot, nth, (-half, high, half, low))
    middle = y + size / 2
    if slot.seat is not None:
        yield Fill((shape(slot.seat, x, y - 6, 8.0),), FAINTER)
        yield text(str(slot.seat + 1), x, y - 6 + 2.4, 4.8, "#ffffff", 700, "middle")
        middle += 9
    yield text(name, x, middle, size, FAINT, 500, "middle")


def _beside_joints(mat: Mat, slot: Slot, nth: int, around: tuple[float, float, float, float]) -> tuple[float, float]:
    """Return the point of a card, nearest to its middle, around which a box lies on one sheet, clear of its rims.

    around: left, top, right and bottom of the box as seen from that point, in millimetres of the card.
    """
    width, height = mat.card
    left, top, right, bottom = around
    x0, y0 = slot.x + nth * slot.step[0], slot.y + nth * slot.step[1]

    def shows(point: tuple[float, float]) -> bool:
        ends = [turn_vector(point[0] + x, point[1] + y, slot.turn) for x, y in ((left, top), (right, bottom))]
        return any(all(_within(sheet, x0 + x, y0 + y) for x, y in ends) for sheet in mat.sheets)

    middle = (width / 2, height / 2)
    across = [x / 2 for x in range(round(2 * (INSET - left)), round(2 * (width - INSET - right)) + 1)]
    down = [y / 2 for y in range(round(2 * (INSET - top)), round(2 * (height - INSET - bottom)) + 1)]
    points = sorted([middle, *[(x, y) for x in across for y in down]], key=lambda at: math.dist(at, middle))
    return next((point for point in points if shows(point)), middle)


def _within(sheet: MatSheet, x: float, y: float) -> bool:
    """Whether a point of the mat is printed on a sheet: not in its rims."""
    return RIM <= x - sheet.x <= sheet.width - RIM and RIM <= y - sheet.y <= sheet.height - RIM


def shape(seat: int, x: float, y: float, radius: float) -> Contour:
    """Return the shape that stands for a seat, as on the pages."""
    match SHAPES[seat % len(SHAPES)]:
        case "square":
            return rectangle(x - radius * 0.85, y - radius * 0.85, radius * 1.7, radius * 1.7, radius * 0.15)
        case "triangle":
            return ((x, y - radius * 1.1), (x + radius * 1.1, y + radius * 0.8), (x - radius * 1.1, y + radius * 0.8))
        case "diamond":
            return ((x, y - radius * 1.1), (x + radius, y), (x, y + radius * 1.1), (x - radius, y))
        case "star":
            return star(x, y, radius * 1.2, radius * 0.6)
        case "hexagon":
            half, side = radius * 0.55, radius * 0.95
            return ((x - half, y - side), (x + half, y - side), (x + radius * 1.1, y),
                    (x + half, y + side), (x - half, y + side), (x - radius * 1.1, y))  # fmt: skip
        case _:
            return circle(x, y, radius)


def _clear(mat: Mat) -> Iterator[Mark]:
    """Yield the white around each marker."""
    for marker in mat.markers:
        side = marker.side + 2 * CLEAR
        yield Fill((rectangle(marker.x - CLEAR, marker.y - CLEAR, side, side),), "#ffffff")


def _marker(marker: Marker) -> Mark:
    """Return a marker's black squares: runs of a line as one rectangle, lines overlapping by a hair."""
    black = modules(marker.id)
    size = marker.side / len(black)
    runs = list[Contour]()
    for row, line in enumerate(black):
        start = None
        for column, dark in enumerate([*line, False]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                runs.append(rectangle(marker.x + start * size, marker.y + row * size, (column - start) * size, size))
                start = None
    return Fill(tuple(runs), BLACK)


# --- sheets ---------------------------------------------------------------------------------------


def pages(mat: Mat, lang: str = "en") -> tuple[Page, ...]:
    """Return the pages to be printed: how to lay the mat, then its sheets."""
    whole = drawing(mat, lang).marks
    return (_instructions(mat, lang), *(Page(_sheet(mat, sheet, whole, lang)) for sheet in mat.sheets))


def print_to(mat: Mat, path: Path, lang: str = "en") -> None:
    """Write the mat into a PDF file."""
    said = words(lang)
    to_pdf(pages(mat, lang), path, said("mat.title", players=mat.players))


def _sheet(mat: Mat, sheet: MatSheet, whole: tuple[Mark, ...], lang: str) -> Drawing:
    """Return one sheet: its part of the mat, who its neighbours are, a ruler and the small print."""
    shown = rectangle(RIM, RIM, sheet.width - 2 * RIM, sheet.height - 2 * RIM)
    part = Clipped(shown, transform(whole, -sheet.x, -sheet.y))
    return Drawing(sheet.width, sheet.height, (part, *_joins(mat, sheet), *_small_print(mat, sheet, words(lang))))


def _joins(mat: Mat, sheet: MatSheet) -> Iterator[Mark]:
    """Yield small arrows to the sheets that lie beside this one, with their numbers."""
    for other in mat.sheets:
        across = round((other.x - sheet.x) / sheet.width)
        down = round((other.y - sheet.y) / sheet.height)
        if abs(across) + abs(down) != 1:
            continue
        for share in (0.42,) if across == 0 else (0.25, 0.75):  # below lie ruler and small print
            x = sheet.width * share if across == 0 else (sheet.width - EDGE if across > 0 else EDGE)
            y = sheet.height * share if down == 0 else (sheet.height - EDGE if down > 0 else EDGE)
            tip = (x + across * 0.9, y + down * 0.9)
            sides = ((x + down * 1.1, y + across * 1.1), (x - down * 1.1, y - across * 1.1))
            yield Fill(((tip, *sides),), INK)
            x, y = x + abs(down) * 2.0 - across * 2.0, y + 0.8 + abs(across) * 2.8
            yield text(str(other.number), x, y, 1.6, INK, 500, "middle")


def _small_print(mat: Mat, sheet: MatSheet, said: Words) -> Iterator[Mark]:
    """Yield the ruler and what the sheet is, in the rim below."""
    low = sheet.height - EDGE
    yield from _ruler(RIM + 2, low, 50.0, said("mat.ruler"))
    parts = (
        said("mat.title", players=mat.players),
        said("mat.card", width=f"{mat.card[0]:g}", height=f"{mat.card[1]:g}"),
        said("mat.sheet", number=sheet.number, sheets=len(mat.sheets)),
        said("mat.full"),
    )
    yield text("  ·  ".join(parts), sheet.width - RIM - 2, low, 1.5, INK, 500, "end")


def _ruler(x: float, y: float, length: float, name: str, size: float = 1.5) -> Iterator[Mark]:
    """Yield a ruler from x to the right, ticks upwards, with its name behind it."""
    yield Stroke(((x, y), (x + length, y)), 0.2, INK)
    for nth in range(int(length / 10) + 1):
        high = 2.0 if nth in (0, length / 10) else 1.2
        yield Stroke(((x + nth * 10, y), (x + nth * 10, y - high)), 0.2, INK)
    yield text(name, x + length + 1.5, y, size, INK, 500)


def _instructions(mat: Mat, lang: str) -> Page:
    """Return the first page: how the sheets lie, and what to do."""
    said = words(lang)
    width, height = PAPERS.get(mat.paper, PAPERS["a4"])
    left, wide = 18.0, width - 36.0
    marks: list[Mark] = [text(said("mat.first"), left, 26, 6.0, BLACK)]
    head = [
        said("mat.title", players=mat.players),
        said("mat.card", width=f"{mat.card[0]:g}", height=f"{mat.card[1]:g}"),
    ]
    marks.append(text("  ·  ".join(head), left, 35, 3.0, INK, 500))
    y = 46.0
    for nth in range(1, 6):
        marks.append(text(f"{nth}", left, y, 2.6, BLACK))
        for line in _wrapped(said(f"mat.step_{nth}"), wide - 8, 2.6):
            marks.append(text(line, left + 8, y, 2.6, BLACK, 500))
            y += 5.2
        if nth == 1:
            marks += _ruler(left + 8, y + 2, 100.0, "100 mm", 2.0)
            y += 7.0
        y += 2.2
    needed = f"{NEEDED:g}".replace(".", said("mat.point"))
    size = said("mat.size", width=f"{mat.size[0] / 10:.0f}", height=f"{mat.size[1] / 10:.0f}", needed=needed)
    for line in _wrapped(size, wide, 2.6):
        marks.append(text(line, left, y + 2, 2.6, INK, 500))
        y += 5.2
    marks += _map(mat, left, y + 6, wide, height - y - 24)
    return Page(Drawing(width, height, tuple(marks)))


def _map(mat: Mat, left: float, top: float, wide: float, high: float) -> tuple[Mark, ...]:
    """Return the mat in small, with its sheets and their numbers, within a box."""
    x0, y0 = min(s.x for s in mat.sheets), min(s.y for s in mat.sheets)
    x1, y1 = max(s.x + s.width for s in mat.sheets), max(s.y + s.height for s in mat.sheets)
    scale = min(wide / (x1 - x0), high / (y1 - y0))
    marks = list[Mark]()
    for slot in mat.slots:
        corner = mat.hull(slot)
        (left_x, top_y), (width, height) = corner[0], corner[2] - corner[0]
        marks.append(Fill((rectangle(left_x, top_y, width, height, ROUND),), FAINTER))
        if slot.seat is not None and slot.place.endswith("2"):
            x, y = corner.mean(axis=0)
            number = text(str(slot.seat + 1), 0, 5, 10.0, "#ffffff", 700, "middle")
            marks += [Fill((shape(slot.seat, x, y, 16.0),), FAINT), *transform([number], x, y, 90.0 * slot.turn)]
    marks += [Fill((rectangle(m.x, m.y, m.side, m.side),), INK) for m in mat.markers]
    for sheet in mat.sheets:
        marks.append(Stroke(rectangle(sheet.x, sheet.y, sheet.width, sheet.height), 1.2, INK, closed=True))
        marks.append(Fill((circle(sheet.x + 17, sheet.y + 17, 12.0),), "#ffffff"))
        marks.append(Stroke(circle(sheet.x + 17, sheet.y + 17, 12.0), 1.2, INK, closed=True))
        marks.append(text(str(sheet.number), sheet.x + 17, sheet.y + 22, 10.0, BLACK, 700, "middle"))
    return transform(marks, left + (wide - (x1 - x0) * scale) / 2 - x0 * scale, top - y0 * scale, scale=scale)


def _wrapped(sentence: str, width: float, size: float) -> list[str]:
    """Return a sentence in lines that are no wider than a width."""
    lines = [""]
    for word in sentence.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size, 500) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
