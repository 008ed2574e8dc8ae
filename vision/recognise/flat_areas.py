"""An enrolled card without its finer lines: where it is flat, such as bare paper, and of which tint."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.blocks import energy, soften_view
from vision.features.pixels import Flags, Floats
from vision.image import Image
from vision.recognise.hatching import stripes, texture

BORDER = 4
"""Pixels at the edge of a view that are left away: what lies beside the card looks in there."""
COARSE = 2.0
"""Pixels of the Gaussian before the rest is measured: a pose is never quite right."""
WORST = 0.02
"""The rest is measured at this share of the pixels, where there is most of it."""
WINDOW = 7
"""Pixels of the square in which a card is flat or not."""
EVEN = 1.5
"""Pixels of the Gaussian before a card is called flat: fine hatching is a tint."""
FLAT = 3.0
"""Standard deviation in Lab under which a card is flat there: bare paper, or one colour."""
PATCH = 0.006
"""A flat part is looked at when it takes this share of the card: the inside of a small symbol takes 0.01."""
PAPER = 0.2
"""The largest flat part is paper when it takes this share of the card; a patch of ink tells of no veil."""
PLAIN, DEEP, TINT = 2.4, 0.1, 0.05
"""On a flat part the mean may be off by so much in Lab, and by these shares of how much it stands out from its
surroundings and of its own tint."""


class Patch(msgspec.Struct, frozen=True):
    """A large flat part of a card."""

    part: Flags
    wide: Flags
    """The part with its flat edge, which is near to something else."""
    allowed: float
    """How much its mean may be off, in Lab."""
    tint: Floats
    """By how much it differs from the largest flat part, which is paper as a rule, in Lab."""
    texture: float
    """How far fine print stands out on it (`vision.recognise.hatching`), in levels of 255."""
    stripes: float
    """The amplitude of the strongest wave on it, in the same levels."""


class FlatAreas(msgspec.Struct, frozen=True):
    """The flat areas of a card."""

    coarse: Floats
    strong: float
    flat: Flags
    share: float
    patches: tuple[Patch, ...]
    recoloured: tuple[Floats, Floats] | None = None
    """The card's view and the same levelled, in colours other than the enrolled ones."""


def describe_flat_areas(view: Floats, levelled: Floats, fine: Image) -> FlatAreas:
    """Return the flat areas of an enrolled picture, from its view in Lab and that view levelled.

    fine: the picture in BGR, `hatching.FINER` times a view's size.
    """
    lines = texture(fine, (view.shape[1], view.shape[0]))
    flat = flat_parts(soften_view(levelled, EVEN))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat.astype(np.uint8), connectivity=4)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    parts = [labels == at + 1 for at in np.argsort(-sizes) if sizes[at] >= PATCH * flat.size]
    prints = [(float(np.median(lines[part])), stripes(fine, part)) for part in parts]
    coarse = soften_view(levelled, COARSE)
    strong = mean_of_largest(np.sqrt(energy(coarse)))
    return FlatAreas(coarse, strong, flat, float(flat_parts(levelled).mean()), _patches(view, levelled, parts, prints))


def recolour_flat_areas(known: FlatAreas, view: Floats, levelled: Floats) -> FlatAreas:
    """Return the same flat areas with the colours of another view of the card."""
    coarse = soften_view(levelled, COARSE)
    prints = [(one.texture, one.stripes) for one in known.patches]
    patches = _patches(view, levelled, [one.part for one in known.patches], prints)
    return msgspec.structs.replace(
        known,
        coarse=coarse,
        strong=mean_of_largest(np.sqrt(energy(coarse))),
        patches=patches,
        recoloured=(view, levelled),
    )


def _patches(
    view: Floats, levelled: Floats, parts: list[Flags], prints: list[tuple[float, float]]
) -> tuple[Patch, ...]:
    """Return the flat parts with their tints and what is allowed of them; the first part is the paper.

    prints: the texture and the stripes of each.
    """
    patches = []
    for part, fine_print in zip(parts, prints, strict=True):
        tint = view[part].mean(axis=0) - view[parts[0]].mean(axis=0)
        allowed = PLAIN + DEEP * float(np.linalg.norm(levelled[part].mean(axis=0))) + TINT * float(np.linalg.norm(tint))
        patches.append(Patch(part, widen(part), allowed, tint, *fine_print))
    return tuple(patches)


def flat_parts(view: Floats) -> Flags:
    """Return where a levelled view is flat."""
    mean = cv2.blur(view, (WINDOW, WINDOW))
    spread = np.sqrt((cv2.blur(view * view, (WINDOW, WINDOW)) - mean * mean).sum(axis=2).clip(0))
    flat: Flags = spread < FLAT
    return flat & without_border(view.shape[:2])


def widen(part: Flags) -> Flags:
    """Return a flat part with its flat edge, which is near to something else."""
    return cv2.dilate(part.astype(np.uint8), np.ones((WINDOW, WINDOW), np.uint8)) > 0


def mean_of_largest(values: Floats) -> float:
    """Return the mean of the largest values."""
    count = max(1, round(WORST * values.size))
    return float(np.partition(values.ravel(), -count)[-count:].mean())


def without_border(shape: tuple[int, ...]) -> Flags:
    """Return a mask of a view without its border."""
    inner = np.zeros(shape, np.bool_)
    inner[BORDER:-BORDER, BORDER:-BORDER] = True
    return inner
