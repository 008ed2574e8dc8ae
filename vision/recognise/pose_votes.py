"""Find cards' poses by the votes of local features.

Each match between a feature of the picture and one of a card predicts the card's middle, size and rotation. Matches of
one card that agree form a candidate.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.pixels import SHORT, Floats, corners_of, project
from vision.features.sift import Descriptors, Each, Features, to_root_sift
from vision.image import Matrix

NEIGHBOURS = 8
"""The number of neighbours per feature, enough to include a second card."""
CHECKS = 32
"""The number of leaves that FLANN checks in a search."""
RATIO = 0.9
"""The maximum ratio between the distances to the nearest feature and to that of another family."""
TREES = 4
"""The number of FLANN's k-d trees: more find better neighbours but use more memory."""
PARTS = 4
"""The number of batches into which a feature search is split for threads."""
LEAST = 4
"""The minimum number of agreeing matches."""
MOST_MATCHES = 160
"""The number of best matches per card, because comparing all pairs takes quadratic time."""
MOST_OF_A_CARD = 4
"""The maximum number of times to find one card in a picture."""
NEAR, TURN, GROWTH = 0.22, 30.0, 0.5
"""Tolerances between matches: distance as a share of the card's size, rotation in degrees, and scale in log₂."""
TOLERANCE = 0.03
"""The reprojection error of inliers, as a share of the card's width."""

FIRM, BENT = 12, 0.3
"""Below the first number of inliers, a homography may move a corner by at most the second value, as a share of a
card's width, from the similarity's corner."""

Ints = npt.NDArray[np.int32]


class CardPose(msgspec.Struct, frozen=True):
    """A card that may lie at a pose."""

    owner: int
    """The number of the card whose features voted."""
    pose: Matrix
    """The homography from the card's frame to the picture of the features."""
    votes: int


class Voters:
    """A searchable index of many cards' features."""

    def __init__(
        self, sets: list[Features], owners: list[int], families: list[int], frames: list[tuple[int, int]]
    ) -> None:
        """Index sets of features, each with its owner, family and frame."""
        counts = [len(one.points) for one in sets]
        self.points = np.concatenate([one.points for one in sets]) if sets else np.zeros((0, 4), np.float32)
        self.owner = np.repeat(np.array(owners, np.int32), counts)
        self.family = np.repeat(np.array(families, np.int32), counts)
        self.frames = dict(zip(owners, frames, strict=True))
        self.index = None
        if len(self.points) >= NEIGHBOURS:
            known = to_root_sift(np.concatenate([one.descriptors for one in sets]))  # OpenCV copies it since 4.5.1
            cv2.setRNGSeed(7)  # the trees are random: a fixed seed makes results repeatable
            self.index = cv2.flann_Index(known, {"algorithm": 1, "trees": TREES})  # type: ignore[attr-defined]

    def poses(self, features: Features, sizes: tuple[float, float], each: Each = map) -> list[CardPose]:
        """Return the poses with enough agreeing matches, most votes first.

        sizes: the minimum and maximum width of a card (its frame's shorter side) in pixels. each: `map`, or an
        executor's `map`.
        """
        if self.index is None or len(features.points) < LEAST:
            return []
        queries, references, quality = self._matches(features, each)
        scale = features.points[queries, 2] / np.maximum(self.points[references, 2], 1e-3)
        fits = (scale * SHORT > sizes[0] * 0.7) & (scale * SHORT < sizes[1] * 1.4)
        queries, references, quality = queries[fits], references[fits], quality[fits]
        found: list[CardPose] = []
        owners = self.owner[references]
        for owner in np.flatnonzero(np.bincount(owners) >= LEAST):
            mine = np.flatnonzero(owners == owner)
            mine = mine[np.argsort(quality[mine])][:MOST_MATCHES]
            found += self._of_card(int(owner), features.points[queries[mine]], self.points[references[mine]], sizes)
        return sorted(found, key=lambda pose: -pose.votes)

    def _matches(self, features: Features, each: Each) -> tuple[Ints, Ints, Floats]:
        """Return the matched queries, their references, and their distance ratios to the next family."""
        parts = list(each(self._neighbours, np.array_split(features.descriptors, PARTS)))
        found = np.concatenate([one for one, _ in parts]).clip(0)
        squared = np.concatenate([one for _, one in parts])
        families = self.family[found]
        other = families != families[:, :1]
        nearest = np.where(other, squared, np.inf).min(axis=1)
        nearest = np.where(np.isinf(nearest), squared[:, -1], nearest)
        ratio = np.sqrt(squared[:, 0] / np.maximum(nearest, 1e-12))
        good = np.flatnonzero(ratio < RATIO).astype(np.int32)
        return good, found[good, 0].astype(np.int32), ratio[good].astype(np.float32)

    def _neighbours(self, descriptors: Descriptors) -> tuple[Ints, Floats]:
        """Return the nearest references of each descriptor, with squared distances."""
        assert self.index is not None
        found, squared = self.index.knnSearch(to_root_sift(descriptors), NEIGHBOURS, params={"checks": CHECKS})
        return found, squared

    def _of_card(self, owner: int, seen: Floats, known: Floats, sizes: tuple[float, float]) -> list[CardPose]:
        """Return the poses of one card, from the largest group of agreeing matches down."""
        frame = self.frames[owner]
        agree = matches_agree(seen, known, frame)
        found: list[CardPose] = []
        alive = np.ones(len(seen), np.bool_)
        for _ in range(MOST_OF_A_CARD):
            counts = (agree & alive[None, :] & alive[:, None]).sum(axis=1)
            best = int(counts.argmax())
            if counts[best] < LEAST:
                break
            group = np.flatnonzero(agree[best] & alive)
            pose, inliers = fit_pose(known[group, :2], seen[group, :2], seen[best], known[best])
            alive[group] = False
            if pose is not None and inliers >= LEAST:
                found.append(CardPose(owner, pose, inliers))
        return found


def matches_agree(seen: Floats, known: Floats, frame: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return which pairs of N matches agree on a card's place, size and rotation: N × N."""
    scale = np.log2(seen[:, 2] / np.maximum(known[:, 2], 1e-3))
    turn = np.deg2rad(seen[:, 3] - known[:, 3])
    grown = np.exp2(scale)
    x, y = frame[0] / 2 - known[:, 0], frame[1] / 2 - known[:, 1]
    middle_x = seen[:, 0] + grown * (np.cos(turn) * x - np.sin(turn) * y)
    middle_y = seen[:, 1] + grown * (np.sin(turn) * x + np.cos(turn) * y)
    apart = np.hypot(middle_x[:, None] - middle_x[None, :], middle_y[:, None] - middle_y[None, :])
    size = np.sqrt(grown[:, None] * grown[None, :]) * float(np.hypot(*frame)) / 2
    turned = np.cos(turn[:, None] - turn[None, :]) > np.cos(np.deg2rad(TURN))
    grown_alike = np.abs(scale[:, None] - scale[None, :]) < GROWTH
    alike: npt.NDArray[np.bool_] = (apart < NEAR * size) & turned & grown_alike
    return alike


def fit_pose(known: Floats, seen: Floats, one_seen: Floats, one_known: Floats) -> tuple[Matrix | None, int]:
    """Return the pose that fits most matches of a group, and its number of inliers. Few matches yield only a
    similarity."""
    spread = one_seen[2] / max(float(one_known[2]), 1e-3) * SHORT
    tolerance = max(1.5, TOLERANCE * float(spread))
    cv2.setRNGSeed(7)
    similar, inside = cv2.estimateAffinePartial2D(known, seen, method=cv2.RANSAC, ransacReprojThreshold=tolerance * 1.5)
    if similar is None:
        return None, 0
    pose = np.vstack([similar, [0, 0, 1]]).astype(np.float64)
    count = int(inside.sum())
    if len(known) >= 8 and count >= 6:
        full, within = cv2.findHomography(known, seen, cv2.RANSAC, tolerance, maxIters=500)
        held = int(within.sum()) if full is not None else 0
        if held >= max(8, count - 2):
            bent = np.asarray(full, np.float64)
            if held >= FIRM or _is_near_similarity(bent, pose, known, float(spread)):
                return bent, held
    return pose, count


def _is_near_similarity(full: Matrix, similar: Matrix, known: Floats, width: float) -> bool:
    """Whether a homography moves a card's corners close to the similarity's: few matches constrain it poorly."""
    corners = corners_of((SHORT, round(max(SHORT, float(known[:, 1].max())))))
    return float(np.abs(project(full, corners) - project(similar, corners)).max()) < BENT * width
