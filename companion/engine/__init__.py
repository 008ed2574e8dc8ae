"""The rules engine: states, steps, offers, events and refusals, with no clock, luck, file or thread.

May import nothing else of the project. Enter at `play.apply` and `game.Game`.
"""

from companion.engine.board import (
    BadBoard,
    Board,
    BoardRules,
    Cell,
    CellName,
    CostItem,
    Edge,
    Piece,
    Terrain,
    by_cell,
)
from companion.engine.board_shapes import edges, hex_board, square_board, track
from companion.engine.event import Effect, Event, JsonObject, Moved, Seat, SeatEvent, fields_of, name_of, seat_of
from companion.engine.game import AnyGame, AnySeenGame, AnyState, Game, Holdings, SeenGame, View, seen
from companion.engine.layout import Fault, Layout, Place, Spot, piece_name
from companion.engine.offer import Amounts, Choice, Luck, Offer, Part, PartedOffer
from companion.engine.play import apply, begin, follow, follow_all, legal, rule
from companion.engine.ruling import BadSetup, EngineError, MoveRefused, Refusal
from companion.engine.setup import COLOURS, FORMAT, PER_PLAYER, SHAPES, Deck, Player, Setup
from companion.engine.state import State, state_hash, state_shape
from companion.engine.step import Step, Turn
from companion.engine.timing import Confirming, Deciding, Raising, Timing, Unveiling
from companion.engine.tokens import SeenTokens, TokenGame, TokenKind, TokenPlace, money_place, tokens_seen, worth

__all__ = [
    "COLOURS",
    "FORMAT",
    "PER_PLAYER",
    "SHAPES",
    "Amounts",
    "AnyGame",
    "AnySeenGame",
    "AnyState",
    "BadBoard",
    "BadSetup",
    "Board",
    "BoardRules",
    "Cell",
    "CellName",
    "Choice",
    "Confirming",
    "CostItem",
    "Deciding",
    "Deck",
    "Edge",
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
    "Part",
    "PartedOffer",
    "Piece",
    "Place",
    "Player",
    "Raising",
    "Refusal",
    "Seat",
    "SeatEvent",
    "SeenGame",
    "SeenTokens",
    "Setup",
    "Spot",
    "State",
    "Step",
    "Terrain",
    "Timing",
    "TokenGame",
    "TokenKind",
    "TokenPlace",
    "Turn",
    "Unveiling",
    "View",
    "apply",
    "begin",
    "by_cell",
    "edges",
    "fields_of",
    "follow",
    "follow_all",
    "hex_board",
    "legal",
    "money_place",
    "name_of",
    "piece_name",
    "rule",
    "seat_of",
    "seen",
    "square_board",
    "state_hash",
    "state_shape",
    "tokens_seen",
    "track",
    "worth",
]
