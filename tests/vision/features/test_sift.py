"""Tests that SIFT features found in tiles equal those of the whole picture, with few exceptions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import card
from vision.features.pixels import grey_of
from vision.features.sift import Features, extract, extract_in_tiles
from vision.image import Image

MOST = 2500


@pytest.fixture(scope="module")
def table() -> Image:
    """Return a grey picture of a table full of cards, 840 × 480 pixels."""
    rows = [np.hstack([cv2.resize(card(7 * row + at), (120, 160)) for at in range(7)]) for row in range(3)]
    return grey_of(np.asarray(np.vstack(rows), np.uint8))


def found_again(one: Features, two: Features) -> float:
    """Return the fraction of the first features that the second also has, at the same place and size."""
    away = np.abs(one.points[:, None, :2] - two.points[None, :, :2]).max(axis=2)
    grown = np.abs(np.log2(one.points[:, None, 2] / two.points[None, :, 2]))
    return float(((away < 0.5 + 0.05 * one.points[:, 2:3]) & (grown < 0.25)).any(axis=1).mean())


def test_tiles_find_what_the_whole_picture_finds(table: Image) -> None:
    """Tiles and the whole picture share at least nine tenths of their features, and their numbers are similar."""
    whole, tiled = extract(table, MOST), extract_in_tiles(table, MOST)
    assert len(whole.points) > 500
    assert found_again(whole, tiled) > 0.9
    assert found_again(tiled, whole) > 0.9


def test_tiles_may_be_searched_side_by_side(table: Image) -> None:
    """Any number of threads finds the same features in the same order."""
    one = extract_in_tiles(table, MOST)
    with ThreadPoolExecutor(3) as workers:
        two = extract_in_tiles(table, MOST, None, workers.map)
    assert np.array_equal(one.points, two.points)
    assert np.array_equal(one.descriptors, two.descriptors)


def test_no_more_features_than_wanted(table: Image) -> None:
    """Only the strongest features are kept, up to the limit."""
    assert len(extract_in_tiles(table, 200).points) == 200


@pytest.mark.parametrize("width", [840, 200])
def test_a_mask_leaves_features_away(table: Image, width: int) -> None:
    """No feature lies where the mask is 0, with one tile or several."""
    picture = np.ascontiguousarray(table[:, :width])
    known = np.zeros(picture.shape, np.uint8)
    known[:, : width // 3] = 255
    found = extract_in_tiles(picture, MOST, known)
    assert len(found.points) > 50
    assert found.points[:, 0].max() < width // 3 + 4  # masks of larger features are exact to four pixels


def test_nothing_is_found_on_nothing() -> None:
    """A uniform grey picture has no features."""
    assert extract_in_tiles(np.full((600, 900), 90, np.uint8), MOST).points.shape == (0, 4)
