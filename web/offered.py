"""The games that pages can show: those that bring their regions as templates. Knows no rules."""

from __future__ import annotations

from importlib import resources
from typing import Any

from companion.engine import Game
from companion.games import GAMES
from web.sentences import package

OFFERED: dict[str, Game[Any]] = {
    name: game for name, game in GAMES.items() if resources.files(package(game)).joinpath("templates").is_dir()
}
"""Every game with pages, by its name."""
