"""Tracks: the cards that lie on the mat, remembered from picture to picture by votes.

A card is asserted after two pictures agree on it, and renamed only after four contradict. A person's word stands until
the card leaves.
"""

from __future__ import annotations

from itertools import count
from typing import Literal

import msgspec
import numpy as np

from companion.messages import Doubt, Sighting
from vision.board.slot_frame import Points

ENOUGH = 2
"""So many pictures must say the same, of a card that lies or of one that is gone."""
CONTRADICTED = 4
"""So many must say the same of a card that was called otherwise, with nothing having moved there."""
MOST = 6
"""Votes beyond this count no more: a card that lay for hours is believed no longer than a minute's."""
BACK = "back-"
_numbers = count(1)


class FoundCard(msgspec.Struct, frozen=True, eq=False):
    """A card found in one picture."""

    corners: Points
    """On the mat in millimetres, clockwise from the card's own top left."""
    card: str | None = None
    confidence: float = 0.0
    doubt: Doubt = ""
    likeliest: tuple[str, ...] = ()
    share: float = 1.0
    """How much of it shows."""


class Track:
    """One card that lies on the mat."""

    def __init__(self, find: FoundCard) -> None:
        self.number = next(_numbers)
        self.corners = find.corners
        self.share = find.share
        self.asserted: str | None = None
        self.word: str | None = None
        """What a person said it is."""
        self.votes: dict[str, int] = {}
        self.looks = 0
        """In how many pictures it was seen, named or not."""
        self.misses = 0
        """In how many pictures in a row its place was seen without it."""
        self.doubt: Doubt = ""
        self.likeliest: tuple[str, ...] = ()
        self.confidence = 0.0
        self.anew = False
        """Whether so much changed where it shows that it has to be named anew: another card may lie there."""
        self.hiders: list[Track] = []
        """The tracks that lie on top of it."""
        self.seen(find)

    def seen(self, find: FoundCard) -> None:
        """Count one picture's find as this card's."""
        self.looks += 1
        self.misses = 0
        moved = float(np.linalg.norm(find.corners.mean(axis=0) - self.corners.mean(axis=0)))
        if find.share >= 0.8 * self.share or moved > 3.0:  # a card seen whole was placed best
            self.corners, self.share = find.corners, find.share
        if find.likeliest:
            self.likeliest = find.likeliest
        if find.card is None:
            self.doubt = find.doubt
            return
        self.doubt, self.confidence = "", find.confidence
        self.anew = self.anew and find.card != self.asserted
        for name in list(self.votes):
            if name != find.card:
                self.votes[name] = max(0, self.votes[name] - 1)
        self.votes[find.card] = min(MOST, self.votes.get(find.card, 0) + 1)
        if self.votes[find.card] >= (ENOUGH if self.asserted is None else CONTRADICTED):
            self.asserted = find.card

    @property
    def settled(self) -> bool:
        """Whether another picture of the same need not be read."""
        if self.misses:
            return False
        leading = max(self.votes.values(), default=0)
        if self.asserted is None:
            return self.looks >= CONTRADICTED
        return all(votes == 0 for name, votes in self.votes.items() if name != self.asserted) or leading >= MOST

    @property
    def told(self) -> bool:
        """Whether it has been seen often enough to be spoken of."""
        return self.word is not None or self.asserted is not None or self.looks >= ENOUGH

    @property
    def name(self) -> str | None:
        """What it is, as far as is asserted; a person's word stands above the camera's."""
        return self.word or self.asserted

    def sighting(self, place: str, at: int) -> Sighting:
        """Return what is asserted of it."""
        name = self.name
        guessed = name or (self.likeliest[0] if self.likeliest else "")
        face: Literal["up", "down"] = "down" if guessed.startswith(BACK) else "up"
        where = tuple([(round(float(x), 1), round(float(y), 1)) for x, y in self.corners])
        if name is not None:
            return Sighting(place, name, at, face, 1.0 if self.word else self.confidence, "", (name,), where)
        return Sighting(place, None, at, face, 0.0, self.doubt or "hidden", self.likeliest[:3], where)
