"""Track the cards on the mat from picture to picture by votes.

A name is asserted after two pictures agree on it, and changed only after four contradict it. A name set by a player
stands until the card leaves.
"""

from __future__ import annotations

from itertools import count
from typing import Literal

import msgspec
import numpy as np

from companion.messages import Doubt, Sighting
from vision.slots.slot_frame import Points

ENOUGH = 2
"""The number of pictures that must agree that a card is present, or gone."""
CONTRADICTED = 4
"""The number of pictures that must agree on another name while nothing moves."""
MOST = 6
"""The maximum number of votes, so that a card can be renamed as quickly after hours as after a minute."""
BACK = "back-"
"""The prefix of card backs' names."""
_numbers = count(1)


class FoundCard(msgspec.Struct, frozen=True, eq=False):
    """A card found in one picture."""

    corners: Points
    """The corners on the mat in millimetres, clockwise from the card's own top left."""
    card: str | None = None
    confidence: float = 0.0
    doubt: Doubt = ""
    likeliest: tuple[str, ...] = ()
    share: float = 1.0
    """The visible share of the card."""


class Track:
    """A card on the mat."""

    def __init__(self, find: FoundCard) -> None:
        self.number = next(_numbers)
        self.corners = find.corners
        self.share = find.share
        self.asserted: str | None = None
        self.named_by_person: str | None = None
        """The name set by a player, or None."""
        self.votes: dict[str, int] = {}
        self.looks = 0
        """The number of pictures that showed it, named or not."""
        self.misses = 0
        """The number of consecutive pictures that show its place without it."""
        self.doubt: Doubt = ""
        self.likeliest: tuple[str, ...] = ()
        self.confidence = 0.0
        self.must_rename = False
        """Whether it must be identified again, because so much of it changed that another card may lie there."""
        self.hiders: list[Track] = []
        """The tracks that lie on top of it."""
        self.count(find)

    def count(self, find: FoundCard) -> None:
        """Record how one picture shows the card."""
        self.looks += 1
        self.misses = 0
        moved = float(np.linalg.norm(find.corners.mean(axis=0) - self.corners.mean(axis=0)))
        if find.share >= 0.8 * self.share or moved > 3.0:  # a fully visible card is located best
            self.corners, self.share = find.corners, find.share
        if find.likeliest:
            self.likeliest = find.likeliest
        if find.card is None:
            self.doubt = find.doubt
            return
        self.doubt, self.confidence = "", find.confidence
        self.must_rename = self.must_rename and find.card != self.asserted
        for name in list(self.votes):
            if name != find.card:
                self.votes[name] = max(0, self.votes[name] - 1)
        self.votes[find.card] = min(MOST, self.votes.get(find.card, 0) + 1)
        if self.votes[find.card] >= (ENOUGH if self.asserted is None else CONTRADICTED):
            self.asserted = find.card

    @property
    def settled(self) -> bool:
        """Whether another picture of the same table would add nothing."""
        if self.misses:
            return False
        leading = max(self.votes.values(), default=0)
        if self.asserted is None:
            return self.looks >= CONTRADICTED
        return all(votes == 0 for name, votes in self.votes.items() if name != self.asserted) or leading >= MOST

    @property
    def reportable(self) -> bool:
        """Whether it was seen often enough to be reported."""
        return self.named_by_person is not None or self.asserted is not None or self.looks >= ENOUGH

    @property
    def name(self) -> str | None:
        """The asserted name. A name set by a player takes precedence over the camera's."""
        return self.named_by_person or self.asserted

    def sighting(self, place: str, at: int) -> Sighting:
        """Return the card's sighting for the bus."""
        name = self.name
        guessed = name or (self.likeliest[0] if self.likeliest else "")
        face: Literal["up", "down"] = "down" if guessed.startswith(BACK) else "up"
        where = tuple([(round(float(x), 1), round(float(y), 1)) for x, y in self.corners])
        if name is not None:
            return Sighting(place, name, at, face, 1.0 if self.named_by_person else self.confidence, "", (name,), where)
        return Sighting(place, None, at, face, 0.0, self.doubt or "hidden", self.likeliest[:3], where)
