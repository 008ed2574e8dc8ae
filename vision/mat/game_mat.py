"""Make the mat of a game: its places for cards and tokens on one table."""

from __future__ import annotations

from companion.engine import TokenPlace, tokens_seen
from companion.engine.game import AnySeenGame
from vision.mat.mat import Mat
from vision.mat.tiling import make_mat, suggest_mat


def token_places_of(game: AnySeenGame, players: int) -> tuple[TokenPlace, ...]:
    """Return a game's places for tokens for this number of players, or none if the camera does not read its tokens."""
    return game.token_places(players) if tokens_seen(game) else ()


def mat_of_game(
    game: AnySeenGame, players: int, card: tuple[float, float], paper: str = "a4", tokens: bool = True
) -> Mat:
    """Return a game's mat, by default with its places for tokens. Raise `MatError` like `make_mat`."""
    places = token_places_of(game, players) if tokens else ()
    return make_mat(game.places(players), card, paper, players, places)


def suggest_game_mat(
    game: AnySeenGame, players: int, card: tuple[float, float], paper: str, tokens: bool = True
) -> Mat | None:
    """Return an alternative to a game's mat that cannot be made, like `suggest_mat`."""
    places = token_places_of(game, players) if tokens else ()
    return suggest_mat(game.places(players), card, paper, players, places)
