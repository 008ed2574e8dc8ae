"""Cards on a real table get from one layout to the next in the fewest moves."""

from __future__ import annotations

import pytest

from companion.demo.acts import HIDDEN, MoveCard
from companion.demo.physical_table import PhysicalTable
from companion.engine import Layout, Piece, Place, Seat, Spot, by_cell, hex_board
from companion.engine.layout import cell_places

PLACES = (
    Place("market", "spread", 3),
    Place("seat.1.train.1", "row", 8, Seat(0)),
    Place("deck", "pile"),
)
TRAIN = "seat.1.train.1"


def lying(*laid: tuple[str, str]) -> PhysicalTable:
    """Return a table with the given cards face up."""
    found = PhysicalTable(PLACES)
    for card, place in laid:
        found.do(MoveCard(card, "", place))
    return found


def moved(table: PhysicalTable, **spots: Spot) -> tuple[MoveCard, ...]:
    """Apply the moves to a layout, check that they lead there, and return them."""
    layout = Layout({{"market": "market", "train": TRAIN}[name]: spot for name, spot in spots.items()})
    moves = table.moves(layout)
    for move in moves:
        table.do(move)
    assert table.mismatched_places(layout) == ()
    return moves


def test_a_card_goes_straight_to_where_it_belongs() -> None:
    """A card that changes its place takes one move, and a new card comes after it."""
    table = lying(("coal-200", "market"), ("food-50", "market"), ("steam-1", TRAIN))
    assert moved(table, market=Spot(("oil-100", "coal-200")), train=Spot(("steam-1", "food-50"))) == (
        MoveCard("food-50", "market", TRAIN),
        MoveCard("oil-100", "", "market"),
    )


def test_of_equal_cards_one_moves() -> None:
    """If one of two equal cards leaves, only one card is moved."""
    table = lying(("coal-200", "market"), ("coal-200", "market"))
    assert moved(table, market=Spot(("coal-200",))) == (MoveCard("coal-200", "market", ""),)


def test_a_card_is_turned_down_where_it_lies() -> None:
    """A locomotive that becomes a replacement is turned face down in place."""
    table = lying(("steam-1", TRAIN))
    assert moved(table, train=Spot((), 1)) == (MoveCard("steam-1", TRAIN, TRAIN, "down"),)


def test_a_card_is_turned_down_elsewhere() -> None:
    """A replacement that comes from a face-up card elsewhere is moved and turned in one move."""
    table = lying(("steam-1", "market"))
    assert moved(table, market=Spot(), train=Spot((), 1)) == (MoveCard("steam-1", "market", TRAIN, "down"),)


def test_a_card_that_nobody_knows_is_replaced_by_the_one_it_shows() -> None:
    """An unknown face-down card is taken away and replaced by the card that is turned up."""
    table = PhysicalTable(PLACES)
    assert moved(table, train=Spot((), 1)) == (MoveCard(HIDDEN, "", TRAIN, "down"),)
    assert moved(table, train=Spot(("steam-1",))) == (MoveCard(HIDDEN, TRAIN, ""), MoveCard("steam-1", "", TRAIN))


def test_a_row_that_begins_wrongly_is_laid_anew() -> None:
    """A train that begins with a wagon is laid again, with the locomotive first."""
    table = lying(("coal-200", TRAIN), ("steam-1", TRAIN))
    layout = Layout({TRAIN: Spot(("steam-1", "coal-200"))}, alike=((TRAIN,),))
    for moved_card in table.moves(layout):
        table.do(moved_card)
    assert table.cards[TRAIN] == [("steam-1", "up"), ("coal-200", "up")]


def test_a_row_that_is_no_train_may_lie_in_any_order() -> None:
    """The order of cards that are no train does not matter."""
    table = lying(("coal-200", TRAIN), ("steam-1", TRAIN))
    assert table.moves(Layout({TRAIN: Spot(("steam-1", "coal-200"))})) == ()


def test_cards_that_are_swapped_find_room() -> None:
    """To swap two cards at single places, one is lifted before the other takes its place."""
    places = [Place(f"seat.1.wagon.{at}", "spread", 1, Seat(0)) for at in (1, 2, 3)]
    one, two, three = [place.name for place in places]
    table = PhysicalTable(places)
    for card, place in zip("abc", (one, two, three), strict=True):
        table.do(MoveCard(card, "", place))
    assert table.moves(Layout({one: Spot(("b",)), two: Spot(("a",)), three: Spot(("c",))})) == (
        MoveCard("b", two, ""),
        MoveCard("a", one, two),
        MoveCard("b", "", one),
    )
    assert table.moves(Layout({one: Spot(), two: Spot(("a",)), three: Spot(("b",))})) == (
        MoveCard("c", three, ""),
        MoveCard("b", two, three),
        MoveCard("a", one, two),
    )


def test_what_is_not_spoken_of_stays() -> None:
    """Places that a layout does not mention stay as they are, and so do piles."""
    table = lying(("coal-200", "market"))
    assert table.moves(Layout({TRAIN: Spot(), "deck": Spot(("steam-1",))})) == ()


def test_nothing_is_taken_that_does_not_lie_there() -> None:
    """Moving a card that is not there raises ValueError."""
    with pytest.raises(ValueError, match="There is no steam-1 at market"):
        lying().do(MoveCard("steam-1", "market", ""))


def test_pieces_are_moved_like_cards() -> None:
    """Cubes move between cells, onto the board and off it, while cards stay in place."""
    board = hex_board("row", ("fff",))
    table = PhysicalTable((*PLACES, *cell_places(board)))
    red, blue = Piece("cube", Seat(0), "A1"), Piece("cube", Seat(1), "A1")
    first = Layout({"market": Spot(("coal-200",))}, pieces=by_cell([red, blue]))
    for move in table.moves(first):
        table.do(move)
    assert table.mismatched_places(first) == ()
    after = Layout({}, pieces=by_cell([Piece("cube", Seat(0), "A2"), Piece("cube", Seat(2), "A3")]))
    assert table.moves(after) == (
        MoveCard("cube.2", "board.A1", ""),
        MoveCard("cube.1", "board.A1", "board.A2"),
        MoveCard("cube.3", "", "board.A3"),
    )
