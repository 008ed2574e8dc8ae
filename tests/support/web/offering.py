"""Offers the tests' own games beside the others for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from companion.engine import AnyGame
from companion.games import GAMES
from web.game_pages import OFFERED


@contextmanager
def offered(*games: AnyGame) -> Iterator[None]:
    """Have these games found like any game."""
    mine = {game.name: game for game in games}
    with patch.dict(GAMES, mine), patch.dict(OFFERED, mine):
        yield
