"""The recogniser's in-memory data for an enrolled deck."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.deck.deck import Card, Deck, Shot
from vision.features.align import align, ink_grey
from vision.features.blocks import BLOCK, NOISE, correlation, level_view, view_size
from vision.features.descriptors import global_descriptor
from vision.features.lucas_kanade import InkAlignment, find_ink
from vision.features.pixels import Floats, lab, resize, scaling_matrix
from vision.image import Image, Matrix
from vision.recognise import printed_values
from vision.recognise.flat_areas import without_border
from vision.recognise.image_difference import Rivalry, rivalry
from vision.recognise.lru_cache import LruCache
from vision.recognise.pose_votes import Voters
from vision.recognise.print_boxes import PrintBox, box_of_card, distinct
from vision.recognise.printed_values import PrintedZones

VIEW = 96
"""The shorter side in pixels of the views to compare."""
RIVALS = 4
"""The number of rivals for a candidate: this many similar to the card, and this many similar to the picture."""
MEGABYTE = 1 << 20
"""The number of bytes in a megabyte."""
MOST_READY, MOST_DRAWN, MOST_RIVALRIES, MOST_SIZED, MOST_INKS, MOST_ZONES = (
    16 * MEGABYTE, 8 * MEGABYTE, 32 * MEGABYTE, 24 * MEGABYTE, 8 * MEGABYTE, 16 * MEGABYTE)  # fmt: skip
"""Cache sizes in bytes: views, ink for pose refinement, rivalries, resized pictures, grey pictures and printed
zones."""
TELLING = 1.2
"""Sigma in pixels of the Gaussian blur before comparing blocks of different cards."""
EVEN_TURNED = 0.6
"""Self-correlation after half a turn above which a card counts as symmetric."""
LEAST_WEIGHT = 0.1
"""The minimum weight of a block, for one that looks the same on many cards."""


class ReferenceCard(msgspec.Struct, frozen=True):
    """An enrolled picture, prepared for comparison."""

    number: int
    card: int
    """The index of its card in the deck's entries."""
    frame: tuple[int, int]
    small: Image
    """The view in BGR, h × w × 3, in whole blocks."""
    contrast: Floats
    """Each block's standard deviation."""
    ink: Floats
    """The view in grey at half its size."""
    ready: LruCache[int, tuple[Floats, Floats]]
    """A cache, shared by all pictures, of recent views as floats, which take eight times the memory."""

    drawings: LruCache[int, tuple[InkAlignment, ...]]
    """A cache, shared by all pictures, of the ink used by recent pose refinements."""

    @property
    def size(self) -> tuple[int, int]:
        """The view's width and height."""
        return self.small.shape[1], self.small.shape[0]

    @property
    def view(self) -> Floats:
        """Return the view in Lab, h × w × 3."""
        return self._views()[0]

    @property
    def flat(self) -> Floats:
        """Return the levelled view in Lab."""
        return self._views()[1]

    def drawn(self) -> tuple[InkAlignment, ...]:
        """Return the ink for aligning a fully visible card, without its border."""
        return self.drawings.get(
            self.number, lambda: find_ink(self.flat, without_border(self.size[::-1]).astype(np.float32))
        )

    def _views(self) -> tuple[Floats, Floats]:
        return self.ready.get(self.number, lambda: _in_lab(self.small))


class ReferenceBank:
    """An enrolled deck in memory."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.refs: list[ReferenceCard] = []
        self.of_card: list[list[ReferenceCard]] = []
        looked = []
        ready: LruCache[int, tuple[Floats, Floats]] = LruCache(MOST_READY, lambda pair: pair[0].nbytes + pair[1].nbytes)
        drawings: LruCache[int, tuple[InkAlignment, ...]] = LruCache(
            MOST_DRAWN, lambda ink: sum(one.nbytes for one in ink)
        )
        for number, card in enumerate(deck.entries):
            mine = []
            for shot in card.shots:
                ref, look = _ref(len(self.refs), number, shot, ready, drawings)
                self.refs.append(ref)
                mine.append(ref)
                looked.append(look)
            self.of_card.append(mine)
        self.looks = np.stack(looked)
        self.card_of = np.array([ref.card for ref in self.refs])
        self.family = np.array([card.family for card in deck.entries])
        self.siblings = _siblings(deck)
        self.weights = _weights(self.refs, self.family)
        self.ratios = sorted({round(max(ref.frame) / min(ref.frame), 2) for ref in self.refs})
        self.voters = _voters(deck, self.siblings)
        self._rivals: dict[int, list[ReferenceCard]] = {}
        self._boxes: list[PrintBox] | None = None
        self._sized: LruCache[tuple[int, tuple[int, int]], Floats] = LruCache(MOST_SIZED, lambda view: view.nbytes)
        self._inks: LruCache[int, Floats] = LruCache(MOST_INKS, lambda ink: ink.nbytes)
        self._zones: LruCache[tuple[int, int, int], PrintedZones] = LruCache(MOST_ZONES, lambda zones: zones.nbytes)
        self._rivalries: LruCache[tuple[int, int], Rivalry | None] = LruCache(
            MOST_RIVALRIES, lambda pair: pair.nbytes if pair else 0
        )

    def boxes(self) -> list[PrintBox]:
        """Return the distinct print boxes of bare cards. Cached."""
        if self._boxes is None:
            self._boxes = distinct([box_of_card(resize(self.shot(ref).picture(), *ref.frame)) for ref in self.refs])
        return self._boxes

    def card(self, ref: ReferenceCard) -> Card:
        """Return the card of a picture."""
        return self.deck.entries[ref.card]

    def at_size(self, ref: ReferenceCard, size: tuple[int, int]) -> Floats:
        """Return an enrolled picture in Lab at a size. Cached."""
        return self._sized.get((ref.number, size), lambda: lab(resize(self.shot(ref).picture(), *size)))

    def shot(self, ref: ReferenceCard) -> Shot:
        """Return a picture as stored in the deck."""
        return self.card(ref).shots[ref.number - self.of_card[ref.card][0].number]

    def kin(self, ref: ReferenceCard) -> list[ReferenceCard]:
        """Return one picture of each other card of the same artwork."""
        return [self.of_card[card][0] for card in self.siblings[int(self.family[ref.card])] if card != ref.card]

    def ink(self, ref: ReferenceCard) -> Floats:
        """Return an enrolled picture in grey at its view's full size. Cached."""
        return self._inks.get(ref.number, lambda: ink_grey(resize(self.shot(ref).picture(), *ref.size)))

    def zones(self, ref: ReferenceCard, other: ReferenceCard, level: int) -> PrintedZones:
        """Return the places where two pictures of one artwork differ. Cached."""
        return self._zones.get(
            (ref.number, other.number, level),
            lambda: printed_values.find_zones(self.shot(ref).picture(), self.shot(other).picture(), ref.frame, level),
        )

    def is_symmetric(self, ref: ReferenceCard) -> bool:
        """Whether a card looks much the same after half a turn."""
        own = self.looks[ref.number].reshape(-1, 3)
        return float(np.vdot(own, own[::-1])) > EVEN_TURNED

    def rivals(self, ref: ReferenceCard) -> list[ReferenceCard]:
        """Return the pictures of other artworks most similar to this one. Cached."""
        if ref.number not in self._rivals:
            self._rivals[ref.number] = self.nearest(ref, self.looks[ref.number])
        return self._rivals[ref.number]

    def nearest(self, ref: ReferenceCard, look: Floats) -> list[ReferenceCard]:
        """Return the pictures of other artworks most similar to a global descriptor, one per card."""
        near = self.looks @ look
        near[self.family[self.card_of] == self.family[ref.card]] = -2
        rivals: list[ReferenceCard] = []
        for number in np.argsort(-near)[: 3 * RIVALS]:
            other = self.refs[int(number)]
            if len(rivals) < RIVALS and near[number] > 0 and all(rival.card != other.card for rival in rivals):
                rivals.append(other)
        return rivals

    def rivalry(self, ref: ReferenceCard, other: ReferenceCard) -> Rivalry | None:
        """Return the difference to another picture, or None where they do not differ. Cached."""
        return self._rivalries.get((ref.number, other.number), lambda: _rivalry(ref, other))


def _in_lab(picture: Image) -> tuple[Floats, Floats]:
    view = lab(picture)
    return view, level_view(view)


def _ref(
    number: int,
    card: int,
    shot: Shot,
    ready: LruCache[int, tuple[Floats, Floats]],
    drawings: LruCache[int, tuple[InkAlignment, ...]],
) -> tuple[ReferenceCard, Floats]:
    picture = shot.picture()
    size = view_size(shot.frame, VIEW)
    view = resize(picture, *size)
    upright = view if size[1] >= size[0] else cv2.rotate(view, cv2.ROTATE_90_CLOCKWISE)
    in_lab = lab(view)
    small = (size[0] // BLOCK, size[1] // BLOCK)
    mean = cv2.resize(in_lab, small, interpolation=cv2.INTER_AREA)
    square = cv2.resize(in_lab * in_lab, small, interpolation=cv2.INTER_AREA)
    contrast = np.sqrt((square - mean**2).sum(axis=2).clip(0))
    ink = ink_grey(resize(picture, size[0] // 2, size[1] // 2))
    return ReferenceCard(number, card, shot.frame, view, contrast, ink, ready, drawings), global_descriptor(upright)


def _siblings(deck: Deck) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, card in enumerate(deck.entries):
        found.setdefault(card.family, []).append(number)
    return found


def _voters(deck: Deck, siblings: dict[int, list[int]]) -> Voters:
    """Index the features of each family's first card only, because those of its siblings would split the votes."""
    sets, owners, families, frames = [], [], [], []
    for family, members in siblings.items():
        first = deck.entries[members[0]]
        for shot in first.shots:
            sets.append(shot.features)
            owners.append(members[0])
            families.append(family)
            frames.append(shot.frame)
    return Voters(sets, owners, families, frames)


def _weights(refs: list[ReferenceCard], family: Floats) -> list[Floats]:
    """Return the weight of each picture's blocks: low for blocks that other families share."""
    weights: list[Floats] = [np.ones(ref.contrast.shape, np.float32) for ref in refs]
    shapes: dict[tuple[int, ...], list[ReferenceCard]] = {}
    for ref in refs:
        shapes.setdefault(ref.small.shape, []).append(ref)
    for group in shapes.values():
        owner = np.array([family[ref.card] for ref in group])
        same = owner[:, None] == owner[None, :]
        for row in range(group[0].contrast.shape[0]):
            strips = np.stack([_strip(ref, row) for ref in group])
            for column in range(group[0].contrast.shape[1]):
                part = strips[:, :, column * BLOCK : (column + 1) * BLOCK]
                part = (part - part.mean(axis=(1, 2), keepdims=True)).reshape(len(group), -1)
                part /= np.sqrt((part**2).sum(axis=1, keepdims=True) + NOISE * BLOCK * BLOCK)
                alike = np.where(same, 0, part @ part.T).max(axis=1)
                for at, ref in enumerate(group):
                    weights[ref.number][row, column] = max(LEAST_WEIGHT, 1 - max(0.0, float(alike[at])))
    return weights


def _strip(ref: ReferenceCard, row: int) -> Floats:
    """Return one row of a view's blocks in Lab, softened. All rows of a large deck at once would take too much
    memory."""
    top = max(0, row * BLOCK - BLOCK)
    around = cv2.GaussianBlur(lab(ref.small[top : (row + 2) * BLOCK]), (0, 0), TELLING)
    return around[row * BLOCK - top :][:BLOCK]


def _rivalry(ref: ReferenceCard, other: ReferenceCard) -> Rivalry | None:
    view = cv2.resize(other.view, ref.size, interpolation=cv2.INTER_AREA)
    flat = cv2.resize(other.flat, ref.size, interpolation=cv2.INTER_AREA)
    found = _over(ref, other)
    if found is not None:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved, moved_view = (
            cv2.warpPerspective(one, found, ref.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for one in (flat, view)
        )
        everywhere = np.ones(flat.shape[:2], np.float32)
        if correlation(ref.flat, moved, everywhere) > correlation(ref.flat, flat, everywhere):
            flat, view = moved, moved_view
    return rivalry(ref.view, view, ref.flat, flat)


def _over(ref: ReferenceCard, other: ReferenceCard) -> Matrix | None:
    """Return the homography that best aligns the other view with this one, because crops differ between pictures."""
    whole = (other.ink.shape[1], other.ink.shape[0])
    half = (ref.ink.shape[1], ref.ink.shape[0])
    ink = other.ink if whole == half else cv2.resize(other.ink, half, interpolation=cv2.INTER_AREA)
    found = align(ref.ink, ink)
    return None if found is None else scaling_matrix(2, 2) @ found[0] @ scaling_matrix(0.5, 0.5)
