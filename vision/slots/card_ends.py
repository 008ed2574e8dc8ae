"""Find the ends of cards in a row that runs upwards. Tucked cards show only their far end.

The search compares every enrolled card's end at low resolution with every position, then fits the best matches at high
resolution.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.deck.deck import Deck
from vision.features.align import ink_grey
from vision.features.pixels import Flags, Floats
from vision.image import Image, Matrix
from vision.slots.slot_frame import Points, card_box

COARSE, FINE = 0.6, 2.0
"""Pixels per millimetre for the search and for the fit."""
END = 14.0
"""The length in millimetres of the compared end, less than any card shows."""
ANGLES = (-5.0, 0.0, 5.0)
"""The angles to try in degrees. Cards at angles in between still match."""
LEAST = 0.45
"""The minimum correlation of a match."""
MOST = 20
"""The maximum number of ends to fit in one row, more than a row has cards."""
APART = 7.0
"""The minimum distance in millimetres along the row between two ends."""
NAMES = 6
"""The number of names to keep for each end."""
TILT = 12.0
"""The maximum rotation of a card in a row, in degrees."""
SHIFT = 5
"""The error of the coarse search in pixels."""
FIT = 0.6
"""The minimum correlation of a fitted end."""
RIVAL = 0.35
"""The maximum loss of correlation, compared with the best name, for another possible name."""
FLAT = 2.5
"""Standard deviation in levels of 255 below which a window is flat."""


class CardEnd(msgspec.Struct, frozen=True, eq=False):
    """The far end of a card that may lie in a row."""

    corners: Points
    """The whole card's corners in the frame's millimetres, clockwise from the frame's upper left."""
    alike: float
    names: tuple[str, ...]
    """The names of possible cards, most likely first."""
    upside: dict[str, bool]
    """For each name, whether the card would lie upside down."""


class CardEnds:
    """The ends of a deck's cards, for frames with one card orientation."""

    def __init__(self, deck: Deck, card: tuple[float, float], lie: int) -> None:
        self.card = card
        self.names: list[tuple[str, bool]] = []
        self._fine: list[Image] = []
        self._inks: list[Floats] = []
        rows = []
        for name in deck.cards + deck.backs:
            lying = np.rot90(deck.picture(name), -lie)
            for upside in (False, True):
                picture = np.ascontiguousarray(np.rot90(lying, 2) if upside else lying)
                self.names.append((name, upside))
                fine = _resize(picture, card, FINE)
                self._fine.append(fine)
                self._inks.append(fine[: round(END * FINE)].min(axis=2).astype(np.float32))
                coarse = _resize(picture, card, COARSE)[: round(END * COARSE)].astype(np.float32)
                rows.append(_normalise(coarse).transpose(2, 0, 1).ravel())
        self._coarse = np.stack(rows).astype(np.float32)
        self._shape = (round(END * COARSE), round(card[0] * COARSE))

    def find(self, view: Image, changed: Image) -> list[CardEnd]:
        """Return the matching ends in a frame's view with `FINE` pixels per millimetre, best first.

        changed: a mask over the same frame at any size. The search covers ends where it is not 0, there or just behind
        them.
        """
        small = cv2.resize(view, None, fx=COARSE / FINE, fy=COARSE / FINE, interpolation=cv2.INTER_AREA)
        near = cv2.resize(changed, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
        found = [hit for angle in ANGLES for hit in self._search(small, near, angle)]
        found.sort(key=lambda hit: -hit[0])
        kept: list[tuple[float, float, float, float, list[int]]] = []
        for alike, x, y, angle, numbers in found:
            same = [other for other in kept if abs(other[2] - y) < APART and abs(other[1] - x) < self.card[0] / 2]
            if same:
                same[0][4].extend(numbers)
            elif len(kept) < MOST:
                kept.append((alike, x, y, angle, numbers))
        fine = view.astype(np.float32)
        ink = ink_grey(view)
        ends = [self._fit(fine, ink, x, y, angle, numbers) for _, x, y, angle, numbers in kept]
        return sorted((end for end in ends if end is not None), key=lambda end: -end.alike)

    def _search(self, small: Image, near: Image, angle: float) -> list[tuple[float, float, float, float, list[int]]]:
        """Return the matches at one angle: correlation, x and y in millimetres, angle, and template indices."""
        height, width = small.shape[:2]
        high, wide = self._shape
        if height < high or width < wide:
            return []
        turning = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0), np.float64)
        turned = _rotate(small, turning, cv2.BORDER_REPLICATE).astype(np.float32)
        lengths, least = _window_lengths(turned, high, wide)
        # A nearly empty window cannot reach the minimum correlation.
        wanted = _windows_reached(_rotate(near, turning, cv2.BORDER_CONSTANT), high, wide) & (lengths > LEAST * least)
        rows, columns = np.nonzero(wanted)
        if not len(rows):
            return []
        planes = np.ascontiguousarray(turned.transpose(2, 0, 1))
        windows = np.lib.stride_tricks.sliding_window_view(planes, (high, wide), axis=(1, 2)).transpose(1, 2, 0, 3, 4)
        patches = windows[rows, columns].reshape(len(rows), -1)
        # The templates have zero mean, so only the lengths of the windows are needed, not their means.
        scores = patches @ self._coarse.T / np.maximum(lengths, least)[wanted][:, None]
        best = scores.max(axis=1)
        back = cv2.invertAffineTransform(turning)
        hits: list[tuple[float, float, float, float, list[int]]] = []
        while len(hits) < MOST:
            at = int(best.argmax())
            alike = float(best[at])
            if alike < LEAST:
                break
            order = np.argsort(-scores[at])[:NAMES]
            x, y = back @ np.array([columns[at], rows[at], 1.0])
            hits.append((alike, x / COARSE, y / COARSE, angle, [int(number) for number in order]))
            beside = np.abs(columns - columns[at]) < wide / 2
            best[beside & (np.abs(rows - rows[at]) < round(APART * COARSE))] = -1
        return hits

    def _fit(self, view: Floats, ink: Floats, x: float, y: float, angle: float, numbers: list[int]) -> CardEnd | None:
        """Return a finely fitted end, placed by its most likely template and named by all, or None if none fits."""
        distinct = list(dict.fromkeys(numbers))[: 2 * NAMES]
        corners = card_box(self.card, x, y, angle)
        placed = max((self._place(view, corners, number) for number in distinct), key=lambda one: one[0])
        if placed[0] < LEAST:
            return None
        warp = self._polish(ink, placed[1], placed[2])
        axis = warp[:, :2] @ np.array([1.0, 0.0])
        turn = float(np.degrees(np.arctan2(axis[1], axis[0])))
        seen = _warp(view, warp, self._fine[0].shape[1], round(END * FINE))
        scores = sorted(((self._correlate(seen, number), number) for number in distinct), reverse=True)
        if scores[0][0] < FIT:
            return None
        near = [(alike, number) for alike, number in scores if alike > scores[0][0] - RIVAL]
        names, upside = dict.fromkeys(self.names[number][0] for _, number in near), dict[str, bool]()
        for _, number in scores:
            upside.setdefault(*self.names[number])
        # Convert from the first pixel's centre to the corner.
        place = (warp @ np.array([-0.5, -0.5, 1.0]) + 0.5) / FINE
        return CardEnd(
            card_box(self.card, float(place[0]), float(place[1]), turn), scores[0][0], tuple(names)[:NAMES], upside
        )

    def end_at(self, view: Floats, corners: Points) -> CardEnd | None:
        """Return the end at a card's known corners with its possible names, or None if no card fits."""
        seen = _warp(view, _movement(corners, self.card[0]), self._fine[0].shape[1], round(END * FINE))
        scores = sorted(((self._correlate(seen, number), number) for number in range(len(self.names))), reverse=True)
        if scores[0][0] < LEAST:
            return None
        near = [number for alike, number in scores[: 2 * NAMES] if alike > scores[0][0] - RIVAL]
        upside: dict[str, bool] = {}
        for number in near:
            upside.setdefault(*self.names[number])
        return CardEnd(corners, scores[0][0], tuple(upside)[:NAMES], upside)

    def _place(self, view: Floats, corners: Points, number: int) -> tuple[float, Floats, int]:
        """Return the correlation of an end after a small shift, its transform, and its index."""
        known = self._template(number, round(END * FINE))
        start = _movement(corners, self.card[0])
        moved = start.copy()
        moved[:, 2] = start @ np.array([-SHIFT, -SHIFT, 1.0], np.float32)
        seen = _warp(view, moved, known.shape[1] + 2 * SHIFT, known.shape[0] + 2 * SHIFT)
        _, best, _, at = cv2.minMaxLoc(cv2.matchTemplate(seen, known, cv2.TM_CCOEFF_NORMED))
        start[:, 2] = moved @ np.array([at[0], at[1], 1.0], np.float32)
        return best, start, number

    def _polish(self, ink: Floats, start: Floats, number: int) -> Floats:
        """Return the transform that fits an end best, within the maximum rotation of cards in a row."""
        warp = _ecc(self._inks[number], ink, start)
        turn = float(np.degrees(np.arctan2(warp[1, 0], warp[0, 0])))
        far = np.abs(warp[:, 2] - start[:, 2]).max() > 4 * FINE
        return start if far or abs(turn) > TILT or not np.isfinite(warp).all() else warp

    def _correlate(self, seen: Floats, number: int) -> float:
        return float(cv2.matchTemplate(seen, self._template(number, len(seen)), cv2.TM_CCOEFF_NORMED)[0, 0])

    def _template(self, number: int, rows: int) -> Floats:
        """Return the first rows of an enrolled picture. They are stored as bytes, because floats of whole decks
        would need too much memory."""
        return self._fine[number][:rows].astype(np.float32)

    def band_scores(self, view: Floats, end: CardEnd, name: str) -> Floats:
        """Return the correlation of each band of `END` millimetres of a card, from its far end to its near end."""
        number = self.names.index((name, end.upside.get(name, False)))
        known = self._template(number, len(self._fine[number]))
        seen = _warp(view, _movement(end.corners, self.card[0]), known.shape[1], known.shape[0])
        bands = max(2, round(self.card[1] / END))
        edges = np.linspace(0, known.shape[0], bands + 1).astype(int)
        return np.array([
            float(cv2.matchTemplate(seen[a + 2 : b - 2], known[a + 4 : b - 4, 2:-2], cv2.TM_CCOEFF_NORMED).max())
            for a, b in pairwise(edges)
        ], np.float32)  # fmt: skip


def _movement(corners: Points, width: float) -> Floats:
    """Return the rigid transform from an end's fine pixels to the view's, for a card with these corners."""
    right = (corners[1] - corners[0]) / width
    down = np.array([-right[1], right[0]])
    # Pixel coordinates refer to pixel centres.
    origin = corners[0] * FINE + 0.5 * (right + down) - 0.5
    return np.column_stack([right, down, origin]).astype(np.float32)


def _warp(view: Floats, movement: Floats, width: int, height: int) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(view, movement, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _ecc(known: Floats, seen: Floats, start: Floats) -> Floats:
    """Return the rigid transform that aligns `known` with `seen`, or the start if the search diverges."""
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)
    # Pass only the surroundings, because ECC filters its whole input.
    high, wide = known.shape
    corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1]], np.float32) @ start.T
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 12
    part = np.ascontiguousarray(seen[top:bottom, left:right])
    if min(part.shape) < 8:
        return start
    moved = start.copy()
    moved[:, 2] -= (left, top)
    whole = np.full(part.shape, 255, np.uint8)
    try:
        _, warp = cv2.findTransformECC(known, part, moved, cv2.MOTION_EUCLIDEAN, criteria, whole, 3)
    except cv2.error:  # it did not converge
        return start
    warp = warp.copy()
    warp[:, 2] += (left, top)
    return warp


def _resize(picture: Image, card: tuple[float, float], px_per_mm: float) -> Image:
    size = (round(card[0] * px_per_mm), round(card[1] * px_per_mm))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _normalise(picture: Floats) -> Floats:
    """Return a picture (h × w × 3) with zero mean in each channel and unit length."""
    centred: Floats = picture - picture.mean(axis=(0, 1), keepdims=True)
    return centred / np.float32(max(float(np.sqrt((centred * centred).sum())), 1.0))


def _rotate(picture: Image, turning: Matrix, border: int) -> Image:
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, turning, size, flags=cv2.INTER_LINEAR, borderMode=border)


def _windows_reached(near: Image, high: int, wide: int) -> Flags:
    """Return for each window of a mask whether it, or the window of the same height below it, has a nonzero pixel."""
    table = cv2.integral((near > 0).astype(np.uint8))
    count = len(near) - high + 1
    upto = np.minimum(np.arange(count) + 2 * high, len(near))
    inside = table[upto] - table[:count]
    return inside[:, wide:] > inside[:, :-wide]


def _window_lengths(part: Floats, high: int, wide: int) -> tuple[Floats, float]:
    """Return the length of each window of a picture after subtracting each channel's mean, and that of a flat
    window."""
    count = high * wide
    plain, squared = (np.asarray(table, np.float64) for table in cv2.integral2(part.astype(np.float64)))

    def summed(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return table[high:, wide:] - table[:-high, wide:] - table[high:, :-wide] + table[:-high, :-wide]

    spread = (summed(squared) - summed(plain) ** 2 / count).sum(axis=2)
    return np.sqrt(spread.clip(0)).astype(np.float32), float(np.sqrt(3 * count)) * FLAT
