"""The mat: its places in millimetres, its sheets, finding it in a picture, and places set by hand.

May import print.drawing, companion.drawing and the engine. Enter at `mat_of_game`, `make_mat` and `MatDetector`.
"""

from vision.card_size import MatError, read_card
from vision.mat.board_mat import is_board_marker, make_board_mat
from vision.mat.detector import MatDetector, find
from vision.mat.game_mat import mat_of_game, suggest_game_mat, token_places_of
from vision.mat.mat import Marker, Mat, MatSheet, Slot, TokenSlot
from vision.mat.pose import MatPose, black_out, straighten, visible
from vision.mat.sheets import PAPERS, make_mat, players_of, suggest_mat

__all__ = [
    "PAPERS",
    "Marker",
    "Mat",
    "MatDetector",
    "MatError",
    "MatPose",
    "MatSheet",
    "Slot",
    "TokenSlot",
    "black_out",
    "find",
    "is_board_marker",
    "make_board_mat",
    "make_mat",
    "mat_of_game",
    "players_of",
    "read_card",
    "straighten",
    "suggest_game_mat",
    "suggest_mat",
    "token_places_of",
    "visible",
]
