"""Boards: cells in millimetres with neighbours and edges; the events that name cells.

Rules, pages, print and camera share one description. An inconsistent board cannot be built: `BadBoard`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, NewType, Protocol, TypeGuard, TypeVar, get_args, get_type_hints

import msgspec

from companion.engine.event import Event, fields_of
from companion.engine.refusal import EngineError
from companion.engine.state import State

T = TypeVar("T")
CellName = NewType("CellName", str)
"""The type of an event's field that names a cell: pages light the legal cells, and a tap on one fills the field."""
Point = tuple[float, float]
"""A point in millimetres from the board's upper left corner: x to the right, y down."""
Symbol = Literal["", "hill", "house", "waves", "trees", "flag", "star", "rails"]
"""The symbol drawn into the cells of a terrain."""

TOUCH = 0.2
"""Tolerance in millimetres for overlaps, and for gaps at a common edge, because coordinates are rounded."""
ROUND = 24
"""Number of corners used to draw and compare a round cell."""
PIECE = 8.0
"""The side of a piece in millimetres: the usual wooden cube."""


class BadBoard(EngineError, ValueError):
    """An inconsistent board. `faults` lists every problem as a sentence."""

    def __init__(self, name: str, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"The board {name!r} cannot be used: {' '.join(self.faults)}")


class Terrain(msgspec.Struct, frozen=True):
    """The look of a kind of cell on pages and in print."""

    kind: str
    colour: str
    """The colour in the form `#rrggbb`."""
    symbol: Symbol = ""


class Cell(msgspec.Struct, frozen=True, dict=True):
    """A field of a board that holds pieces: a convex polygon, or a circle if it has no corners."""

    name: str
    """Its name in events and on pages, such as `C4`."""
    x: float
    y: float
    """The centre in millimetres."""
    corners: tuple[Point, ...] = ()
    """The corners in order around the cell, in millimetres; empty for a round cell."""
    radius: float = 0.0
    """The radius of a round cell, in millimetres."""
    neighbours: tuple[str, ...] = ()
    kind: str = ""
    """Its terrain; pages show `cell.kind.<kind>` of the game's words."""
    label: str = ""
    """Its own name: `cell.<label>` of the game's words, or the label itself if the words lack it."""
    figure: str = ""
    """The figure printed on it, such as a value."""
    sites: int = 0
    """Number of outlines for pieces printed on it."""

    @cached_property
    def outline(self) -> tuple[Point, ...]:
        """The corners; for a round cell, points on the circle."""
        if self.corners:
            return self.corners
        turns = [2 * math.pi * n / ROUND for n in range(ROUND)]
        return tuple([(self.x + self.radius * math.cos(a), self.y + self.radius * math.sin(a)) for a in turns])

    @cached_property
    def inner_radius(self) -> float:
        """The radius in millimetres of the largest circle around the centre that fits into the cell."""
        if not self.corners:
            return self.radius
        return min(_distance((self.x, self.y), a, b) for a, b in _sides(self.corners))


class Edge(msgspec.Struct, frozen=True):
    """A property of the line between two adjacent cells, such as a river."""

    cells: tuple[str, str]
    kind: str
    passable: bool = True
    """Whether the two cells are neighbours; otherwise the edge is a barrier between cells that only touch."""


class Board(msgspec.Struct, frozen=True, dict=True):
    """A board. Creating an inconsistent one raises `BadBoard`."""

    name: str
    """The board's name, such as `osaka`; pages show `board.<name>` of the game's words."""
    size: tuple[float, float]
    """Width and height in millimetres."""
    cells: tuple[Cell, ...]
    edges: tuple[Edge, ...] = ()
    terrains: tuple[Terrain, ...] = ()
    """Looks that the built-in terrains lack, or that replace them."""
    piece: float = PIECE
    """The side of a piece in millimetres."""
    neutral: tuple[tuple[str, str], ...] = ()
    """Kinds of pieces without an owner that a camera reads, each with its colour; cubes, like the seats' pieces."""

    def __post_init__(self) -> None:
        found = tuple(faults(self))
        if found:
            raise BadBoard(self.name, found)

    def __hash__(self) -> int:
        """Return the hash of the name alone: a board is hashed often and few boards share a name."""
        return hash(self.name)

    @cached_property
    def by_name(self) -> dict[str, Cell]:
        """The cells by name."""
        return {cell.name: cell for cell in self.cells}

    @cached_property
    def _edges(self) -> dict[frozenset[str], tuple[Edge, ...]]:
        found: dict[frozenset[str], tuple[Edge, ...]] = {}
        for edge in self.edges:
            key = frozenset(edge.cells)
            found[key] = (*found.get(key, ()), edge)
        return found

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """Return the neighbours of a cell."""
        return self.by_name[cell].neighbours

    def edge_kinds(self, one: str, other: str) -> tuple[str, ...]:
        """Return the kinds of the edges between two cells, such as `river`."""
        return tuple([edge.kind for edge in self._edges.get(frozenset((one, other)), ())])

    def edge_line(self, edge: Edge) -> tuple[Point, Point]:
        """Return the ends of the line between an edge's two cells, in millimetres."""
        line = common_line(self.by_name[edge.cells[0]], self.by_name[edge.cells[1]])
        assert line is not None
        return line


class CostItem(NamedTuple):
    """One part of a price. Pages show `cost.<key>` of the game's words before the amount."""

    key: str
    amount: int
    unit: str = ""
    """The unit of payment, `cost.unit.<unit>` of the words; empty for money. Each unit is added up separately."""


class BoardRules(Protocol[T]):
    """The part of a game with a board that pages, print and camera use.

    `companion.mechanics.plain` implements it for games without one.
    """

    boards: tuple[Board, ...]
    """Every board for this game."""

    def board(self, state: State[T]) -> Board | None:
        """Return the board of this match, None for a game without one."""
        ...

    def cost(self, state: State[T], event: Event) -> tuple[CostItem, ...]:
        """Return what a legal event costs its seat, in parts. It may depend only on information that the seat may
        see.
        """
        ...

    def cell_figures(self, state: State[T]) -> Mapping[str, str]:
        """Return figures for cells without a printed one, such as the present value of a piece there."""
        ...


def plays_on_board(game: object) -> TypeGuard[BoardRules[Any]]:
    """Return whether a game has boards."""
    return bool(getattr(game, "boards", ()))


def board_of(game: object, state: State[T]) -> Board | None:
    """Return the board of a match, None for a game without one."""
    return game.board(state) if plays_on_board(game) else None


def corner_cells(board: Board) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the outermost cells, clockwise from the upper left; raise `ValueError` if there are fewer than four."""
    wide, high = board.size

    def outermost(x: int, y: int) -> Cell:
        return max(board.cells, key=lambda cell: x * cell.x / wide + y * cell.y / high)

    found = outermost(-1, -1), outermost(1, -1), outermost(1, 1), outermost(-1, 1)
    if len({cell.name for cell in found}) < len(found):
        raise ValueError(f"The board {board.name!r} has no four corner cells.")
    return found


# --- events that name cells -----------------------------------------------------------------------


@cache
def cell_fields(kind: type[Event]) -> tuple[str, ...]:
    """Return an event's fields that name a cell, found by their type: `CellName` or `CellName | None`."""
    hints = get_type_hints(kind)
    return tuple([name for name in kind.__struct_fields__ if names_cell(hints[name])])


def names_cell(wanted: object) -> bool:
    """Return whether a field of this type names a cell."""
    return wanted is CellName or CellName in get_args(wanted)


def cells_named(event: Event) -> tuple[str, ...]:
    """Return the cells that an event names, in the order of its fields."""
    fields = fields_of(event)
    return tuple([str(fields[name]) for name in cell_fields(type(event)) if fields[name] is not None])


# --- consistency -------------------------------------------------------------------------------------


def faults(board: Board) -> Iterator[str]:
    """Yield every problem of a board as a sentence."""
    counts = Counter([cell.name for cell in board.cells])
    cells = {cell.name: cell for cell in board.cells}
    if not cells:
        yield "It has no cells."
    for name, count in counts.items():
        if count > 1:
            yield f"{count} cells are called {name!r}: each needs a name of its own."
    for cell in board.cells:
        yield from _cell_faults(board, cell, cells)
    boxes = [(cell, _box(cell)) for cell in board.cells if cell.corners or cell.radius > 0]
    for (one, a), (other, b) in combinations(boxes, 2):
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] and _overlap(one, other):
            yield f"The cells {one.name!r} and {other.name!r} overlap."
    for edge in board.edges:
        yield from _edge_faults(edge, cells)


def _cell_faults(board: Board, cell: Cell, cells: dict[str, Cell]) -> Iterator[str]:
    if not cell.name:
        yield "A cell has no name."
    if not cell.corners and cell.radius <= 0:
        yield f"The cell {cell.name!r} has neither corners nor a radius."
    elif len(cell.corners) in (1, 2) or not _is_convex(cell.outline):
        yield f"The corners of the cell {cell.name!r} are no convex polygon."
    else:
        left, top, right, bottom = _box(cell)
        width, height = board.size
        if left < -TOUCH or top < -TOUCH or right > width + TOUCH or bottom > height + TOUCH:
            yield f"The cell {cell.name!r} lies outside the board, which is {width:g} × {height:g} mm."
    for name, count in Counter(cell.neighbours).items():
        if count > 1:
            yield f"The cell {cell.name!r} names {name!r} twice as its neighbour."
        if name == cell.name:
            yield f"The cell {cell.name!r} is its own neighbour."
        elif name not in cells:
            yield f"The cell {cell.name!r} has a neighbour {name!r} that is not on the board."
        elif cell.name not in cells[name].neighbours:
            yield f"{name!r} is a neighbour of {cell.name!r}, but {cell.name!r} is none of {name!r}."


def _edge_faults(edge: Edge, cells: dict[str, Cell]) -> Iterator[str]:
    one, other = edge.cells
    unknown = [name for name in edge.cells if name not in cells]
    for name in unknown:
        yield f"An edge ({edge.kind}) names the cell {name!r}, which is not on the board."
    if unknown:
        return
    if one == other or common_line(cells[one], cells[other]) is None:
        yield f"The cells {one!r} and {other!r} do not touch, so there can be no edge ({edge.kind}) between them."
    elif edge.passable and other not in cells[one].neighbours:
        yield f"There is an edge ({edge.kind}) between {one!r} and {other!r}, which are no neighbours."
    elif not edge.passable and other in cells[one].neighbours:
        yield f"{one!r} and {other!r} are neighbours across an edge ({edge.kind}) that cannot be passed."


# --- geometry -------------------------------------------------------------------------------------


def common_line(one: Cell, other: Cell) -> tuple[Point, Point] | None:
    """Return the ends of the line that two cells share; None if they share none."""
    common = [a for a in one.outline if any(math.dist(a, b) <= 2 * TOUCH for b in other.outline)]
    if len(common) >= 2:
        return max(combinations(common, 2), key=lambda ends: math.dist(*ends))
    if one.corners and other.corners:
        return None
    # Round cells touch at one point: use a short line across the path between their centres as the edge.
    way = math.dist((one.x, one.y), (other.x, other.y))
    if way > one.inner_radius + other.inner_radius + max(one.inner_radius, other.inner_radius):
        return None
    share = one.inner_radius / (one.inner_radius + other.inner_radius)
    x, y = one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share
    half = min(one.inner_radius, other.inner_radius) / 2 / way
    dx, dy = (other.x - one.x) * half, (other.y - one.y) * half
    return (x - dy, y + dx), (x + dy, y - dx)


def contains(cell: Cell, x: float, y: float) -> bool:
    """Return whether a point lies in a cell."""
    signs = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in _sides(cell.outline)]
    return all(sign >= 0 for sign in signs) or all(sign <= 0 for sign in signs)


def _sides(outline: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*outline, outline[0]))


def _box(cell: Cell) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in cell.outline], [y for _, y in cell.outline]
    return min(xs), min(ys), max(xs), max(ys)


def _is_convex(outline: tuple[Point, ...]) -> bool:
    turns = [
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        for a, b, c in zip(outline, outline[1:] + outline[:1], outline[2:] + outline[:2], strict=True)
    ]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def _overlap(one: Cell, other: Cell) -> bool:
    """Return whether two convex cells overlap by more than the tolerance: no line separates them."""
    a, b = one.outline, other.outline
    for (x0, y0), (x1, y1) in (*_sides(a), *_sides(b)):
        long = math.hypot(x1 - x0, y1 - y0)
        nx, ny = (y1 - y0) / long, (x0 - x1) / long
        on_a, on_b = [x * nx + y * ny for x, y in a], [x * nx + y * ny for x, y in b]
        if min(max(on_a), max(on_b)) - max(min(on_a), min(on_b)) <= TOUCH:
            return False
    return True


def _distance(point: Point, a: Point, b: Point) -> float:
    """Return how far a point is from the line through a and b."""
    return abs((b[0] - a[0]) * (a[1] - point[1]) - (a[0] - point[0]) * (b[1] - a[1])) / math.dist(a, b)
