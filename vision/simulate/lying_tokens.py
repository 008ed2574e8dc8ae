"""Tokens at their places: side by side, overlapping, or in a heap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, dist
from random import Random
from typing import Literal

import cv2
import msgspec
import numpy as np

from vision.mat import Mat, TokenSlot
from vision.simulate.camera_geometry import Points
from vision.simulate.coverage import shares_within
from vision.simulate.difficulty import Difficulty
from vision.simulate.lying import LayingError
from vision.simulate.painted_tokens import THICK, PrintedToken, TokenPose, token_outline

Arrangement = Literal["beside", "over", "heap"]
"""The ways to lay a token: touching none, over others that stay visible enough, or over the middles of others."""
LEAST = 0.6
"""The minimum visible share of a token among overlapping ones."""
OTHERWISE: dict[Arrangement, tuple[Arrangement, ...]] = {
    "beside": ("beside", "over"), "over": ("over", "beside"), "heap": ("heap",),
}  # fmt: skip
"""The alternatives when a token cannot be laid as requested."""
LINES, UNTIDY = 2, 0.4
"""The number of lines for many tokens, and their untidiness in millimetres."""
TRIES = 150
"""The number of random spots to try before a place counts as full."""
APART = 0.3
"""The minimum gap in millimetres between tokens side by side."""
OVER, HEAP = (0.45, 0.98), (0.15, 0.4)
"""The distance between the middles of two tokens, as a share of both radii: overlapping, and in a heap."""
OFF_BAR = 3.0
"""The distance in millimetres from a place's bar that players keep, because discs seem to lean over it in a tilted
view."""
TOUCH = 1.0
"""The overlap in mm² from which a token lies over another one."""
SECOND = "/2"
"""The suffix of a token's second face that looks different but has the same meaning."""


class LyingToken(msgspec.Struct, frozen=True):
    """A token on the table."""

    token: str
    """Its meaning, such as `money-500` or `back-purpose`."""
    face: str
    """The name of the picture of its visible face."""
    place: str
    pose: TokenPose


class LyingTokens:
    """All tokens on the table, by place.

    faces: every face by its name.
    """

    def __init__(self, mat: Mat, faces: Mapping[str, PrintedToken], difficulty: Difficulty, seed: int) -> None:
        self.mat, self.faces, self._difficulty = mat, faces, difficulty
        self._luck = Random(f"{seed} tokens")
        self._lying: dict[str, list[LyingToken]] = {}
        self._outlines: dict[str, Points] = {}

    def lay(self, place: str, token: str, how: Arrangement) -> None:
        """Lay a token, and fall back to over or beside others if there is no room for it.

        Raise `LayingError` if there is no such token, place or room.
        """
        slot, face = self.slot(place), self._luck.choice(self._faces_of(token))
        ways = ("beside",) if not self._lying.get(place) else OTHERWISE[how]
        if slot.most == 1 and how == "beside":
            ways = (*ways, "heap")  # lay a second token at a place for one
        spots = (spot for way in ways for spot in self._spots(slot, face, way))
        found = next((spot for spot in spots if self._may_lie(spot[0], place, face, spot[1])), None)
        if found is None:
            raise LayingError(f"There is no room for another token at {place}.")
        made = LyingToken(token, face, place, self._raised(found[1], place, face))
        self._lying.setdefault(place, []).append(made)

    def take(self, place: str, token: str) -> None:
        """Take the uppermost token of a kind, and lower those above it. Raise `LayingError` if there is none."""
        there = self._lying.get(place, [])
        found = next((each for each in reversed(there) if each.token == token), None)
        if found is None:
            raise LayingError(f"There is no {token} at {place}.")
        there.remove(found)
        sinking, there[:] = list(there), []
        for each in sinking:
            there.append(msgspec.structs.replace(each, pose=self._raised(each.pose, place, each.face)))

    def set(self, place: str, tokens: Sequence[str], how: Arrangement = "beside") -> None:
        """Lay exactly these tokens. Tokens already there stay, unless one shows too little or a heap is requested.

        Raise `LayingError` before any movement if a token or the place does not exist.
        """
        self.check(place, tokens)
        there = [each.token for each in self.at(place)]
        anew = how == "heap" or min(shares_within([self.outline(each) for each in self.at(place)]), default=1.0) < LEAST
        gone = Counter(there) if anew else Counter(there) - Counter(tokens)
        for token in gone.elements():
            self.take(place, token)
        coming = tuple((Counter(tokens) - (Counter(there) - gone)).elements())
        try:
            for token in self._luck.sample(coming, len(coming)):
                self.lay(place, token, how)
        except LayingError:
            self._lay_in_lines(place, tokens)

    def _lay_in_lines(self, place: str, tokens: Sequence[str]) -> None:
        """Lay all tokens of a full place again in two lines, each over the edge of the previous one."""
        slot, there = self.slot(place), self._lying.setdefault(place, [])
        there.clear()
        mixed = self._luck.sample(tokens, len(tokens))
        faces = [self._luck.choice(self._faces_of(token)) for token in mixed]
        radius = max([self.radius(face) for face in faces])
        (left, top), (right, low) = np.array(_room(slot)) + ((radius, radius), (-radius, -radius))
        columns = max(2, ceil(len(tokens) / LINES))
        for nth, (token, face) in enumerate(zip(mixed, faces, strict=True)):
            line, column = divmod(nth, columns)
            at = (left + (right - left) * column / (columns - 1), (top, low)[line % LINES])
            x, y = (value + self._luck.uniform(-UNTIDY, UNTIDY) for value in at)
            pose = TokenPose(float(x), float(y), self._luck.uniform(0, 360))
            if not self._may_lie("over", place, face, pose):
                raise LayingError(f"There is no room for another token at {place}.")
            there.append(LyingToken(token, face, place, self._raised(pose, place, face)))

    def check(self, place: str, tokens: Sequence[str]) -> None:
        """Raise `LayingError` if there is no such place or token."""
        self.slot(place)
        for token in tokens:
            self._faces_of(token)

    def clear(self) -> None:
        """Remove all tokens."""
        self._lying.clear()

    def at(self, place: str) -> tuple[LyingToken, ...]:
        """Return the tokens at a place, the lowest first."""
        return tuple(self._lying.get(place, ()))

    def all(self) -> Iterator[LyingToken]:
        """Yield all tokens, at each place from the lowest to the uppermost."""
        return (lying for there in self._lying.values() for lying in there)

    def slot(self, place: str) -> TokenSlot:
        """Return a place. Raise `LayingError` if the mat has none."""
        found = self.mat.token_slot(place)
        if found is None:
            raise LayingError(f"The mat has no place for tokens called {place!r}.")
        return found

    def outline(self, lying: LyingToken) -> Points:
        """Return a token's outline in millimetres of the mat."""
        return self._outline(lying.face, lying.pose)

    def _outline(self, face: str, pose: TokenPose) -> Points:
        if face not in self._outlines:
            self._outlines[face] = token_outline(self.faces[face], TokenPose(0.0, 0.0))
        a = np.radians(pose.turn)
        turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        found: Points = self._outlines[face] @ turned.T + (pose.x, pose.y)
        return found

    def radius(self, face: str) -> float:
        """Return the radius of a token's enclosing circle in millimetres."""
        return float(np.hypot(*self._outline(face, TokenPose(0.0, 0.0)).T).max())

    def _faces_of(self, token: str) -> list[str]:
        """Return the faces that show a token. Raise `LayingError` for an unknown one."""
        known = [name for name in (token, token + SECOND) if name in self.faces]
        if not known:
            raise LayingError(f"There is no picture of a token called {token!r}.")
        return known

    def _spots(self, slot: TokenSlot, face: str, how: Arrangement) -> Iterator[tuple[Arrangement, TokenPose]]:
        """Yield random spots where a token might lie."""
        (left, top), (right, low) = _room(slot)
        middle, radius, there = (
            ((left + right) / 2, (top + low) / 2),
            self.radius(face),
            self._lying.get(slot.place, []),
        )
        free = max(0.0, (right - left) / 2 - radius), max(0.0, (low - top) / 2 - radius)
        for _ in range(TRIES):
            turn, aside = self._luck.uniform(0, 360), self._some_way(self._luck.uniform(*self._difficulty.cut))
            if how == "beside" or not there:
                x, y = (m + self._luck.uniform(-f, f) for m, f in zip(middle, free, strict=True))
            else:
                other = self._luck.choice(there)
                both = radius + self.radius(other.face)
                away = self._some_way(both * self._luck.uniform(*(OVER if how == "over" else HEAP)))
                x, y = other.pose.x + away[0], other.pose.y + away[1]
            within = abs(x - middle[0]) <= free[0] + APART and abs(y - middle[1]) <= free[1] + APART
            # A second token overhangs the place's edge.
            if within or (how == "heap" and slot.most == 1):
                yield how, TokenPose(float(x), float(y), turn, 0.0, aside)

    def _some_way(self, length: float) -> tuple[float, float]:
        toward = self._luck.uniform(0, 2 * np.pi)
        return float(length * np.cos(toward)), float(length * np.sin(toward))

    def _may_lie(self, how: Arrangement, place: str, face: str, pose: TokenPose) -> bool:
        there = self._lying.get(place, [])
        if how == "beside":
            at, radius = (pose.x, pose.y), self.radius(face)
            return all(dist(at, (e.pose.x, e.pose.y)) >= radius + self.radius(e.face) + APART for e in there)
        if how == "heap":
            return True
        return min(shares_within([*[self.outline(each) for each in there], self._outline(face, pose)])) >= LEAST

    def _raised(self, pose: TokenPose, place: str, face: str) -> TokenPose:
        """Return a pose at its height: on a token under its middle, or leaning on the rims of others.

        The far edge of a leaning token touches the table, but its tilt is neglected.
        """
        mine, radius = self._outline(face, pose).astype(np.float32), self.radius(face)
        low = 0.0
        for each in self._lying.get(place, []):
            other = self.outline(each).astype(np.float32)
            if cv2.pointPolygonTest(other, (pose.x, pose.y), False) > 0:
                low = max(low, each.pose.low + THICK)
            elif cv2.intersectConvexConvex(mine, other)[0] > TOUCH:
                to_rim = dist((pose.x, pose.y), (each.pose.x, each.pose.y)) - self.radius(each.face)
                low = max(low, THICK * radius / (radius + max(0.0, to_rim)))
        return msgspec.structs.replace(pose, low=low)


def _room(slot: TokenSlot) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the upper left and lower right corners on the mat between which players lay tokens."""
    ground = msgspec.structs.replace(slot, bar=slot.bar + OFF_BAR if slot.bar else 0.0).ground()
    (left, top), (right, low) = ground.min(axis=0).tolist(), ground.max(axis=0).tolist()
    return (left, top), (right, low)
