"""Describe the flat areas of an enrolled card, such as bare paper, and their tints."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.blocks import energy, soften_view
from vision.features.pixels import Flags, Floats
from vision.image import Image
from vision.recognise.hatching import stripes, texture

BORDER = 4
"""Pixels ignored at the edge of a view, because the surroundings may show there."""
COARSE = 2.0
"""Sigma in pixels of the Gaussian blur before measuring the residue, because poses are never exact."""
WORST = 0.02
"""The share of pixels with the largest residue that is averaged."""
WINDOW = 7
"""Side in pixels of the window in which flatness is measured."""
EVEN = 1.5
"""Sigma in pixels of the Gaussian blur before testing for flatness, which turns fine hatching into a tint."""
FLAT = 3.0
"""Standard deviation in Lab below which a card is flat, such as bare paper or a single colour."""
PATCH = 0.006
"""The minimum share of the card that a flat part must take. The inside of a small symbol takes 0.01."""
PAPER = 0.2
"""The minimum share of the card at which the largest flat part counts as paper. A patch of ink shows no glare."""
PLAIN, DEEP, TINT = 2.4, 0.1, 0.05
"""The error in Lab allowed for a flat part's mean: a constant, plus these shares of its contrast with its
surroundings and of its own tint."""


class Patch(msgspec.Struct, frozen=True):
    """A large flat part of a card."""

    part: Flags
    wide: Flags
    """The part dilated by its flat edge, which lies close to other print."""
    allowed: float
    """The error allowed for its mean, in Lab."""
    tint: Floats
    """The difference from the largest flat part, usually paper, in Lab."""
    texture: float
    """The contrast of fine print on it, in levels of 255 (`vision.recognise.hatching`)."""
    stripes: float
    """The amplitude of the strongest wave on it, in levels of 255."""


class FlatAreas(msgspec.Struct, frozen=True):
    """The flat areas of a card."""

    coarse: Floats
    strong: float
    flat: Flags
    share: float
    patches: tuple[Patch, ...]
    recoloured: tuple[Floats, Floats] | None = None
    """The card's view and its levelled view, in colours other than the enrolled ones."""


def describe_flat_areas(view: Floats, levelled: Floats, fine: Image) -> FlatAreas:
    """Return the flat areas of an enrolled picture.

    view: in Lab. levelled: the same view with its local mean removed. fine: the picture in BGR, at `hatching.FINER`
    times the view's size.
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
    """Return the flat parts with their tints and allowed errors, paper first.

    prints: the texture and stripes of each part.
    """
    patches = []
    for part, fine_print in zip(parts, prints, strict=True):
        tint = view[part].mean(axis=0) - view[parts[0]].mean(axis=0)
        allowed = PLAIN + DEEP * float(np.linalg.norm(levelled[part].mean(axis=0))) + TINT * float(np.linalg.norm(tint))
        patches.append(Patch(part, widen(part), allowed, tint, *fine_print))
    return tuple(patches)


def flat_parts(view: Floats) -> Flags:
    """Return a mask of a levelled view's flat pixels."""
    mean = cv2.blur(view, (WINDOW, WINDOW))
    spread = np.sqrt((cv2.blur(view * view, (WINDOW, WINDOW)) - mean * mean).sum(axis=2).clip(0))
    flat: Flags = spread < FLAT
    return flat & without_border(view.shape[:2])


def widen(part: Flags) -> Flags:
    """Return a flat part dilated by its flat edge."""
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
