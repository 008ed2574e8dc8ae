"""An enrolled deck: each card's pictures with computed data."""

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
"""The prefix of a back's name. Its face is `down`."""
KEPT = 2 * SHORT
"""The maximum shorter side in pixels of a stored picture. No camera over a table sees a card larger."""

UNPACKED = 8
"""The number of decoded pictures to cache, at up to 2.3 MB each, because accesses to one follow each other closely."""


class Shot(msgspec.Struct, frozen=True):
    """One picture of a card, with its features."""

    data: bytes
    """The picture as a JPEG file."""
    size: tuple[int, int]
    """Its width and height in pixels."""
    features: Features
    """The features in coordinates of the card's frame (`vision.features.frame_of`)."""

    @property
    def frame(self) -> tuple[int, int]:
        """Width and height of the card's frame."""
        return frame_of(*self.size)

    def picture(self) -> Image:
        """Return the decoded picture."""
        return _decode(self.data)


class Card(msgspec.Struct, frozen=True):
    """One enrolled card."""

    name: str
    shots: tuple[Shot, ...]
    family: int
    """The number of its family: cards of one artwork that differ only in small details such as a printed value."""
    to_family: Matrix
    """The homography from this card's frame to the frame of its family's first card."""

    @property
    def face(self) -> str:
        """`down` for a back, else `up`."""
        return "down" if self.name.startswith(BACK) else "up"


class Deck:
    """An immutable enrolled deck, made by `vision.deck.enrol`."""

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
        """Return a picture of a card stretched to CARD: 520 × 372 × 3."""
        return resize(self.card(card).shots[which].picture(), *CARD)

    def families(self) -> dict[int, tuple[str, ...]]:
        """Return the names of each family's cards, starting with the family's first card."""
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
