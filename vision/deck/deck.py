"""An enrolled deck: each card's pictures and what was computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import msgspec
import numpy as np

from vision.enrolled_file import DeckError
from vision.features.pixels import SHORT, frame_of, resize
from vision.features.sift import Features
from vision.image import CARD, Image, Matrix

BACK = "back-"
"""A name that begins so is a back's: its face is `down`."""
KEPT = 2 * SHORT
"""Pixels of the shorter side beyond which a picture is kept smaller: no camera over a table sees a card larger."""

UNPACKED = 8
"""So many pictures are kept unpacked, at up to 2.3 MB each; who asks for one again does it soon."""


class Shot(msgspec.Struct, frozen=True):
    """One picture of a card, and its features."""

    data: bytes
    """The picture as a JPEG file."""
    size: tuple[int, int]
    """Its width and height in pixels."""
    features: Features
    """In coordinates of the card's frame (`vision.features.frame_of`)."""

    @property
    def frame(self) -> tuple[int, int]:
        """Width and height of the card's frame."""
        return frame_of(*self.size)

    def picture(self) -> Image:
        """Return the picture as it is kept."""
        return _decode(self.data)


class Card(msgspec.Struct, frozen=True):
    """One enrolled card."""

    name: str
    shots: tuple[Shot, ...]
    family: int
    """The number of its family: cards of one artwork, told apart only by small things such as a printed value."""
    to_family: Matrix
    """A homography from this card's frame to the frame of its family's first card."""

    @property
    def face(self) -> str:
        """`down` for a back, else `up`."""
        return "down" if self.name.startswith(BACK) else "up"


class Deck:
    """An enrolled deck; immutable once made, by `vision.deck.enrol`."""

    def __init__(self, name: str, entries: Sequence[Card]) -> None:
        self.name = name
        self.entries = tuple(entries)
        self.cards = tuple(entry.name for entry in entries if entry.face == "up")
        self.backs = tuple(entry.name for entry in entries if entry.face == "down")
        self._by_name = {entry.name: entry for entry in entries}

    def card(self, name: str) -> Card:
        """Return an enrolled card or back by its name."""
        found = self._by_name.get(name)
        if found is None:
            raise DeckError(f"There is no card {name!r} in the deck {self.name!r}.")
        return found

    def picture(self, card: str, which: int = 0) -> Image:
        """Return a picture of a card in CARD's size, whatever its true shape: 520 × 372 × 3."""
        return resize(self.card(card).shots[which].picture(), *CARD)

    def families(self) -> dict[int, tuple[str, ...]]:
        """Return the names of each family's cards, the first one first."""
        found: dict[int, list[str]] = {}
        for entry in self.entries:
            found.setdefault(entry.family, []).append(entry.name)
        return {number: tuple(names) for number, names in found.items()}


@lru_cache(maxsize=UNPACKED)
def _decode(data: bytes) -> Image:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckError("A picture in the deck is damaged. Enrol the cards again, or take an earlier copy of the file.")
    picture.flags.writeable = False
    return picture
