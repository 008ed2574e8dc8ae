"""If the companion does not understand an action, people lay a card again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.demo.acts import MoveCard
from companion.demo.hands import Hands
from companion.demo.physical_table import PhysicalTable
from companion.demo_records import PageState, find_unread
from companion.engine import hex_board
from companion.engine.layout import cell_places
from companion.games import SEEN
from companion.messages import CellSighting, Sighting

GAME = SEEN["take-a-train"]
TRAIN = "seat.1.train.1"


class Watching:
    """A world that records moves and does nothing else."""

    def __init__(self) -> None:
        self.moved: list[MoveCard] = []

    def move(self, moved: MoveCard) -> None:
        """Record a move."""
        self.moved.append(moved)

    def settle(self) -> None:
        """Do nothing."""


@pytest.fixture
def hands() -> Hands:
    """Return hands at a table with a market and a train."""
    lying = PhysicalTable(GAME.places(2))
    for card, place in (("coal-200", "market"), ("food-50", "market"), ("steam-1", TRAIN), ("oil-100", TRAIN)):
        lying.do(MoveCard(card, "", place))
    world: Any = Watching()
    return Hands(world, lying, Counter())


def done(hands: Hands, *sightings: Sighting) -> list[MoveCard]:
    """Return the moves that people make after a reading in which their action had no effect."""
    hands.straighten(PageState(unread=find_unread(sightings)))
    found: list[MoveCard] = hands.world.moved  # type: ignore[attr-defined]
    return found


def test_the_card_that_the_camera_cannot_name_is_laid_anew(hands: Hands) -> None:
    """If one of two cards in the market has no name, people lay that card again."""
    assert done(hands, Sighting("market", "coal-200"), Sighting("market", None, 1)) == [
        MoveCard("food-50", "market", ""),
        MoveCard("food-50", "", "market"),
    ]


def test_a_card_whose_place_is_taken_for_covered_is_laid_anew(hands: Hands) -> None:
    """If an empty place seems covered, people lay the card at the other place again."""
    hands.straighten(PageState(unread=find_unread([Sighting("market", "coal-200")], ["auction", "market"])))
    assert hands.world.moved == [  # type: ignore[attr-defined]
        MoveCard("coal-200", "market", ""),
        MoveCard("coal-200", "", "market"),
    ]


def test_of_a_train_all_that_lies_under_that_card_is_laid_anew(hands: Hands) -> None:
    """If the locomotive has no name, people take up its train and lay it again, the locomotive first."""
    assert done(hands, Sighting(TRAIN, None), Sighting(TRAIN, "oil-100", 1)) == [
        MoveCard("oil-100", TRAIN, ""),
        MoveCard("steam-1", TRAIN, ""),
        MoveCard("steam-1", "", TRAIN),
        MoveCard("oil-100", "", TRAIN),
    ]


def test_where_every_card_has_its_name_the_last_one_moved_is_laid_anew(hands: Hands) -> None:
    """If every card has a name, people lay the last moved card again, or nothing before any move."""
    assert done(hands) == []
    hands.move(MoveCard("steam-2", "", "auction"))
    assert done(hands)[1:] == [MoveCard("steam-2", "auction", ""), MoveCard("steam-2", "", "auction")]


def test_a_piece_on_a_line_is_set_down_anew() -> None:
    """If the camera cannot tell a piece's cell, people set the piece down again."""
    lying = PhysicalTable(cell_places(hex_board("row", ("ff",))))
    lying.do(MoveCard("cube.2", "", "board.A2"))
    world: Any = Watching()
    doubt = [CellSighting("A1", choices=((), ("cube.blue",))), CellSighting("A2", choices=(("cube.blue",), ()))]
    Hands(world, lying, Counter()).straighten(PageState(unread=find_unread((), (), doubt)))
    assert world.moved == [MoveCard("cube.2", "board.A2", ""), MoveCard("cube.2", "", "board.A2")]
