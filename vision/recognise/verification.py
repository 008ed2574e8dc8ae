"""Verifies a card at a pose: which blocks agree, which contradict, and against which rivals."""

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
"""Lightness under which a card's own paper or ink is not so bright that it would burn out by itself."""
TEXTURED = 5.0
"""Standard deviation in Lab from which on a block has something to see."""
GOOD, BAD = 0.6, 0.3
"""A block's correlation that fully agrees, and that fully contradicts."""
SEEN = 0.6
"""A block counts when so much of it can be seen."""
ROOM = 12
"""Pixels around a view in which the card's own ink is sought when the pose is laid more exactly."""
LINES, OFFSETS, REACH = 16, 9, 0.4
"""Lines that may part a card are tried at so many turns and offsets, these up to so far from its middle, as a share."""
GUARD = 0.1
"""So far before the line, as a share of the card, what covers it may look in: a block is not all of one kind."""


class Verdict(msgspec.Struct, frozen=True):
    """The result of comparing a pose with an enrolled picture."""

    ref: int
    pose: Matrix
    """From the card's frame to the picture, as polished."""
    share: float
    """What agrees, of all that can be seen and has something to see: from 0 to 1."""
    evidence: float
    """How many blocks agree, each counted by how much it tells."""
    plain: float
    """How many blocks agree."""
    whole: float
    """Correlation of all that can be seen."""
    visible: float
    """The share of the card that can be seen."""
    margin: float = 1.0
    """How much nearer than the nearest rival: 1 as the card itself, 0 between both, −1 as the rival."""
    rival: int = -1
    support: float = 0.0
    """How many features voted, or how alike the outline looks."""
    how: str = ""
    """`votes` or `outline`."""
    outline: Floats | None = None
    """The corners of the outline that proposed the card."""
    rest: float = 0.0
    flat: float = 0.0
    patch: float = 0.0
    """What is left when the card is taken off (`vision.recognise.residue`)."""
    strange: bool = False
    """Whether more is left than may be."""
    doubt: Doubt = ""
    """`value`: the artwork is certain, the value is not."""

    @property
    def score(self) -> float:
        """Return a score by which candidates are compared."""
        return self.share * max(self.whole, 0.0) * min(1.0, self.plain / 8)


class Comparison(msgspec.Struct, frozen=True):
    """A part of the picture, straightened to an enrolled card's view."""

    flat: Floats
    """Levelled, larger by the padding all around."""
    seen: Floats
    """1 where it may be believed, without the padding."""
    view: Floats
    """In Lab, without the padding."""


def view_at(ref: ReferenceCard, pose: Matrix, scene: PictureScene, padding: int = PADDING) -> Comparison:
    """Return the view where a card may lie."""
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
    """Compare a picture with a card's at a pose."""
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
    """Return how much each block tells, and how far it agrees, from 0 to 1: rows × columns of blocks."""
    found = agreement(ref.flat, seen.flat, seen.seen)
    told = (found.visible >= SEEN) * (np.maximum(found.reference, found.scene) >= TEXTURED) * found.visible
    return told, ((found.correlation - BAD) / (GOOD - BAD)).clip(0, 1)


def beyond_best_line(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> Image:
    """Return 255, else 0, where a card's view lies beyond the line that best parts what agrees from what does not."""
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
    """Return how many pixels of a view are not border."""
    width, height = ref.size
    return (width - 2 * BORDER) * (height - 2 * BORDER)


def polish_pose(ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> tuple[Matrix, float]:
    """Return a pose moved to agree best with the picture, and the agreement (0: not found)."""
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
    if not float(np.abs(project(moved, corners) - corners).max()) < ROOM:  # it has run away
        return pose
    to_view = scaling_matrix(ref.size[0] / ref.frame[0], ref.size[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_view) @ moved @ to_view


def mean_side(corners: Floats) -> float:
    """Return the mean length of a quadrangle's shorter pair of sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
