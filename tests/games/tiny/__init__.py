"""Twenty Tons, the smallest whole game: the example of docs/adding-a-game.md, played by the tests alone."""

from tests.games.tiny.rules import GAME as GAME
