"""Which enrolled cards look alike: families of one artwork, and how far two cards differ."""

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
"""Pixels of the shorter side at which cards are compared."""
NEAREST = 10
"""Each card is compared with so many of the most similar."""
LIKE = 0.5
"""Cards whose looks correlate less are certainly different."""
SAME_ART = 0.9
"""Cards whose levelled pictures correlate so highly are one artwork."""
SAME_BLOCKS = 0.8
"""And this share of their blocks agrees."""
AGREES, TEXTURED = 0.7, 5.0
"""A block agrees if it correlates by the first at least; it counts if its contrast (Lab) is the second at least."""


class ComparedView(msgspec.Struct, frozen=True):
    """A card as it is compared with others."""

    flat: Floats
    ink: Floats
    global_descriptor: Floats
    frame: tuple[int, int]


class Likeness(msgspec.Struct, frozen=True):
    """Two cards laid over each other."""

    first: int
    second: int
    alike: float
    """Correlation of their levelled pictures."""
    share: float
    """Of what there is to see, how much agrees."""
    apart: float
    """Mean distance in Lab of the hundredth of their pixels that differ most: what a camera can go by."""
    pose: Matrix
    """From the second one's frame to the first one's."""

    @property
    def one_art(self) -> bool:
        """Whether they are one artwork, told apart by small things only."""
        return self.alike >= SAME_ART and self.share >= SAME_BLOCKS


def view_of(shot: Shot) -> ComparedView:
    """Return a picture as it is compared."""
    size = view_size(shot.frame, VIEW)
    picture = shot.picture()
    view = resize(picture, *size)
    upright: Image = view if size[1] >= size[0] else np.ascontiguousarray(np.rot90(view, -1))
    ink = ink_grey(resize(picture, size[0] // 2, size[1] // 2))
    return ComparedView(level_view(lab(view)), ink, global_descriptor(upright), shot.frame)


def likenesses(views: Sequence[ComparedView]) -> list[Likeness]:
    """Return the pairs of cards that look alike, the most alike first."""
    near = np.stack([view.global_descriptor for view in views]) @ np.stack([view.global_descriptor for view in views]).T
    pairs = set()
    for one in range(len(views)):
        for two in np.argsort(-near[one])[: NEAREST + 1]:
            if two != one and near[one, two] > LIKE and views[one].flat.shape == views[two].flat.shape:
                pairs.add((min(one, int(two)), max(one, int(two))))
    found = [likeness(views, one, two) for one, two in sorted(pairs)]
    return sorted(found, key=lambda pair: -pair.alike)


def likeness(views: Sequence[ComparedView], first: int, second: int) -> Likeness:
    """Return two cards laid over each other."""
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
