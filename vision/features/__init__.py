"""Comparing pictures: frames of cards, SIFT features, views in Lab, and how far two views agree.

May import image alone. Enter at `extract` and `agreement`.
"""

from vision.features.align import align as align
from vision.features.align import ink_grey as ink_grey
from vision.features.blocks import BLOCK as BLOCK
from vision.features.blocks import NOISE as NOISE
from vision.features.blocks import PADDING as PADDING
from vision.features.blocks import SHIFTS as SHIFTS
from vision.features.blocks import Agreement as Agreement
from vision.features.blocks import agreement as agreement
from vision.features.blocks import correlation as correlation
from vision.features.blocks import energy as energy
from vision.features.blocks import gains as gains
from vision.features.blocks import level_view as level_view
from vision.features.blocks import masked_gains as masked_gains
from vision.features.blocks import soften_view as soften_view
from vision.features.blocks import surroundings as surroundings
from vision.features.blocks import view_size as view_size
from vision.features.descriptors import global_descriptor as global_descriptor
from vision.features.lucas_kanade import refine_homography as refine_homography
from vision.features.pixels import SHORT as SHORT
from vision.features.pixels import WHITE as WHITE
from vision.features.pixels import Flags as Flags
from vision.features.pixels import Floats as Floats
from vision.features.pixels import brightest as brightest
from vision.features.pixels import colour_of as colour_of
from vision.features.pixels import corners_of as corners_of
from vision.features.pixels import darkest as darkest
from vision.features.pixels import frame_of as frame_of
from vision.features.pixels import grey_of as grey_of
from vision.features.pixels import homography as homography
from vision.features.pixels import lab as lab
from vision.features.pixels import project as project
from vision.features.pixels import resize as resize
from vision.features.pixels import scaling_matrix as scaling_matrix
from vision.features.sift import DESCRIPTOR as DESCRIPTOR
from vision.features.sift import Descriptors as Descriptors
from vision.features.sift import Each as Each
from vision.features.sift import Features as Features
from vision.features.sift import extract as extract
from vision.features.sift import extract_in_tiles as extract_in_tiles
from vision.features.sift import to_root_sift as to_root_sift
