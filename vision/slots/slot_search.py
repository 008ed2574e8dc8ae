"""Search one slot in a picture: compare known poses, find card ends, and search the rest freely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np

from vision.features.pixels import Floats, homography
from vision.features.quadrilaterals import outlines
from vision.image import CARD, CardReading, Image, Quad
from vision.recognise import Recogniser
from vision.slots.card_ends import END, FINE, CardEnd, CardEnds
from vision.slots.slot_frame import Points, SlotFrame, area, card_box, polygon_mask, shared_area
from vision.slots.slot_view import LEAST_SHOWN, LOOK, KnownCard, SlotView, visible_mask
from vision.slots.tracks import FoundCard

WHOLE, UPPER = 0.9, 0.35
"""The visible share above which a card's upper part is read first, and that part's share of the card."""
STRIP = 0.65
"""The minimum visible share of an end."""
BAND, BANDS = 0.4, 0.7
"""The minimum correlation of a band that agrees with its card, and the minimum share of agreeing bands."""
CLEAR = 0.8
"""The confidence below which another card is possible. Correct cards reach 0.9 or more."""
SURE = 0.7
"""The minimum correlation of an end without a name."""
SIZES = (0.85, 1.2)
"""The range of a card's width in pixels relative to its width on the mat, for tilt and printing."""
SLACK = 0.12
"""The maximum deviation of an outline's sides from a card's, as a share."""
OVERLAP = 0.15
"""The share of an outline above which a known card explains it, or an object on that card."""
INSIDE = 0.5
"""The minimum share of an outline that differs from the background. Otherwise it may be printed on the mat."""


class SlotSearch:
    """Searches one slot.

    families: the names of each card's family, including the card.
    """

    def __init__(
        self, recogniser: Recogniser, frame: SlotFrame, ends: CardEnds, families: Mapping[str, Sequence[str]]
    ) -> None:
        self.recogniser = recogniser
        self.frame = frame
        self.ends = ends
        self._families = families
        self._kept: tuple[SlotView, Floats] | None = None

    # --- known poses ---

    def read_pose(
        self, scene: SlotView, corners: Points, hiders: Iterable[Points], among: Sequence[str] | None = None
    ) -> FoundCard | None:
        """Return the card at a pose (the mat's millimetres) under other cards, or None if too little of it shows."""
        visible = visible_mask(corners, hiders)
        share = float(np.count_nonzero(visible)) / visible.size
        if share < LEAST_SHOWN:
            return None
        pixels = scene.pose.project(corners).astype(np.float32)
        reading = None
        if share > WHOLE:  # the upper part suffices for most cards and takes a third of the time
            upper = visible.copy()
            upper[round(CARD[1] * UPPER) :] = 0
            reading = self._read(scene, pixels, upper, among)
        if reading is None or reading.card is None:
            reading = self._read(scene, pixels, None if share > 0.98 else visible, among)
        return FoundCard(corners, reading.card, reading.confidence, reading.doubt, reading.likeliest, share)

    def _read(self, scene: SlotView, pixels: Quad, visible: Image | None, among: Sequence[str] | None) -> CardReading:
        """Return the card at a pose in the picture.

        If the best of the given names has a low confidence, compare the whole deck, because the right name may be
        missing.
        """
        reading = self.recogniser.read_at(scene.picture, pixels, visible, among)
        if among is not None and reading.card is not None and reading.confidence < CLEAR:
            reading = self.recogniser.read_at(scene.picture, pixels, visible)
        return reading

    def reread(
        self, scene: SlotView, corners: Points, hiders: Sequence[Points], names: Sequence[str]
    ) -> FoundCard | None:
        """Return the card at the pose of a known one, or None if too little of it shows.

        Another card may have replaced it, so its end is compared with the whole deck.
        """
        inside = self.frame.from_mat(corners)
        inside = np.roll(inside, -int(np.argmin(inside.sum(axis=1))), axis=0)
        upright = abs(float(np.linalg.norm(inside[1] - inside[0])) / self.ends.card[0] - 1) < SLACK
        strip = self.frame.on_mat(np.array([inside[0], inside[1], *_down(inside, END / self.ends.card[1])]))
        if not upright or sum(shared_area(strip, hider) for hider in hiders) > (1 - STRIP) * area(strip):
            return self.read_pose(scene, corners, hiders, self.with_relatives(names) if names and upright else None)
        view = self._view(scene)
        end = self.ends.end_at(view, inside)
        among = self.with_relatives((*names, *(end.names if end is not None else ())))
        find = self.read_pose(scene, corners, hiders, among)
        if find is None or find.card is None:
            return find
        own = end is not None and find.card in end.upside
        if not own or (end is not None and not self._agrees(self.ends.band_scores(view, end, find.card), find)):
            return FoundCard(corners, None, 0.0, "unknown", find.likeliest, find.share)
        return find

    def _view(self, scene: SlotView) -> Floats:
        """Return the frame at FINE pixels per millimetre. Cached for the current picture."""
        if self._kept is None or self._kept[0] is not scene:
            self._kept = scene, self.frame.view(scene.picture, scene.pose, FINE).astype(np.float32)
        return self._kept[1]

    def forget(self) -> None:
        """Free the last picture to save memory."""
        self._kept = None

    def lies_over(self, other: KnownCard, corners: Points) -> bool:
        """Whether a known card lies over a new one with these corners.

        In a row, cards nearer to its beginning lie over the others, except for a card laid on top.
        """
        if self.frame.slot.kind != "row" or other.share > WHOLE:
            return True
        far, own = self.frame.from_mat(other.corners), self.frame.from_mat(corners)
        return bool(far[:, 1].min() > own[:, 1].min())

    def visible_part(self, other: KnownCard) -> Points:
        """Return the visible part of a known card in the mat's millimetres: a tucked card's far end."""
        if self.frame.slot.kind != "row" or other.share > WHOLE:
            return other.corners
        inside = self.frame.from_mat(other.corners)
        first = int(np.argmin(inside.sum(axis=1)))
        a, b, c, d = np.roll(inside, -first, axis=0)
        part = np.array([a, b, b + (c - b) * other.share, a + (d - a) * other.share])
        return self.frame.on_mat(part)

    # --- finding ---

    def find_cards(self, scene: SlotView, changed: Image, lying: Sequence[KnownCard]) -> list[FoundCard]:
        """Return the cards whose ends show under the known cards.

        changed: a mask over the frame, 0 where nothing is new. lying: the known cards.
        """
        view = self.frame.view(scene.picture, scene.pose, FINE)
        ends = self.ends.find(view, changed)
        fine = view.astype(np.float32)
        bands = {id(end): self.ends.band_scores(fine, end, end.names[0]) for end in ends}
        # Cards on top are fully visible. Each other card is tucked under its neighbour nearer to the row's beginning.
        ends.sort(key=lambda end: (float((bands[id(end)] > BAND).mean()) < 0.8, -float(end.corners[:, 1].mean())))
        finds: list[FoundCard] = []
        known = list(lying)
        for end in ends:
            find = self._card_of_end(scene, end, fine, bands[id(end)], known)
            if find is not None:
                finds.append(find)
                known.append(find)
        return finds

    def _card_of_end(
        self, scene: SlotView, end: CardEnd, view: Floats, bands: Floats, known: Sequence[KnownCard]
    ) -> FoundCard | None:
        """Return the card of an end, or None if the end is part of another card or contradicts its own.

        view: the frame at FINE pixels per millimetre. bands: the correlation of the end's most likely card, by band.
        """
        strip = self.frame.on_mat(card_box((self.ends.card[0], END), *_start(end)))
        if sum(shared_area(strip, self.visible_part(other)) for other in known) > (1 - STRIP) * area(strip):
            return None
        among = self.with_relatives(end.names)
        corners = self._corners_of_end(end, end.names[0])
        on_top = [other.corners for other in known if self.lies_over(other, corners)]
        find = self.read_pose(scene, corners, on_top, among)
        if find is None or find.doubt == "unknown":
            return None
        if find.card is not None and end.upside.get(find.card) != end.upside.get(end.names[0]):
            # This card lies upside down: rotate its pose.
            corners = self._corners_of_end(end, find.card)
            find = self.read_pose(scene, corners, on_top, among)
        if find is None or find.doubt == "unknown":
            return None
        if find.card in end.upside and find.card != end.names[0]:
            bands = self.ends.band_scores(view, end, find.card)  # cards with similar ends differ below
        if not self._agrees(bands, find):
            return None
        if find.card is None and end.alike < SURE:
            return None
        return find

    def _agrees(self, bands: Floats, find: FoundCard) -> bool:
        """Whether the bands of a whole card agree with the picture, because several cards may share an end."""
        return find.share < 0.9 or float((bands > BAND).mean()) >= BANDS

    def _corners_of_end(self, end: CardEnd, name: str) -> Points:
        """Return an end's corners on the mat, clockwise from the card's own top left."""
        quarter = self.frame.lie + (2 if end.upside.get(name, False) else 0)
        return np.roll(self.frame.on_mat(end.corners), -quarter, axis=0)

    def with_relatives(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names and all members of their families."""
        return tuple(dict.fromkeys([member for name in names for member in (name, *self._families.get(name, ()))]))

    def search_freely(
        self, scene: SlotView, where: Image, like_ground: Image, lying: Sequence[Points]
    ) -> list[FoundCard]:
        """Return the cards in any pose within a mask (255) over the frame at LOOK pixels per millimetre.

        Outlines of cards outside the deck are returned as unknown. lying: corners of known cards.
        """
        crop, left, top = self._crop(scene, where)
        if crop.size == 0:
            return []
        width = min(self.ends.card) * self._scale(scene)
        mask = self._mask(scene, where, crop, left, top)
        finds = []
        for reading in self.recogniser.read(crop, (width * SIZES[0], width * SIZES[1]), mask):
            corners = scene.pose.locate(np.array(reading.corners, np.float64) + (left, top))
            if self._has_card_size(corners):
                finds.append(FoundCard(corners, reading.card, reading.confidence, reading.doubt, reading.likeliest))
        return finds + self._find_unknown(scene, where, like_ground, [*lying, *[find.corners for find in finds]])

    def _find_unknown(
        self, scene: SlotView, where: Image, like_ground: Image, lying: Sequence[Points]
    ) -> list[FoundCard]:
        """Return the outlines of a card's size in which no card was read."""
        card = self.ends.card
        view = self.frame.view(scene.picture, scene.pose, FINE)
        mask = cv2.resize(where, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_NEAREST)
        view[mask == 0] = 0
        ratio = max(card) / min(card)
        found = outlines(view, [ratio], (min(card) * FINE * (1 - SLACK), min(card) * FINE * (1 + SLACK)))
        unknown: list[FoundCard] = []
        for outline in found:
            corners = outline.corners.astype(np.float64) / FINE
            on_mat = self.frame.on_mat(corners)
            taken = [*lying, *[find.corners for find in unknown]]
            if not self._has_card_size(on_mat) or any(
                shared_area(on_mat, other) > OVERLAP * area(on_mat) for other in taken
            ):
                continue
            inside = polygon_mask(like_ground.shape, corners, LOOK)
            strange = np.count_nonzero((inside > 0) & (like_ground == 0) & (where > 0))
            if strange >= INSIDE * max(1, int(np.count_nonzero(inside))):
                unknown.append(FoundCard(start_at_top_left(on_mat, self.frame), None, 0.0, "unknown"))
        return unknown

    def _has_card_size(self, corners: Points) -> bool:
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        wide, high = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
        short, long = sorted(self.ends.card)
        return abs(wide / short - 1) < SLACK and abs(high / long - 1) < SLACK

    def _scale(self, scene: SlotView) -> float:
        middle = self.frame.on_mat(np.array([[self.frame.size[0] / 2, self.frame.size[1] / 2]]))
        ends = scene.pose.project(np.vstack([middle, middle + (1, 0), middle + (0, 1)]))
        return float(np.linalg.norm(ends[1:] - ends[0], axis=1).mean())

    def _crop(self, scene: SlotView, where: Image) -> tuple[Image, int, int]:
        """Return the part of the picture around a mask over the frame, and its left and upper edge."""
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        if not len(rows):
            return scene.picture[:0], 0, 0
        low, high = np.array([columns[0], rows[0]]) / LOOK, np.array([columns[-1] + 1, rows[-1] + 1]) / LOOK
        hull = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        pixels = scene.pose.project(self.frame.on_mat(hull))
        left, top = np.maximum(np.floor(pixels.min(axis=0)).astype(int), 0)
        right, bottom = np.ceil(pixels.max(axis=0)).astype(int) + 1
        return scene.picture[top:bottom, left:right], int(left), int(top)

    def _mask(self, scene: SlotView, where: Image, crop: Image, left: int, top: int) -> Image:
        """Return a mask over the frame, transformed to the crop."""
        height, width = crop.shape[:2]
        outline = np.array([[0, 0], [where.shape[1], 0], [where.shape[1], where.shape[0]], [0, where.shape[0]]]) / LOOK
        pixels = scene.pose.project(self.frame.on_mat(outline)) - (left, top)
        matrix = homography((outline * LOOK).astype(np.float32), pixels.astype(np.float32))
        return cv2.warpPerspective(where, matrix, (width, height), flags=cv2.INTER_NEAREST)


def start_at_top_left(corners: Points, frame: SlotFrame) -> Points:
    """Return an outline's corners, starting at a correctly laid card's top left."""
    home = frame.on_mat(frame.home())
    wanted = np.roll(home, -frame.lie, axis=0)
    axis = wanted[1] - wanted[0]
    best = max(range(4), key=lambda n: float(axis @ (corners[(n + 1) % 4] - corners[n])))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    first, second = sides[best % 2], sides[(best + 1) % 2]
    if (first > second) != (np.linalg.norm(axis) > np.linalg.norm(wanted[2] - wanted[1])):
        best += 1
    return np.roll(corners, -best, axis=0)


def _down(inside: Points, share: float) -> tuple[Points, Points]:
    """Return the two points at a share of the way down a card's sides, the right one first."""
    return inside[1] + (inside[2] - inside[1]) * share, inside[0] + (inside[3] - inside[0]) * share


def _start(end: CardEnd) -> tuple[float, float, float]:
    x, y = end.corners[0]
    right = end.corners[1] - end.corners[0]
    return float(x), float(y), float(np.degrees(np.arctan2(right[1], right[0])))
