"""Whether a card lies at a pose: block by block, what agrees and what contradicts. Knows no other candidate."""

from __future__ import annotations

import msgspec
import numpy as np

from vision.features import PADDING, Floats, agreement, aligned, correlation, inked, lab, scaling
from vision.image import Matrix
from vision.recogniser.bank import Bank, Ref
from vision.recogniser.scene import Scene, burnt

DARK = 75.0
"""Lightness under which a card's own paper or ink is not so bright that it would burn out by itself."""
TEXTURED = 5.0
"""Standard deviation in Lab from which on a block has something to see."""
GOOD, BAD = 0.6, 0.3
"""A block's correlation that fully agrees, and that fully contradicts."""
SEEN = 0.6
"""A block counts when so much of it can be seen."""


class Verdict(msgspec.Struct, frozen=True):
    """What a comparison of a pose with an enrolled picture found."""

    ref: int
    pose: Matrix
    """From the card's frame to the picture, as polished."""
    share: float
    """What agrees, of all that can be seen, weighted by what tells: from 0 to 1."""
    evidence: float
    """How many blocks' worth of what tells agrees."""
    whole: float
    """Correlation of the whole view."""
    visible: float
    """The share of the card that can be seen."""
    margin: float = 1.0
    """How much nearer than the nearest rival: 1 as the card itself, 0 between both, −1 as the rival."""
    rival: int = -1

    @property
    def score(self) -> float:
        """Return how good it is, for comparing candidates."""
        return self.share * min(1.0, self.evidence / 12)


def compared(bank: Bank, ref: Ref, pose: Matrix, scene: Scene) -> Verdict:
    """Compare a picture with a card's at a pose."""
    view, seen = scene.view(pose, ref.frame, ref.size, PADDING)
    inner = view[PADDING:-PADDING, PADDING:-PADDING]
    seen = seen * (1 - burnt(inner) * (ref.view[:, :, 0] < DARK))
    in_lab = lab(view)
    found = agreement(ref.view, in_lab, seen)
    told = (found.visible >= SEEN) & (np.maximum(found.reference, found.scene) >= TEXTURED)
    level = ((found.correlation - BAD) / (GOOD - BAD)).clip(0, 1)
    weight = bank.weights[ref.number] * told * found.visible
    good, bad = float((weight * level).sum()), float((told * found.visible * (1 - level)).sum())
    plain = float((told * found.visible * level).sum())
    whole = correlation(ref.view, in_lab[PADDING:-PADDING, PADDING:-PADDING], seen)
    share = plain / max(plain + bad, 1e-3)
    return Verdict(ref.number, pose, share, good, whole, float(found.visible.mean()))


def polished(ref: Ref, pose: Matrix, scene: Scene) -> tuple[Matrix, float]:
    """Return a pose moved so that the picture agrees best with the card's, and how well it does (0: not found)."""
    half = (ref.ink.shape[1], ref.ink.shape[0])
    view, seen = scene.view(pose, ref.frame, half)
    found = aligned(ref.ink, inked(view), (seen * 255).astype(np.uint8))
    if found is None:
        return pose, 0.0
    to_half = scaling(half[0] / ref.frame[0], half[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_half) @ found[0] @ to_half, found[1]


def margin(bank: Bank, ref: Ref, pose: Matrix, scene: Scene) -> tuple[float, int]:
    """Return how much nearer the picture is to this card than to its nearest rival, and which that is."""
    view, seen = scene.view(pose, ref.frame, ref.size)
    seen = seen * (1 - burnt(view) * (ref.view[:, :, 0] < DARK))
    in_lab = lab(view)
    least, nearest = 1.0, -1
    for other in bank.rivals(ref):
        rivalry = bank.rivalry(ref, other)
        if rivalry is None:
            return -1.0, other.number
        weight = rivalry.weight * seen
        own, its = correlation(ref.view, in_lab, weight), correlation(rivalry.other, in_lab, weight)
        found = (own - its) / max(1 - rivalry.alike, 0.02)
        if found < least:
            least, nearest = found, other.number
    return least, nearest


def mean_side(corners: Floats) -> float:
    """Return the mean length of a quadrangle's shorter pair of sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


__all__ = ["Verdict", "compared", "margin", "mean_side", "polished"]
