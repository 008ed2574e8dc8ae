"""Find similar enrolled cards: families of one artwork, and the difference between two cards."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.deck.deck import Shot
from vision.features.align import align, ink_grey
from vision.features.blocks import PADDING, agreement, correlation, level_view, view_size
from vision.features.descriptors import global_descriptor
from vision.features.pixels import Floats, lab, resize, scaling_matrix
from vision.image import Image, Matrix

VIEW = 96
"""The shorter side in pixels at which cards are compared."""
NEAREST = 10
"""The number of most similar cards to compare each card with."""
LIKE = 0.5
"""The descriptor correlation below which two cards are certainly different."""
SAME_ART = 0.9
"""The correlation of levelled pictures above which two cards share an artwork."""
SAME_BLOCKS = 0.8
"""The share of their blocks that must also agree."""
AGREES, TEXTURED = 0.7, 5.0
"""The minimum correlation of agreeing blocks, and the minimum contrast (Lab) of blocks that count."""


class ComparedView(msgspec.Struct, frozen=True):
    """A card's data for comparison."""

    flat: Floats
    ink: Floats
    global_descriptor: Floats
    frame: tuple[int, int]


class Likeness(msgspec.Struct, frozen=True):
    """Two aligned cards."""

    first: int
    second: int
    alike: float
    """The correlation of their levelled pictures."""
    share: float
    """The agreeing share of the blocks with contrast."""
    apart: float
    """The mean distance in Lab of the most different hundredth of their pixels, which a camera can use."""
    pose: Matrix
    """The homography from the second one's frame to the first one's."""

    @property
    def one_art(self) -> bool:
        """Whether they share an artwork and differ only in small details."""
        return self.alike >= SAME_ART and self.share >= SAME_BLOCKS


def view_of(shot: Shot) -> ComparedView:
    """Return a picture's data for comparison."""
    size = view_size(shot.frame, VIEW)
    picture = shot.picture()
    view = resize(picture, *size)
    upright: Image = view if size[1] >= size[0] else np.ascontiguousarray(np.rot90(view, -1))
    ink = ink_grey(resize(picture, size[0] // 2, size[1] // 2))
    return ComparedView(level_view(lab(view)), ink, global_descriptor(upright), shot.frame)


def likenesses(views: Sequence[ComparedView]) -> list[Likeness]:
    """Return the pairs of similar cards, most similar first."""
    near = np.stack([view.global_descriptor for view in views]) @ np.stack([view.global_descriptor for view in views]).T
    pairs = set()
    for one in range(len(views)):
        for two in np.argsort(-near[one])[: NEAREST + 1]:
            if two != one and near[one, two] > LIKE and views[one].flat.shape == views[two].flat.shape:
                pairs.add((min(one, int(two)), max(one, int(two))))
    found = [likeness(views, one, two) for one, two in sorted(pairs)]
    return sorted(found, key=lambda pair: -pair.alike)


def likeness(views: Sequence[ComparedView], first: int, second: int) -> Likeness:
    """Return two cards aligned with each other."""
    one, two = views[first], views[second]
    height, width = one.flat.shape[:2]
    found = align(one.ink, two.ink)
    to_second = np.eye(3) if found is None else scaling_matrix(2, 2) @ found[0] @ scaling_matrix(0.5, 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved: Floats = two.flat.copy()
    if found is not None:
        cv2.warpPerspective(two.flat, to_second, (width, height), moved, flags, cv2.BORDER_REPLICATE)
    everywhere = np.ones((height, width), np.float32)
    padded = cv2.copyMakeBorder(moved, PADDING, PADDING, PADDING, PADDING, cv2.BORDER_REPLICATE)
    blocks = agreement(one.flat, np.asarray(padded, np.float32))
    told = np.maximum(blocks.reference, blocks.scene) >= TEXTURED
    share = float((blocks.correlation[told] >= AGREES).mean()) if told.any() else 1.0
    distance = np.sort(np.linalg.norm(cv2.GaussianBlur(one.flat - moved, (0, 0), 1.0), axis=2).ravel())
    apart = float(distance[-max(1, len(distance) // 100) :].mean())
    to_frame = scaling_matrix(one.frame[0] / width, one.frame[1] / height)
    from_frame = scaling_matrix(width / two.frame[0], height / two.frame[1])
    pose = to_frame @ np.linalg.inv(to_second) @ from_frame
    return Likeness(first, second, correlation(one.flat, moved, everywhere), share, apart, pose)


def families(views: Sequence[ComparedView], pairs: Sequence[Likeness]) -> tuple[list[int], list[Matrix]]:
    """Return each card's family (its first card's number), and the homography from its frame to that first card's."""
    family = list(range(len(views)))
    for pair in pairs:
        if pair.one_art:
            low, high = sorted((family[pair.first], family[pair.second]))
            family = [low if number == high else number for number in family]
    poses = [np.eye(3) for _ in views]
    for number, first in enumerate(family):
        if first != number:
            poses[number] = likeness(views, first, number).pose
    return family, poses
