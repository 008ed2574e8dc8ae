"""Tests of coasters: their pose in a rendered picture, and the errors when they enclose no table."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.engine import tell_by_cards
from companion.games import SEEN
from vision.mat import Mat
from vision.mat.aruco import detect
from vision.mat.coaster_sheet import coaster_sheet
from vision.mat.coasters import SIDE, CoasterFault, coaster_mat, coaster_numbers, players_of_coasters
from vision.mat.detector import MatDetector, fit
from vision.mat.mat import Points
from vision.print.drawing.raster import to_pixels
from vision.simulate.laid_coasters import lay_coasters
from vision.simulate.rendered_table import RenderedTable

CARD = (63.0, 88.0)
SIZE = (2304, 1296)
GAME = SEEN["take-a-train"]
Quads = dict[int, npt.NDArray[np.float64]]


def table(players: int = 2, seed: int = 1, difficulty: str = "default") -> RenderedTable:
    """Return an empty rendered table with coasters."""
    return RenderedTable(lay_coasters(GAME.places(players), players, CARD, seed), {}, None, difficulty, seed, SIZE)


def seen_from_above(middles: list[tuple[float, float]], players: int = 4) -> Quads:
    """Return the corners of coasters with the given centres, at one pixel per millimetre."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE / 2
    return {number: square + middle for number, middle in zip(coaster_numbers(players), middles, strict=True)}


def farthest(true: Points, found: Points) -> float:
    """Return the largest distance of points from the true ones after rigid alignment."""
    one, two = true - true.mean(axis=0), found - found.mean(axis=0)
    left, _, right = np.linalg.svd(one.T @ two)
    return float(np.linalg.norm(one @ (left @ right) - two, axis=1).max())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_pose_is_true_to_two_millimetres_over_the_table(seed: int) -> None:
    """Coasters laid by eye at any angle locate the table to two millimetres under a tilted lens with distortion."""
    shown = table(seed=seed)
    found = detect(shown.picture())
    mat = coaster_mat(found, SIZE, CARD)
    pose = fit(found, mat, SIZE)
    assert pose is not None and pose.seen == 4 and mat.players == 2
    width, height = shown.mat.size
    points = np.array([[x, y] for x in np.linspace(0, width, 7) for y in np.linspace(0, height, 7)])
    assert farthest(points, pose.locate(shown.view().to_picture(points))) <= 2.0


def test_a_coaster_that_is_hidden_later_changes_nothing() -> None:
    """After all four coasters were seen, three suffice and the table's coordinates stay the same."""
    found = detect(table().picture())
    mat = coaster_mat(found, SIZE, CARD)
    whole = fit(found, mat, SIZE)
    less = fit({number: quad for number, quad in found.items() if number != mat.markers[2].id}, mat, SIZE)
    assert whole is not None and less is not None
    points = np.array(mat.outline)
    assert np.linalg.norm(whole.project(points) - less.project(points), axis=1).max() < 2 * whole.scale


def test_a_coaster_that_is_moved_is_named() -> None:
    """A moved coaster is named, because the other three still locate the table."""
    found = detect(table().picture())
    mat = coaster_mat(found, SIZE, CARD)
    moved = found | {mat.markers[1].id: found[mat.markers[1].id] + (40.0, 0.0)}
    pose = fit(moved, mat, SIZE)
    assert pose is not None and pose.off == (2,) and pose.seen == 3


def test_a_pushed_camera_or_a_pulled_cloth_is_followed() -> None:
    """If all coasters move together, the table keeps its coordinates at its new place in the picture."""
    picture = table().picture()
    detector = MatDetector(lambda found: [coaster_mat(found, SIZE, CARD)])
    before = detector.look(picture, 1)
    mat = detector.mat
    shifted = cv2.warpAffine(picture, np.array([[1.0, 0, 24], [0, 1, -9]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    after = detector.look(np.asarray(shifted, np.uint8), 2)
    assert before is not None and after is not None and detector.mat is mat and detector.bumped == 1
    corner = np.array([[0.0, 0.0]])
    assert np.allclose(after.project(corner) - before.project(corner), (24, -9), atol=1.0)


RIGHT = [(900.0, 700.0), (100.0, 700.0), (100.0, 100.0), (900.0, 100.0)]
"""Coasters 1 to 4 at the corners of a true rectangle."""


@pytest.mark.parametrize(
    ("middles", "key", "fields"),
    [
        ([*RIGHT[:3], (1300.0, 300.0)], "coasters_askew", {"coaster": 4}),
        ([RIGHT[0], (-100.0, 500.0), *RIGHT[2:]], "coasters_askew", {"coaster": 2}),
        ([*RIGHT[:3], (1300.0, 100.0)], "coasters_askew", {"coaster": 1}),
        ([RIGHT[1], RIGHT[0], *RIGHT[2:]], "coasters_crossed", {}),
        ([(400.0, 700.0), (100.0, 700.0), (100.0, 100.0), (400.0, 100.0)], "coasters_close", {"least": 35}),
    ],
)
def test_what_is_no_rectangle_is_said(middles: list[tuple[float, float]], key: str, fields: dict[str, int]) -> None:
    """Coasters away from corners, in the wrong order or too close together are refused."""
    with pytest.raises(CoasterFault) as fault:
        coaster_mat(seen_from_above(middles), (1400, 800), CARD)
    assert (fault.value.key, fault.value.fields) == (key, fields)


def test_a_coaster_that_is_not_seen_is_named() -> None:
    """All four coasters are needed to locate the table, the missing one is named, and other markers are ignored."""
    found = seen_from_above(RIGHT)
    del found[coaster_numbers(4)[2]]
    with pytest.raises(CoasterFault) as fault:
        coaster_mat(found, (1400, 800), CARD)
    assert (fault.value.key, fault.value.fields) == ("coaster_missing", {"coaster": 3})
    assert players_of_coasters(found) == 4
    assert players_of_coasters(dict.fromkeys((100, 101, 640))) == 0


@pytest.mark.parametrize(("size", "side"), [((880, 800), "right"), ((1400, 720), "bottom")])
def test_a_coaster_outside_the_picture_is_told_by_its_side(size: tuple[int, int], side: str) -> None:
    """A coaster outside the picture is reported with its side, even if only its marker is cropped."""
    found = seen_from_above(RIGHT)
    del found[coaster_numbers(4)[0]]
    with pytest.raises(CoasterFault) as fault:
        coaster_mat(found, size, CARD)
    assert (fault.value.key, fault.value.fields) == ("coaster_outside", {"coaster": 1, "side": side})


def test_coasters_of_two_tables_bound_none() -> None:
    """Coasters of two different sheets enclose no table, because the right sheet is unknown."""
    found = seen_from_above(RIGHT) | seen_from_above([(x / 2, y / 2) for x, y in RIGHT], players=2)
    with pytest.raises(CoasterFault) as fault:
        coaster_mat(found, (1400, 800), CARD)
    assert fault.value.key == "coasters_two"


def test_a_true_rectangle_has_its_true_size() -> None:
    """The outline of a true rectangle runs clockwise through the coasters' centres from the upper left at true size."""
    mat = coaster_mat(seen_from_above(RIGHT), (1400, 800), CARD)
    assert np.allclose(mat.size, (800, 600), atol=0.2)
    assert np.allclose(mat.outline, [(0, 0), (800, 0), (800, 600), (0, 600)], atol=0.2)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_has_four_coasters_of_the_printed_size(paper: str) -> None:
    """The sheet has four coasters whose printed markers the camera finds at their true size."""
    sheet = coaster_sheet(4, paper)
    found = detect(to_pixels(sheet.drawing, 4.0))
    assert sorted(found) == list(coaster_numbers(4))
    for quad in found.values():
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1) / 4.0
        assert np.allclose(sides, SIDE, atol=0.15)


def test_games_whose_cards_tell_their_place_have_coasters() -> None:
    """Coasters exist only for games whose cards identify their places; other games use a mat."""
    free = {name for name, game in SEEN.items() if tell_by_cards(game.places(game.seats[-1]))}
    assert free == {"take-a-train", "game-of-trains"}
    assert cast("Mat", coaster_mat(seen_from_above(RIGHT), (1400, 800), CARD, GAME.places(4))).places == GAME.places(4)
