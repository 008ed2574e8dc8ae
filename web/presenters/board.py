"""A board as pages draw it: cells with names for screen readers, pieces, and the effect of a tap on each cell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType

import msgspec

from companion.engine import Board, Cell, Edge, Piece, Player
from companion.engine.pieces import piece_points
from companion.engine.terrains import EDGE, EDGES
from companion.i18n import Words
from web.presenters.board_grounds import page_ground
from web.presenters.board_labels import LabelMark, label_marks
from web.presenters.board_words import cell_title, label_of, said_or

SIDES = (0.64, 0.54, 0.38)
"""The side of a piece in a row of one, two or three, relative to the inner radius of its cell."""
BESIDE_NAME = 0.38
"""The largest side of pieces that need two rows below a name."""
ROOM = 1.3
"""The width of a row of more pieces."""
BELOW_NAME = 0.36
"""How far below the middle of a named cell pieces stand, relative to its inner radius."""
TOUCH = 46.0
"""The least size in pixels of the smallest cell, as a touch target."""


class PieceMark(msgspec.Struct, frozen=True):
    """A piece on the map, in millimetres."""

    x: float
    y: float
    side: float
    kind: str
    owner: int
    """The seat whose colour it has; -1: nobody's."""


class ShapeMark(msgspec.Struct, frozen=True):
    """An outline shared by many cells, around 0, 0; cells refer to it by its key."""

    key: str
    path: str
    """Data of a filled SVG path."""


class PictureMark(msgspec.Struct, frozen=True):
    """The picture of a kind of ground, around 0, 0 in inner radii of a cell; cells refer to it by its key."""

    key: str
    parts: tuple[tuple[str, str, float], ...]
    """Colour and path of each part, and its width: 0 for an area."""


class CellMark(msgspec.Struct, frozen=True, dict=True):
    """A cell on the map. The same object is reused until the cell changes, so that templates draw it once."""

    name: str
    title: str
    """Its full description: its name, its kind and its pieces."""
    shape: str
    """The key of its outline's shape."""
    colour: str
    picture: str
    """The key of its ground's picture; empty if it has none."""
    label: tuple[LabelMark, ...]
    figure: str
    """The printed figure, or the figure that the game now gives the cell."""
    x: float
    y: float
    radius: float
    sites: tuple[tuple[float, float, float], ...] = ()
    """Printed outlines: centre and side."""


class EdgeMark(msgspec.Struct, frozen=True):
    """A line between two cells."""

    kind: str
    colour: str
    barrier: bool
    ends: tuple[float, float, float, float]


class MoveForm(msgspec.Struct, frozen=True):
    """A form that proposes events of one kind; a cell's button completes it."""

    key: str
    event: str
    fields: tuple[tuple[str, str], ...]
    """Fields with the same value for all its cells."""


class CellMove(msgspec.Struct, frozen=True):
    """One event that a tap on a cell can propose."""

    form: str
    field: str
    """The field of the form that the tapped cell fills."""
    title: str
    cost: str
    """The price in parts: "river 1 + others' cubes 1 = 2, and 1 waste"; empty if nothing is paid."""


class LitCell(msgspec.Struct, frozen=True):
    """A cell that a seat may tap now."""

    name: str
    title: str
    x: float
    y: float
    radius: float
    price: str
    """The price of its cheapest move, as shown on the map; empty if nothing is paid."""
    asks: bool
    """Whether a tap asks first, because it costs something or several moves are possible."""
    moves: tuple[CellMove, ...]


class BareBoard(msgspec.Struct, frozen=True, dict=True):
    """The fixed part of a board, with its cells drawn without pieces."""

    shapes: tuple[ShapeMark, ...]
    pictures: tuple[PictureMark, ...]
    edges: tuple[EdgeMark, ...]
    cells: tuple[CellMark, ...]


class BoardView(msgspec.Struct, frozen=True, dict=True):
    """A board at one moment."""

    name: str
    title: str
    width: float
    height: float
    pixels: int
    """The least width of the map in pixels at which every cell is large enough to touch."""
    bare: BareBoard
    cells: tuple[CellMark, ...]
    pieces: tuple[PieceMark, ...]
    forms: tuple[MoveForm, ...] = ()
    lit: tuple[LitCell, ...] = ()

    @cached_property
    def lit_cells(self) -> dict[str, LitCell]:
        """The cells that may be tapped, by name."""
        return {cell.name: cell for cell in self.lit}

    @cached_property
    def stones(self) -> tuple[str, ...]:
        """The kinds of pieces on the board, each to be described once."""
        return tuple(sorted({piece.kind for piece in self.pieces}))


def drawn_board(
    board: Board,
    pieces: Mapping[str, tuple[Piece, ...]],
    players: Sequence[Player],
    say: Words,
    figures: Mapping[str, str] = MappingProxyType({}),
) -> BoardView:
    """Return a board with its pieces, without tap targets; `figures` stand on cells without a printed one."""
    return _drawing(board, tuple(players), say).view(pieces, figures)


class BoardDrawing:
    """A board in one language. Only cells that changed since the last view are drawn again."""

    def __init__(self, board: Board, players: tuple[Player, ...], say: Words) -> None:
        self._board, self._players, self._say = board, players, say
        shapes = outlines(board)
        keys = {outline: key for key, outline in shapes.items()}
        self._shape = {cell.name: keys[outline_of(cell)] for cell in board.cells}
        kinds = sorted({cell.kind for cell in board.cells})
        self._ground = {kind: (f"g-{nth}", page_ground(board, kind)) for nth, kind in enumerate(kinds)}
        self._drawn: dict[str, tuple[object, CellMark, tuple[PieceMark, ...]]] = {}
        edges = tuple([edge_mark(board, edge) for edge in board.edges])
        cells = tuple([self._draw(cell, (), "")[0] for cell in board.cells])
        least = min(cell.inner_radius for cell in board.cells)
        self._bare = BoardView(
            board.name,
            said_or(say, f"board.{board.name}", say("cells.board")),
            *board.size,
            round(board.size[0] / (2 * least) * TOUCH),
            BareBoard(
                tuple([ShapeMark(key, outline_path(outline)) for key, outline in shapes.items()]),
                tuple([PictureMark(key, found.picture) for key, found in self._ground.values() if found.picture]),
                edges,
                cells,
            ),
            cells,
            (),
        )

    def view(self, pieces: Mapping[str, tuple[Piece, ...]], figures: Mapping[str, str]) -> BoardView:
        """Return the board with these pieces and figures."""
        drawn = [self._draw(cell, pieces.get(cell.name, ()), figures.get(cell.name, "")) for cell in self._board.cells]
        cells = tuple([mark for mark, _ in drawn])
        return msgspec.structs.replace(self._bare, cells=cells, pieces=tuple([p for _, here in drawn for p in here]))

    def _draw(self, cell: Cell, here: tuple[Piece, ...], figure: str) -> tuple[CellMark, tuple[PieceMark, ...]]:
        """Return a cell and its pieces. Two viewers share the object if they see the same pieces there."""
        known = self._drawn.get(cell.name)
        if known is None or known[0] != (here, figure):
            mark = self._mark(cell, here, figure)
            known = (here, figure), mark, piece_marks(self._board, cell, here)
            self._drawn[cell.name] = known
        return known[1:]

    def _mark(self, cell: Cell, here: tuple[Piece, ...], figure: str) -> CellMark:
        """Return a cell as drawn and as read aloud; `figure` is shown if none is printed."""
        key, ground = self._ground[cell.kind]
        count = max(len(here), cell.sites)
        side = round(drawn_side(cell, count), 1)
        # Printed sites fill in order; the sites behind pieces are not drawn.
        free = drawn_points(self._board, cell, count)[len(here) : cell.sites]
        return CellMark(
            cell.name,
            cell_title(cell, here, self._players, self._say),
            self._shape[cell.name],
            ground.colour,
            key if ground.picture else "",
            label_marks(cell, label_of(cell, self._say)),
            cell.figure or figure,
            round(cell.x, 1),
            round(cell.y, 1),
            round(cell.inner_radius, 1),
            tuple([(round(x, 1), round(y, 1), side) for x, y in free]),
        )


_drawing = lru_cache(maxsize=16)(BoardDrawing)


def piece_marks(board: Board, cell: Cell, pieces: Iterable[Piece]) -> tuple[PieceMark, ...]:
    """Return a cell's pieces, grouped by kind and owner."""
    here = sorted(pieces, key=lambda piece: piece.sort)
    count = max(len(here), cell.sites)
    side = round(drawn_side(cell, count), 1)
    return tuple([
        PieceMark(round(x, 1), round(y, 1), side, piece.kind, -1 if piece.owner is None else int(piece.owner))
        for piece, (x, y) in zip(here, drawn_points(board, cell, count), strict=False)
    ])  # fmt: skip


def drawn_side(cell: Cell, count: int) -> float:
    """Return the side at which pieces are drawn on a page: larger than real, with room for the name."""
    columns = math.ceil(math.sqrt(max(1, count)))
    side = SIDES[columns - 1] if columns <= len(SIDES) else ROOM / (columns * 1.2 - 0.2)
    return (min(side, BESIDE_NAME) if cell.label and count > 2 else side) * cell.inner_radius


def drawn_points(board: Board, cell: Cell, count: int) -> tuple[tuple[float, float], ...]:
    """Return where pieces are drawn: in the middle, or below the cell's name."""
    down = BELOW_NAME * cell.inner_radius if cell.label else 0.0
    return tuple([(x, y + down) for x, y in piece_points(board, cell, count, drawn_side(cell, count))])


def outlines(board: Board) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return a board's different cell outlines around their centres, by key."""
    found: dict[tuple[tuple[float, float], ...], str] = {}
    for cell in board.cells:
        found.setdefault(outline_of(cell), f"b-{len(found)}")
    return {key: outline for outline, key in found.items()}


def outline_of(cell: Cell) -> tuple[tuple[float, float], ...]:
    """Return a cell's outline around its centre."""
    return tuple([(round(x - cell.x, 1), round(y - cell.y, 1)) for x, y in cell.outline])


def outline_path(points: Iterable[tuple[float, float]]) -> str:
    """Return an outline as the data of an SVG path."""
    return "M" + " ".join([f"{x:g} {y:g}" for x, y in points]) + "z"


def edge_mark(board: Board, edge: Edge) -> EdgeMark:
    """Return the line between two cells."""
    (a, b), (c, d) = board.edge_line(edge)
    ends = (round(a, 1), round(b, 1), round(c, 1), round(d, 1))
    return EdgeMark(edge.kind, EDGES.get(edge.kind, EDGE), not edge.passable, ends)
