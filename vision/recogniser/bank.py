"""What the recogniser keeps in memory of an enrolled deck. Knows the deck; knows no picture that is read."""

from __future__ import annotations

from typing import cast

import cv2
import msgspec
import numpy as np

from vision.deck import Card, Deck, Shot
from vision.features import (
    BLOCK,
    NOISE,
    Floats,
    correlation,
    inked,
    lab,
    looks,
    resized,
    scaling,
    view_size,
)  # fmt: skip
from vision.image import Image
from vision.recogniser.votes import Voters

VIEW = 96
"""Pixels of the shorter side of the views that are compared."""
RIVALS = 8
"""With so many of the most similar other cards each candidate is compared."""
MOST_SIZED = 400
"""So many pictures in other sizes are kept."""
LEAST_WEIGHT = 0.1
"""What a block counts that looks the same on many cards."""


class Ref(msgspec.Struct, frozen=True):
    """One enrolled picture, ready to be compared."""

    number: int
    card: int
    """Its card's place in the deck's entries."""
    frame: tuple[int, int]
    view: Floats
    """In Lab, h × w × 3: whole blocks."""
    contrast: Floats
    """Each block's standard deviation."""
    ink: Floats
    """The view in half its size, grey."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view."""
        return self.view.shape[1], self.view.shape[0]


class Rivalry(msgspec.Struct, frozen=True):
    """Two enrolled pictures laid over each other: where they differ, and how far they correlate there."""

    other: Floats
    """The rival's view, laid on the first one's."""
    weight: Floats
    """h × w: where they differ."""
    alike: float
    """Their correlation under this weight."""


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
        self._rivalries: dict[tuple[int, int], Rivalry | None] = {}

    def card(self, ref: Ref) -> Card:
        """Return the card of a picture."""
        return self.deck.entries[ref.card]

    def sized(self, ref: Ref, size: tuple[int, int]) -> Floats:
        """Return an enrolled picture in Lab in this size; kept, for it is asked for again."""
        found = self._sized.get((ref.number, size))
        if found is None:
            shot = self.card(ref).shots[ref.number - self.of_card[ref.card][0].number]
            found = lab(resized(shot.picture(), *size))
            if len(self._sized) >= MOST_SIZED:
                self._sized.clear()
            self._sized[ref.number, size] = found
        return found

    def rivals(self, ref: Ref) -> list[Ref]:
        """Return the pictures of other cards that look most like this one: siblings, and the nearest looks."""
        near = self.looks @ self.looks[ref.number]
        near[self.card_of == ref.card] = -2
        rivals: list[Ref] = []
        for number in np.argsort(-near)[: 3 * RIVALS]:
            other = self.refs[int(number)]
            if len(rivals) < RIVALS and near[number] > 0 and all(rival.card != other.card for rival in rivals):
                rivals.append(other)
        return rivals

    def rivalry(self, ref: Ref, other: Ref) -> Rivalry | None:
        """Return two pictures laid over each other; None where they are so different that it says nothing."""
        key = (ref.number, other.number)
        if key not in self._rivalries:
            self._rivalries[key] = _rivalry(ref, self._laid_over(ref, other))
        return self._rivalries[key]

    def _laid_over(self, ref: Ref, other: Ref) -> Floats:
        """Return the other's view in the place and size of this one's."""
        if self.family[ref.card] != self.family[other.card]:
            return cast(Floats, cv2.resize(other.view, ref.size, interpolation=cv2.INTER_AREA))
        to_other = np.linalg.inv(self.card(other).to_family) @ self.card(ref).to_family
        to_view = scaling(other.size[0] / other.frame[0], other.size[1] / other.frame[1])
        matrix = to_view @ to_other @ scaling(ref.frame[0] / ref.size[0], ref.frame[1] / ref.size[1])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cast(
            Floats, cv2.warpPerspective(other.view, matrix, ref.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        )


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
    return Ref(number, card, shot.frame, in_lab, contrast, ink), looks(upright)


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


def _rivalry(ref: Ref, other: Floats) -> Rivalry | None:
    best, found = -2.0, other
    flat = np.ones(other.shape[:2], np.float32)
    for down in range(-3, 4):
        for right in range(-3, 4):
            moved = np.roll(other, (down, right), axis=(0, 1))
            alike = correlation(ref.view, moved, flat)
            if alike > best:
                best, found = alike, moved
    apart = cv2.GaussianBlur(np.linalg.norm(ref.view - found, axis=2), (0, 0), 1.5)
    weight = np.maximum(0.0, apart - 6.0)
    if float(weight.sum()) <= 0:
        return None
    weight = (weight / float(weight.max())).astype(np.float32)
    return Rivalry(found, weight, correlation(ref.view, found, weight))
