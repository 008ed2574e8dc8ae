"""A deck's file: a zip archive of `deck.json`, the pictures and their features."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from vision.deck.deck import Card, Deck, Shot
from vision.enrolled_file import DeckError, EnrolledFile, EnrolledFileKind, is_harmless_name, pack_members
from vision.features.sift import DESCRIPTOR, Features

MARK = "table companion: enrolled deck"
FORMAT = 1
FILE = EnrolledFileKind("deck of cards", "cards", "deck.json", MARK, FORMAT, 1 << 30)
MOST_CARDS, MOST_SHOTS, MOST_FEATURES = 2000, 24, 2000
"""The maximum numbers of cards in a deck, pictures of a card and features of a picture, because files are untrusted."""
MOST_PIXELS = 40_000_000
"""The maximum number of pixels in a picture."""
FEATURES = "features.bin"


class _Shot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    picture: str
    features: int
    """The number of features."""


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    shots: tuple[_Shot, ...]
    family: int
    to_family: tuple[float, float, float, float, float, float, float, float, float]


class _Index(msgspec.Struct, frozen=True):
    mark: str
    format: int
    name: str
    cards: tuple[_Card, ...]


def save(deck: Deck, path: Path) -> None:
    """Write a deck's file atomically."""
    FILE.save(path, pack(deck))


def load(path: Path) -> Deck:
    """Read a deck's file, or raise `DeckError` with a sentence."""
    if path.is_dir():
        raise DeckError(f"{path} is a folder, not a deck's file. `companion enrol --from {path}` makes a deck from it.")
    if not path.exists():
        raise DeckError(f"There is no deck {path}. `companion enrol` makes one.")
    return unpack(FILE.load(path), str(path))


def pack(deck: Deck) -> bytes:
    """Return a deck's file as bytes."""
    members: dict[str, bytes] = {}
    cards, features = [], []
    for number, card in enumerate(deck.entries):
        shots = []
        for which, shot in enumerate(card.shots):
            where = f"pictures/{number:04}-{which:02}.jpg"
            members[where] = shot.data
            shots.append(_Shot(where, len(shot.features.points)))
            features += [shot.features.points.astype("<f4").tobytes(), shot.features.descriptors.tobytes()]
        to_family = tuple(float(value) for value in card.to_family.ravel())
        cards.append(_Card(card.name, tuple(shots), card.family, to_family))  # type: ignore[arg-type]
    index = msgspec.json.encode(_Index(MARK, FORMAT, deck.name, tuple(cards)))
    return pack_members(members | {FEATURES: b"".join(features), FILE.index: index}, FEATURES)


def unpack(data: bytes, where: str = "the file") -> Deck:
    """Return the deck from a file's bytes.

    where: the file's name in error messages.
    """
    file = EnrolledFile(FILE, data, where)
    index = file.index(_Index)
    return Deck(index.name, _cards(file, index))


def member_of(deck: bytes, name: str, most: int) -> bytes | None:
    """Return a member of an accepted file, or None if it is missing.

    Raise `DeckError` if it is damaged or has more than `most` bytes.
    """
    file = EnrolledFile(FILE, deck, f"{name} in the deck's file")
    return file.member(name, most) if name in file else None


def _cards(file: EnrolledFile, index: _Index) -> list[Card]:
    damaged = file.damaged
    if not 0 < len(index.cards) <= MOST_CARDS or len({card.name for card in index.cards}) < len(index.cards):
        raise damaged
    pictures = [shot.picture for card in index.cards for shot in card.shots]
    # A picture listed a thousand times would be decoded a thousand times.
    if len(set(pictures)) < len(pictures):
        raise damaged
    features = memoryview(file.member(FEATURES))
    cards, at = [], 0
    for card in index.cards:
        if not is_harmless_name(card.name) or not 0 < len(card.shots) <= MOST_SHOTS:
            raise damaged
        if not 0 <= card.family < len(index.cards):
            raise damaged
        shots = []
        for shot in card.shots:
            size = shot.features * (16 + DESCRIPTOR)
            if not 0 <= shot.features <= MOST_FEATURES or at + size > len(features):
                raise damaged
            shots.append(_shot(file.member(shot.picture), features[at : at + size], shot.features, damaged))
            at += size
        to_family = np.array(card.to_family, np.float64).reshape(3, 3)
        if not np.isfinite(to_family).all():
            raise damaged
        cards.append(Card(card.name, tuple(shots), card.family, to_family))
    return cards


def _shot(picture: bytes, features: memoryview, count: int, damaged: DeckError) -> Shot:
    size = jpeg_size(picture)
    if size is None or min(size) < 1 or size[0] * size[1] > MOST_PIXELS:
        raise damaged
    points = np.frombuffer(features[: count * 16], "<f4").reshape(count, 4).astype(np.float32)
    if not np.isfinite(points).all():
        raise damaged
    descriptors = np.frombuffer(features[count * 16 :], np.uint8).reshape(count, DESCRIPTOR)
    return Shot(picture, size, Features(points, descriptors))


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height stated in a JPEG file without decoding it, or None for another file."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return None
