"""Measure the reading of cards in realistic rendered rooms, by kind of room, in two halves.

Thresholds may be tuned on the first half. Only the second half's figures count.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import msgspec
import numpy as np

from vision.bench.photographs import format_interval
from vision.deck.making import enrol
from vision.image import Image
from vision.recognise import Recogniser
from vision.simulate.rooms import ROOMS, RoomKind, RoomPicture, room_picture

OUT = 3
"""Every third card is left out of the deck. It lies in the rooms, and must not be named."""
NEAR = 0.12
"""The maximum distance between the corners of a found card and the true one, as a share of its width."""


class RoomTally(msgspec.Struct):
    """The counts for rooms of one kind."""

    shown: int = 0
    named: int = 0
    foreign: int = 0
    """The number of visible cards that are not enrolled."""
    wrong: int = 0
    """The number of names of cards that do not lie there."""

    def count(self, seen: RoomPicture, reader: Recogniser) -> None:
        """Read a picture and count."""
        enrolled = set(reader.deck.cards)
        self.shown += sum(card.name in enrolled for card in seen.cards)
        self.foreign += sum(card.name not in enrolled for card in seen.cards)
        for one in reader.read(seen.picture):
            if one.card and one.face == "up":
                right = any(card.name == one.card and _same(card.corners, one.corners) for card in seen.cards)
                self.named += right
                self.wrong += not right

    def add(self, other: RoomTally) -> None:
        """Add another tally."""
        self.shown, self.named = self.shown + other.shown, self.named + other.named
        self.foreign, self.wrong = self.foreign + other.foreign, self.wrong + other.wrong


def _same(corners: object, found: object) -> bool:
    one, two = np.asarray(corners, np.float32), np.asarray(found, np.float32)
    width = float(np.linalg.norm(one[1] - one[0]))
    middle = float(np.linalg.norm(one.mean(axis=0) - two.mean(axis=0)))
    return middle < NEAR * width and 0.8 < cv2.contourArea(two) / max(1.0, cv2.contourArea(one)) < 1.25


def run(faces: dict[str, Image], pictures: int, say: Callable[[str], None] = print, first: int = 1) -> None:
    """Read this many pictures of each kind of room in each half, and print both.

    faces: a deck's pictures without margins. first: the seed of the first picture.
    """
    left_out = set(sorted(faces)[::OUT])
    deck = enrol("rooms", {name: [face] for name, face in faces.items() if name not in left_out}, drawn=True)[0]
    reader = Recogniser(deck)
    whole = [RoomTally(), RoomTally()]
    say(f"{len(deck.cards)} cards enrolled, {len(left_out)} left out; seeds {first} to {first + 2 * pictures - 1}")
    for kind in ROOMS:
        halves = [_half(kind, faces, reader, [first + 2 * nth + half for nth in range(pictures)]) for half in (0, 1)]
        say(f"{kind.name}: " + "; ".join([_said(half) for half in halves]))
        for half, found in zip(whole, halves, strict=True):
            half.add(found)
    say(f"all rooms, the half that limits may be chosen on: {_said(whole[0])}")
    say(f"all rooms, the other half: {_said(whole[1])}")


def _half(kind: RoomKind, faces: dict[str, Image], reader: Recogniser, seeds: list[int]) -> RoomTally:
    tally = RoomTally()
    for seed in seeds:
        tally.count(room_picture(kind, faces, seed), reader)
    return tally


def _said(tally: RoomTally) -> str:
    return (
        f"{format_interval(tally.named, tally.shown)} named, {tally.wrong} wrong beside {tally.foreign} foreign cards"
    )
