"""Making a deck of pictures: outlines, features, families, findings. Knows no camera and no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import cv2
import msgspec
import numpy as np

from vision.deck.alike import families, likenesses, view_of
from vision.deck.deck import KEPT, Card, Deck, DeckError, Shot
from vision.features import DESCRIPTOR, SHORT, Features, colour_of, extract, frame_of, grey_of, resized
from vision.image import Image

FINE, COARSE = 300, 120
"""Pixels of a card's shorter side at which features are taken: for cards seen large, and seen small."""
MOST_FINE, MOST_COARSE = 320, 180
QUALITY = 95
"""Of the JPEG in which pictures are kept."""


class Finding(msgspec.Struct, frozen=True):
    """Something about one enrolled picture that a person should know."""

    card: str
    which: int
    key: str
    """The sentence's name in `SAID`."""
    fields: dict[str, str | int | float] = {}


class Pair(msgspec.Struct, frozen=True):
    """Two cards that look alike."""

    first: str
    second: str
    margin: float


class Report(msgspec.Struct, frozen=True):
    """What enrolment found out."""

    findings: tuple[Finding, ...] = ()
    pairs: tuple[Pair, ...] = ()


def enrol(name: str, pictures: Mapping[str, Sequence[Image]]) -> tuple[Deck, Report]:
    """Make a deck of each card's pictures."""
    if not pictures:
        raise DeckError("There are no pictures to make a deck of.")
    shots = {card: tuple([shot_of(picture) for picture in taken]) for card, taken in pictures.items()}
    views = [view_of(taken[0]) for taken in shots.values()]
    pairs = likenesses(views)
    numbers, poses = families(views, pairs)
    entries = [Card(card, taken, numbers[at], poses[at]) for at, (card, taken) in enumerate(shots.items())]
    return Deck(name, entries), Report()


def shot_of(picture: Image) -> Shot:
    """Return a card's straight picture as it is kept, with its features."""
    kept = colour_of(picture)
    if min(kept.shape[:2]) > KEPT:
        scale = KEPT / min(kept.shape[:2])
        kept = resized(kept, round(kept.shape[1] * scale), round(kept.shape[0] * scale))
    data = cv2.imencode(".jpg", kept, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    return Shot(data, (kept.shape[1], kept.shape[0]), features_of(kept))


def features_of(picture: Image) -> Features:
    """Return a card's features in its frame's coordinates, taken at two sizes."""
    frame = frame_of(picture.shape[1], picture.shape[0])
    points, descriptors = [np.zeros((0, 4), np.float32)], [np.zeros((0, DESCRIPTOR), np.uint8)]
    for short, most in ((FINE, MOST_FINE), (COARSE, MOST_COARSE)):
        size = (round(frame[0] * short / SHORT), round(frame[1] * short / SHORT))
        found = extract(grey_of(resized(picture, *size)), most)
        scaled = found.points.copy()
        scaled[:, 0] *= frame[0] / size[0]
        scaled[:, 1] *= frame[1] / size[1]
        scaled[:, 2] *= SHORT / short
        points.append(scaled)
        descriptors.append(found.descriptors)
    return Features(
        np.concatenate(points), cast("np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", np.concatenate(descriptors))
    )
