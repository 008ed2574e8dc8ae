"""Tests that objects between coasters are not taken for cards of the game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.slots.test_free_reader import HIGH, OWN, Scene, told
from vision.image import Image
from vision.simulate.camera_geometry import Points
from vision.slots import TableReading

pytestmark = pytest.mark.pixels
LOCO = {"steam-4": OWN}
OWNED = ("seat.1.train.1", 0, "steam-4")


def seen_with(scene: Scene, change: Callable[[Image], Image], pictures: int = 5) -> TableReading:
    """Return the reading of a table whose pictures are changed by a function."""
    for _ in range(pictures):
        scene.number += 1
        reading = scene.reader.read(change(scene.table.picture()), scene.pose, scene.number)
    return reading


def square(middle: tuple[float, float], wide: float, high: float) -> Points:
    """Return the corners of a rectangle on the table in millimetres, clockwise from the upper left."""
    return np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2 + middle


def patched(scene: Scene, picture: Image, source: Points, to: Points) -> Image:
    """Return a picture with a copy of a part of the table elsewhere, turned as its corners are."""
    a, b = (scene.pose.project(corners).astype(np.float32) for corners in (source, to))
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(a, b), size, flags=cv2.INTER_AREA)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(b).astype(np.int32), 255)
    return np.asarray(np.where(mask[:, :, None] > 0, moved, picture), np.uint8)


CARD_SEEN = square((OWN[0], OWN[1]), 63, 88)
"""The position of the locomotive that a mirror or a screen shows."""


def test_a_mirrored_card_has_no_name() -> None:
    """A mirrored card has no name and is at most asked about."""
    scene = Scene()
    scene.read(LOCO)
    mirrored = square((120, 366), 63, 88)[[1, 0, 3, 2]]
    reading = seen_with(scene, lambda picture: patched(scene, picture, CARD_SEEN, mirrored))
    assert {each for each in told(reading) if each[2] is not None} == {OWNED}


@pytest.mark.parametrize("factor", [0.55, 1.6])
def test_cards_on_a_screen_have_no_name(factor: float) -> None:
    """A card on a telephone or television has no name, because its size differs from the deck's."""
    scene = Scene()
    scene.read(LOCO)
    screen = square((200, 330), 63 * factor, 88 * factor)
    reading = seen_with(scene, lambda picture: patched(scene, picture, CARD_SEEN, screen))
    assert {each for each in told(reading) if each[2] is not None} == {OWNED}


def test_a_cat_covers_what_it_lies_on() -> None:
    """A cat over half a train keeps the earlier reading, covers the middle and adds no cards."""
    scene = Scene()
    market = {"coal-150": (120.0, 366.0, 0.0)}
    scene.read({**LOCO, **market})
    luck = np.random.default_rng(3)

    def cat(picture: Image) -> Image:
        x, y = (int(each) for each in scene.pose.project(np.array([[150.0, 400.0]]))[0])
        fur = cv2.GaussianBlur(luck.integers(20, 120, picture.shape[:2], dtype=np.uint8), (0, 0), 3)
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.ellipse(mask, (x, y), (420, 260), 30, 0, 360, 255, cv2.FILLED)
        return np.asarray(np.where(mask[:, :, None] > 0, np.dstack([fur // 2, fur, fur]), picture), np.uint8)

    reading = seen_with(scene, cat)
    assert "market" in reading.covered and "auction" in reading.covered
    assert {each for each in told(reading) if each[2] is not None} <= {OWNED, ("market", 0, "coal-150")}
    assert told(seen_with(scene, lambda picture: picture)) == {OWNED, ("market", 0, "coal-150")}


def test_a_wagon_nearer_to_another_seats_locomotive_is_in_the_market() -> None:
    """A wagon that is not tucked behind a locomotive is in the market, even near another seat's locomotive."""
    scene = Scene()
    theirs = (200.0, 70.0, 180.0)
    scene.read({"steam-4": (200.0, HIGH - 70, 0.0), "diesel-5": theirs})
    reading = scene.read({"steam-4": (200.0, HIGH - 70, 0.0), "diesel-5": theirs, "oil-200": (200.0, 240.0, 0.0)})
    assert told(reading) == {OWNED, ("seat.2.train.1", 0, "diesel-5"), ("market", 0, "oil-200")}


def test_a_cloth_that_is_pulled_takes_its_cards_along() -> None:
    """If coasters and cards move together, the table keeps its cards and asks nothing."""
    scene = Scene()
    before = scene.read(LOCO)
    shift = np.array([[1.0, 0, 60], [0, 1, -25]])
    matrix = np.vstack([shift, [0, 0, 1]])
    scene.pose = type(scene.pose)(
        matrix @ scene.pose.homography, scene.pose.picture, scene.pose.bend, scale=scene.pose.scale
    )
    size = scene.pose.picture
    reading = seen_with(
        scene,
        lambda picture: np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE), np.uint8),
    )
    assert told(reading) == told(before) == {OWNED} and reading.covered == ()
