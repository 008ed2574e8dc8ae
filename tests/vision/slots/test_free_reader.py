"""Tests of cards on a rendered table with coasters, where no place is printed and unclear cards are not assigned."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from companion.engine import Layout, Spot
from companion.games import SEEN
from tests.support.vision.own_deck import own_recogniser
from vision.mat import Mat, MatPose, Slot
from vision.mat.aruco import detect
from vision.mat.coasters import coaster_mat
from vision.mat.detector import fit
from vision.print.cards import faces
from vision.simulate.camera_geometry import Points
from vision.simulate.clutter import rectangle
from vision.simulate.difficulty import Difficulty
from vision.simulate.laid_coasters import lay_coasters
from vision.simulate.lying import Heap, LyingCard
from vision.simulate.rendered_table import RenderedTable
from vision.slots import FreeReader, TableReading

CARD = (63.0, 88.0)
SIZE = (3200, 1800)
PLACES = SEEN["take-a-train"].places(2)
WIDE, HIGH = lay_coasters(PLACES, 2, CARD, 1).size
Pose = tuple[float, float, float]
"""A card's centre in millimetres of the table, and its turn in degrees."""
OWN = (262.0, HIGH - 70, 0.0)
"""The pose of an upright card before seat 1."""

pytestmark = pytest.mark.pixels


class Scattered(Heap):
    """Cards at any poses, the first on top."""

    def __init__(self, mat: Mat, difficulty: Difficulty, seed: int) -> None:
        super().__init__(mat, difficulty, seed)
        self.poses: dict[str, Pose] = {}

    def corners(self, lying: LyingCard) -> Points:
        """Return a card's corners in millimetres, clockwise from its own top left."""
        x, y, turn = self.poses[lying.card]
        return rectangle(CARD, turn) + (x, y)


class Scene:
    """A table for two with cards anywhere between its coasters, and a reader of it."""

    def __init__(self, seen_empty: bool = True) -> None:
        laid = lay_coasters(PLACES, 2, CARD, 1)
        slot = Slot("anywhere", "spread", 100, 100, 0, 20, (0.0, 0.0))
        mat = Mat(laid.size, CARD, (slot,), laid.markers, players=2, outline=laid.outline)
        self.table = RenderedTable(mat, faces("take-a-train"), {}, "easy", 3, SIZE)
        self.heap = self.table.heap = Scattered(mat, self.table.difficulty, 3)
        self.number = 0
        picture = self.table.picture()
        self.mat = coaster_mat(detect(picture), SIZE, CARD, PLACES)
        pose = fit(detect(picture), self.mat, SIZE)
        assert pose is not None
        self.pose: MatPose = pose
        self.reader = FreeReader(own_recogniser("take-a-train"), self.mat)
        if seen_empty:
            self.read({})

    def read(self, poses: dict[str, Pose], pictures: int = 5) -> TableReading:
        """Lay these cards, topmost first, and return the reading after some pictures."""
        self.heap.poses = poses
        self.table.set(Layout({"anywhere": Spot(tuple(poses))}))
        for _ in range(pictures):
            self.number += 1
            reading = self.reader.read(self.table.picture(), self.pose, self.number)
        return reading


def told(reading: TableReading) -> set[tuple[str, int, str | None]]:
    """Return place, position and name of each reported card."""
    return {(one.place, one.at, one.card) for one in reading.sightings}


def row(cards: Iterable[str], first: Pose) -> dict[str, Pose]:
    """Return a locomotive with tucked wagons, each a quarter visible, in a row leading away from seat 1."""
    x, y, turn = first
    away = np.array([np.sin(np.radians(turn)), -np.cos(np.radians(turn))]) * 22
    return {card: (x + nth * away[0], y + nth * away[1], turn) for nth, card in enumerate(cards)}


def test_a_train_runs_along_its_own_locomotive() -> None:
    """A train follows its tilted locomotive, and cards in the middle at any angle are assigned by kind."""
    scene = Scene()
    middle = {"electric-3": (80.0, 366.0, 30.0), "coal-150": (200.0, 380.0, -75.0), "bonus": (320.0, 350.0, 140.0)}
    scene.read({"steam-4": (262.0, HIGH - 70, 10.0), **middle})
    reading = scene.read({**row(("steam-4", "oil-200", "food-100"), (262.0, HIGH - 70, 10.0)), **middle})
    assert told(reading) == {
        ("seat.1.train.1", 0, "steam-4"), ("seat.1.train.1", 1, "oil-200"), ("seat.1.train.1", 2, "food-100"),
        ("auction", 0, "electric-3"), ("market", 0, "coal-150"), ("market", 1, "bonus"),
    }  # fmt: skip
    assert reading.covered == ()


def test_a_table_in_mid_game_is_read_at_first_sight() -> None:
    """A table in the middle of a game is read from the first pictures."""
    train = row(("diesel-2", "cattle-150", "luxury-300"), OWN)
    reading = Scene(seen_empty=False).read({**train, "coal-100": (200.0, 366.0, 5.0)}, pictures=7)
    assert told(reading) == {
        ("seat.1.train.1", 0, "diesel-2"), ("seat.1.train.1", 1, "cattle-150"), ("seat.1.train.1", 2, "luxury-300"),
        ("market", 0, "coal-100"),
    }  # fmt: skip


@pytest.mark.parametrize("pose", [(262.0, HIGH - 80, 45.0), (262.0, HIGH - 175, 0.0)])
def test_a_locomotive_at_an_odd_place_is_asked_about(pose: Pose) -> None:
    """A locomotive at 45° or halfway to the middle is asked about, and a person's answer assigns it."""
    scene = Scene()
    (asked,) = scene.read({"steam-7": pose}).sightings
    assert (asked.place, asked.card, asked.doubt, asked.likeliest) == ("seat.1.train.1", None, "hidden", ("steam-7",))
    assert scene.reader.name("seat.1.train.1", 0, "steam-7")
    assert told(scene.read({"steam-7": pose})) == {("seat.1.train.1", 0, "steam-7")}


def test_a_wagon_behind_no_locomotive_belongs_to_no_train() -> None:
    """A wagon beside a train, even one that touches it, belongs to the market."""
    scene = Scene()
    reading = scene.read({"steam-4": OWN, "oil-200": (OWN[0] + 68, OWN[1], 0.0)})
    assert told(reading) == {("seat.1.train.1", 0, "steam-4"), ("market", 0, "oil-200")}


def test_two_trains_that_claim_a_card_are_not_read() -> None:
    """If two trains claim the same card, neither is reported until they lie apart."""
    scene = Scene()
    left, right = (210.0, HIGH - 70, 14.0), (290.0, HIGH - 70, -14.0)
    scene.read({"steam-4": left, "diesel-5": right})
    joint = {"oil-200": (250.0, HIGH - 150.0, 0.0)}
    reading = scene.read({**row(("steam-4", "food-100"), left), **row(("diesel-5",), right), **joint})
    assert {"seat.1.train.1", "seat.1.train.2"} <= set(reading.covered)


def test_a_locomotive_face_down_begins_a_train_and_a_pile_none() -> None:
    """A face-down locomotive before a seat begins a train, and face-down cards in the middle are unread piles."""
    scene = Scene()
    reading = scene.read({"back-locomotive": OWN, "back-wagon": (262.0, 366.0, 0.0)})
    (only,) = reading.sightings
    assert (only.place, only.card, only.face) == ("seat.1.train.1", "back-locomotive", "down")


def test_a_card_that_is_taken_away_is_gone() -> None:
    """A removed card is no longer reported once the empty table shows there."""
    scene = Scene()
    scene.read({"steam-4": OWN, "oil-200": (262.0, 366.0, 20.0)})
    assert told(scene.read({"oil-200": (262.0, 366.0, 20.0)})) == {("market", 0, "oil-200")}
    assert told(scene.read({})) == set()
