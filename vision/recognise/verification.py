"""Verify a card at a pose, by blocks that agree or contradict."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from companion.messages import Doubt
from vision.features.align import align, ink_grey
from vision.features.blocks import PADDING, agreement, correlation, level_view
from vision.features.lucas_kanade import find_ink, refine_homography
from vision.features.pixels import Floats, corners_of, lab, project, scaling_matrix
from vision.image import Image, Matrix
from vision.recognise.flat_areas import BORDER
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene, burnt_out

DARK = 75.0
"""The lightness (L) below which a card's own paper or ink should not burn out."""
TEXTURED = 5.0
"""Standard deviation in Lab above which a block has enough contrast to compare."""
GOOD, BAD = 0.6, 0.3
"""The correlation at which a block fully agrees, and at which it fully contradicts."""
SEEN = 0.6
"""The minimum visible share of a block to compare."""
ROOM = 12
"""Pixels of search around a view when refining a pose on the card's ink."""
LINES, OFFSETS, REACH = 16, 9, 0.4
"""The numbers of angles and offsets to try for a line that divides a card, and the maximum offset as a share of its
size."""
GUARD = 0.1
"""The margin before the line as a share of the card, because a block may be partly covered."""


class Verdict(msgspec.Struct, frozen=True):
    """The result of comparing a pose with an enrolled picture."""

    ref: int
    pose: Matrix
    """The homography from the card's frame to the picture, polished."""
    share: float
    """The agreeing share of the visible blocks with contrast, from 0 to 1."""
    evidence: float
    """The number of agreeing blocks, weighted by how distinctive they are."""
    plain: float
    """The number of agreeing blocks."""
    whole: float
    """The correlation of all visible pixels."""
    visible: float
    """The visible share of the card."""
    margin: float = 1.0
    """The margin over the nearest rival: 1 at the card itself, 0 between both, −1 at the rival."""
    rival: int = -1
    support: float = 0.0
    """The number of feature votes, or the descriptor correlation of the outline."""
    how: str = ""
    """The source of the candidate: `votes` or `outline`."""
    outline: Floats | None = None
    """The corners of the outline that proposed the card."""
    rest: float = 0.0
    flat: float = 0.0
    patch: float = 0.0
    """The measures of the residue (`vision.recognise.residue`)."""
    strange: bool = False
    """Whether the residue is too large."""
    doubt: Doubt = ""
    """`value` if the artwork is certain but the value is not."""

    @property
    def score(self) -> float:
        """The score by which candidates are compared."""
        return self.share * max(self.whole, 0.0) * min(1.0, self.plain / 8)


class Comparison(msgspec.Struct, frozen=True):
    """A part of the picture, rectified to an enrolled card's view."""

    flat: Floats
    """The levelled view with padding on all sides."""
    seen: Floats
    """1 where pixels are reliable, without the padding."""
    view: Floats
    """The view in Lab, without the padding."""


def view_at(ref: ReferenceCard, pose: Matrix, scene: PictureScene, padding: int = PADDING) -> Comparison:
    """Return the view at a pose where a card may lie."""
    return scene.keep((ref.number, padding, pose.tobytes()), lambda: _view_at(ref, pose, scene, padding))


def _view_at(ref: ReferenceCard, pose: Matrix, scene: PictureScene, padding: int) -> Comparison:
    view, seen = scene.view(pose, ref.frame, ref.size, padding)
    inner = view[padding:-padding, padding:-padding]
    seen = seen * (1 - burnt_out(inner) * (ref.view[:, :, 0] < DARK))
    seen[:BORDER], seen[-BORDER:], seen[:, :BORDER], seen[:, -BORDER:] = 0, 0, 0, 0
    around = cv2.copyMakeBorder(seen, padding, padding, padding, padding, cv2.BORDER_REPLICATE)
    in_lab = lab(view)
    return Comparison(level_view(in_lab, around), seen, in_lab[padding:-padding, padding:-padding])


def compare(bank: ReferenceBank, ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> Verdict:
    """Compare the picture at a pose with an enrolled card."""
    seen = view_at(ref, pose, scene)
    told, level = _blocks(ref, seen)
    plain, bad = float((told * level).sum()), float((told * (1 - level)).sum())
    evidence = float((bank.weights[ref.number] * told * level).sum())
    whole = correlation(ref.flat, seen.flat[PADDING:-PADDING, PADDING:-PADDING], seen.seen)
    return Verdict(
        ref.number,
        pose,
        plain / max(plain + bad, 1e-3),
        evidence,
        plain,
        whole,
        min(1.0, float(seen.seen.sum()) / _inner(ref)),
    )


def _blocks(ref: ReferenceCard, seen: Comparison) -> tuple[Floats, Floats]:
    """Return each block's weight and its agreement from 0 to 1: rows × columns."""
    found = agreement(ref.flat, seen.flat, seen.seen)
    told = (found.visible >= SEEN) * (np.maximum(found.reference, found.scene) >= TEXTURED) * found.visible
    return told, ((found.correlation - BAD) / (GOOD - BAD)).clip(0, 1)


def beyond_best_line(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> Image:
    """Return a mask (255, else 0) of a card's view beyond the line that best separates agreement from contradiction."""
    told, level = _blocks(ref, view_at(ref, pose, scene))
    worth = told * (2 * level - 1)
    (height, width), (rows, columns) = ref.size[::-1], worth.shape
    y, x = np.mgrid[:rows, :columns]
    best = (-np.inf, 0.0, 0.0)
    for turn in np.arange(LINES) * 2 * np.pi / LINES:
        away = np.cos(turn) * ((x + 0.5) / columns - 0.5) + np.sin(turn) * ((y + 0.5) / rows - 0.5)
        for offset in np.linspace(-REACH, REACH, OFFSETS):
            best = max(best, (float(worth[away <= offset].sum()), float(turn), float(offset)))
    _, turn, offset = best
    y, x = np.mgrid[:height, :width]
    away = np.cos(turn) * ((x + 0.5) / width - 0.5) + np.sin(turn) * ((y + 0.5) / height - 0.5)
    return np.where(away > offset - GUARD, 255, 0).astype(np.uint8)


def _inner(ref: ReferenceCard) -> int:
    """Return the number of pixels in a view without its border."""
    width, height = ref.size
    return (width - 2 * BORDER) * (height - 2 * BORDER)


def polish_pose(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> tuple[Matrix, float]:
    """Return the pose realigned with the picture, and its correlation (0 if not found)."""
    half = (ref.ink.shape[1], ref.ink.shape[0])
    view, seen = scene.view(pose, ref.frame, half)
    found = align(ref.ink, ink_grey(view), (seen * 255).astype(np.uint8))
    if found is None:
        return pose, 0.0
    to_half = scaling_matrix(half[0] / ref.frame[0], half[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_half) @ found[0] @ to_half, found[1]


def refine_on_ink(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> Matrix:
    """Return a pose refined on the card's own ink."""
    seen = view_at(ref, pose, scene, ROOM)
    ink = ref.drawn() if seen.seen.sum() == _inner(ref) else find_ink(ref.flat, seen.seen)
    moved = refine_homography(ink, seen.flat, ref.size)
    corners = corners_of(ref.size)
    if not float(np.abs(project(moved, corners) - corners).max()) < ROOM:  # the refinement diverged
        return pose
    to_view = scaling_matrix(ref.size[0] / ref.frame[0], ref.size[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_view) @ moved @ to_view


def mean_side(corners: Floats) -> float:
    """Return the mean length of a quadrangle's shorter pair of sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
