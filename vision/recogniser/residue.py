"""What is left of a picture when the card that is thought to lie there is taken off. Knows one card and one pose.

Blocks that correlate say that much is right. This says that nothing is wrong: a card that is not enrolled may look
much like one that is, but then something remains: a pip of another shape, a tint where there should be bare paper.
"""

from __future__ import annotations

from typing import cast

import cv2
import msgspec
import numpy as np

from vision.features import (
    PADDING,
    Flags,
    Floats,
    aligned,
    gains,
    inked,
    levelled,
    scaling,
    softened,
)  # fmt: skip
from vision.image import Matrix
from vision.recogniser.bank import SOFT, Bank, Ref
from vision.recogniser.check import BORDER, look
from vision.recogniser.scene import Scene

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
WHOLE = 0.85
"""Where less of a card shows, its own surroundings are taken without what does not."""
PATCH = 0.02
"""A flat part is looked at when it takes this share of the card."""
PLAIN, DEEP = 2.8, 0.15
"""On a flat part the mean may be off by so much in Lab, and by this share of how much it stands out itself."""


class Residue(msgspec.Struct, frozen=True):
    """What is left when a card is taken off."""

    pose: Matrix
    """The pose, aligned once more and more finely."""
    rest: float
    """The worst of what is left, as a share of the card's own strongest contrast."""
    flat: float
    """Which share of the card is flat."""
    patch: float
    """The worst mean of a flat part, as a share of what is allowed."""


class Plain(msgspec.Struct, frozen=True):
    """What a card looks like to this module."""

    coarse: Floats
    strong: float
    flat: Flags
    share: float
    patches: tuple[tuple[Flags, float], ...]
    """Each large flat part, and how much its mean may be off."""


def plain(ref: Ref) -> Plain:
    """Return what is asked of an enrolled picture; `Bank.plain` keeps it."""
    flat = _flat(softened(ref.flat, EVEN))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat.astype(np.uint8), connectivity=4)
    patches = []
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= PATCH * flat.size:
            part = cast(Flags, labels == number)
            patches.append((part, PLAIN + DEEP * float(np.linalg.norm(ref.flat[part].mean(axis=0)))))
    coarse = softened(ref.flat, COARSE)
    return Plain(coarse, worst(np.linalg.norm(coarse, axis=2)), flat, float(_flat(ref.flat).mean()), tuple(patches))


def _flat(view: Floats) -> Flags:
    """Return where a levelled view is flat."""
    mean = cv2.blur(view, (WINDOW, WINDOW))
    spread = np.sqrt((cv2.blur(view * view, (WINDOW, WINDOW)) - mean * mean).sum(axis=2).clip(0))
    return cast(Flags, spread < FLAT) & _inside(view.shape[:2])


def residue(bank: Bank, ref: Ref, known: Plain, pose: Matrix, scene: Scene) -> Residue:
    """Return what is left of the picture at a pose, or at the pose aligned more finely where less is left there."""
    first = _at(ref, known, pose, scene)
    finer = _finer(bank, ref, pose, scene)
    if finer is None:
        return first
    second = _at(ref, known, finer, scene)
    return second if second.rest < first.rest else first


def _at(ref: Ref, known: Plain, pose: Matrix, scene: Scene) -> Residue:
    seen = look(ref, pose, scene)
    view = seen.flat[PADDING:-PADDING, PADDING:-PADDING]
    shown = seen.seen * _inside(seen.seen.shape)
    coarse = softened(seen.flat, COARSE)[PADDING:-PADDING, PADDING:-PADDING]
    gain = gains(known.coarse, coarse, seen.seen)
    off = (coarse - gain * known.coarse) / gain[0] * shown[:, :, None]
    rest = worst(np.linalg.norm(off, axis=2)) / max(1.0, known.strong)
    soft = softened(view, SOFT)
    flat = ref.flat if float(seen.seen.mean()) > WHOLE else levelled(ref.view, seen.seen)
    gain = gains(softened(flat, SOFT), soft, seen.seen)
    apart = (view - gain * flat) / gain[0]
    patch = 0.0
    for part, allowed in known.patches:
        mine = part & (shown > 0)
        if int(mine.sum()) >= PATCH * mine.size:
            patch = max(patch, float(np.linalg.norm(apart[mine].mean(axis=0))) / allowed)
    return Residue(pose, rest, known.share, patch)


def _finer(bank: Bank, ref: Ref, pose: Matrix, scene: Scene) -> Matrix | None:
    view, seen = scene.view(pose, ref.frame, ref.size)
    found = aligned(bank.ink(ref), inked(view), (seen * 255).astype(np.uint8))
    if found is None:
        return None
    to_view = scaling(ref.size[0] / ref.frame[0], ref.size[1] / ref.frame[1])
    return pose @ np.linalg.inv(to_view) @ found[0] @ to_view


def worst(values: Floats) -> float:
    """Return the mean of the largest values."""
    count = max(1, round(WORST * values.size))
    return float(np.partition(values.ravel(), -count)[-count:].mean())


def _inside(shape: tuple[int, ...]) -> Flags:
    inside = np.zeros(shape, np.bool_)
    inside[BORDER:-BORDER, BORDER:-BORDER] = True
    return inside
