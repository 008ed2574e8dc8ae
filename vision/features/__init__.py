"""Comparing pictures: frames of cards, SIFT features, views in Lab, and how far two views agree.

May import image alone. Enter at `extract` and `agreement`.
"""

from vision.features.align import align, ink_grey
from vision.features.blocks import (
    BLOCK,
    NOISE,
    PADDING,
    SHIFTS,
    Agreement,
    agreement,
    correlation,
    energy,
    gains,
    level_view,
    masked_gains,
    soften_view,
    surroundings,
    view_size,
)  # fmt: skip
from vision.features.descriptors import global_descriptor
from vision.features.lucas_kanade import refine_homography
from vision.features.pixels import (
    SHORT,
    WHITE,
    Flags,
    Floats,
    colour_of,
    corners_of,
    darkest,
    frame_of,
    grey_of,
    homography,
    lab,
    project,
    resize,
    scaling_matrix,
)  # fmt: skip
from vision.features.sift import DESCRIPTOR, Descriptors, Each, Features, extract, extract_in_tiles, to_root_sift

__all__ = [
    "BLOCK",
    "DESCRIPTOR",
    "NOISE",
    "PADDING",
    "SHIFTS",
    "SHORT",
    "WHITE",
    "Agreement",
    "Descriptors",
    "Each",
    "Features",
    "Flags",
    "Floats",
    "agreement",
    "align",
    "colour_of",
    "corners_of",
    "correlation",
    "darkest",
    "energy",
    "extract",
    "extract_in_tiles",
    "frame_of",
    "gains",
    "global_descriptor",
    "grey_of",
    "homography",
    "ink_grey",
    "lab",
    "level_view",
    "masked_gains",
    "project",
    "refine_homography",
    "resize",
    "scaling_matrix",
    "soften_view",
    "surroundings",
    "to_root_sift",
    "view_size",
]  # fmt: skip
