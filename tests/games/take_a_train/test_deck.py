"""Test the drawn deck of Take a Train."""

from __future__ import annotations

import msgspec
import pytest

from companion.drawing import DrawError
from companion.drawing.pictures.frame import DIGITS, TICKET
from companion.games.take_a_train.catalogue import SPECIALS, shipped, unread
from companion.games.take_a_train.layout import BACKS
from tests.support.vision.held_cards import QUARTERS, corners, covered, nearest, turned_differs
from vision.print.cards import design, faces


def test_every_card_of_the_catalogue_is_drawn_as_often_as_it_is_in_the_box() -> None:
    """The deck has the names and counts of the catalogue, and two backs."""
    deck = design("take-a-train")
    book = shipped("reconstruction")
    expected = {loco.id: 1 for loco in book.locomotives} | {f"{w.type}-{w.value}": w.count for w in book.wagons}
    expected |= dict.fromkeys(SPECIALS, 1)
    assert deck.counts == expected
    assert sum(deck.counts.values()) == 18 + 82 + 5
    assert set(deck.faces) == {*expected, *BACKS}
    assert {deck.backs["steam-3"], deck.backs["coal-200"], deck.backs["twin"]} == set(BACKS)


@pytest.mark.parametrize("quarter", QUARTERS)
def test_every_quarter_tells_every_card_from_every_other(quarter: str) -> None:
    """Any quarter along any edge differs clearly between two cards."""
    (one, other), differing = nearest(faces("take-a-train", 0.5), quarter)
    assert differing > 0.02, (one, other, differing)


def test_no_card_is_the_same_upside_down() -> None:
    """Every card looks different when turned by 180°, so that recognition can tell which way up it lies."""
    for name, picture in faces("take-a-train", 0.5).items():
        assert turned_differs(picture) > 0.15, name


def test_every_card_is_full_of_things_to_hold_on_to() -> None:
    """Every card has enough corners in each quarter of its height for recognition."""
    for name, picture in faces("take-a-train").items():
        assert corners(picture).min() >= 25, name


def test_corner_digits_are_higher_than_five_millimetres_and_lie_within_a_quarter() -> None:
    """The digits are at least 5 mm high, and their field fits into a quarter of each side."""
    assert DIGITS >= 5
    assert TICKET[0] <= 63 / 4 and TICKET[1] <= 88 / 4


def test_art_reaches_over_the_edges() -> None:
    """The art extends into the bleed, so that no white paper shows at the edges."""
    deck = design("take-a-train")
    for name in ("steam-1", "electric-5", "food-50", "passenger-500", "bin", *BACKS):
        assert covered(deck.drawing(name, 2)), name


def test_an_owners_figures_are_drawn() -> None:
    """A changed power changes only its own card, and a list with unread figures is refused."""
    data = msgspec.to_builtins(shipped("reconstruction"))
    data["locomotives"][0]["power"] = 250
    changed, plain = design("take-a-train", data), design("take-a-train")
    assert changed.faces["steam-1"] != plain.faces["steam-1"]
    assert changed.faces["steam-2"] == plain.faces["steam-2"]
    assert unread().open_values
    with pytest.raises(DrawError, match="not read yet"):
        design("take-a-train", "box")
