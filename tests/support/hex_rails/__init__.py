"""Hex Rails: a small game with a board for the house's tests. Enter at `GAME`."""

from tests.support.hex_rails.rules import BOARD, GAME

__all__ = ["BOARD", "GAME"]
