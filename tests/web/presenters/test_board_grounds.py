"""Test the grounds of boards on pages: strong, distinct colours with pictures, also for a game's own colours."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.engine import Board
from companion.engine.terrains import TERRAINS, terrain_of
from companion.games.examples.hill_and_harbour.board import BOARD as COUNTRY
from companion.games.trains.boards import shipped
from web.presenters.board_grounds import page_ground, stronger

BOARDS = (*shipped(), COUNTRY)


def parts(colour: str) -> tuple[int, ...]:
    """Return the red, green and blue parts of a colour."""
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_grounds_of_a_board_are_told_apart(board: Board) -> None:
    """Any two grounds differ clearly, more than in print, and each has a picture."""
    kinds = sorted({cell.kind for cell in board.cells})
    grounds = {kind: page_ground(board, kind) for kind in kinds}
    for one, other in combinations(kinds, 2):
        printed, shown = [
            sum(abs(a - b) for a, b in zip(*map(parts, pair), strict=True))
            for pair in (
                [terrain_of(board, kind).colour for kind in (one, other)],
                [grounds[kind].colour for kind in (one, other)],
            )
        ]
        assert shown > max(printed, 60), (one, other)
    assert all(ground.picture for ground in grounds.values())


def test_every_symbol_and_ground_of_the_house_has_its_picture() -> None:
    """Every common symbol and ground has a picture, except the plain ground."""
    assert [terrain.kind for terrain in TERRAINS if not page_ground(COUNTRY, terrain.kind).picture] == [""]
    pictures = {page_ground(COUNTRY, terrain.kind).picture for terrain in TERRAINS}
    assert len(pictures) >= len({terrain.symbol for terrain in TERRAINS})


def test_a_games_own_colour_is_made_stronger() -> None:
    """A game's own colour becomes darker and more saturated, and its river differs from the common ground."""
    tokyo = shipped()[0]
    pale, shown = terrain_of(tokyo, "river").colour, page_ground(tokyo, "river").colour
    assert shown == stronger(pale) and sum(parts(shown)) < sum(parts(pale))
    assert max(parts(shown)) - min(parts(shown)) > max(parts(pale)) - min(parts(pale))
    assert stronger("#ffffff") == "#d1d1d1"
