"""A deck's file: a zip of `deck.json`, the pictures and their features. Files are not trusted.

Nothing in it is ever executed; every size is checked before anything is unpacked.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from companion.files.untrusted import Unreadable, read_bytes
from vision.deck.deck import Card, Deck, DeckError, Shot
from vision.features import DESCRIPTOR, Features

FORMAT = 1
"""The number of this format; another one is refused with a sentence."""
MARK = "table companion: enrolled deck"
"""Stands in every deck's file, to recognise other zip files."""
MOST_CARDS, MOST_SHOTS, MOST_FEATURES = 2000, 24, 2000
"""The most cards of a deck, pictures of a card and features of a picture: a file may claim anything."""
MOST_BYTES = 1 << 30
"""The most a file may hold when unpacked."""
MOST_INDEX = 1 << 25
"""The most that the list of cards may hold when unpacked."""
MOST_PIXELS = 40_000_000
"""The most pixels a picture may have."""
LONGEST_NAME = 80
"""Characters of a card's or deck's name in a file."""
UNREADABLE = 0x1 | 0x20 | 0x40
"""A zip's marks of what is encrypted or patched."""
T = TypeVar("T")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same deck makes the same file


class _Shot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    picture: str
    features: int
    """How many."""


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    shots: tuple[_Shot, ...]
    family: int
    to_family: tuple[float, float, float, float, float, float, float, float, float]


class _Header(msgspec.Struct, frozen=True):
    mark: str = ""
    format: int = 0


class _Index(msgspec.Struct, frozen=True):
    mark: str
    format: int
    name: str
    cards: tuple[_Card, ...]


def save(deck: Deck, path: Path) -> None:
    """Write a deck's file, replacing it whole: readers see either the old file or the new one."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(pack(deck))
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise DeckError(f"The deck cannot be written to {path}: {error.strerror}.") from None


def load(path: Path) -> Deck:
    """Read a deck's file, or say what is wrong with it."""
    try:
        if path.is_dir():
            raise DeckError(
                f"{path} is a folder, not a deck's file. `companion enrol --from {path}` makes a deck from it."
            )
        data = read_bytes(path, MOST_BYTES)
    except FileNotFoundError:
        raise DeckError(f"There is no deck {path}. `companion enrol` makes one.") from None
    except Unreadable as error:
        raise DeckError(f"The deck {path} cannot be read: {error}.") from None
    except OSError as error:
        raise DeckError(f"The deck {path} cannot be read: {error.strerror}.") from None
    return unpack(data, str(path))


def pack(deck: Deck) -> bytes:
    """Return a deck's file as bytes."""
    out = io.BytesIO()
    cards, features = [], []
    with zipfile.ZipFile(out, "w") as file:
        for number, card in enumerate(deck.entries):
            shots = []
            for which, shot in enumerate(card.shots):
                where = f"pictures/{number:04}-{which:02}.jpg"
                file.writestr(zipfile.ZipInfo(where, _EPOCH), shot.data)
                shots.append(_Shot(where, len(shot.features.points)))
                features += [shot.features.points.astype("<f4").tobytes(), shot.features.descriptors.tobytes()]
            to_family = tuple(float(value) for value in card.to_family.ravel())
            cards.append(_Card(card.name, tuple(shots), card.family, to_family))  # type: ignore[arg-type]
        info = zipfile.ZipInfo("features.bin", _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        file.writestr(info, b"".join(features), compresslevel=1)
        index = _Index(MARK, FORMAT, deck.name, tuple(cards))
        file.writestr(zipfile.ZipInfo("deck.json", _EPOCH), msgspec.json.encode(index))
    return out.getvalue()


def unpack(data: bytes, where: str = "the file") -> Deck:
    """Return the deck that a file's bytes hold; `where` is what the sentences call it."""
    damaged = DeckError(
        f"{where} is damaged or is not a deck. Enrol the cards again, or take an earlier copy of the file."
    )
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):  # no zip; a newer one; a name that is no text
        raise damaged from None
    with file:
        members = file.infolist()
        if sum(info.file_size for info in members) > MOST_BYTES or any(info.header_offset < 0 for info in members):
            raise damaged
        if "deck.json" in file.NameToInfo and file.getinfo("deck.json").file_size > MOST_INDEX:
            raise damaged
        index = _index(_member(file, "deck.json", damaged), where, damaged)
        return Deck(index.name, _cards(file, index, damaged))


def add_member(deck: bytes, name: str, content: bytes) -> bytes:
    """Return a deck's file with one more member."""
    out = io.BytesIO(deck)
    with zipfile.ZipFile(out, "a") as file:
        file.writestr(zipfile.ZipInfo(name, _EPOCH), content)
    return out.getvalue()


def member_of(deck: bytes, name: str, most: int) -> bytes | None:
    """Return a member of a file that `unpack` accepts, None where it has none.

    DeckError: it has more bytes than `most`, or is damaged.
    """
    damaged = DeckError(f"{name} in the deck's file is damaged or too large.")
    with zipfile.ZipFile(io.BytesIO(deck)) as file:
        if name not in file.NameToInfo:
            return None
        if file.getinfo(name).file_size > most:
            raise damaged
        return _member(file, name, damaged)


def _member(file: zipfile.ZipFile, name: str, damaged: DeckError) -> bytes:
    """Return what a file in the zip holds. None of ours is encrypted, or packed in another way than by deflating."""
    if name not in file.NameToInfo:
        raise damaged
    info = file.getinfo(name)
    if info.flag_bits & UNREADABLE or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise damaged
    try:
        return file.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError):  # what is packed is cut off or garbled
        raise damaged from None


def _index(data: bytes, where: str, damaged: DeckError) -> _Index:
    header = _decode(data, _Header, damaged)
    if header.mark != MARK:
        raise DeckError(f"{where} is not a deck of cards.")
    if header.format > FORMAT:
        raise DeckError(f"{where} was made by a newer companion than this one. Update the companion, or enrol again.")
    if header.format < FORMAT:
        raise DeckError(f"{where} was made by an older companion and can no longer be used. Enrol the cards again.")
    return _decode(data, _Index, damaged)


def _decode(data: bytes, kind: type[T], damaged: DeckError) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # no JSON, no text, or brackets without end
        raise damaged from None


def _cards(file: zipfile.ZipFile, index: _Index, damaged: DeckError) -> list[Card]:
    if not 0 < len(index.cards) <= MOST_CARDS or len({card.name for card in index.cards}) < len(index.cards):
        raise damaged
    pictures = [shot.picture for card in index.cards for shot in card.shots]
    if len(set(pictures)) < len(pictures):  # one picture named a thousand times would be unpacked a thousand times
        raise damaged
    features = memoryview(_member(file, "features.bin", damaged))
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
            shots.append(_shot(_member(file, shot.picture, damaged), features[at : at + size], shot.features, damaged))
            at += size
        to_family = np.array(card.to_family, np.float64).reshape(3, 3)
        if not np.isfinite(to_family).all():
            raise damaged
        cards.append(Card(card.name, tuple(shots), card.family, to_family))
    return cards


def is_harmless_name(name: str) -> bool:
    """Whether a card's name that a file says may also be a folder's: it leads nowhere else, and can be printed."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name[0] != "." and not set(name) & set("/\\")


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
    """Return width and height that a JPEG file says it has, without unpacking it; None: it is none."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return None
