"""Reads a whole table: from a picture and the mat's pose to what lies at each place."""

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
"""Millimetres around the outlines, within the frames, where cards may still lie; beyond them is bare paper."""


class TableReading(msgspec.Struct, frozen=True):
    """What is asserted of the table."""

    at: int
    """When the picture was taken, ns of CLOCK_MONOTONIC."""
    sightings: tuple[Sighting, ...] = ()
    covered: tuple[str, ...] = ()
    """Places that something other than a card covers."""
    pending: bool = False
    """Whether another picture of the same table would say more: something has been seen only once."""


class TableReader:
    """Reads a table from picture to picture. Not thread-safe.

    It names a card by its visible part alone, never by what is missing elsewhere: conclusions are left to the rules.
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
        """Take a picture of the table at rest and return what is asserted now."""
        scene = SlotView(picture, pose)
        looks = looks_of(picture, pose, [place.frame for place in self.places])
        ground = typical([(look, ring) for look, ring in zip(looks, self._beside, strict=True)])
        for place, look, ring in zip(self.places, looks, self._beside, strict=True):
            place.read(scene, look, nearby(look, ring, ground))
            place.search.forget()
        return self.reading(at)

    def reading(self, at: int) -> TableReading:
        """Return what is asserted now."""
        sightings = [sighting for place in self.places for sighting in positions(place)]
        covered = dict.fromkeys([place.frame.slot.place for place in self.places if place.covered])
        pending = any(place.wants_picture or not all(track.settled for track in place.tracks) for place in self.places)
        return TableReading(at, tuple(sightings), tuple(covered), pending)

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Take a person's word on a card until it leaves (None: take it back); return whether a card lies there."""
        for one in self.places:
            if one.frame.slot.place == place:
                for track, position in tracks_in_order(one):
                    if position == at:
                        track.named_by_person = card
                        return True
        return False

    def _paper_mask(self, place: SlotTracker) -> Image:
        """Return a mask over a frame: 255 on the mat's paper, away from every slot's outlines."""
        frame = place.frame
        shape = (max(1, round(frame.size[1] * LOOK)), max(1, round(frame.size[0] * LOOK)))
        mask = polygon_mask(shape, frame.from_mat(card_corners(self.mat.size, 0.0, 0.0, 0)), LOOK)
        for slot in self.mat.slots:
            fill_polygon(mask, frame.from_mat(self.mat.hull(slot, BESIDE)), LOOK, 0)
        for tokens in self.mat.token_slots:
            fill_polygon(mask, frame.from_mat(tokens.corners()), LOOK, 0)
        return mask


def looks_of(picture: Image, pose: MatPose, frames: Sequence[SlotFrame]) -> list[Image]:
    """Return each frame as a picture shows it, at LOOK pixels per millimetre."""
    factor = min(1.0, 1.3 * LOOK / max(pose.scale, 0.1))
    if factor < 0.9:
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
        picture = _shrink(picture, size)
        pose = pose.resize(size)
    return [frame.view(picture, pose, LOOK) for frame in frames]


def _shrink(picture: Image, size: tuple[int, int]) -> Image:
    """Return a picture in another size, (width, height). Halving it first takes an eighth of the time of INTER_AREA."""
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA)
    return cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
