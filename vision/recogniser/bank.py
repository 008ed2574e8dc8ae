"""What the recogniser keeps in memory of an enrolled deck. Knows the deck; knows no picture that is read."""

from __future__ import annotations

from typing import cast

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.deck import Card, Deck, Shot
from vision.features import (
    BLOCK,
    NOISE,
    Floats,
    aligned,
    correlation,
    inked,
    lab,
    levelled,
    looks,
    resized,
    scaling,
    softened,
    view_size,
)  # fmt: skip
from vision.image import Image
from vision.recogniser import values
from vision.recogniser.values import Zones
from vision.recogniser.votes import Voters

VIEW = 96
"""Pixels of the shorter side of the views that are compared."""
RIVALS = 6
"""With so many of the most similar other cards each candidate is compared."""
MOST_RIVALRIES = 1200
"""So many pairs of pictures are kept, at some 80 KB each."""
MOST_SIZED = 100
"""So many pictures in other sizes are kept."""
SOFT = 1.4
"""Pixels of the Gaussian before two are compared point by point: poses are never quite right."""
LEAST_APART = 4.0
"""Distance in Lab under which two pictures do not differ at a pixel."""
LEAST_TELLING = 12
"""Pixels of a view in which two pictures must differ to be told apart at all."""
LEAST_WEIGHT = 0.1
"""What a block counts that looks the same on many cards."""


Halves = npt.NDArray[np.float16]
"""What is kept in many copies is kept small."""


class Ref(msgspec.Struct, frozen=True):
    """One enrolled picture, ready to be compared."""

    number: int
    card: int
    """Its card's place in the deck's entries."""
    frame: tuple[int, int]
    view: Floats
    """In Lab, h × w × 3: whole blocks."""
    flat: Floats
    """The same, levelled."""
    contrast: Floats
    """Each block's standard deviation."""
    ink: Floats
    """The view in half its size, grey."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view."""
        return self.view.shape[1], self.view.shape[0]


class Bank:
    """An enrolled deck in memory."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.refs: list[Ref] = []
        self.of_card: list[list[Ref]] = []
        looked = []
        for number, card in enumerate(deck.entries):
            mine = []
            for shot in card.shots:
                ref, look = _ref(len(self.refs), number, shot)
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
        self._sized: dict[tuple[int, tuple[int, int]], Floats] = {}
        self._rivals: dict[int, list[Ref]] = {}
        self._inks: dict[int, Floats] = {}
        self._zones: dict[tuple[int, int, int], Zones] = {}
        self._rivalries: dict[tuple[int, int], Halves | None] = {}

    def card(self, ref: Ref) -> Card:
        """Return the card of a picture."""
        return self.deck.entries[ref.card]

    def sized(self, ref: Ref, size: tuple[int, int]) -> Floats:
        """Return an enrolled picture in Lab in this size; kept, for it is asked for again."""
        found = self._sized.get((ref.number, size))
        if found is None:
            found = lab(resized(self.shot(ref).picture(), *size))
            if len(self._sized) >= MOST_SIZED:
                self._sized.clear()
            self._sized[ref.number, size] = found
        return found

    def shot(self, ref: Ref) -> Shot:
        """Return a picture as the deck keeps it."""
        return self.card(ref).shots[ref.number - self.of_card[ref.card][0].number]

    def kin(self, ref: Ref) -> list[Ref]:
        """Return one picture of each other card of the same artwork."""
        return [self.of_card[card][0] for card in self.siblings[int(self.family[ref.card])] if card != ref.card]

    def ink(self, ref: Ref) -> Floats:
        """Return an enrolled picture in grey in its view's full size; kept."""
        if ref.number not in self._inks:
            self._inks[ref.number] = inked(resized(self.shot(ref).picture(), *ref.size))
        return self._inks[ref.number]

    def zones(self, ref: Ref, other: Ref, level: int) -> Zones:
        """Return the places where two pictures of one artwork differ; kept, for they are asked for again."""
        key = (ref.number, other.number, level)
        if key not in self._zones:
            one, two = self.shot(ref).picture(), self.shot(other).picture()
            self._zones[key] = values.zones(one, two, ref.frame, level)
        return self._zones[key]

    def rivals(self, ref: Ref) -> list[Ref]:
        """Return the pictures of other artworks that look most like this one; kept."""
        if ref.number not in self._rivals:
            self._rivals[ref.number] = self._nearest(ref)
        return self._rivals[ref.number]

    def _nearest(self, ref: Ref) -> list[Ref]:
        near = self.looks @ self.looks[ref.number]
        near[self.family[self.card_of] == self.family[ref.card]] = -2
        rivals: list[Ref] = []
        for number in np.argsort(-near)[: 3 * RIVALS]:
            other = self.refs[int(number)]
            if len(rivals) < RIVALS and near[number] > 0 and all(rival.card != other.card for rival in rivals):
                rivals.append(other)
        return rivals

    def rivalry(self, ref: Ref, other: Ref) -> Halves | None:
        """Return another picture levelled, softened and laid over this one; None where they do not differ. Kept."""
        key = (ref.number, other.number)
        if key not in self._rivalries:
            if len(self._rivalries) >= MOST_RIVALRIES:
                del self._rivalries[next(iter(self._rivalries))]
            self._rivalries[key] = _rivalry(ref, other)
        return self._rivalries[key]


def _ref(number: int, card: int, shot: Shot) -> tuple[Ref, Floats]:
    picture = shot.picture()
    size = view_size(shot.frame, VIEW)
    view = resized(picture, *size)
    upright = view if size[1] >= size[0] else cast(Image, cv2.rotate(view, cv2.ROTATE_90_CLOCKWISE))
    in_lab = lab(view)
    small = (size[0] // BLOCK, size[1] // BLOCK)
    mean = cv2.resize(in_lab, small, interpolation=cv2.INTER_AREA)
    square = cv2.resize(in_lab * in_lab, small, interpolation=cv2.INTER_AREA)
    contrast = cast(Floats, np.sqrt((square - mean**2).sum(axis=2).clip(0)))
    ink = inked(resized(picture, size[0] // 2, size[1] // 2))
    return Ref(number, card, shot.frame, in_lab, levelled(in_lab), contrast, ink), looks(upright)


def _siblings(deck: Deck) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, card in enumerate(deck.entries):
        found.setdefault(card.family, []).append(number)
    return found


def _voters(deck: Deck, siblings: dict[int, list[int]]) -> Voters:
    """Return the features of each family's first card: its siblings' would only quarrel."""
    sets, owners, families, frames = [], [], [], []
    for family, members in siblings.items():
        first = deck.entries[members[0]]
        for shot in first.shots:
            sets.append(shot.features)
            owners.append(members[0])
            families.append(family)
            frames.append(shot.frame)
    return Voters(sets, owners, families, frames)


def _weights(refs: list[Ref], family: Floats) -> list[Floats]:
    """Return how much each block of each picture tells: what looks the same on other families' cards tells little."""
    weights = [np.ones(ref.contrast.shape, np.float32) for ref in refs]
    shapes: dict[tuple[int, ...], list[Ref]] = {}
    for ref in refs:
        shapes.setdefault(ref.view.shape, []).append(ref)
    for group in shapes.values():
        owner = np.array([family[ref.card] for ref in group])
        same = owner[:, None] == owner[None, :]
        views = np.stack([cv2.GaussianBlur(ref.view, (0, 0), 1.2) for ref in group])
        for row in range(group[0].contrast.shape[0]):
            for column in range(group[0].contrast.shape[1]):
                part = views[:, row * BLOCK : (row + 1) * BLOCK, column * BLOCK : (column + 1) * BLOCK]
                part = (part - part.mean(axis=(1, 2), keepdims=True)).reshape(len(group), -1)
                part /= np.sqrt((part**2).sum(axis=1, keepdims=True) + NOISE * BLOCK * BLOCK)
                alike = np.where(same, 0, part @ part.T).max(axis=1)
                for at, ref in enumerate(group):
                    weights[ref.number][row, column] = max(LEAST_WEIGHT, 1 - max(0.0, float(alike[at])))
    return weights


def _rivalry(ref: Ref, other: Ref) -> Halves | None:
    its = softened(_laid_over(ref, other), SOFT)
    apart = np.linalg.norm(softened(ref.flat, SOFT) - its, axis=2)
    # where they hardly differ there is only noise to be weighed
    return None if int((apart > LEAST_APART).sum()) < LEAST_TELLING else its.astype(np.float16)


def _laid_over(ref: Ref, other: Ref) -> Floats:
    """Return the other's levelled view where it lies best on this one's: no picture is cropped like another."""
    whole = (other.ink.shape[1], other.ink.shape[0])
    half = (ref.ink.shape[1], ref.ink.shape[0])
    view = cast(Floats, cv2.resize(other.flat, ref.size, interpolation=cv2.INTER_AREA))
    ink = other.ink if whole == half else cast(Floats, cv2.resize(other.ink, half, interpolation=cv2.INTER_AREA))
    found = aligned(ref.ink, ink)
    if found is None:
        return view
    grown = scaling(2, 2) @ found[0] @ scaling(0.5, 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cast(Floats, cv2.warpPerspective(view, grown, ref.size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
    everywhere = np.ones(view.shape[:2], np.float32)
    better = correlation(ref.flat, moved, everywhere) > correlation(ref.flat, view, everywhere)
    return moved if better else view
