"""The mat: its places in millimetres, its sheets, its pose in a picture, and places set by hand.

May import print.drawing, companion.drawing and the engine. Enter at `mat_of_game`, `make_mat` and `MatDetector`.
"""

from vision.card_size import MatError as MatError
from vision.card_size import read_card as read_card
from vision.mat.board_mat import is_board_marker as is_board_marker
from vision.mat.board_mat import make_board_mat as make_board_mat
from vision.mat.detector import MatDetector as MatDetector
from vision.mat.detector import find as find
from vision.mat.game_mat import mat_of_game as mat_of_game
from vision.mat.game_mat import suggest_game_mat as suggest_game_mat
from vision.mat.game_mat import token_places_of as token_places_of
from vision.mat.mat import Marker as Marker
from vision.mat.mat import Mat as Mat
from vision.mat.mat import MatSheet as MatSheet
from vision.mat.mat import Slot as Slot
from vision.mat.mat import TokenSlot as TokenSlot
from vision.mat.pose import MatPose as MatPose
from vision.mat.pose import black_out as black_out
from vision.mat.pose import show_only as show_only
from vision.mat.pose import straighten as straighten
from vision.mat.pose import visible as visible
from vision.mat.tiling import PAPERS as PAPERS
from vision.mat.tiling import make_mat as make_mat
from vision.mat.tiling import players_of as players_of
from vision.mat.tiling import suggest_mat as suggest_mat
