"""A table as a camera would see it, with the truth about every card. Knows mats and pictures of cards; refuses to know
any game and how cards are recognised.

    table = RenderedTable(make_mat(places(3), (63, 88)), faces("take-a-train"), backs, seed=7)
    table.set(layout(state)); table.picture(); table.truth()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Literal
from zlib import crc32

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.engine import Layout
from companion.messages import Sighting
from vision.image import Image
from vision.mat import Mat
from vision.rendered.difficulty import DEFAULT, DIFFICULTIES, Difficulty
from vision.rendered.hands import CLOTHS, SKINS, Hand, along, paint
from vision.rendered.lying import Heap, LayingError, Lying
from vision.rendered.painting import Faces, box, gleam, put, rounded, shade
from vision.rendered.sensor import Sensor
from vision.rendered.surfaces import TABLES, surface
from vision.rendered.things import Thing, foreign_cards, some_thing
from vision.rendered.view import Points, View, above, through

SIZE = (1280, 720)
"""Pixels of a picture where nobody says otherwise."""
FINER = 1.15
"""Pixels of the surface for each of the picture's."""
SHUTTER = 0.5
"""How long the shutter is open while a hand moves, as a part of the time between two pictures."""
HOME = 140.0
"""Millimetres beyond the mat's edge at which a hand's fingertips begin and end: outside most pictures."""
RASTER = 1.0
"""Pixels a millimetre at which it is counted how much of a card shows."""


class Shown(msgspec.Struct, frozen=True):
    """The whole truth about one card."""

    sighting: Sighting
    share: float
    """The part of the card that nothing covers, from 0 to 1."""
    pixels: tuple[tuple[float, float], ...]
    """Its four corners in the picture, clockwise from its own top left."""


class _Reach(msgspec.Struct, frozen=True, eq=False):
    """A hand over the table at one moment."""

    hand: Hand
    card: str
    """The name of what shows of the card that it carries; empty: none."""
    corners: Points | None
    """The carried card's, in millimetres."""
    moved: tuple[float, float]
    """Millimetres by which it moves while the picture is taken."""


class RenderedTable:
    """A table under a camera, for one session: the same seed gives the same pictures."""

    def __init__(
        self,
        mat: Mat,
        pictures: Mapping[str, Image],
        backs: Mapping[str, str] | None = None,
        difficulty: Difficulty | str = DEFAULT,
        seed: int = 0,
        size: tuple[int, int] = SIZE,
        kind: str | None = None,
    ) -> None:
        """`pictures`: every card and back by name, whole to its edges; `backs`: the name of each card's back (without
        it, a card that lies face down must be named by its back); `kind`: the table's surface (`surfaces.TABLES`)."""
        self.mat = mat
        self.size = size
        self.difficulty = DIFFICULTIES[difficulty] if isinstance(difficulty, str) else difficulty
        self.seed = seed
        self._backs = dict(backs or {})
        self._names = frozenset(pictures)
        self.heap = Heap(mat, self.difficulty, seed)
        luck = np.random.default_rng([seed, 5])
        ink = 1 + luck.uniform(*self.difficulty.ink, 3) * luck.choice((-1, 1), 3)
        gamma = float(luck.uniform(*self.difficulty.gamma))
        self._faces = Faces({**pictures, **foreign_cards()}, gamma, (ink[0], ink[1], ink[2]))
        self.kind = kind or TABLES[int(luck.integers(len(TABLES)))]
        self._clutter = strewn(mat, self.difficulty, seed)
        self._cache: dict[tuple[int, int], _Scene] = {}
        self._version, self._number = 0, 0
        self._hand: _Reach | None = None
        self._covers: dict[str, tuple[Thing, Points]] = {}
        self._luck = Random(f"{seed} hands")

    # --- laying ---

    def lay(self, card: str, place: str, source: str = "", face: str = "up", at: int | None = None) -> None:
        """Move a card, as a hand would: from `source` (empty: from off the table) to `place` (empty: off the table), to
        a position or the first one that is free. Raise `LayingError` where there is no such card, place or room."""
        if source:
            self._take(card, source)
        if place:
            self.heap.lay(self._named(card, face), place, face, at)
        self._version += 1

    def set(self, layout: Layout, back: str = "") -> None:
        """Lay all that a layout says; what lies right already stays. `back`: what shows of cards face down (without
        it, the first of the deck's backs)."""
        self.heap.set(layout, back or min([n for n in self._names if n.startswith("back-")], default=""))
        self._version += 1

    def clear(self) -> None:
        """Take all cards away."""
        self.heap.clear()
        self._version += 1

    def cover(self, place: str, nth: int = 0) -> None:
        """Put a cup or a phone over a place's nth card, as people do; `clear_covers` takes all such things away."""
        luck = Random(f"{self.seed} cover {place}")
        thing = next(each for each in iter(lambda: some_thing(luck), None) if each.high > 1)
        middle = self.mat.corners(self.heap.slot(place), nth).mean(axis=0)
        self._covers[place] = (thing, _rectangle(thing.size, luck.uniform(0, 360)) + middle)
        self._version += 1

    def clear_covers(self) -> None:
        """Take away all that was put over places."""
        self._covers.clear()
        self._version += 1

    def _named(self, card: str, face: str) -> str:
        if face == "up" or card.startswith("back-"):
            name = card
        else:
            name = self._backs.get(card, "")
        if name not in self._faces:
            raise LayingError(f"There is no picture of {card!r} lying face {face}.")
        return name

    def _take(self, card: str, source: str) -> Lying:
        return self.heap.take(self._find(card, source).card, source)

    # --- seeing ---

    def picture(self, size: tuple[int, int] | None = None) -> Image:
        """Return the next picture, BGR. `size`: another size of picture from the same camera."""
        scene = self._scene(size or self.size)
        self._number += 1
        picture = scene.still(self._version, self._paint)
        if self._hand is not None:
            picture = picture.copy()
            self._paint_hand(picture, scene.view, self._hand)
        bent = cv2.remap(picture, *scene.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return scene.sensor.taken(bent, self._number)  # type: ignore[arg-type]

    def view(self, size: tuple[int, int] | None = None) -> View:
        """Return where the camera sees each millimetre of the mat."""
        return self._scene(size or self.size).view

    def truth(self) -> tuple[Sighting, ...]:
        """Return every card that lies at a place that is read, and of which anything shows."""
        return tuple([shown.sighting for shown in self.showing() if shown.share > 0])

    def showing(self, size: tuple[int, int] | None = None) -> tuple[Shown, ...]:
        """Return all cards at places that are read, with how much of each shows and where in the picture."""
        view, shares = self.view(size), self._shares()
        made = []
        for nth, lying in enumerate(self.heap.all()):
            if self.heap.slot(lying.place).kind == "pile":
                continue
            corners = self.heap.corners(lying)
            known = lying.card in self._names
            sighting = Sighting(lying.place, lying.card if known else None, lying.at, _face(lying), 1.0,
                                "" if known else "unknown", (), _tuples(corners))  # fmt: skip
            made.append(Shown(sighting, shares[nth], _tuples(view.seen(corners))))
        return tuple(made)

    # --- hands ---

    def hand(
        self,
        card: str,
        place: str,
        source: str = "",
        face: str = "up",
        frames: int = 10,
        size: tuple[int, int] | None = None,
    ) -> Iterator[Image]:
        """Yield the pictures while a hand moves a card: it comes, takes the card (or brings it), lays it and goes.

        The card is moved as by `lay`; `truth` tells what lies at each picture: a card in the hand lies nowhere.
        """
        skin, cloth = self._luck.choice(SKINS), self._luck.choice(CLOTHS)
        home = self._home(place or source)
        moving = self._named(card, face)
        stops = [(home, moving if not source else "")]
        if source:
            stops.append((self.heap.corners(self._find(card, source)).mean(axis=0), moving))
        if place:
            stops.append((self._target(place), ""))
        stops.append((home, ""))
        each = max(1, frames // (len(stops) - 1))
        for (start, carries), (end, _) in pairwise(stops):
            if carries and source and start is not home:
                self._take(card, source)
                self._version += 1
            for n in range(each):
                share = (n + 0.5) / each
                at = start + (end - start) * (3 - 2 * share) * share * share
                speed = (end - start) * 6 * share * (1 - share) / each * SHUTTER
                yield self._reaching(at, home, speed, carries, (skin, cloth), size)
            if carries and place:
                self.heap.lay(moving, place, face)
                self._version += 1
        self._hand = None

    def _reaching(
        self,
        at: Points,
        home: Points,
        moved: Points,
        carried: str,
        looks: tuple[str, str],
        size: tuple[int, int] | None,
    ) -> Image:
        toward = (
            float(np.degrees(np.arctan2(*(at - home)[::-1]))) if np.hypot(*(at - home)) > 60 else self._inward(home)
        )
        hand = Hand(float(at[0]), float(at[1]), toward, *looks)
        corners = None
        if carried:
            corners = _rectangle(self.mat.card, toward + 90 + self._luck.uniform(-6, 6)) + at
        self._hand = _Reach(hand, carried, corners, (moved[0], moved[1]))
        return self.picture(size)

    def _home(self, place: str) -> Points:
        """Return where the arm of whoever reaches for a place comes from: beyond the nearer long edge."""
        middle = self._target(place)
        tall = self.mat.size[1]
        sides = np.array([[middle[0], -HOME], [middle[0], tall + HOME]])
        found: Points = sides[0] if middle[1] < tall / 2 else sides[1]
        return found

    def _inward(self, home: Points) -> float:
        return 90.0 if home[1] < self.mat.size[1] / 2 else -90.0

    def _target(self, place: str) -> Points:
        slot = self.heap.slot(place)
        free = min(len(self.heap.at(place)), slot.most - 1)
        found: Points = self.mat.corners(slot, free).mean(axis=0)
        return found

    def _find(self, card: str, source: str) -> Lying:
        wanted = (card, self._backs.get(card, card))
        found = next((lying for lying in self.heap.at(source) if lying.card in wanted), None)
        if found is None:
            raise LayingError(f"There is no {card} at {source}.")
        return found

    # --- painting ---

    def _scene(self, size: tuple[int, int]) -> _Scene:
        if size not in self._cache:
            self._cache[size] = _Scene(self.mat, self.difficulty, size, self.kind, self.seed)
        return self._cache[size]

    def _paint(self, picture: Image, view: View) -> None:
        for thing, corners in self._clutter:
            _paint_thing(picture, view, thing, corners)
        luck = np.random.default_rng([self.seed, 6])
        shining = float(luck.uniform(*self.difficulty.glare))
        for lying in self.heap.all():
            corners = self.heap.corners(lying)
            self._paint_card(picture, view, lying.card, corners, 0.5)
            own = np.random.default_rng([self.seed, 7, crc32(f"{lying.place} {lying.at} {lying.card}".encode())])
            if own.random() < shining:
                gleam(picture, view, corners, float(own.uniform(*self.difficulty.gleam)), own)
        for thing, corners in self._covers.values():
            _paint_thing(picture, view, thing, corners)

    def _paint_hand(self, picture: Image, view: View, reach: _Reach) -> None:
        if reach.corners is not None:
            self._paint_card(picture, view, reach.card, reach.corners, 6.0)
            around = box(view, reach.corners)
            if around is not None and np.hypot(*reach.moved) * view.scale(reach.hand.x, reach.hand.y) > 2:
                part = picture[around[1] : around[3], around[0] : around[2]]
                part[:] = cv2.filter2D(part, -1, along(view, (reach.hand.x, reach.hand.y), reach.moved))
        paint(picture, view, reach.hand, reach.moved)

    def _paint_card(self, picture: Image, view: View, card: str, corners: Points, high: float) -> None:
        shade(picture, view, corners, 0.4, 0.8 + high / 3, (0.5 * high, 0.7 * high))
        width = self.mat.card[0] * view.scale(*corners.mean(axis=0))
        level = self._faces.level(card, width)
        put(picture, view, corners, level, self._faces.shape((level.shape[1], level.shape[0]), self.mat.card[0]))

    def _shares(self) -> list[float]:
        """Return how much of each card shows, from the lowest to the one on top."""
        wide, tall = (int(side * RASTER) + 1 for side in self.mat.size)
        whose = np.zeros((tall, wide), np.int32)
        sizes = []
        for nth, lying in enumerate(self.heap.all(), 1):
            outline = [np.rint(self.heap.corners(lying) * RASTER * 16).astype(np.int32)]
            cv2.fillPoly(whose, outline, nth, cv2.LINE_8, 4)
            alone = np.zeros((tall, wide), np.uint8)
            cv2.fillPoly(alone, outline, 1, cv2.LINE_8, 4)
            sizes.append(max(1, cv2.countNonZero(alone)))
        for thing, corners in self._covers.values():
            outline = [np.rint(_outline(thing, corners) * RASTER * 16).astype(np.int32)]
            cv2.fillPoly(whose, outline, -1, cv2.LINE_8, 4)
        if self._hand is not None:
            for points, width in self._hand.hand.outline():
                at = np.rint(points * RASTER * 16).astype(np.int32)
                cv2.polylines(whose, [at], False, -1, max(1, round(width * RASTER)), cv2.LINE_8, 4)
            if self._hand.corners is not None:
                cv2.fillPoly(whose, [np.rint(self._hand.corners * RASTER * 16).astype(np.int32)], -1, cv2.LINE_8, 4)
        left = np.bincount(whose[whose > 0].ravel(), minlength=len(sizes) + 1)
        return [float(left[nth] / size) for nth, size in enumerate(sizes, 1)]


class _Scene:
    """What stays in pictures of one size: the view, the empty table, the light, and the cards until they move."""

    def __init__(self, mat: Mat, difficulty: Difficulty, size: tuple[int, int], kind: str, seed: int) -> None:
        luck = Random(f"{seed} camera")
        self.view = above(mat.size, size, luck.uniform(*difficulty.tilt), luck.uniform(0, 360),
                          luck.uniform(*difficulty.roll), luck.uniform(*difficulty.margin),
                          luck.uniform(*difficulty.bend))  # fmt: skip
        self.maps = self.view.lens()
        self.sensor = Sensor(difficulty, size, seed)
        self._empty = _empty(mat, self.view, kind, seed)
        self._version = -1
        self._still = self._empty

    def still(self, version: int, paint: Callable[[Image, View], None]) -> Image:
        """Return the table with its cards as a perfect lens shows it, painted anew when they were moved."""
        if version != self._version:
            self._still = self._empty.copy()
            paint(self._still, self.view)
            self._version = version
        return self._still


def _empty(mat: Mat, view: View, kind: str, seed: int) -> Image:
    """Return the empty table with its mat, as a perfect lens shows it."""
    wide, high = view.size
    edge = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    spread = (edge - edge.mean(axis=0)) * 1.06 + edge.mean(axis=0)
    back = np.asarray(np.linalg.inv(view.matrix), np.float64)
    reach = np.vstack([through(back, spread), np.array([[0, 0], mat.size])])
    (left, top), (right, low) = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    px = max(view.scale(x, y) for x in (0.0, mat.size[0]) for y in (0.0, mat.size[1])) * FINER
    flat = surface(mat, kind, (left, top, right, low), px, seed)
    down = np.array([[1 / px, 0, left + 0.5 / px], [0, 1 / px, top + 0.5 / px], [0, 0, 1]])
    return cv2.warpPerspective(
        flat, view.matrix @ down, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )  # type: ignore[return-value]


def strewn(mat: Mat, difficulty: Difficulty, seed: int) -> list[tuple[Thing, Points]]:
    """Return things beside the places, with their corners in millimetres; none covers a place or a marker."""
    luck = Random(f"{seed} clutter")
    kept = [mat.hull(slot, 4.0) for slot in mat.slots] + [marker.corners() for marker in mat.markers]
    taken = [(*hull.min(axis=0), *hull.max(axis=0)) for hull in kept]
    made = []
    for _ in range(luck.randint(*difficulty.clutter)):
        thing = some_thing(luck)
        for _ in range(40):
            x, y = luck.uniform(-160, mat.size[0] + 160), luck.uniform(-160, mat.size[1] + 160)
            corners = _rectangle(thing.size, luck.uniform(0, 360)) + (x, y)
            (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
            if not any(left < r and right > le and top < lo and low > t for le, t, r, lo in taken):
                taken.append((left, top, right, low))
                made.append((thing, corners))
                break
    return made


def _paint_thing(picture: Image, view: View, thing: Thing, corners: Points) -> None:
    shade(picture, view, _outline(thing, corners), 0.35, 1.0 + thing.high / 3, (thing.high / 4, thing.high / 3))
    size = (thing.picture.shape[1], thing.picture.shape[0])
    shape = rounded(size, thing.radius * size[0] / thing.size[0])
    put(picture, view, corners, *_smaller(thing.picture, shape, thing.size[0] * view.scale(*corners.mean(axis=0))))


def _outline(thing: Thing, corners: Points) -> Points:
    """Return what casts a thing's shadow: its corners, or the circle within them where it is round."""
    if thing.radius < min(thing.size) / 2:
        return corners
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    found: Points = corners.mean(axis=0) + np.cos(turns)[:, None] * across + np.sin(turns)[:, None] * down
    return found


def _smaller(picture: Image, shape: npt.NDArray[np.float32], width: float) -> tuple[Image, npt.NDArray[np.float32]]:
    factor = width * 1.1 / picture.shape[1]
    if factor >= 1:
        return picture, shape
    size = (max(4, round(picture.shape[1] * factor)), max(4, round(picture.shape[0] * factor)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return small, cv2.resize(shape, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _rectangle(size: tuple[float, float], degrees: float) -> Points:
    """Return the corners of a rectangle around 0, 0, turned clockwise."""
    a, (w, h) = np.radians(degrees), size
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    found: Points = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ turn.T
    return found


def _face(lying: Lying) -> Literal["up", "down"]:
    return "down" if lying.face == "down" else "up"


def _tuples(points: Points) -> tuple[tuple[float, float], ...]:
    return tuple([(float(x), float(y)) for x, y in points])
