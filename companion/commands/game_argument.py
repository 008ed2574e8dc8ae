"""A game as an argument of a command, and its words in the command line's language."""

from __future__ import annotations

from typing import Any

import click

from companion.engine import AnyGame
from companion.games import BROKEN, GAMES, game_words
from companion.i18n import LANGUAGES, Words


class GameName(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic only from click 8.4 on
    """The name of one of our games."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> AnyGame:
        """Return the game, or fail with the list of games."""
        if not isinstance(value, str):
            game: AnyGame = value
            return game
        found = GAMES.get(value)
        if found is None:
            broken = next((each.why for each in BROKEN if each.package.endswith(f".{value.replace('-', '_')}")), "")
            if broken:
                self.fail(f"The game {value!r} cannot be played: {broken}", param, ctx)
            self.fail(f"There is no game called {value!r}. Choose one of: {', '.join(GAMES)}.", param, ctx)
        return found


def words_of(game: AnyGame) -> Words:
    """Return the game's own words in English, the language of the command line."""
    return game_words(game, LANGUAGES[0])


game_argument = click.argument("game", type=GameName(), metavar="GAME")
