"""Pictures made comparable: frames of cards, SIFT features, views in Lab, and how far two views agree."""

from vision.features.align import aligned, inked
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
    levelled,
    masked_gains,
    softened,
    surroundings,
    view_size,
)  # fmt: skip
from vision.features.looks import looks
from vision.features.lucas_kanade import closer
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
    resized,
    scaling,
)  # fmt: skip
from vision.features.sift import DESCRIPTOR, Descriptors, Each, Features, extract, extract_in_tiles, rooted

__all__ = [
    "BLOCK", "DESCRIPTOR", "NOISE", "PADDING", "SHIFTS", "SHORT", "WHITE", "Agreement", "Descriptors", "Each",
    "Features", "Flags", "Floats", "agreement", "aligned", "closer", "colour_of", "corners_of", "correlation",
    "darkest", "energy", "extract", "extract_in_tiles", "frame_of", "gains", "grey_of", "homography", "inked", "lab",
    "levelled", "looks", "masked_gains", "project", "resized", "rooted", "scaling", "softened", "surroundings",
    "view_size",
]  # fmt: skip
