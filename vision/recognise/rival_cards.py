"""Decides which of two similar cards lies at a pose, by the parts where they differ.

Ink may be stronger or weaker than on the enrolled picture: a lamp bleaches it, and fine hatching is fainter the less
sharply it is seen. But nothing draws ink where there is none. So each of the two cards may be off in its strength,
which costs less than being off in what is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.features.blocks import NOISE, SHIFTS, energy, in_each_channel, masked_gains, scale_channels, soften_view
from vision.features.pixels import Flags, Floats
from vision.image import Matrix
from vision.recognise.image_difference import LEAST_APART, SOFT
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import view_at

PRICE = 0.25
"""What a card's ink being off by all its strength costs, as a share of its energy."""
SHARED = 0.25
"""The picture's strength is measured on what both cards share where that is so much of their ink."""
BEYOND = 1.5
"""At a pixel the picture may lie so much farther from the middle of two rivals than these; more is something else."""


def margins(
    bank: ReferenceBank, ref: ReferenceCard, others: Sequence[ReferenceCard], pose: Matrix, scene: PictureScene
) -> list[tuple[float, int]]:
    """Return how much nearer the picture is to this card than to each other, the nearest of these first."""
    seen = view_at(ref, pose, scene)
    soft = soften_view(seen.flat, SOFT)
    height, width = ref.view.shape[:2]
    mine = soften_view(ref.flat, SOFT)
    parts = np.stack([soft[down : down + height, right : right + width] for down, right in SHIFTS])
    rows = parts.reshape(len(SHIFTS), -1)
    fits = rows @ mine.ravel()
    found = []
    for other in others:
        rivalry = bank.rivalry(ref, other)
        if rivalry is None:
            found.append((0.0, other.number))
            continue
        its = rivalry.its.astype(np.float32)
        part = parts[int((fits + rows @ its.ravel()).argmax())]
        found.append(
            (ink_nearness(position_between(mine, its, part, seen.seen, rivalry.differs), *rivalry.ink), other.number)
        )
    return sorted(found)


def position_between(mine: Floats, its: Floats, part: Floats, seen: Floats, differs: Flags) -> float:
    """Return the position of a part of the picture between the other card (0) and this one (1)."""
    mask = in_each_channel(seen)
    one, two = mine * mask, its * mask
    apart = one - two
    gain = _strength(one, two, part, seen, (energy(apart) <= LEAST_APART**2).astype(np.float32))
    apart *= in_each_channel(differs.astype(np.float32))
    whole = float(np.vdot(apart, apart))
    limit = np.abs(apart) * np.float32(BEYOND / 2)
    middle = (mine + its) * np.float32(0.5)
    off = np.minimum(np.maximum(scale_channels(part, 1 / gain) - middle, -limit), limit)
    return 0.5 + float(np.vdot(off, apart)) / whole if whole > 0 else 0.5


def _strength(one: Floats, two: Floats, part: Floats, seen: Floats, alike: Floats) -> Floats:
    """Return the picture's gains: by what both cards share, where that is enough; else by the one that fits better."""
    both = (one + two) * np.float32(0.5) * in_each_channel(alike)
    if float(np.vdot(both, both)) >= SHARED * min(float(np.vdot(one, one)), float(np.vdot(two, two))):
        return masked_gains(both, part, float((seen * alike).sum()))
    pixels = float(seen.sum())
    noise = NOISE * pixels + 1e-6
    own = float(np.vdot(one, part)) / np.sqrt(float(np.vdot(one, one)) + noise)
    other = float(np.vdot(two, part)) / np.sqrt(float(np.vdot(two, two)) + noise)
    return masked_gains(one if own >= other else two, part, pixels)


def ink_nearness(place: float, own: float, shared: float, other: float) -> float:
    """Return how much nearer a position between two cards is to the first: 1 like the first, −1 like the other.

    place: 1 at the one, 0 at the other. own, shared, other: their ink (`Rivalry.ink`).
    """
    to_one, to_other = _ink_error(place, own, shared, other), _ink_error(1 - place, other, shared, own)
    return (to_other - to_one) / max(to_one + to_other, 1e-9)


def _ink_error(place: float, own: float, shared: float, other: float) -> float:
    """Return by how much a place between two cards is off from the one, whose ink may have another strength."""
    rest = 1 - place
    best = (own * place + shared * rest + PRICE * own) / max((1 + PRICE) * own, 1e-9)
    left = own * (place - best) ** 2 + 2 * shared * (place - best) * rest + other * rest**2
    return float(np.sqrt(max(left, 0.0) + PRICE * own * (best - 1) ** 2))
