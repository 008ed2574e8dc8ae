"""The mat: its places in millimetres, its sheets, finding it in a picture, straightening, black-out, places by hand."""

from vision.mat.mat import Marker, Mat, MatError, Sheet, Slot, read_card
from vision.mat.sheets import PAPERS, make_mat

__all__ = ["PAPERS", "Marker", "Mat", "MatError", "Sheet", "Slot", "make_mat", "read_card"]
