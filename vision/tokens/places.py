"""The places for tokens on a mat: rectified one by one, read, and reported once two pictures agree."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import cv2
import msgspec
import numpy as np

from companion.messages import TokenSighting
from vision.image import Image
from vision.mat import Mat, MatPose, TokenSlot
from vision.mat.mat import Points
from vision.mat.pose import camera_of, fixed_point_maps
from vision.mat.token_bar import printed_blocks
from vision.tokens.comparison import READ_PX
from vision.tokens.ground import Colour, place_look
from vision.tokens.reader import FoundToken, PlaceReading, TokenReader
from vision.tokens.remains import THICK, explained
from vision.tokens.thresholds import AROUND
from vision.tokens.token_set import TokenSet

Polygon = tuple[tuple[float, float], ...]
"""An outline in millimetres of the mat."""
INNER = 0.5
"""The central share of a bar's block to compare, along each side, because print may be slightly shifted."""
DARK = (0.2, 0.75)
"""The range of a dark block's brightness relative to the light blocks beside it. It is printed in grey."""
EVEN = 0.3
"""The maximum difference in brightness between a light block and its neighbours, as a share. Lamps fade slowly, but
sleeves do not."""
STILL = 3.0
"""The maximum apparent movement in millimetres of a token between two agreeing pictures."""
REMEMBERED = 3
"""The number of pictures of a resting place to compare a new one with. If none agrees, the differences are doubtful."""
NEW = 60.0
"""The minimum area in mm² of an object laid by a hand: a fifth of a token of 20 mm."""
UNCHANGED, EVENED = 24, 5
"""The maximum change of a place's patch at which it is not read again, in levels of 255, and the side in pixels of
the box blur before. Noise and a newly found pose changed it by up to 19, at 1.1 px/mm or more (default) and at 2
px/mm or more (hard). A token moved by a millimetre changed it by 43 or more, and a replaced one by 69 or more."""
OPENED = 3.0
"""The width in millimetres below which objects are print, shadows or the edges of known tokens."""


class TokensRead(msgspec.Struct, frozen=True):
    """The reading of a mat's places for tokens."""

    sightings: tuple[TokenSighting, ...] = ()
    places: tuple[str, ...] = ()
    """The places that were read, including empty ones."""
    pending: tuple[str, ...] = ()
    """The places where another picture will add something."""


class TokenPlaces:
    """Reads the places for tokens of one mat from picture to picture."""

    def __init__(self, mat: Mat, token_set: TokenSet) -> None:
        self._slots = {slot.place: slot for slot in mat.token_slots}
        self._frames = {place: SlotPatch(mat, slot) for place, slot in self._slots.items()}
        kinds: dict[frozenset[str], TokenReader] = {}
        self._readers: dict[str, TokenReader] = {}
        for place in self._slots:
            names = names_for(place, token_set.names)
            if names not in kinds:
                kinds[names] = TokenReader(token_set.like(names))
            self._readers[place] = kinds[names]
        self._last: dict[str, list[tuple[FoundToken, ...]]] = {}
        self._told: dict[str, tuple[FoundToken, ...]] = {}
        self._patches: dict[str, tuple[Image, PlaceReading]] = {}
        """The last patch read at each place, blurred, with its reading."""

    def read(self, picture: Image, pose: MatPose, readable: Collection[str]) -> TokensRead:
        """Return the tokens at the readable places, once two pictures of a resting table agree on a place.

        Closed places, and those with a hidden bar, are forgotten.
        """
        places = [place for place in self._slots if place in readable]
        for place in [*self._last, *self._told, *self._patches]:
            if place not in readable:
                self._forget(place)
        found = {place: self._place(picture, pose, place) for place in places}
        pending = [place for place, reading in found.items() if not self._tell(place, reading)]
        read = [place for place in places if place in self._told and place not in pending]
        sightings = [self._sighting(pose, place, token) for place in read for token in self._told[place]]
        return TokensRead(tuple(sightings), tuple(read), tuple(pending))

    def _tell(self, place: str, reading: PlaceReading | None) -> bool:
        """Store a picture's reading, and return whether it is settled because two of the last pictures agree."""
        if reading is None:
            self._forget(place)
            return True
        before = self._last.setdefault(place, [])
        settled = any(agree(each, reading.tokens) for each in before)
        if settled:
            self._told[place] = reading.tokens
        elif len(before) == REMEMBERED:
            self._told[place], settled = in_both(before[-1], reading.tokens), True
        if settled:
            # Earlier pictures of the place say nothing about what will lie there next.
            before.clear()
        before.append(reading.tokens)
        return settled or (place in self._told and agree(self._told[place], reading.tokens))

    def _forget(self, place: str) -> None:
        self._last.pop(place, None)
        self._told.pop(place, None)
        self._patches.pop(place, None)

    def outlines(self, place: str) -> tuple[Polygon, ...]:
        """Return the outlines of the last reported tokens at a place, in millimetres of the mat."""
        frame = self._frames[place]
        tokens = [token for token in self._told.get(place, ()) if token.outline]
        return tuple([_polygon(frame.to_mat(np.array(token.outline))) for token in tokens])

    def is_open(self, picture: Image, pose: MatPose, place: str, known: Sequence[Polygon] = ()) -> bool:
        """Whether something new lies at a closed place. Nothing else is examined, stored or returned.

        known: outlines of tokens that lay there before, in millimetres of the mat. Objects that reach in from outside,
        such as a hand, do not count.
        """
        new = self._new_things(picture, pose, place, known)
        return new is not None and _largest(new, at_edge=False) >= NEW

    def is_empty(self, picture: Image, pose: MatPose, place: str) -> bool:
        """Whether nothing lies at or reaches into a closed place. False if that cannot be seen."""
        new = self._new_things(picture, pose, place, ())
        return new is not None and _largest(new, at_edge=True) < NEW

    def _new_things(self, picture: Image, pose: MatPose, place: str, known: Sequence[Polygon]) -> Image | None:
        """Return a mask (1) of a place's patch where something other than the known tokens lies, or None if its bar
        is hidden."""
        frame = self._frames[place]
        paper = frame.bar(picture, pose)
        if paper is None:
            return None
        patch, mask = frame.straighten(picture, pose)
        look = place_look(patch, mask, None if paper == UNKNOWN else paper)
        if look is None:
            return None
        outlines = [frame.from_mat(np.array(each)) for each in known]
        below = explained(patch.shape[:2], outlines, frame.lean(pose), AROUND)
        new = (look.foreground & (below == 0)).astype(np.uint8)
        side = 2 * round(OPENED * READ_PX / 2) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        return cv2.morphologyEx(new, cv2.MORPH_OPEN, disc)

    def _place(self, picture: Image, pose: MatPose, place: str) -> PlaceReading | None:
        """Return the reading of a place in one picture, or None if its bar is hidden or it cannot be read.

        A reading that two pictures agreed on is reused while the place looks the same.
        """
        frame = self._frames[place]
        paper = frame.bar(picture, pose)
        if paper is None:
            return None
        patch, mask = frame.straighten(picture, pose)
        even = cv2.blur(patch, (EVENED, EVENED))
        if place in self._patches:
            old, reading = self._patches[place]
            if self._told.get(place) == reading.tokens and int(cv2.absdiff(even, old).max()) <= UNCHANGED:
                return reading
        known = None if paper == UNKNOWN else paper
        before = self._last.get(place, [None])[-1]
        reading = self._readers[place].read(patch, mask, frame.scale(pose), frame.lean(pose), known, before)
        self._patches[place] = even, reading
        return reading if reading.legible else None

    def _sighting(self, pose: MatPose, place: str, token: FoundToken) -> TokenSighting:
        frame = self._frames[place]
        lean = frame.lean(pose)
        below = np.array([[token.x - lean[0] * THICK, token.y - lean[1] * THICK]])
        x, y = frame.to_mat(below)[0]
        return TokenSighting(place, token.name, token.doubt, (float(x), float(y)), token.radius)


UNKNOWN: Colour = (0.0, 0.0, 0.0)
"""The paper's colour beside a place without a bar."""


class SlotPatch:
    """Rectifies one place: a patch in its owner's view, at `READ_PX` pixels per millimetre, without its bar."""

    def __init__(self, mat: Mat, slot: TokenSlot) -> None:
        self._corners = slot.ground()
        self._blocks = printed_blocks(mat, slot)
        left, top = self._corners[0]
        across, down = self._corners[1] - self._corners[0], self._corners[3] - self._corners[0]
        self.size = (float(np.hypot(*across)), float(np.hypot(*down)))
        self._axes = np.stack([across / self.size[0], down / self.size[1]])
        self._origin = np.array([left, top])
        self._maps: tuple[MatPose, Image, Image] | None = None

    def to_mat(self, points: Points) -> Points:
        """Convert points (n × 2) from millimetres of the place to millimetres of the mat."""
        found: Points = points @ self._axes + self._origin
        return found

    def from_mat(self, points: Points) -> Points:
        """Convert points (n × 2) from millimetres of the mat to millimetres of the place."""
        found: Points = (points - self._origin) @ self._axes.T
        return found

    def straighten(self, picture: Image, pose: MatPose) -> tuple[Image, Image]:
        """Return the patch, and a mask that is 255 where the picture shows the place."""
        if self._maps is None or self._maps[0] is not pose:
            wide, high = (round(side * READ_PX) for side in self.size)
            x, y = np.meshgrid((np.arange(wide) + 0.5) / READ_PX, (np.arange(high) + 0.5) / READ_PX)
            seen = pose.project(self.to_mat(np.column_stack([x.ravel(), y.ravel()])))
            self._maps = (pose, *fixed_point_maps(seen.astype(np.float32).reshape(high, wide, 2)))
        _, x, y = self._maps
        patch = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        black = cv2.inRange(patch, (0, 0, 0), (0, 0, 0))
        return patch, cv2.bitwise_not(cv2.dilate(black, np.ones((3, 3), np.uint8)))

    def bar(self, picture: Image, pose: MatPose) -> Colour | None:
        """Return the paper's colour on the bar, `UNKNOWN` without a bar, or None if a part of the bar is hidden."""
        if not self._blocks:
            return UNKNOWN
        colours = np.array([_seen(picture, pose, block.corners) for block in self._blocks])
        bright = colours.mean(axis=1)
        dark = np.array([block.dark for block in self._blocks])
        for nth in range(len(dark)):
            near = [n for n in (nth - 2, nth - 1, nth + 1, nth + 2) if 0 <= n < len(dark) and not dark[n]]
            beside = float(np.median(bright[near])) if near else 0.0
            part = bright[nth] / max(beside, 1.0)
            fits = DARK[0] < part < DARK[1] if dark[nth] else abs(part - 1) < EVEN
            if beside < 20 or not fits:
                return None
        blue, green, red = np.median(colours[~dark], axis=0)
        return float(blue), float(green), float(red)

    def scale(self, pose: MatPose) -> float:
        """Return the lowest pixels per millimetre of a picture at the place."""
        middle = self._corners.mean(axis=0)
        here, right, down = pose.project(np.array([middle, middle + (1, 0), middle + (0, 1)]))
        return float(np.linalg.svd(np.column_stack([right - here, down - here]), compute_uv=False)[-1])

    def lean(self, pose: MatPose) -> tuple[float, float]:
        """Return the apparent shift of a point one millimetre above the place's middle, in millimetres of the place."""
        x, y, height = camera_of(pose)
        away = (self._corners.mean(axis=0) - (x, y)) / max(height, 1.0) @ self._axes.T
        return float(away[0]), float(away[1])


def _seen(picture: Image, pose: MatPose, corners: Points) -> Points:
    u, v = np.meshgrid(
        np.linspace(0.5 - INNER / 2, 0.5 + INNER / 2, 4), np.linspace(0.5 - INNER / 2, 0.5 + INNER / 2, 4)
    )
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    points = corners[0] + u.reshape(-1, 1) * across + v.reshape(-1, 1) * down
    seen = pose.project(points).astype(np.float32).reshape(1, -1, 2)
    found = cv2.remap(picture, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)  # type: ignore[call-overload]
    colour: Points = found.reshape(-1, 3).mean(axis=0).astype(np.float64)
    return colour


def names_for(place: str, names: Collection[str]) -> frozenset[str]:
    """Return the tokens that belong at a place: `money-500` at `seat.1.money`, `back-auction` at `auction.token`.

    If no part of the place's name matches a token, return all of them.
    """
    parts = {part for part in place.split(".") if not part.isdigit()}
    own = frozenset([name for name in names if parts & set(name.split("-")[:2])])
    return own or frozenset(names)


def in_both(one: Sequence[FoundToken], other: Sequence[FoundToken]) -> tuple[FoundToken, ...]:
    """Return the tokens in both pictures, with doubts about those in only one of them."""
    alike = [token for token in other if any(agree([each], [token]) for each in one)]
    rest = [token for token in other if token not in alike]
    rest += [token for token in one if not any(agree([token], [each]) for each in other)]
    return (*alike, *[msgspec.structs.replace(token, name=None, doubt=token.doubt or "unknown") for token in rest])


def agree(one: Sequence[FoundToken], other: Sequence[FoundToken]) -> bool:
    """Whether two pictures show the same tokens in the same places."""
    left = list(other)
    for token in one:
        # An unnamed token has no exact middle.
        reach = STILL if token.name else STILL + token.radius
        near = [
            each
            for each in left
            if (each.name, each.doubt) == (token.name, token.doubt)
            and math.dist((each.x, each.y), (token.x, token.y)) < reach
        ]
        if not near:
            return False
        left.remove(near[0])
    return not left


def _largest(mask: Image, at_edge: bool) -> float:
    """Return the area of the largest part of a patch's mask in mm². Parts at the edge count only with `at_edge`."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    edge = set(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]).tolist())
    areas = [int(row[cv2.CC_STAT_AREA]) for nth, row in enumerate(stats) if nth and (at_edge or nth not in edge)]
    return max(areas, default=0) / READ_PX**2


def _polygon(points: Points) -> Polygon:
    return tuple([(float(x), float(y)) for x, y in points])
