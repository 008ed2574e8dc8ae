"""Tests of the data kept from one rendered picture to the next."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.simulate.test_rendered_table import mat
from vision.image import Image
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.difficulty import DEFAULT, EASY, HARD, Difficulty
from vision.simulate.rendered_scene import BAND, RenderedScene

SIZE = (960, 720)
"""The height of several bands of rows."""
Box = tuple[int, int, int, int]


def scene(difficulty: Difficulty, seed: int) -> RenderedScene:
    """Return the scene of an empty table."""
    return RenderedScene(mat(), None, difficulty, SIZE, "wood", seed)


@pytest.mark.parametrize(("difficulty", "seed"), [(EASY, 1), (DEFAULT, 2), (HARD, 3)])
def test_a_changed_table_looks_as_if_it_had_always_been_so(difficulty: Difficulty, seed: int) -> None:
    """After cards and hands change, each picture equals that of a new scene."""
    assert SIZE[1] > 2 * BAND
    luck, kept = Random(seed), scene(difficulty, seed)
    for number in range(8):
        boxes = [_box(luck) for _ in range(luck.randint(0, 2))]
        over = [_box(luck)] if luck.random() < 0.4 else None
        pictures = [_picture(each, number, boxes, over) for each in (kept, scene(difficulty, seed))]
        assert np.array_equal(pictures[0], pictures[1])


def _box(luck: Random) -> Box:
    """Return a random box of pixels on the table, and a brightness."""
    return (
        luck.choice((0, luck.randrange(SIZE[1]), SIZE[1])),
        luck.randrange(SIZE[0]),
        luck.randint(1, 40),
        luck.randint(0, 255),
    )


def _picture(scene: RenderedScene, number: int, boxes: list[Box], over: list[Box] | None) -> Image:
    """Return the table's picture with boxes on it and boxes over them."""

    def paint(flat: Image, _: CameraGeometry, what: list[Box] = boxes) -> None:
        for top, left, side, bright in what:
            cv2.rectangle(flat, (left, top), (left + side, top + side), (bright, 255 - bright, 90), -1)

    return scene.picture(number, number, paint, None if over is None else lambda flat, view: paint(flat, view, over))
