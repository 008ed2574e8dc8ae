"""Test how pages draw a board: names for screen readers, prices in parts, and the effect of a tap."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine import (
    Board,
    CellName,
    CostItem,
    Event,
    Layout,
    Piece,
    Player,
    Seat,
    SeatEvent,
    State,
    by_cell,
    hex_board,
)
from tests.support import hex_rails
from web.presenters.board import BoardView, drawn_board
from web.presenters.board_moves import board_view
from web.presenters.board_words import cost_sentence, piece_title, stock_sentence
from web.words import words

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"))
SAY = {lang: words(lang, "tests.support.hex_rails") for lang in ("en", "fr")}
BOARD = hex_rails.BOARD
STATE: Any = State(None, ())


class Moved(SeatEvent, frozen=True):
    """An event in which a seat moves a pawn."""

    start: CellName
    end: CellName


class Laid(SeatEvent, frozen=True):
    """An event in which a seat lays a piece."""

    cell: CellName
    kind: str = "cube"


def view(*events: Event, costs: tuple[CostItem, ...] = (), board: Board = BOARD) -> BoardView:
    """Return the board with the effects of these events, all at the same price."""
    game = SimpleNamespace(
        boards=(board,),
        board=lambda state: board,
        cost=lambda state, event: costs,
        cell_figures=lambda state: {"B1": "8"},
        layout=lambda state: Layout({}),
    )
    found = board_view(game, STATE, PLAYERS, SAY["en"], events)
    assert found is not None
    return found


def test_cells_are_read_aloud() -> None:
    """A cell's label contains its name, its place's name, its kind and its pieces with their owners' names."""
    pieces = by_cell([
        Piece("cube", Seat(0), "A6"), Piece("cube", Seat(0), "A6"), Piece("station", None, "A6"),
        Piece("cube", Seat(1), "B1"), Piece("gnome", None, "B2"),
    ])  # fmt: skip
    en = {cell.name: cell.title for cell in drawn_board(BOARD, pieces, PLAYERS, SAY["en"]).cells}
    fr = {cell.name: cell.title for cell in drawn_board(BOARD, pieces, PLAYERS, SAY["fr"]).cells}
    assert en["A6"] == "A6, Kyoto, city, 3 sites: 2 cubes (Jane), 1 station"
    assert fr["A6"].replace("\N{NO-BREAK SPACE}", " ") == ("A6, Kyoto, ville, 3 emplacements : 2 cubes (Jane), 1 gare")
    assert (en["B1"], en["B2"]) == ("B1, field: 1 cube (Bill)", "B2, field: 1 gnome")
    assert (en["A1"], en["C5"]) == ("A1, Fukui, remote place, 4", "C5, sea")


def test_prices_are_said_in_parts() -> None:
    """Parts of a price in money are added, other units follow, and free parts are omitted."""
    items = [CostItem("river", 1), CostItem("others", 2), CostItem("waste", 1, "waste"), CostItem("mountain", 0)]
    assert cost_sentence(items, SAY["en"]) == "1 (river) + 2 (others' cubes) = 3, and 1 waste"
    assert cost_sentence(items[:1], SAY["en"]) == "1 (river)"
    assert cost_sentence([("moon", 2)], SAY["en"]) == "2 (moon)"  # type: ignore[list-item]
    assert cost_sentence(items[2:], SAY["fr"]) == "1 déchet"
    assert cost_sentence([], SAY["en"]) == ""


def test_a_free_move_needs_no_question() -> None:
    """A cell with one free move needs no question, and a paid move is asked."""
    free = view(Laid(Seat(0), CellName("B2"))).lit_cells.get("B2")
    paid = view(Laid(Seat(0), CellName("B2")), costs=(CostItem("river", 1),)).lit_cells.get("B2")
    assert free is not None and (free.asks, free.price) == (False, "")
    assert paid is not None and (paid.asks, paid.price) == (True, "1")
    assert view().lit == () and not view().lit_cells


def test_several_moves_of_a_cell_are_asked() -> None:
    """A cell that accepts two kinds of pieces asks for the kind."""
    both = view(Laid(Seat(0), CellName("B2")), Laid(Seat(0), CellName("B2"), "station"))
    cell = both.lit_cells.get("B2")
    assert cell is not None and cell.asks and len(cell.moves) == 2 and len(both.forms) == 2
    assert both.forms[1].fields == (("seat", "0"), ("kind", "station"))


def test_a_move_between_two_cells_says_where_it_leads() -> None:
    """The first cell of a move is tapped, and the form and the button name the second one."""
    found = view(Moved(Seat(0), CellName("A2"), CellName("A3")), Moved(Seat(0), CellName("A2"), CellName("B1")))
    cell = found.lit_cells.get("A2")
    assert cell is not None and [move.title for move in cell.moves] == [
        "Choose this space to A3", "Choose this space to B1"
    ]  # fmt: skip
    assert {move.field for move in cell.moves} == {"start"}
    assert found.forms[0].fields == (("seat", "0"), ("end", "A3")) and found.lit_cells.get("A3") is None


def test_a_finger_meets_every_cell() -> None:
    """The board's minimum width follows from its smallest cell: ten hexes need 46 pixels each, and the rim."""
    wide = hex_board("wide", ("x" * 10,) * 8)
    assert drawn_board(wide, {}, PLAYERS, SAY["en"]).pixels == pytest.approx(46 * (10.5 + 0.4), abs=1)


def test_a_game_without_a_board_has_none() -> None:
    """A card game has no view of a board."""
    assert board_view(SimpleNamespace(), STATE, PLAYERS, SAY["en"]) is None


def test_pieces_in_the_cameras_sentences() -> None:
    """Sentences about the camera name a piece with its owner, if it has one."""
    assert piece_title("cube.2", PLAYERS, SAY["en"]) == "1 cube (Bill)"
    assert piece_title("station", PLAYERS, SAY["en"]) == "station"


@pytest.mark.parametrize(("lang", "said"), [("en", "0 cubes, 1 cube, 2 cubes"), ("fr", "0 cube, 1 cube, 2 cubes")])
def test_nothing_left_is_said_as_the_language_counts(lang: str, said: str) -> None:
    """The noun agrees with the number of pieces left, including zero."""
    assert ", ".join([stock_sentence("cube", count, words(lang)) for count in range(3)]) == said


def test_a_cell_that_did_not_change_is_not_drawn_again() -> None:
    """A cell's mark changes only with its pieces, so that a page draws an unchanged cell once."""
    cube = Piece("cube", Seat(0), "A6")
    bare, with_cube = (drawn_board(BOARD, by_cell(pieces), PLAYERS, SAY["en"]) for pieces in ([], [cube]))
    marks = dict(zip([cell.name for cell in BOARD.cells], zip(bare.cells, with_cube.cells, strict=True), strict=True))
    assert {name for name, (one, other) in marks.items() if one is not other} == {"A6"}


def test_a_hidden_piece_stays_with_those_who_see_it() -> None:
    """A viewer who cannot see a piece gets its cell without it, even after a viewer who can."""
    cube = Piece("cube", Seat(0), "A6")
    for pieces in ([cube], [], [cube], []):
        view = drawn_board(BOARD, by_cell(pieces), PLAYERS, SAY["en"])
        title = next(cell.title for cell in view.cells if cell.name == "A6")
        assert ("cube" in title, len(view.pieces)) == (bool(pieces), len(pieces))
