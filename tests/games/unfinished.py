"""A plugin of pytest that registers the example game, which can be played but is not complete: tests must fail then.

`python -m pytest -p tests.games.unfinished tests/games/test_complete.py` shows what it lacks.
"""

from __future__ import annotations

from companion.bots.bot import SENSIBLE
from companion.games import GAMES
from tests.games.tiny import GAME
from tests.games.tiny.bot import MIND

GAMES[GAME.name] = GAME
SENSIBLE[GAME.name] = MIND
