"""Tests of a picture while it is read: which cards can hide each other, and what is cached."""

from __future__ import annotations

import numpy as np

from vision.features.pixels import Floats, corners_of
from vision.recognise.scene import PictureScene, come_near

DIAMOND = np.array([[100, 0], [200, 100], [100, 200], [0, 100]], np.float32)


def beside(right: float, down: float) -> Floats:
    """Return the same diamond at another place."""
    return DIAMOND + np.array([right, down], np.float32)


def test_cards_whose_boxes_overlap_may_lie_apart() -> None:
    """Two turned cards with a gap do not hide each other, even if their boxes overlap."""
    assert not come_near(DIAMOND, beside(130, 130))
    assert come_near(DIAMOND, beside(105, 105))
    assert come_near(DIAMOND, beside(50, 20))
    assert not come_near(DIAMOND, beside(300, 0))


def test_only_an_accepted_card_that_comes_near_changes_what_is_seen() -> None:
    """An accepted card changes the visible area only of cards that it overlaps."""
    scene = PictureScene(np.zeros((480, 640, 3), np.uint8))
    scene.cover(beside(300, 200))
    assert scene.same(0, DIAMOND)
    scene.cover(beside(60, 60))
    assert (scene.same(0, DIAMOND), scene.same(1, DIAMOND), scene.same(2, DIAMOND)) == (False, False, True)


def test_what_is_kept_belongs_to_one_view_of_the_picture() -> None:
    """A cached value belongs to one visible area and is computed again for a smaller one."""
    scene = PictureScene(np.zeros((480, 640, 3), np.uint8))
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    one = scene.keeping()
    hidden = np.zeros((96, 64), np.uint8)
    less = one.without(np.eye(3), (64, 96), hidden)
    assert (one.keep("look", make), one.keep("look", make)) == (0, 0)
    assert (less.keep("look", make), scene.keep("look", make), scene.keep("look", make)) == (1, 2, 3)
    assert one.uncovered(corners_of((64, 96))).keep("look", make) == 4
