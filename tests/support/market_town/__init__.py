"""Market Town: a small game with options of every kind, for generic tests. Enter at `GAME`."""

from companion.mechanics.definition import GameDefinition, MatchOptions
from tests.support.market_town.options import BY_PLAYERS, SETS, WITH_SETS, Options
from tests.support.market_town.rules import RULES

GAME = GameDefinition(rules=RULES, options=MatchOptions(Options, SETS, WITH_SETS, BY_PLAYERS))

__all__ = ["GAME"]
