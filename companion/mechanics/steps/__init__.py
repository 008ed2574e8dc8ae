"""Ready-made steps: a game derives from one, names its own event classes, and says what is its own.

May import the engine and mechanics. docs/hidden-hands.md lists them.
"""

from companion.mechanics.steps.bidding import BiddingInTurn
from companion.mechanics.steps.dealing import Deal, FirstPlayer, NextHand, Refill, TurnUp
from companion.mechanics.steps.drawing import DealCards, DrawFromPile, Piles, Shuffle
from companion.mechanics.steps.secret_choice import OpenTogether, SecretChoice

__all__ = [
    "BiddingInTurn",
    "Deal",
    "DealCards",
    "DrawFromPile",
    "FirstPlayer",
    "NextHand",
    "OpenTogether",
    "Piles",
    "Refill",
    "SecretChoice",
    "Shuffle",
    "TurnUp",
]
