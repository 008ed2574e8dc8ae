"""The rules engine: states, steps, offers, events and refusals, with no clock, luck, file or thread.

May import nothing else of the project. Enter at `play.apply` and `game.Game`.
"""

from companion.engine.event import Effect, Event, JsonObject, Moved, Seat, SeatEvent, fields_of, name_of, seat_of
from companion.engine.game import AnyGame, AnySeenGame, AnyState, Game, Holdings, SeenGame, View, seen
from companion.engine.layout import Fault, Layout, Place, Spot
from companion.engine.offer import Amounts, Choice, Luck, Offer
from companion.engine.play import apply, begin, follow, follow_all, legal, rule
from companion.engine.ruling import BadSetup, EngineError, MoveRefused, Refusal
from companion.engine.setup import COLOURS, FORMAT, SHAPES, Deck, Player, Setup
from companion.engine.state import State, state_hash
from companion.engine.step import Step, Turn
from companion.engine.timing import Deciding, Raising, Timing, Unveiling

__all__ = [
    "COLOURS",
    "FORMAT",
    "SHAPES",
    "Amounts",
    "AnyGame",
    "AnySeenGame",
    "AnyState",
    "BadSetup",
    "Choice",
    "Deciding",
    "Deck",
    "Effect",
    "EngineError",
    "Event",
    "Fault",
    "Game",
    "Holdings",
    "JsonObject",
    "Layout",
    "Luck",
    "MoveRefused",
    "Moved",
    "Offer",
    "Place",
    "Player",
    "Raising",
    "Refusal",
    "Seat",
    "SeatEvent",
    "SeenGame",
    "Setup",
    "Spot",
    "State",
    "Step",
    "Timing",
    "Turn",
    "Unveiling",
    "View",
    "apply",
    "begin",
    "fields_of",
    "follow",
    "follow_all",
    "legal",
    "name_of",
    "rule",
    "seat_of",
    "seen",
    "state_hash",
]
