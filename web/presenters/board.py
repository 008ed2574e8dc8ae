"""A board as pages draw it: cells with names to be read aloud, pieces, and what a tap on a cell would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from companion.engine import Board, Cell, CostItem, Edge, Event, Piece, Player, fields_of, legal, name_of
from companion.engine.board import (
    BoardRules,
    Symbol,
    board_of,
    cell_fields,
    cells_named,
    piece_points,
    piece_side,
    plays_on_board,
)
from companion.engine.terrains import EDGE, EDGES, SIGNS, darker, terrain_of
from companion.i18n import Words
from web.game_pages import AnyState

TOUCH = 46.0
"""Pixels that the smallest cell measures where a finger must meet it."""


class PieceMark(msgspec.Struct, frozen=True):
    """A piece on the map, in millimetres."""

    x: float
    y: float
    side: float
    kind: str
    owner: int
    """The seat in whose colour it is drawn; -1: nobody's."""


class ShapeMark(msgspec.Struct, frozen=True):
    """An outline or a symbol that many cells have in common, around 0, 0; cells refer to it by its key."""

    key: str
    areas: str
    """Data of an SVG path to be filled."""
    lines: str = ""
    """Data of an SVG path to be drawn."""


class SignMark(msgspec.Struct, frozen=True):
    """Where a terrain's symbol stands, and how large."""

    shape: str
    x: float
    y: float
    size: float
    colour: str


class CellMark(msgspec.Struct, frozen=True):
    """A cell on the map."""

    name: str
    title: str
    """All that is said of it: its name and kind, and what stands there."""
    shape: str
    """The key of its outline's shape."""
    colour: str
    sign: SignMark | None
    label: str
    figure: str
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
    """Fields that are the same for all its cells."""


class CellMove(msgspec.Struct, frozen=True):
    """One event that a tap on a cell can mean."""

    form: str
    field: str
    """The field of the form that the tapped cell fills."""
    title: str
    cost: str
    """The price in parts: "river 1 + others' cubes 1 = 2, and 1 waste"; empty where nothing is paid."""


class LitCell(msgspec.Struct, frozen=True):
    """A cell that a seat may tap now."""

    name: str
    title: str
    x: float
    y: float
    radius: float
    price: str
    """What the cheapest of its moves costs, as it stands on the map; empty where nothing is paid."""
    asks: bool
    """Whether a tap opens a question first: it costs something, or there are several moves."""
    moves: tuple[CellMove, ...]


class BoardView(msgspec.Struct, frozen=True):
    """A board at one moment."""

    name: str
    title: str
    width: float
    height: float
    pixels: int
    """The least width of the map in pixels at which a finger meets every cell."""
    shapes: tuple[ShapeMark, ...]
    cells: tuple[CellMark, ...]
    edges: tuple[EdgeMark, ...]
    pieces: tuple[PieceMark, ...]
    forms: tuple[MoveForm, ...] = ()
    lit: tuple[LitCell, ...] = ()

    def lit_cell(self, name: str) -> LitCell | None:
        """Return a cell that may be tapped, None if it may not."""
        return next((cell for cell in self.lit if cell.name == name), None)


def board_view(
    game: object, state: AnyState, players: Sequence[Player], say: Words, events: Iterable[Event] = ()
) -> BoardView | None:
    """Return the board of a match with what these legal events would do; None for a game without a board."""
    board = board_of(game, state)
    if board is None or not plays_on_board(game):
        return None
    pieces = game.layout(state).pieces  # type: ignore[attr-defined]
    view = drawn_board(board, pieces, players, say)
    forms, lit = moves_by_cell(game, state, board, view, say, events)
    return msgspec.structs.replace(view, forms=forms, lit=lit)


def drawn_board(board: Board, pieces: dict[str, tuple[Piece, ...]], players: Sequence[Player], say: Words) -> BoardView:
    """Return a board with its pieces, without anything to tap."""
    least = min(cell.inner_radius for cell in board.cells)
    marks = []
    for cell in board.cells:
        here = sorted(pieces.get(cell.name, ()), key=lambda piece: piece.sort)
        count = max(len(here), cell.sites)
        side = piece_side(board, cell, count)
        for piece, (x, y) in zip(here, piece_points(board, cell, count), strict=False):
            owner = -1 if piece.owner is None else int(piece.owner)
            marks.append(PieceMark(round(x, 1), round(y, 1), round(side, 1), piece.kind, owner))
    known, shapes = f"board.{board.name}", outlines(board)
    keys = {outline: key for key, outline in shapes.items()}
    return BoardView(
        board.name,
        said_or(say, known, say("cells.board")),
        *board.size,
        round(board.size[0] / (2 * least) * TOUCH),
        shape_marks(board, shapes),
        tuple(
            [
                cell_mark(board, cell, keys[outline_of(cell)], pieces.get(cell.name, ()), players, say)
                for cell in board.cells
            ]
        ),
        tuple([edge_mark(board, edge) for edge in board.edges]),
        tuple(marks),
    )


def cell_mark(
    board: Board, cell: Cell, shape: str, pieces: Sequence[Piece], players: Sequence[Player], say: Words
) -> CellMark:
    """Return a cell as it is drawn and read aloud."""
    terrain = terrain_of(board, cell.kind)
    radius = cell.inner_radius
    count = max(len(pieces), cell.sites)
    side = round(piece_side(board, cell, count), 1)
    # On printed sites pieces stand one after the other; the sites behind them do not show.
    free = piece_points(board, cell, count)[len(pieces) : cell.sites]
    return CellMark(
        cell.name,
        cell_title(cell, pieces, players, say),
        shape,
        terrain.colour,
        sign_mark(terrain.symbol, darker(terrain.colour, 0.7), cell, radius, aside=bool(cell.sites or pieces)),
        label_of(cell, say),
        cell.figure,
        round(cell.x, 1),
        round(cell.y, 1),
        round(radius, 1),
        tuple([(round(x, 1), round(y, 1), side) for x, y in free]),
    )


def sign_mark(symbol: Symbol, colour: str, cell: Cell, radius: float, aside: bool) -> SignMark | None:
    """Return where a terrain's symbol stands: in the middle of a cell, or small and aside of its pieces."""
    if not symbol:
        return None
    away, size = (0.52 * radius, 0.2 * radius) if aside else (0.0, 0.45 * radius)
    return SignMark(f"b-{symbol}", round(cell.x - away, 1), round(cell.y + away, 1), round(size, 2), colour)


def outlines(board: Board) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return the different outlines of a board's cells around their centres, by key."""
    found: dict[tuple[tuple[float, float], ...], str] = {}
    for cell in board.cells:
        found.setdefault(outline_of(cell), f"b-{len(found)}")
    return {key: outline for outline, key in found.items()}


def outline_of(cell: Cell) -> tuple[tuple[float, float], ...]:
    """Return a cell's outline around its centre."""
    return tuple([(round(x - cell.x, 1), round(y - cell.y, 1)) for x, y in cell.outline])


def shape_marks(board: Board, shapes: dict[str, tuple[tuple[float, float], ...]]) -> tuple[ShapeMark, ...]:
    """Return the outlines of a board's cells, and the symbols that stand on them."""

    def path(points: Iterable[tuple[float, float]]) -> str:
        return "M" + " ".join([f"{x:g} {y:g}" for x, y in points])

    found = [ShapeMark(key, path(outline) + "z") for key, outline in shapes.items()]
    for symbol in sorted({terrain_of(board, cell.kind).symbol for cell in board.cells} - {""}):
        sign = SIGNS[symbol]
        areas = "".join([path(points) + "z" for points in sign.areas])
        found.append(ShapeMark(f"b-{symbol}", areas, "".join(map(path, sign.lines))))
    return tuple(found)


def edge_mark(board: Board, edge: Edge) -> EdgeMark:
    """Return the line between two cells."""
    (a, b), (c, d) = board.edge_line(edge)
    ends = (round(a, 1), round(b, 1), round(c, 1), round(d, 1))
    return EdgeMark(edge.kind, EDGES.get(edge.kind, EDGE), not edge.passable, ends)


# --- in words -------------------------------------------------------------------------------------


def said_or(say: Words, key: str, otherwise: str, **fields: object) -> str:
    """Return a sentence, or something else where no language has it."""
    said = say(key, **fields)
    return otherwise if said == key else said


def counted(say: Words, key: str, count: int) -> str:
    """Return a sentence for a count; empty where no language has it."""
    said = say.plural(key, count)
    return "" if said.startswith(key) else said


def label_of(cell: Cell, say: Words) -> str:
    """Return a cell's own name: from the words, else as the board has it."""
    return said_or(say, f"cell.{cell.label}", cell.label) if cell.label else ""


def cell_title(cell: Cell, pieces: Sequence[Piece], players: Sequence[Player], say: Words) -> str:
    """Return a cell as it is read aloud: "C4, Kyoto, city, 3 sites: 2 cubes of Jane, 1 station"."""
    kind = said_or(say, f"cell.kind.{cell.kind}", cell.kind)
    parts = [cell.name, label_of(cell, say), kind, cell.figure]
    if cell.sites:
        parts.append(say.plural("cells.sites", cell.sites))
    title = ", ".join([part for part in parts if part])
    stands = pieces_sentence(pieces, players, say)
    return say("cells.with", cell=title, pieces=stands) if stands else title


def pieces_sentence(pieces: Sequence[Piece], players: Sequence[Player], say: Words) -> str:
    """Return what stands on a cell: "2 cubes of Jane, 1 station"; empty for nothing."""
    counts = Counter([piece.sort for piece in pieces])
    found = []
    for (kind, owner), count in sorted(counts.items()):
        piece = piece_word(kind, count, say)
        if owner < 0:
            found.append(say("cells.pieces", count=count, piece=piece))
        else:
            found.append(say("cells.pieces_of", count=count, piece=piece, name=players[owner].name))
    return ", ".join(found)


def piece_title(name: str, players: Sequence[Player], say: Words) -> str:
    """Return a piece by the name that layouts give it: `cube.2` is a cube of the second seat."""
    kind, _, number = name.partition(".")
    owner = int(number) - 1 if number.isdecimal() else -1
    piece = piece_word(kind, 1, say)
    return say("cells.pieces_of", count=1, piece=piece, name=players[owner].name) if owner >= 0 else piece


def piece_word(kind: str, count: int, say: Words) -> str:
    """Return the word for pieces of a kind; the kind itself where the words have none."""
    return counted(say, f"piece.{kind}", count) or kind


def cost_sentence(items: Sequence[CostItem], say: Words) -> str:
    """Return a price in parts: "river 1 + others' cubes 1 = 2, and 1 waste"; empty where nothing is paid."""
    units: dict[str, list[CostItem]] = {}
    for each in items:
        item = CostItem(*each)
        if item.amount:
            units.setdefault(item.unit, []).append(item)
    main = units.pop("", [])
    parts = [say("cells.item", item=cost_word(item.key, say), amount=item.amount) for item in main]
    total = " + ".join(parts)
    if len(parts) > 1:
        total = say("cells.sum", items=total, total=sum(item.amount for item in main))
    others = [unit_sentence(unit, sum(item.amount for item in each), say) for unit, each in units.items()]
    return say("cells.and", cost=total, other=", ".join(others)) if total and others else total or ", ".join(others)


def cost_word(key: str, say: Words) -> str:
    """Return what something is paid for: `cost.<key>`, or the kind of cell that is called so."""
    return said_or(say, f"cost.{key}", said_or(say, f"cell.kind.{key}", key))


def unit_sentence(unit: str, amount: int, say: Words) -> str:
    """Return an amount of something that is not the usual money."""
    return counted(say, f"cost.unit.{unit}", amount) or f"{amount} {unit}"


# --- what a tap would do --------------------------------------------------------------------------


def moves_by_cell(
    game: BoardRules[object], state: AnyState, board: Board, view: BoardView, say: Words, events: Iterable[Event]
) -> tuple[tuple[MoveForm, ...], tuple[LitCell, ...]]:
    """Return the forms of legal events that name cells, and the cells that may be tapped, in the board's order.

    Of an event that names several cells, the first is tapped; its moves say where they lead to.
    """
    forms: dict[tuple[str, tuple[tuple[str, str], ...], str], MoveForm] = {}
    found: dict[str, list[tuple[CellMove, int]]] = {}
    for event in events:
        named = cells_named(event)
        if not named or named[0] not in board.by_name:
            continue
        field = next(name for name in cell_fields(type(event)) if getattr(event, name) == named[0])
        key = (name_of(event), form_fields(event, field))
        form = forms.setdefault((*key, field), MoveForm(f"do-{len(forms)}", *key))
        items = tuple([CostItem(*item) for item in game.cost(state, event)])
        price = sum(item.amount for item in items if not item.unit)
        move = CellMove(form.key, field, move_title(event, named, say), cost_sentence(items, say))
        found.setdefault(named[0], []).append((move, price))
    lit = []
    for mark in view.cells:
        if mark.name in found:
            moves, least = found[mark.name], min(price for _, price in found[mark.name])
            paid = any(move.cost for move, _ in moves)
            asks = len(moves) > 1 or paid
            shown = str(least) if paid else ""
            only = tuple([move for move, _ in moves])
            lit.append(LitCell(mark.name, mark.title, mark.x, mark.y, mark.radius, shown, asks, only))
    return tuple(forms.values()), tuple(lit)


def form_fields(event: Event, tapped: str) -> tuple[tuple[str, str], ...]:
    """Return an event's fields but the tapped one, as a form sends them."""
    found: list[tuple[str, str]] = []
    for name, value in fields_of(event).items():
        if name == tapped:
            continue
        values = value if isinstance(value, tuple) else (value,)
        found += [(name, "" if each is None else str(each)) for each in values]
    return tuple(found)


def move_title(event: Event, named: Sequence[str], say: Words) -> str:
    """Return what an event does, as its button says: `offer.<event>` of the words, and where it leads to."""
    title = said_or(say, f"offer.{name_of(event)}", say("cells.choose"), cell=named[0])
    return say("cells.to", title=title, cell=", ".join(named[1:])) if named[1:] else title


# --- amending -------------------------------------------------------------------------------------


def amending_view(
    game: object, before: AnyState, event: Event, field: str, players: Sequence[Player], say: Words
) -> BoardView | None:
    """Return the board before an event, with the cells lit that its field could have named; None without a board."""
    view = board_view(game, before, players, say)
    if view is None:
        return None
    others = {name: value for name, value in fields_of(event).items() if name != field}
    fits = {
        getattr(each, field)
        for offer in legal(game, before)  # type: ignore[arg-type]
        if not offer.chance
        for each in offer
        if type(each) is type(event) and {**fields_of(each), field: None} == {**others, field: None}
    } | {getattr(event, field)}
    lit = [LitCell(c.name, c.title, c.x, c.y, c.radius, "", False, ()) for c in view.cells if c.name in fits]
    return msgspec.structs.replace(view, lit=tuple(lit))
