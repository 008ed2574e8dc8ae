"""Decide between two similar cards at a pose, by the parts where they differ.

Ink may be stronger or weaker than on the enrolled picture: a lamp bleaches it, and blur weakens fine hatching. But
neither adds ink where there is none. So a difference in strength costs less than a difference in print.
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
"""The cost of a change in a card's ink by its full strength, as a share of its energy."""
SHARED = 0.25
"""The minimum share of ink common to both cards for measuring the picture's strength on it."""
BEYOND = 1.5
"""Limit of a pixel's deviation from the mean of two rivals, relative to theirs. Larger ones are clipped."""


def margins(
    bank: ReferenceBank, ref: ReferenceCard, others: Sequence[ReferenceCard], pose: Matrix, scene: PictureScene
) -> list[tuple[float, int]]:
    """Return this card's margin over each other one at a pose, the smallest first."""
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
    """Return a part's position between the other card (0) and this one (1)."""
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
    """Return the picture's gains, from the ink common to both cards if there is enough, else from the better fit."""
    both = (one + two) * np.float32(0.5) * in_each_channel(alike)
    if float(np.vdot(both, both)) >= SHARED * min(float(np.vdot(one, one)), float(np.vdot(two, two))):
        return masked_gains(both, part, float((seen * alike).sum()))
    pixels = float(seen.sum())
    noise = NOISE * pixels + 1e-6
    own = float(np.vdot(one, part)) / np.sqrt(float(np.vdot(one, one)) + noise)
    other = float(np.vdot(two, part)) / np.sqrt(float(np.vdot(two, two)) + noise)
    return masked_gains(one if own >= other else two, part, pixels)


def ink_nearness(place: float, own: float, shared: float, other: float) -> float:
    """Return a position's nearness to two cards: 1 at the first, −1 at the other.

    place: 1 at the first, 0 at the other. own, shared, other: their ink (`Rivalry.ink`).
    """
    to_one, to_other = _ink_error(place, own, shared, other), _ink_error(1 - place, other, shared, own)
    return (to_other - to_one) / max(to_one + to_other, 1e-9)


def _ink_error(place: float, own: float, shared: float, other: float) -> float:
    """Return the error between a position and the first card, whose ink may differ in strength."""
    rest = 1 - place
    best = (own * place + shared * rest + PRICE * own) / max((1 + PRICE) * own, 1e-9)
    left = own * (place - best) ** 2 + 2 * shared * (place - best) * rest + other * rest**2
    return float(np.sqrt(max(left, 0.0) + PRICE * own * (best - 1) ** 2))
