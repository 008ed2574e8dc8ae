"""Tests of the sheets of card pictures: complete, small, and painted from the present drawings."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.tools.card_art import (
    COVER,
    MOST,
    PICTURE,
    STYLES,
    cover_of,
    drawn_games,
    painted,
    scenes_of,
    sheet_of,
    static,
    styles,
)
from vision.print import cards

GAMES = drawn_games()
MOST_OF_A_COVER = 30_000
"""The limit of a cover in bytes; the first page shows one of each game."""


def test_every_game_that_draws_its_cards_has_pictures_of_all() -> None:
    """Each card of a game has a picture, except backs, which the pages draw."""
    own = {"express", "game-of-trains", "take-a-train", "trains"}
    assert set(GAMES) == own
    for game in GAMES:
        design = cards.design(game)
        faces = set(design.faces) - set(design.backs.values())
        assert {
            face for face in faces if not [name for name in scenes_of(game) if f"{name}-".startswith(f"{face}-")]
        } == set()
        assert len(scenes_of(game)) == len(faces)


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_is_painted_from_the_drawings_as_they_are(game: str) -> None:
    """The styles contain the hash and position of the present drawings; after a change run `make card-art`."""
    written = (static(game) / STYLES).read_text(encoding="utf-8")
    assert written == styles(game, sheet_of(scenes_of(game))), "make card-art"


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_is_small_and_has_its_cells(game: str) -> None:
    """The art of a game has at most 300 KB, and its cells divide the sheet evenly."""
    sheet, file = sheet_of(scenes_of(game)), static(game) / PICTURE
    assert 20_000 < file.stat().st_size <= MOST
    with Image.open(file) as picture:
        wide, high = picture.size
    assert (wide % sheet.columns, high % sheet.rows) == (0, 0)
    assert wide / sheet.columns / (high / sheet.rows) == pytest.approx(sheet.ratio, rel=0.01)


@pytest.mark.parametrize("game", GAMES)
def test_a_box_shows_its_game_s_own_picture(game: str) -> None:
    """The cover is one of the deck's present drawings, and small; after a change run `make card-art`."""
    file = static(game) / COVER
    assert 5_000 < file.stat().st_size <= MOST_OF_A_COVER
    with Image.open(file) as found, Image.open(io.BytesIO(painted(cover_of(game)))) as drawn:
        assert found.size == drawn.size, "make card-art"
        difference = ImageChops.difference(found.convert("L"), drawn.convert("L"))
        assert ImageStat.Stat(difference).mean[0] < 1, "make card-art"


@pytest.mark.parametrize("game", GAMES)
def test_no_two_cards_lie_at_one_place(game: str) -> None:
    """Each card has its own place on the sheet."""
    places = re.findall(r"\[data-card=(\S+)\] \{ (.*) \}", (static(game) / STYLES).read_text(encoding="utf-8"))
    assert [name for name, _ in places] == list(scenes_of(game))
    assert len({place for _, place in places}) == len(places)
