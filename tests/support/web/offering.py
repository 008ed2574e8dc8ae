"""Offers the tests' own games together with the others for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from companion.engine import AnyGame
from companion.games import GAMES
from web.game_pages import OFFERED


@contextmanager
def offered(*games: AnyGame) -> Iterator[None]:
    """Offer these games in the same way as any others."""
    mine = {game.name: game for game in games}
    with patch.dict(GAMES, mine), patch.dict(OFFERED, mine):
        yield
