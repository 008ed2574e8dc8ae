"""Market Town: a small game with options of every kind for the house's tests. Enter at `GAME`."""

from tests.support.market_town.rules import GAME

__all__ = ["GAME"]
