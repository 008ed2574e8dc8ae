"""Express: hands, trains, partners and disasters, over several hands to 100 points.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.express.rules import GAME

__all__ = ["GAME"]
