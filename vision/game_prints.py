"""Draw a game's cards, mats and boards as a trial, for `companion game check`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.drawing import Design, DrawError
from companion.engine import AnyGame
from companion.engine.board import Board
from companion.engine.game import AnySeenGame
from companion.games import definition_of, game_words
from companion.i18n import Words
from vision.mat import MatError, make_board_mat, mat_of_game, token_places_of
from vision.mat.drawing import drawing, label_parts, words
from vision.print.cards import design_of

CARD = (63.0, 88.0)
"""The size of printed cards in millimetres."""


def labels(game: AnySeenGame, players: int) -> dict[str, dict[str, int]]:
    """Return the label of each place for cards or tokens, with its numbers."""
    names = [place.name for place in game.places(players)] + [place.name for place in token_places_of(game, players)]
    return dict(map(label_parts, names))


def draw_cards(game: AnyGame, lang: str) -> Design:
    """Return a game's deck, after drawing the dividers of its piles. Raise `DrawError` if there is no deck."""
    own = definition_of(game).deck()
    if own is not None and own.dividers is not None:
        own.dividers(None, lang)
    return design_of(game, None, lang)


def draw_mat(game: AnySeenGame, players: int, lang: str) -> None:
    """Draw a game's mat. Raise `DrawError` if there is none."""
    with _as_draw_error():
        drawing(mat_of_game(game, players, CARD), lang, game_words(game, lang))


def draw_board(board: Board, number: int, said: Words) -> None:
    """Draw a board. Raise `DrawError` if it is too large for a table."""
    with _as_draw_error():
        drawing(make_board_mat(board, number), game=said)


@contextmanager
def _as_draw_error() -> Iterator[None]:
    try:
        yield
    except MatError as error:
        raise DrawError(str(error)) from None


__all__ = ["draw_board", "draw_cards", "draw_mat", "labels", "words"]
