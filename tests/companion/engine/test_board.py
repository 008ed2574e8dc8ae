"""Boards: construction, contradictions, cells in events, and comparison of pieces."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.engine import (
    BadBoard,
    Board,
    Cell,
    CellName,
    Edge,
    Layout,
    Piece,
    Seat,
    SeatEvent,
    Spot,
    by_cell,
    hex_board,
    piece_name,
    square_board,
    track,
)
from companion.engine.board import cell_fields, cells_named, contains
from companion.engine.layout import ON_BOARD
from companion.engine.pieces import piece_points, piece_side
from companion.engine.terrains import SIGNS, TERRAINS, darker, terrain_of

ROWS = ("fmc", "fff", "s.f")
KINDS = {"f": "field", "m": "mountain", "c": "city", "s": "sea"}
HEXES = hex_board("valley", ROWS, kinds=KINDS, cells={"A3": {"label": "Kyoto", "sites": 3, "figure": "2"}})


def cell(name: str, x: float, *neighbours: str) -> Cell:
    """Return a square cell of 20 mm, 10 mm below the upper edge."""
    corners = ((x, 10.0), (x + 20, 10.0), (x + 20, 30.0), (x, 30.0))
    return Cell(name, x + 10, 20.0, corners, neighbours=neighbours)


def said(cells: tuple[Cell, ...], **more: Any) -> str:
    """Return the message for a board with contradictory cells."""
    with pytest.raises(BadBoard) as error:
        Board("bad", (100.0, 40.0), cells, **more)
    return str(error.value)


# --- construction ---------------------------------------------------------------------------------


def test_hexes_know_their_neighbours() -> None:
    """Hexes have the right neighbours on a board whose second row is shifted to the right."""
    assert HEXES.by_name.keys() == {"A1", "A2", "A3", "B1", "B2", "B3", "C1", "C3"}
    assert set(HEXES.neighbours("B1")) == {"A1", "A2", "B2", "C1"}
    assert set(HEXES.neighbours("A1")) == {"A2", "B1"}
    assert set(HEXES.neighbours("C3")) == {"B2", "B3"}
    city = HEXES.by_name["A3"]
    assert (city.kind, city.label, city.sites, city.figure) == ("city", "Kyoto", 3, "2")
    assert city.inner_radius == pytest.approx(15.0, abs=0.01)


def test_a_shifted_first_row() -> None:
    """With `indented=0` the first row is shifted instead."""
    board = hex_board("other", ("xx", "xx"), indented=0)
    assert set(board.neighbours("A1")) == {"A2", "B1", "B2"}


def test_flat_hexes_shift_columns() -> None:
    """On a board of flat hexes every second column is lower."""
    board = hex_board("flat", ("xxx", "xxx"), pointy=False)
    assert set(board.neighbours("A2")) == {"A1", "A3", "B1", "B2", "B3"}


def test_squares_are_named_as_on_a_chess_board() -> None:
    """Squares are named as in chess: A1 is at the lower left."""
    board = square_board("chess", ["x" * 8] * 8)
    low, high = board.by_name["A1"], board.by_name["A2"]
    assert low.x == high.x and low.y > high.y
    assert set(board.neighbours("A1")) == {"A2", "B1"}
    assert "B2" in square_board("king", ["xx", "xx"], diagonal=True).neighbours("A1")


def test_tracks_bend_and_close() -> None:
    """A track connects each square to the next around corners, and its end to its beginning."""
    board = track("score", 10, first=0, per_row=5, closed=True)
    assert [set(board.neighbours(str(n))) for n in (0, 4, 9)] == [{"1", "9"}, {"3", "5"}, {"8", "0"}]
    assert board.by_name["4"].x == board.by_name["5"].x


def test_a_barrier_parts_neighbours() -> None:
    """An impassable edge separates two cells, and a river does not."""
    edges = (Edge(("A1", "A2"), "river"), Edge(("A2", "A3"), "barrier", passable=False))
    board = hex_board("cut", ("xxx",), edges=edges)
    assert board.neighbours("A2") == ("A1",)
    assert board.edge_kinds("A2", "A1") == ("river",) and board.edge_kinds("A2", "A3") == ("barrier",)
    a, b = board.edge_line(edges[0])
    assert math.dist(a, b) == pytest.approx(30 / math.sqrt(3), abs=0.01)


def test_a_board_survives_json() -> None:
    """A board can be written as JSON and read back."""
    assert msgspec.json.decode(msgspec.json.encode(HEXES), type=Board) == HEXES


# --- contradictions -------------------------------------------------------------------------------


def test_bad_boards_are_refused_in_words() -> None:
    """Each contradiction is a sentence that names its cells."""
    assert "'a' and 'b' overlap" in said((cell("a", 0), cell("b", 15)))
    assert "'b' is a neighbour of 'a', but 'a' is none of 'b'" in said((cell("a", 0, "b"), cell("b", 20)))
    assert "neighbour 'z' that is not on the board" in said((cell("a", 0, "z"),))
    assert "'a' lies outside the board, which is 100 × 40 mm" in said((cell("a", 90),))
    assert "2 cells are called 'a'" in said((cell("a", 0), cell("a", 40)))
    assert "its own neighbour" in said((cell("a", 0, "a"),))
    assert "no convex polygon" in said((Cell("a", 5, 5, ((0, 0), (10, 0), (5, 5), (10, 10), (0, 10))),))
    assert "neither corners nor a radius" in said((Cell("a", 5, 5),))
    assert "has no cells" in said(())
    apart = (cell("a", 0), cell("b", 40))
    assert "do not touch" in said(apart, edges=(Edge(("a", "b"), "river"),))
    assert "which are no neighbours" in said((cell("a", 0), cell("b", 20)), edges=(Edge(("a", "b"), "river"),))
    touching = (cell("a", 0, "b"), cell("b", 20, "a"))
    assert "cannot be passed" in said(touching, edges=(Edge(("a", "b"), "wall", passable=False),))
    assert "'z', which is not on the board" in said(touching, edges=(Edge(("a", "z"), "river"),))
    with pytest.raises(BadBoard, match="'Z9' has facts but is not on the board"):
        hex_board("bad", ("x",), cells={"Z9": {"figure": "1"}})


def test_all_faults_are_said_at_once() -> None:
    """A board with two faults reports both."""
    with pytest.raises(BadBoard) as error:
        Board("bad", (100.0, 40.0), (cell("a", 0, "z"), cell("b", 15)))
    assert len(error.value.faults) == 2


def test_cells_that_touch_do_not_overlap() -> None:
    """Cells may touch without overlapping."""
    Board("fine", (100.0, 40.0), (cell("a", 0, "b"), cell("b", 20, "a")))
    Board("round", (40.0, 20.0), (Cell("a", 10, 10, radius=10), Cell("b", 30, 10, radius=10)))


# --- pieces ---------------------------------------------------------------------------------------


def test_pieces_find_room_on_a_cell() -> None:
    """Up to nine pieces fit in a hex without touching one another."""
    hexagon = HEXES.by_name["B2"]
    for count in range(1, 10):
        points, side = piece_points(HEXES, hexagon, count), piece_side(HEXES, hexagon, count)
        assert len(set(points)) == count
        for at, (x, y) in enumerate(points):
            assert all(contains(hexagon, x + dx * side / 2, y + dy * side / 2) for dx in (-1, 1) for dy in (-1, 1))
            assert all(max(abs(x - u), abs(y - v)) >= side for u, v in points[:at])


def cubes(at: str, *owners: int) -> tuple[Piece, ...]:
    """Return a cube of each given seat on a cell."""
    return tuple([Piece("cube", Seat(owner), at) for owner in owners])


def test_seen_pieces_are_compared_cell_by_cell() -> None:
    """Cells are compared without order or unread cells, and an unsure cell matches any of its readings."""
    expected = Layout({}, pieces=by_cell((*cubes("A1", 0, 1), *cubes("B1", 0))))
    assert expected.differing(Layout({}, pieces={"A1": cubes("A1", 1, 0)})) == ()
    assert expected.differing(Layout({}, pieces={"A1": (), "A2": ()})) == ("board.A1",)
    assert expected.differing(Layout({}, pieces={"A2": cubes("A2", 0)})) == (ON_BOARD + "A2",)
    unsure = Layout({}, pieces={"A2": ()}, unsure={"A1": ((), cubes("A1", 0))})
    assert expected.differing(unsure) == ()


def test_what_came_and_went() -> None:
    """A moved cube is missing from its old cell and added at its new one."""
    expected = Layout({}, pieces=by_cell(cubes("A1", 0, 1)))
    seen = Layout({}, pieces={"A1": cubes("A1", 1), "A2": cubes("A2", 0)})
    assert expected.added_pieces(seen) == cubes("A2", 0)
    assert expected.missing_pieces(seen) == cubes("A1", 0)
    assert expected.spot("board.A1") == Spot(("cube.1", "cube.2"))
    assert piece_name(Piece("station", None, "A1")) == "station"


def test_layouts_without_pieces_compare_as_before() -> None:
    """A layout without pieces compares only its cards."""
    assert Layout({"m": Spot(("a",))}).differing(Layout({"m": Spot(("b",))})) == ("m",)


# --- events ---------------------------------------------------------------------------------------


class Laid(SeatEvent, frozen=True):
    """A seat laid a cube."""

    cell: CellName
    kind: str = "cube"


class Moved(SeatEvent, frozen=True):
    """A seat moved a cube, or brought a new one."""

    start: CellName | None
    end: CellName


def test_events_name_cells_by_their_type() -> None:
    """Only fields of the type `CellName` count as cells, not texts that look like one."""
    assert cell_fields(Laid) == ("cell",)
    assert cell_fields(Moved) == ("start", "end")
    assert cells_named(Laid(Seat(0), CellName("A1"), "A2")) == ("A1",)
    assert cells_named(Moved(Seat(0), None, CellName("A2"))) == ("A2",)


# --- appearance -----------------------------------------------------------------------------------


def test_a_boards_own_look_takes_precedence() -> None:
    """A board's own terrain replaces the default, and an unknown kind is drawn plain."""
    assert terrain_of(HEXES, "mountain").symbol == "hill"
    own = replace(HEXES, terrains=(replace(TERRAINS[3], symbol="trees"),))
    assert terrain_of(own, "mountain").symbol == "trees"
    assert terrain_of(own, "moon").colour == TERRAINS[0].colour
    assert darker("#804020", 0.5) == "#402010"
    assert all(terrain.symbol in SIGNS for terrain in TERRAINS)
