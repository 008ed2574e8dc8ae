"""Freight Whist: plain partnership Whist with four freights for suits, dealt by the companion or with real cards.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.examples.freight_whist.rules import GAME

__all__ = ["GAME"]
