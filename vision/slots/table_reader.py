"""Read a whole table from a picture and the mat's pose."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec

from companion.messages import Sighting
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.mat.mat import card_corners
from vision.recognise import Recogniser
from vision.slots.background import nearby, typical
from vision.slots.card_ends import CardEnds
from vision.slots.positions import positions, tracks_in_order
from vision.slots.slot_frame import SlotFrame, fill_polygon, frame_of, polygon_mask
from vision.slots.slot_search import SlotSearch
from vision.slots.slot_tracker import SlotTracker
from vision.slots.slot_view import LOOK, SlotView

BESIDE = 4.0
"""Millimetres around the outlines where cards may still lie. Beyond them is bare paper."""


class TableReading(msgspec.Struct, frozen=True):
    """The cards and covered places of a table."""

    at: int
    """The time of the picture, in ns of CLOCK_MONOTONIC."""
    sightings: tuple[Sighting, ...] = ()
    covered: tuple[str, ...] = ()
    """Places covered by something other than a card."""
    pending: bool = False
    """Whether another picture of the same table would add something, because something was seen only once."""


class TableReader:
    """Reads a table from picture to picture. Not thread-safe.

    It names each card by its visible part alone. Conclusions from missing cards are left to the rules.
    """

    def __init__(self, recogniser: Recogniser, mat: Mat) -> None:
        self.mat = mat
        deck = recogniser.deck
        families = {name: names for names in deck.families().values() for name in names}
        ends: dict[tuple[tuple[float, float], int], CardEnds] = {}
        self.places: list[SlotTracker] = []
        for slot in mat.read():
            frame = frame_of(mat, slot)
            key = (frame.card, frame.lie)
            if key not in ends:
                ends[key] = CardEnds(deck, frame.card, frame.lie)
            self.places.append(SlotTracker(SlotSearch(recogniser, frame, ends[key], families)))
        self._beside = [self._paper_mask(place) for place in self.places]

    def read(self, picture: Image, pose: MatPose, at: int) -> TableReading:
        """Take a picture of the table at rest and return its reading."""
        scene = SlotView(picture, pose)
        looks = looks_of(picture, pose, [place.frame for place in self.places])
        ground = typical([(look, ring) for look, ring in zip(looks, self._beside, strict=True)])
        for place, look, ring in zip(self.places, looks, self._beside, strict=True):
            place.read(scene, look, nearby(look, ring, ground))
            place.search.forget()
        return self.reading(at)

    def reading(self, at: int) -> TableReading:
        """Return the current reading."""
        sightings = [sighting for place in self.places for sighting in positions(place)]
        covered = dict.fromkeys([place.frame.slot.place for place in self.places if place.covered])
        pending = any(place.wants_picture or not all(track.settled for track in place.tracks) for place in self.places)
        return TableReading(at, tuple(sightings), tuple(covered), pending)

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Set a card's name from a player until the card leaves, or clear it with None. Return whether a card lies
        there."""
        for one in self.places:
            if one.frame.slot.place == place:
                for track, position in tracks_in_order(one):
                    if position == at:
                        track.named_by_person = card
                        return True
        return False

    def _paper_mask(self, place: SlotTracker) -> Image:
        """Return a mask (255) over a frame of the mat's paper away from all outlines."""
        frame = place.frame
        shape = (max(1, round(frame.size[1] * LOOK)), max(1, round(frame.size[0] * LOOK)))
        mask = polygon_mask(shape, frame.from_mat(card_corners(self.mat.size, 0.0, 0.0, 0)), LOOK)
        for slot in self.mat.slots:
            fill_polygon(mask, frame.from_mat(self.mat.hull(slot, BESIDE)), LOOK, 0)
        for tokens in self.mat.token_slots:
            fill_polygon(mask, frame.from_mat(tokens.corners()), LOOK, 0)
        return mask


def looks_of(picture: Image, pose: MatPose, frames: Sequence[SlotFrame]) -> list[Image]:
    """Return a picture's view of each frame, at LOOK pixels per millimetre."""
    factor = min(1.0, 1.3 * LOOK / max(pose.scale, 0.1))
    if factor < 0.9:
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
        picture = _shrink(picture, size)
        pose = pose.resize(size)
    return [frame.view(picture, pose, LOOK) for frame in frames]


def _shrink(picture: Image, size: tuple[int, int]) -> Image:
    """Return a picture at another size (width, height). Halving it first takes an eighth of INTER_AREA's time."""
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA)
    return cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
