"""The tokens of a rendered table: laid, covered, painted, and what is true of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from zlib import crc32

import msgspec
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.clutter import outline, paint_thing
from vision.simulate.coverage import shares_within
from vision.simulate.difficulty import Difficulty
from vision.simulate.gesture import Reach
from vision.simulate.lying_tokens import LyingToken, LyingTokens
from vision.simulate.painted_tokens import PrintedToken, gleaming, paint_token
from vision.simulate.things import Thing
from vision.simulate.token_covers import TokenCover, cover_on

HALF = 0.5
"""The part of a place that a sleeve or a screen covers where nobody says otherwise."""


class RenderedToken(msgspec.Struct, frozen=True):
    """The truth about one token in a picture."""

    place: str
    token: str
    """What it shows."""
    share: float
    """The part of it that nothing covers, from 0 to 1, seen from straight above."""
    middle: tuple[float, float]
    """On the mat, in millimetres."""
    radius: float
    """Of the circle around it, in millimetres."""
    low: float = 0.0
    """Millimetres from the table to its lower side: above 0 where it lies over another one."""


class TableTokens:
    """All tokens of a table in one session, and what lies over their places. `version` grows with every change."""

    def __init__(self, mat: Mat, difficulty: Difficulty, seed: int, inked: Callable[[Image], Image]) -> None:
        """`inked`: what the session's printer makes of a picture."""
        self._mat, self._difficulty, self._seed, self._inked = mat, difficulty, seed, inked
        self._printed: dict[str, PrintedToken] = {}
        self._covers: list[tuple[str, Thing, Points]] = []
        self.lying = LyingTokens(mat, {}, difficulty, seed)
        self.version = 0
        luck = np.random.default_rng([seed, 10])
        self._shining = float(luck.uniform(*difficulty.glare))

    def use(self, faces: Mapping[str, PrintedToken]) -> None:
        """Take these faces, by their names, for the session's tokens; what lay is gone."""
        self.lying = LyingTokens(self._mat, faces, self._difficulty, self._seed)
        self._printed.clear()
        self.version += 1

    def cover(self, place: str, what: TokenCover, share: float = HALF) -> None:
        """Put a thing on or over a place; `share`: how much of it a sleeve or a screen covers."""
        luck = Random(f"{self._seed} {what} {place} {len(self._covers)}")
        thing, corners = cover_on(what, self.lying.slot(place), share, luck, self.lying.faces)
        self._covers.append((place, thing, corners))
        self.version += 1

    def covered(self) -> tuple[tuple[str, str], ...]:
        """Return the places that something lies on or over, each with what it is."""
        return tuple([(place, thing.name) for place, thing, _ in self._covers])

    def clear_covers(self) -> None:
        """Take away all that lies on or over places."""
        self._covers.clear()
        self.version += 1

    def truth(self, covers: Sequence[Points] = (), hand: Reach | None = None) -> tuple[RenderedToken, ...]:
        """Return all tokens with how much of each shows; `covers`: outlines of what lies over them, in millimetres."""
        above = [*covers, *[outline(thing, corners) for _, thing, corners in self._covers]]
        found = list[RenderedToken]()
        for slot in self._mat.token_slots:
            there = self.lying.at(slot.place)
            shares = shares_within([self.lying.outline(each) for each in there], above, hand)
            for each, share in zip(there, shares, strict=True):
                middle = each.pose.x, each.pose.y
                radius = self.lying.radius(each.face)
                found.append(RenderedToken(slot.place, each.token, share, middle, radius, each.pose.low))
        return tuple(found)

    def paint(self, picture: Image, view: CameraGeometry) -> None:
        """Paint all tokens and what lies on or over them."""
        for each in self.lying.all():
            paint_token(picture, view, self._session_face(each), each.pose)
        for _, thing, corners in self._covers:
            paint_thing(picture, view, thing, corners)

    def _session_face(self, lying: LyingToken) -> PrintedToken:
        """Return a token's face in the inks of this session, with a gleam on some."""
        face = lying.face
        if face not in self._printed:
            drawn = self.lying.faces[face]
            self._printed[face] = msgspec.structs.replace(drawn, picture=self._inked(drawn.picture))
        key = f"{lying.place} {face} {lying.pose.x:.3f} {lying.pose.y:.3f}"
        luck = np.random.default_rng([self._seed, 11, crc32(key.encode())])
        if luck.random() < self._shining:
            return gleaming(self._printed[face], float(luck.uniform(*self._difficulty.gleam)), luck)
        return self._printed[face]
