"""The mat: its places in millimetres, its sheets, finding it in a picture, and places set by hand.

May import print.drawing and companion.drawing. Enter at `make_mat` and `MatDetector`.
"""

from vision.card_size import MatError, read_card
from vision.mat.board_mat import is_board_marker, make_board_mat
from vision.mat.detector import MatDetector, find, find_any
from vision.mat.mat import Marker, Mat, MatSheet, Slot
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
    "black_out",
    "find",
    "find_any",
    "is_board_marker",
    "make_board_mat",
    "make_mat",
    "players_of",
    "read_card",
    "straighten",
    "suggest_mat",
    "visible",
]
