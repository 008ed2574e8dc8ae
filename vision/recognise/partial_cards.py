"""Compare partly visible cards at a known pose, with a small search."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.features.blocks import view_size
from vision.features.pixels import Floats, corners_of, homography, lab
from vision.image import CARD, Image, Quad
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import mean_side

LEVELS = (96, 144, 192)
"""View sizes in pixels of the shorter side. Choose the smallest that is not below the picture's resolution."""
SEARCH = 3.0
"""The maximum error of a pose, in pixels of the picture."""
LEAST_ALIKE = 0.6
"""The minimum correlation between a part and a card."""
LEAST_MARGIN = 0.35
"""The minimum margin between the best and second-best cards, relative to the difference of their pictures."""
LEAST_APART = 0.03
"""Distance below which two cards' parts cannot be told apart (1 minus their correlation)."""
ALL = 0.97
"""Visible share above which the comparison skips the mask, which is faster."""
LEAST_CONTRAST = 5.0
"""Standard deviation in Lab below which a part has no print to compare."""


class CardPart(msgspec.Struct, frozen=True):
    """The fit of a card's visible part."""

    card: int
    alike: float
    known: Floats
    """The enrolled picture's part in Lab."""
    shows: Floats
    """0 where an object lies on that part, else 1."""


def compare_parts(
    bank: ReferenceBank, scene: PictureScene, corners: Quad, visible: Image | None, among: Sequence[int]
) -> tuple[list[CardPart], tuple[slice, slice] | None]:
    """Return the fit of each card's visible part, best first, and the part's place in the view."""
    side = mean_side(corners)
    level = next((one for one in LEVELS if one >= 0.9 * side), LEVELS[-1])
    found: list[CardPart] = []
    views: dict[tuple[int, int], tuple[Floats, Floats, tuple[slice, slice]] | None] = {}
    reach = int(np.ceil(SEARCH * level / max(side, 1.0)))
    for card in among:
        best: CardPart | None = None
        for ref in bank.of_card[card]:
            size = view_size(ref.frame, level)
            if size not in views:
                views[size] = _visible_part(scene, corners, ref.frame, size, visible, reach)
            seen = views[size]
            if seen is None:
                continue
            known = bank.at_size(ref, size)[seen[2]]
            if cv2.norm(cv2.meanStdDev(known)[1]) < LEAST_CONTRAST:
                continue
            alike = _best_correlation(seen[0], known, seen[1])
            if best is None or alike > best.alike:
                best = CardPart(card, alike, known, seen[1])
        if best is not None:
            found.append(best)
    where = next((seen[2] for seen in views.values() if seen is not None), None)
    return sorted(found, key=lambda part: -part.alike), where


def _visible_part(
    scene: PictureScene, corners: Quad, frame: tuple[int, int], size: tuple[int, int], visible: Image | None, reach: int
) -> tuple[Floats, Floats, tuple[slice, slice]] | None:
    """Return the visible part of the picture with a search border, its mask, and its place in the view."""
    pose = homography(corners_of(frame), corners)
    view, seen = scene.view(pose, frame, size, reach)
    if visible is not None:
        seen = seen * (cv2.resize(visible, size, interpolation=cv2.INTER_NEAREST) > 127)
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if len(rows) < 4 or len(columns) < 4:
        return None
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    part = lab(view[top : bottom + 2 * reach, left : right + 2 * reach])
    where = (slice(top, bottom), slice(left, right))
    return part, seen[where], where


def _best_correlation(seen: Floats, known: Floats, mask: Floats) -> float:
    """Return the best correlation of a part within its search border."""
    if float(mask.mean()) > ALL:
        return float(cv2.matchTemplate(seen, known, cv2.TM_CCOEFF_NORMED).max())
    three = np.repeat(mask[:, :, None], 3, axis=2)
    found = cv2.matchTemplate(seen, known, cv2.TM_CCOEFF_NORMED, mask=three)
    return float(np.nan_to_num(found, nan=-1.0, posinf=-1.0, neginf=-1.0).max())


def part_distance(one: CardPart, two: CardPart) -> float:
    """Return 1 minus the correlation of two cards' parts, with a small search as in the picture.

    Hidden pixels do not count. Parts of different sizes have distance 1.
    """
    if one.known.shape != two.known.shape:
        return 1.0
    return 1 - _best_correlation(
        np.asarray(cv2.copyMakeBorder(two.known, 2, 2, 2, 2, cv2.BORDER_REPLICATE)), one.known, one.shows
    )


def part_margin(best: CardPart, other: CardPart) -> float:
    """Return how much better the best part fits than another, relative to their difference, or 0 for equal parts."""
    ahead = best.alike - other.alike
    if ahead > 2 * LEAST_MARGIN:  # the distance of two parts is at most 2, so there is no need to compute it
        return ahead / 2
    between = part_distance(best, other)
    return ahead / between if between > LEAST_APART else 0.0


def card_mask(visible: Image | None) -> Image:
    """Return a mask in CARD's size, which covers the whole card by default."""
    return np.full((CARD[1], CARD[0]), 255, np.uint8) if visible is None else visible


__all__ = [
    "LEAST_ALIKE",
    "LEAST_APART",
    "LEAST_MARGIN",
    "CardPart",
    "ReferenceCard",
    "card_mask",
    "compare_parts",
    "part_distance",
]
