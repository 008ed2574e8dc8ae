"""Read a table with coasters, where no places are printed and cards may lie anywhere.

Single cards are tracked anywhere and at any angle. A possible first card of a row that lies before its owner starts a
row. From then on the row is read as on a mat, in a frame along the card's own sides. The places of a line are known
once all its cards lie side by side, and remain while a card is away.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from companion.messages import Sighting
from vision.image import Image
from vision.mat import Mat, MatPose, Slot
from vision.recognise import Recogniser
from vision.slots.card_ends import CardEnds
from vision.slots.free_lines import find_line
from vision.slots.free_rows import DOUBTFUL, REACH, SLANT, Owner, chained, covered_area, row_frame
from vision.slots.slot_frame import Points, SlotFrame, area, fill_polygon, polygon_mask, shared_area
from vision.slots.slot_search import SlotSearch
from vision.slots.slot_tracker import SlotTracker
from vision.slots.slot_view import LOOK, KnownCard, SlotView
from vision.slots.table_reader import TableReading, looks_of
from vision.slots.track_matching import HERE, distance_of
from vision.slots.tracks import BACK, FoundCard, Track

GROWN = 8.0
"""Millimetres around a card that its shadow and edge may take, excluded from the empty table."""
SHARED = 0.3
"""The shared area of a card, as a share, above which two rows both claim it. Both then wait until they are
separated."""
REPAIR = 5
"""Radius in millimetres for inpainting holes in the picture of the empty table."""


class LooseSearch(SlotSearch):
    """Searches the whole table for single cards, without ends of rows."""

    def find_cards(self, scene: SlotView, changed: Image, lying: Sequence[KnownCard]) -> list[FoundCard]:
        """Return nothing, because the free search finds single cards."""
        return []


class FreeReader:
    """Reads a table with coasters from picture to picture, like `TableReader`. Not thread-safe."""

    def __init__(self, recogniser: Recogniser, mat: Mat) -> None:
        self.mat = mat
        deck = recogniser.deck
        self._recogniser = recogniser
        self._families = {name: names for names in deck.families().values() for name in names}
        self._ends = CardEnds(deck, mat.card, 0)
        self._common = [place for place in mat.places if place.seat is None and place.kind == "spread"]
        self._seats = {seat: Owner(mat, seat) for seat in range(mat.players)}
        self._owned = [place for place in mat.places if place.seat is not None]
        self._lines = [[place for place in self._owned if place.seat == seat and place.in_line] for seat in self._seats]
        """The places of each seat's line from its left, empty in a game with rows."""
        self._loose = SlotTracker(LooseSearch(recogniser, self._whole_frame(), self._ends, self._families))
        self._rows: dict[str, SlotTracker] = {}
        self._ground: Image | None = None
        """The empty table at LOOK pixels per millimetre, or None before the first picture."""
        self._asked: list[tuple[Track, str]] = []
        """Cards that players must identify, with the places where they may belong."""

    def _whole_frame(self) -> SlotFrame:
        (width, height), card = self.mat.size, self.mat.card
        slot = Slot("", "spread", 0.0, 0.0, 0, 2, (width - card[0], height - card[1]))
        return SlotFrame(slot, (width, height), np.eye(3), 0, card)

    # --- reading ---

    def read(self, picture: Image, pose: MatPose, at: int) -> TableReading:
        """Take a picture of the table at rest and return its reading."""
        scene = SlotView(picture, pose)
        (whole,) = looks_of(picture, pose, [self._loose.frame])
        if self._ground is None:
            self._see_first(scene, whole)
        rows = list(self._rows.values())
        for tracker, look in zip(rows, looks_of(picture, pose, [row.frame for row in rows]), strict=True):
            tracker.read(scene, look, None)
            tracker.search.forget()
        self._end_rows()
        self._loose.read(scene, self._without_rows(whole), None)
        self._loose.search.forget()
        self._begin_rows(scene)
        self._learn(whole)
        return self.reading(at)

    def _see_first(self, scene: SlotView, whole: Image) -> None:
        """Use the first picture, without the cards in it, as the empty table."""
        self._ground = whole
        everywhere = np.full(whole.shape[:2], 255, np.uint8)
        finds = self._loose.search.search_freely(scene, everywhere, np.zeros_like(everywhere), [])
        holes = np.zeros_like(everywhere)
        for find in finds:
            fill_polygon(holes, _grown(find.corners, GROWN), LOOK)
            owner = self._owner(find.corners)
            place = next((each for each in self._owned if each.seat == owner), None) if owner is not None else None
            if owner is not None and place is not None:  # wagons may be tucked behind it
                frame = row_frame(place, self.mat.card, find.corners, self._seats[owner].away(find.corners)[0])
                (width, height) = frame.size
                box = np.array([[0, 0], [width, 0], [width, height], [0, height]])
                fill_polygon(holes, frame.on_mat(box), LOOK)
        if finds:
            self._ground = cv2.inpaint(whole, holes, REPAIR, cv2.INPAINT_TELEA)
        self._loose.know_ground(self._ground)

    def _learn(self, whole: Image) -> None:
        """Adapt the empty table to the room's light where nothing lies."""
        assert self._ground is not None
        bare = self._loose.bare()
        if bare is None:
            return
        for tracker in self._rows.values():
            frame = tracker.frame
            (width, height) = frame.size
            fill_polygon(bare, frame.on_mat(np.array([[0, 0], [width, 0], [width, height], [0, height]])), LOOK, 0)
        soft = cv2.addWeighted(self._ground, 0.75, whole, 0.25, 0)
        self._ground = np.where(bare[:, :, None] > 0, soft, self._ground)

    def _without_rows(self, whole: Image) -> Image:
        """Return the table with the rows replaced by the empty table."""
        assert self._ground is not None
        hidden = np.zeros(whole.shape[:2], np.uint8)
        for tracker in self._rows.values():
            box = covered_area(tracker.frame, chained(tracker.frame, tracker.tracks))
            fill_polygon(hidden, tracker.frame.on_mat(box), LOOK)
        return np.where(hidden[:, :, None] > 0, self._ground, whole)

    # --- rows ---

    def _owner(self, corners: Points) -> int | None:
        """Return the seat before which a card lies, or None for the middle."""
        middle = corners.mean(axis=0)
        found = [seat for seat, owner in self._seats.items() if owner.distance(middle) < REACH + DOUBTFUL]
        return found[0] if found else None

    def _from_left(self, track: Track) -> float:
        """Return a key that sorts a card's place from its owner's left to the right."""
        seat = self._owner(track.corners)
        return self._seats[seat or 0].left_to_right(track.corners.mean(axis=0))

    def _end_rows(self) -> None:
        """Forget rows without cards, and lines whose cards are all gone."""
        lying = {name for name, tracker in self._rows.items() if tracker.tracks}
        for line in self._lines:
            names = {place.name for place in line}
            lying |= names if lying & names else set()
        self._rows = {name: tracker for name, tracker in self._rows.items() if name in lying}

    def _begin_rows(self, scene: SlotView) -> None:
        """Start a row with each possible first card before its owner, and ask about cards at unclear places.

        A line starts only with all of its cards.
        """
        self._asked = []
        for owner, line in zip(self._seats.values(), self._lines, strict=True):
            if line and line[0].name not in self._rows:
                there = [track for track in self._loose.tracks if track not in self._loose.missing()]
                for track, frame in find_line(line, self.mat.card, owner, there):
                    self._begin_row(scene, track, frame)
        candidates = [track for track in self._loose.tracks if track.name is not None]
        for track in sorted(candidates, key=self._from_left):
            seat = self._owner(track.corners)
            free = [place for place in self._owned if place.seat == seat and place.name not in self._rows]
            free = [place for place in free if track.name in place.firsts]
            if seat is None or not free or track in self._loose.missing():
                continue
            owner = self._seats[seat]
            away, slant = owner.away(track.corners)
            near = owner.distance(track.corners.mean(axis=0)) < REACH
            if track.named_by_person is None and (slant > SLANT or not near):
                self._asked.append((track, free[0].name))
                continue
            self._begin_row(scene, track, row_frame(free[0], self.mat.card, track.corners, away))

    def _begin_row(self, scene: SlotView, track: Track, frame: SlotFrame) -> None:
        """Start a row with a card, located by its far end as on a mat."""
        assert self._ground is not None
        search = SlotSearch(self._recogniser, frame, self._ends, self._families)
        shape = (max(1, round(frame.size[1] * LOOK)), max(1, round(frame.size[0] * LOOK)))
        around = polygon_mask(shape, frame.from_mat(_grown(track.corners, HERE)), LOOK)
        same = [find for find in search.find_cards(scene, around, []) if find.card and find.card == track.name]
        near = [find for find in same if distance_of(find.corners, track.corners) < HERE]
        if near:
            track.corners = near[0].corners
        tracker = SlotTracker(search)
        straight = np.array([[LOOK, 0, -0.5], [0, LOOK, -0.5], [0, 0, 1]])
        size = (self._ground.shape[1], self._ground.shape[0])
        tracker.know_ground(frame.view(self._ground, MatPose(straight, size), LOOK))
        self._loose.release(track)
        tracker.adopt(track)
        self._rows[frame.slot.place] = tracker

    # --- reporting ---

    def reading(self, at: int) -> TableReading:
        """Return the current reading."""
        told = {name: self._row(tracker) for name, tracker in self._rows.items()}
        sightings = [track.sighting(name, nth) for name, row in told.items() for track, nth in row]
        sightings += self._middle()
        for track, place in self._asked:
            asked = track.sighting(place, 0)
            sightings.append(msgspec.structs.replace(asked, card=None, confidence=0.0, doubt="hidden"))
        covered = {name for name, tracker in self._rows.items() if tracker.covered} | self._entangled(told)
        if self._loose.covered or self._strays():
            covered |= {place.name for place in self._common}
        trackers = [self._loose, *self._rows.values()]
        pending = any(one.wants_picture or not all(track.settled for track in one.tracks) for one in trackers)
        return TableReading(at, tuple(sightings), tuple(sorted(covered)), pending or self._just_begun())

    def _just_begun(self) -> bool:
        return any(tracker.readings == 0 for tracker in self._rows.values())

    def _row(self, tracker: SlotTracker) -> list[tuple[Track, int]]:
        told = [track for track in tracker.tracks if track.reportable]
        return [(track, nth) for nth, track in enumerate(chained(tracker.frame, told))]

    def _entangled(self, told: dict[str, list[tuple[Track, int]]]) -> set[str]:
        """Return the rows that claim the same card."""
        found: set[str] = set()
        for one, row in told.items():
            for two, other in told.items():
                if one < two and any(
                    shared_area(a.corners, b.corners) > SHARED * area(a.corners) for a, _ in row for b, _ in other
                ):
                    found |= {one, two}
        return found

    def _strays(self) -> list[Track]:
        """Return the named cards beside a line that has started, because their place is unknown."""
        begun = {seat for seat, line in enumerate(self._lines) if line and line[0].name in self._rows}
        named = [each for each in self._loose.tracks if each.name is not None and not each.name.startswith(BACK)]
        return [each for each in named if self._owner(each.corners) in begun]

    def _middle(self) -> list[Sighting]:
        """Return the cards in the middle, by place and from left to right. Backs there are piles and are left out.

        In a game with lines, cards before a seat do not belong to the middle: a line is being laid there.
        """
        asked = [track for track, _ in self._asked]
        loose = [track for track in self._loose.tracks if track.reportable and track not in asked]
        if any(self._lines):
            loose = [track for track in loose if self._owner(track.corners) is None]
        at = dict.fromkeys([place.name for place in self._common], 0)
        found: list[Sighting] = []
        for track in sorted(loose, key=lambda each: float(each.corners.mean(axis=0)[0])):
            name = track.name or (track.likeliest[0] if track.likeliest else "")
            if name.startswith(BACK) or not self._common:
                continue
            place = self._common_place(name)
            found.append(track.sighting(place, at[place]))
            at[place] += 1
        return found

    def _common_place(self, card: str) -> str:
        named = next((place.name for place in self._common if card in place.firsts), None)
        return named or next((place.name for place in self._common if not place.firsts), self._common[0].name)

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Set a card's name from a player until the card leaves, or clear it with None. Return whether a card lies
        there."""
        for track, where in self._asked:
            if where == place and at == 0:
                track.named_by_person = card
                return True
        if place in self._rows:
            lying = [track for track, nth in self._row(self._rows[place]) if nth == at]
        else:
            spots = [(one.place, one.at, one.corners) for one in self._middle()]
            where_it_lies = next((corners for name, nth, corners in spots if (name, nth) == (place, at)), None)
            lying = [track for track in self._loose.tracks if track.sighting("", 0).corners == where_it_lies]
        if lying:
            lying[0].named_by_person = card
        return bool(lying)


def _grown(corners: Points, much: float) -> Points:
    middle = corners.mean(axis=0)
    away = corners - middle
    found: Points = middle + away * (1 + much / np.linalg.norm(away, axis=1, keepdims=True))
    return found
