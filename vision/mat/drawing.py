"""Draw a whole mat: outlines, names and markers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import resources

from companion.drawing import Contour, Drawing, Fill, Mark, Stroke, circle, rectangle, star, text, text_width, transform
from companion.engine import SHAPES, place_words
from companion.i18n import Words, load_cached
from vision.mat.aruco import modules
from vision.mat.board_drawing import board_marks
from vision.mat.mat import Marker, Mat, Slot, turn_vector
from vision.mat.print_style import BLACK, FAINT, FAINTER, LINE, outline, printed_whole
from vision.mat.tiling import CLEAR
from vision.mat.token_drawing import token_marks

TICK = 4.0
"""The length in millimetres of the ticks beside a row."""
BADGE, INSET = 9.6, 3.0
"""In millimetres: the radius of a seat's shape, and the margin between a card's outline and its contents."""


def words(lang: str) -> Words:
    """Return the mat's words in a language."""
    return load_cached(lang, (resources.files(__package__).joinpath("words"),))


def title(place: str, game: Words | None = None) -> str:
    """Return a place's label: `mat.<place>` of the game's words, or its name without the seat."""
    label, numbers = label_parts(place)
    if game is not None and game.has(key := f"mat.{label}"):
        try:
            return game(key, **{"number": "", **numbers}).strip()
        except KeyError:
            # The words use a number that the place lacks, which `companion game check` reports.
            pass
    return " ".join([*label.split("."), str(numbers.get("number", ""))]).strip().capitalize()


def token_title(place: str, own: Words, game: Words | None = None) -> str:
    """Return the label of a place for tokens: the game's own, or the mat's."""
    label = label_parts(place)[0]
    if own.has(f"place.{label}") and (game is None or not game.has(f"mat.{label}")):
        return own(f"place.{label}")
    return title(place, game)


def label_parts(place: str) -> tuple[str, dict[str, int]]:
    """Return the key of a place's label and its numbers: `train` and {train: 2, number: 2} for `seat.1.train.2`."""
    key, numbers = place_words(place)
    numbers.pop("seat", None)
    return key.removeprefix("seat."), numbers


# --- the whole mat --------------------------------------------------------------------------------


def drawing(mat: Mat, lang: str = "en", game: Words | None = None) -> Drawing:
    """Return the whole mat with its upper left corner at 0, 0.

    game: the game's words, for boards and labels.
    """
    tokens = tuple(_token_places(mat, words(lang), game))
    marks = (*_clear(mat), *_places(mat, game), *tokens, *_board(mat, game), *[_marker(each) for each in mat.markers])
    return Drawing(*mat.size, marks)


def _board(mat: Mat, game: Words | None) -> tuple[Mark, ...]:
    return () if mat.board is None else transform(board_marks(mat.board, game), *mat.board_at)


def _places(mat: Mat, game: Words | None) -> Iterator[Mark]:
    for slot in mat.slots:
        yield from _slot(mat, slot, title(slot.place, game))


def _token_places(mat: Mat, own: Words, game: Words | None) -> Iterator[Mark]:
    for slot in mat.token_slots:
        yield from token_marks(mat, slot, token_title(slot.place, own, game), own)


def _slot(mat: Mat, slot: Slot, label: str) -> tuple[Mark, ...]:
    """Return one place's outlines, facing its owner."""
    width, height = mat.card
    own = list[Mark]()
    if slot.kind == "row":
        own += _row(mat, slot)
    own.append(outline(0, 0, width, height))
    own += _name(mat, slot, 0, label)
    marks = list(transform(own, slot.x, slot.y, 90.0 * slot.turn))
    for nth in range(1, slot.most) if slot.kind == "spread" else ():
        more = (outline(0, 0, width, height), *_name(mat, slot, nth, label))
        marks += transform(more, slot.x + nth * slot.step[0], slot.y + nth * slot.step[1], 90.0 * slot.turn)
    return tuple(marks)


def _row(mat: Mat, slot: Slot) -> Iterator[Mark]:
    """Yield the outlines of tucked cards: the row's hull, and short ticks at both sides for each card."""
    (width, height), beyond = mat.card, slot.most - 1
    if height >= width:
        step = height / 4
        yield outline(0, -beyond * step, width, height + beyond * step, FAINTER)
        for nth in range(1, slot.most):
            y = -nth * step + step
            yield Stroke(((0, y), (TICK, y)), LINE, FAINT)
            yield Stroke(((width - TICK, y), (width, y)), LINE, FAINT)
        return
    step = width / 4
    yield outline(0, 0, width + beyond * step, height, FAINTER)
    for nth in range(1, slot.most):
        x = width + (nth - 1) * step
        yield Stroke(((x, 0), (x, TICK)), LINE, FAINT)
        yield Stroke(((x, height - TICK), (x, height)), LINE, FAINT)


def _name(mat: Mat, slot: Slot, nth: int, name: str) -> Iterator[Mark]:
    """Yield a place's name in a card's outline, below its owner's shape and number.

    It is in the middle, or as close to it as the joints between sheets allow.
    """
    width, seat = mat.card[0], owner_of(slot)
    size = 3.4
    while text_width(name, size, 500) > width - 8 and size > 1.6:
        size -= 0.2
    half = max(text_width(name, size, 500) / 2, 0.0 if seat is None else BADGE)
    high, low = (-size / 2 - 1, size / 2 + 1) if seat is None else (-6 - BADGE, size / 2 + 10)
    x, y = _point_clear_of_joints(mat, slot, nth, (-half, high, half, low))
    middle = y + size / 2
    if seat is not None:
        yield Fill((seat_shape(seat, x, y - 6, 8.0),), FAINTER)
        yield text(str(seat + 1), (x, y - 6 + 2.4), 4.8, "#ffffff", 700, "middle")
        middle += 9
    yield text(name, (x, middle), size, FAINT, 500, "middle")


def owner_of(slot: Slot) -> int | None:
    """Return a place's owner: its seat, or the seat in the name of a place in the middle, or None for common places."""
    number = place_words(slot.place)[1].get("seat")
    return slot.seat if slot.seat is not None or number is None else number - 1


def _point_clear_of_joints(
    mat: Mat, slot: Slot, nth: int, around: tuple[float, float, float, float]
) -> tuple[float, float]:
    """Return the point of a card, nearest to its middle, at which a box fits on one sheet, clear of its margins.

    around: left, top, right and bottom of the box relative to that point, in millimetres of the card.
    """
    width, height = mat.card
    left, top, right, bottom = around
    x0, y0 = slot.x + nth * slot.step[0], slot.y + nth * slot.step[1]

    def shows(point: tuple[float, float]) -> bool:
        ends = [turn_vector(point[0] + x, point[1] + y, slot.turn) for x, y in ((left, top), (right, bottom))]
        return printed_whole(mat, [(x0 + x, y0 + y) for x, y in ends])

    middle = (width / 2, height / 2)
    if shows(middle):
        return middle
    across = [x / 2 for x in range(round(2 * (INSET - left)), round(2 * (width - INSET - right)) + 1)]
    down = [y / 2 for y in range(round(2 * (INSET - top)), round(2 * (height - INSET - bottom)) + 1)]
    points = sorted([(x, y) for x in across for y in down], key=lambda at: math.dist(at, middle))
    return next((point for point in points if shows(point)), middle)


def seat_shape(seat: int, x: float, y: float, radius: float) -> Contour:
    """Return the shape of a seat, the same as on the pages."""
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
        case "cross":
            arm, end = radius * 0.36, radius * 1.05
            return ((x - arm, y - end), (x + arm, y - end), (x + arm, y - arm), (x + end, y - arm),
                    (x + end, y + arm), (x + arm, y + arm), (x + arm, y + end), (x - arm, y + end),
                    (x - arm, y + arm), (x - end, y + arm), (x - end, y - arm), (x - arm, y - arm))  # fmt: skip
        case "heart":
            return tuple([_heart_point(x, y, radius, turn) for turn in range(0, 360, 10)])
        case _:
            return circle(x, y, radius)


def _heart_point(x: float, y: float, radius: float, turn: float) -> tuple[float, float]:
    a = math.radians(turn)
    across = 16 * math.sin(a) ** 3
    down = -(13 * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a))
    return (x + across * radius / 15, y + (down - 2) * radius / 15)


def _clear(mat: Mat) -> Iterator[Mark]:
    for marker in mat.markers:
        side = marker.side + 2 * CLEAR
        yield Fill((rectangle(marker.x - CLEAR, marker.y - CLEAR, side, side),), "#ffffff")


def _marker(marker: Marker) -> Mark:
    """Return a marker's black squares: runs in a row as one rectangle."""
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
