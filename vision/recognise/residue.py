"""Measure the residue: what remains of a picture after subtracting the card that may lie there.

Correlating blocks show agreement. The residue shows contradiction: a card that is not enrolled may resemble an enrolled
one, but leaves a differently shaped pip, or a tint where paper should be bare.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.features.align import align, ink_grey
from vision.features.blocks import (
    NOISE,
    PADDING,
    energy,
    gains,
    in_each_channel,
    level_view,
    products,
    scale_channels,
    soften_view,
    surroundings,
)
from vision.features.pixels import Flags, Floats, median, scaling_matrix
from vision.image import Matrix
from vision.recognise.flat_areas import COARSE, PAPER, PATCH, FlatAreas, Patch, mean_of_largest, without_border
from vision.recognise.hatching import (
    FINER,
    brightness,
    foreign_stripes,
    foreign_texture,
    shows_hatching,
    stripes,
    texture,
    typical_texture,
)
from vision.recognise.image_difference import ELSEWHERE, SOFT
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import view_at

WEAKER, STRONGER = -0.1, 0.8
"""The range for a change of a flat part's own tint, as shares. A camera with vivid colours strengthens hatching, but
hardly any weakens it below its lines."""
VEIL = 3.0
"""Difference in lightness (L) from most of the card at which glare may begin. At twice this value it is certain."""
FAINTEST, STRONGEST = 0.35, 2.0
"""The range of ink strength relative to the whole card: the weakest under glare and the strongest beside it."""
UNEVEN = 0.5
"""The additional error allowed for a flat part's mean under glare, as a share."""
CLOSE = 0.3
"""The residue above which the pose may be wrong. Aligning the whole card in grey improves it for dense print."""
EDGE = 9
"""Side in pixels of the kernel that erodes the visible area before looking for waves, because a covering card's edge
may intrude."""
BARE = 15.0
"""Tint in Lab below which a flat part may be paper or hatched paper. Solid ink has waves of its own."""
WHOLE = 0.85
"""The visible share of a card below which its surroundings are computed from visible pixels only."""


class Residue(msgspec.Struct, frozen=True):
    """What remains after subtracting a card."""

    pose: Matrix
    """The pose, realigned if that reduces the residue."""
    rest: float
    """The largest remaining difference, as a share of the card's strongest contrast."""
    flat: float
    """The flat share of the card."""
    patch: float
    """The largest error of a flat part's mean, as a share of the limit."""


def residue(bank: ReferenceBank, ref: ReferenceCard, known: FlatAreas, pose: Matrix, scene: PictureScene) -> Residue:
    """Return the residue at a pose, or at the realigned pose if that is smaller."""
    first = _at(ref, known, pose, scene)
    finer = _aligned_pose(bank, ref, pose, scene) if first.rest > CLOSE else None
    if finer is None:
        return first
    second = _at(ref, known, finer, scene)
    return second if second.rest < first.rest else first


def _aligned_pose(bank: ReferenceBank, ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> Matrix | None:
    view, seen = scene.view(pose, ref.frame, ref.size)
    found = align(bank.ink(ref), ink_grey(view), (seen * 255).astype(np.uint8))
    if found is None:
        return None
    to_view = scaling_matrix(ref.size[0] / ref.frame[0], ref.size[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_view) @ found[0] @ to_view


def _at(ref: ReferenceCard, known: FlatAreas, pose: Matrix, scene: PictureScene) -> Residue:
    seen = view_at(ref, pose, scene)
    view = seen.flat[PADDING:-PADDING, PADDING:-PADDING]
    shown = seen.seen * without_border(seen.seen.shape)
    coarse = soften_view(seen.flat, COARSE)[PADDING:-PADDING, PADDING:-PADDING]
    veil = find_veil(ref, known, seen.view[:, :, 0], seen.seen)
    even = seen.seen * (1 - np.abs(veil))
    gain = gains(known.coarse, coarse, even)
    lines = _fine_print(ref, known, pose, scene, shown > 0)
    bleached = veil.copy()
    for one in lines.hatched:
        bleached[one.wide] = 1
    ink = strengths(known, coarse, gain, seen.seen, bleached)
    own = scale_channels(known.coarse, gain) * in_each_channel(ink)
    off = (coarse - own) / gain[0] * in_each_channel(shown)
    rest = mean_of_largest(np.sqrt(energy(off))) / max(1.0, known.strong)
    patch = max(_patch(ref, known, view, seen.seen, veil, lines.hatched), lines.foreign)
    return Residue(pose, rest, known.share, patch)


class FinePrint(msgspec.Struct, frozen=True):
    """The fine print that a picture shows on a card's flat parts."""

    foreign: float
    """The strongest print that is not the card's own, as a share of the limit."""
    hatched: tuple[Patch, ...]
    """The parts that show the card's own hatching. Even pale hatching rules out an empty or solid part."""


def _fine_print(ref: ReferenceCard, known: FlatAreas, pose: Matrix, scene: PictureScene, shown: Flags) -> FinePrint:
    """Return the fine print on a card's flat parts, except on bare paper, where shadows, sleeves and folds may show."""
    parts = [(part, one) for one in known.patches[1:] if _large(part := one.part & shown)]
    if not parts:
        return FinePrint(0.0, ())
    fine = scene.picture_at(pose, ref.frame, (FINER * ref.size[0], FINER * ref.size[1]))
    lines, paper = texture(fine, ref.size), known.patches[0].part & shown
    clear = cv2.erode(shown.astype(np.uint8), np.ones((EDGE, EDGE), np.uint8)) > 0
    bright = brightness(fine, paper)
    beside = typical_texture(paper, lines)
    foreign = [foreign_texture(part, beside, one.texture, lines) for part, one in parts]
    hatched = []
    for part, one in parts:
        if float(np.linalg.norm(one.tint)) < BARE and _large(part & clear):
            waves = stripes(fine, part & clear)
            foreign.append(foreign_stripes(one.stripes, waves, bright))
            hatched += [one] if shows_hatching(one.stripes, waves, bright) else []
    return FinePrint(max(foreign), tuple(hatched))


def _large(part: Flags) -> bool:
    return int(part.sum()) >= PATCH * part.size


def _patch(
    ref: ReferenceCard, known: FlatAreas, view: Floats, seen: Floats, veil: Floats, hatched: Sequence[Patch]
) -> float:
    """Return the largest mean error of a flat part, as a share of the limit.

    A stronger tint also changes the levelled values beside it: paper among stronger hatching seems brighter. hatched:
    the parts that show their own hatching, whose tint may differ as under glare.
    """
    shown, even = seen * without_border(seen.shape), seen * (1 - np.abs(veil))
    parts = [(part, one) for one in known.patches if _large(part := one.part & (shown > 0))]
    lit = [1.0 if any(one is own for own in hatched) else float(np.abs(veil[part]).mean()) for part, one in parts]
    whole = float(seen.mean()) > WHOLE
    own, levelled = known.recoloured or (ref.view, ref.flat)
    flat = levelled if whole else level_view(own, seen)
    gain = gains(soften_view(flat, SOFT), soften_view(view, SOFT), even)
    means = _means(view, flat, gain, parts)
    much = [0.0] * len(parts)
    if parts and parts[0][1] is known.patches[0]:
        tinted = own
        for at, (_, one) in enumerate(parts):
            much[at] = _strength(means[at] - means[0], one.tint, lit[at])
            tinted = tinted + scale_channels(
                in_each_channel(one.wide.astype(np.float32)), np.float32(much[at]) * one.tint
            )
        means = _means(view, level_view(tinted, None if whole else seen), gain, parts)
    offs = [
        _mean_error(means[at], one.tint, lit[at], much[at]) / one.allowed / (1 + UNEVEN * lit[at])
        for at, (_, one) in enumerate(parts)
    ]
    return max(offs, default=0.0)


def _means(view: Floats, flat: Floats, gain: Floats, parts: list[tuple[Flags, Patch]]) -> list[Floats]:
    """Return the mean error of each flat part, in the enrolled picture's Lab."""
    apart = (view - scale_channels(flat, gain)) / gain[0]
    return [np.array(cv2.mean(apart, part.view(np.uint8))[:3], np.float32) for part, _ in parts]


def _strength(apart: Floats, tint: Floats, veil: float, known: float = 0.0) -> float:
    """Return the additional strength of a flat part's own tint as a share, clipped to the allowed range.

    known: the strength already applied, to which the result is added.
    """
    strength = float(np.vdot(apart, tint)) / max(float(np.vdot(tint, tint)), 1e-6)
    return float(np.clip(strength + known, min(WEAKER, veil * (FAINTEST - 1)), STRONGER)) - known


def _mean_error(apart: Floats, tint: Floats, veil: float, known: float) -> float:
    """Return a flat part's mean error after allowing for a stronger or slightly weaker tint."""
    return float(np.linalg.norm(apart - np.float32(_strength(apart, tint, veil, known)) * tint))


def find_veil(ref: ReferenceCard, known: FlatAreas, light: Floats, seen: Floats) -> Floats:
    """Return where glare lies (up to 1) and where less light falls (down to −1), relative to most of the card: h × w.

    light: the picture's lightness (L). Only paper is measured, because no two cameras show an ink equally bright.
    """
    if not known.patches or float(known.patches[0].part.mean()) < PAPER:
        return np.zeros(seen.shape, np.float32)
    weight = (seen * (known.patches[0].part + ELSEWHERE)).astype(np.float32)
    more = surroundings(light[:, :, None] - ref.view[:, :, :1], weight)[:, :, 0]
    off = (more - np.float32(median(more))) / VEIL
    beyond: Floats = np.sign(off) * (np.abs(off) - 1).clip(0, 1)
    return beyond


def strengths(known: FlatAreas, coarse: Floats, gain: Floats, seen: Floats, veil: Floats) -> Floats:
    """Return the local ink strength relative to the whole card, h × w, which is 1 where there is no veil."""
    ink = scale_channels(known.coarse, gain) * in_each_channel(seen)
    own = surroundings(energy(ink)[:, :, None]) + NOISE
    here = (surroundings(products(ink, coarse)[:, :, None]) + NOISE) / own
    least, most = 1 - veil.clip(0, 1) * (1 - FAINTEST), 1 - veil.clip(-1, 0) * (STRONGEST - 1)
    return here[:, :, 0].clip(least, most)
