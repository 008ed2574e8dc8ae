"""The games of the house, registered by name."""

from __future__ import annotations

from typing import Any

from companion.engine import Game
from companion.games import take_a_train

GAMES: dict[str, Game[Any]] = {take_a_train.GAME.name: take_a_train.GAME}
"""Every registered game by its name."""

__all__ = ["GAMES"]
