"""The mat: its places in millimetres, its sheets, finding it in a picture, straightening, black-out, places by hand."""

from vision.card_size import MatError, read_card
from vision.mat.detector import Finder, find, find_any
from vision.mat.mat import Marker, Mat, Sheet, Slot
from vision.mat.pose import Pose, black_out, straighten, visible
from vision.mat.sheets import PAPERS, make_mat, players_of

__all__ = [
    "PAPERS",
    "Finder",
    "Marker",
    "Mat",
    "MatError",
    "Pose",
    "Sheet",
    "Slot",
    "black_out",
    "find",
    "find_any",
    "make_mat",
    "players_of",
    "read_card",
    "straighten",
    "visible",
]
