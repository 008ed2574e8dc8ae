"""Cut reference pictures of cards out of photographs, and keep pictures that show a card right to its edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.deck.card_edges import card_edges, in_rows, straighten, upright
from vision.features.pixels import Floats, resize
from vision.features.quadrilaterals import QuadOutline
from vision.image import Image

LEAST = 0.1
"""The minimum share of its photograph that a card takes."""
TURNED, MARGIN = 8.0, 0.08
"""Limits for print on a card: the rotation in degrees, and the distance from the picture's border as a share of its
side."""
STRAIGHT, FRAME, EVEN = 2.0, 0.5, 0.06
"""Limits for a frame printed on a card: the maximum rotation in degrees, the minimum share of the picture, and the
maximum difference of opposite margins as a share of a side."""
FEW = 0.25
"""The share of a deck's pictures with a visible background above which all pictures of their sizes are photographs."""
PHONE, PIXELS, SLACK = (4 / 3, 3 / 2, 16 / 9), 2_000_000, 0.004
"""Proportions of photographs, their minimum number of pixels, and the tolerance. Such pictures are not scans."""


def cut_references(pictures: Mapping[str, Sequence[Image]]) -> dict[str, list[Image | None]]:
    """Return each card's straight pictures, with None for a photograph without a card's edge.

    Pictures of a size at which many show a card on a background are photographs. The others show cards right to their
    edges, so apparent edges are printed on them.
    """
    edges = {(card, at): find_edge(picture) for card, taken in pictures.items() for at, picture in enumerate(taken)}
    sizes = {(card, at): _size(picture) for card, taken in pictures.items() for at, picture in enumerate(taken)}
    cut = {sizes[which] for which, edge in edges.items() if edge is not None}
    if sum(edge is not None for edge in edges.values()) <= FEW * len(edges):
        cut = set()
    cut |= {size for size in sizes.values() if _is_phones(size)}
    long = _proportion([edge for which, edge in edges.items() if edge is not None and sizes[which] in cut])

    def straight(card: str, at: int, picture: Image) -> Image | None:
        if sizes[card, at] not in cut:
            return picture
        edge = edges[card, at]
        return None if edge is None else _in_proportion(straighten(picture, edge), long)

    return {card: [straight(card, at, picture) for at, picture in enumerate(taken)] for card, taken in pictures.items()}


def cut_all(picture: Image) -> list[Image]:
    """Return the straight pictures of all cards in a photograph of several, in rows from the upper left."""
    edges = [upright(one.corners) for one in in_rows(card_edges(picture))]
    long = _proportion(edges)
    return [_in_proportion(straighten(picture, edge), long) for edge in edges]


def find_edge(picture: Image) -> Floats | None:
    """Return the corners of the largest card on a background, from the upper left, or None if there is none."""
    found = card_edges(picture)
    return upright(found[0].corners) if found and not _is_printed(found[0], picture) else None


def _is_printed(outline: QuadOutline, picture: Image) -> bool:
    """Whether an outline may be print on a card that fills the picture: small, near the border, or an even frame."""
    height, width = picture.shape[:2]
    corners = upright(outline.corners)
    first = corners[1] - corners[0]
    turned = abs(float(np.degrees(np.arctan2(first[1], first[0]))))
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, top, right, bottom = low[0] / width, low[1] / height, 1 - high[0] / width, 1 - high[1] / height
    share = outline.area / (width * height)
    near = turned < TURNED and min(left, top, right, bottom) < MARGIN
    even = turned < STRAIGHT and abs(left - right) < EVEN and abs(top - bottom) < EVEN
    return share < LEAST or near or (even and share > FRAME)


def _size(picture: Image) -> tuple[int, int]:
    """Return a picture's longer and shorter side, because phones rotate their pictures."""
    return max(picture.shape[:2]), min(picture.shape[:2])


def _is_phones(size: tuple[int, int]) -> bool:
    long, short = size
    return long * short >= PIXELS and any(abs(long / short / usual - 1) < SLACK for usual in PHONE)


def _proportion(edges: Sequence[Floats]) -> float:
    """Return the median proportion of cards, long by short side, or 1 without cards."""
    sides = [np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) for corners in edges]
    pairs = [(float(each[0] + each[2]), float(each[1] + each[3])) for each in sides]
    return float(np.median([max(pair) / min(pair) for pair in pairs])) if pairs else 1.0


def _in_proportion(picture: Image, long: float) -> Image:
    """Return a card's picture in its deck's proportions, because a tilted camera shortens one side."""
    height, width = picture.shape[:2]
    short = round(float(np.sqrt(height * width / long)))
    size = (short, round(short * long)) if height >= width else (round(short * long), short)
    return resize(picture, *size)
