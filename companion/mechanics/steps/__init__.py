"""Ready-made steps: a game derives from one, names its event classes, and adds its own behaviour.

May import the engine and mechanics. docs/hidden-hands.md lists them.
"""

from companion.mechanics.steps.bidding import BiddingInTurn as BiddingInTurn
from companion.mechanics.steps.dealing import Deal as Deal
from companion.mechanics.steps.dealing import FirstPlayer as FirstPlayer
from companion.mechanics.steps.dealing import NextHand as NextHand
from companion.mechanics.steps.dealing import Refill as Refill
from companion.mechanics.steps.dealing import TurnUp as TurnUp
from companion.mechanics.steps.drawing import DealCards as DealCards
from companion.mechanics.steps.drawing import DrawFromPile as DrawFromPile
from companion.mechanics.steps.drawing import Piles as Piles
from companion.mechanics.steps.drawing import Shuffle as Shuffle
from companion.mechanics.steps.secret_choice import OpenTogether as OpenTogether
from companion.mechanics.steps.secret_choice import SecretChoice as SecretChoice
