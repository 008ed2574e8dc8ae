"""Tests of printed and rendered decks, drawn by games or plain."""

from __future__ import annotations

import pytest

from companion.drawing import DrawError
from vision.image import CARD
from vision.print.cards import design, faces, printable_games


def test_cards_are_pixels_of_the_size_that_all_of_vision_speaks_of() -> None:
    """Each face has the size of CARD times the scale and is read-only."""
    pictures = faces("take-a-train", 0.5)
    assert {picture.shape for picture in pictures.values()} == {(CARD[1] // 2, CARD[0] // 2, 3)}
    with pytest.raises(ValueError):
        pictures["twin"][0, 0] = 0


def test_a_game_without_a_drawn_deck_is_named() -> None:
    """The refusal for a game without a drawn deck lists the games that have one."""
    with pytest.raises(DrawError, match=", ".join(printable_games())):
        design("patience")
