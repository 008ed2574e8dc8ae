"""Tests of coasters in the camera's service: the table's identity, the messages and the visible parts."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.frames import read_frame
from companion.games import SEEN
from companion.messages import HangingAdvice, Sighting
from vision.image import Image
from vision.mat import black_out
from vision.mat.coasters import coaster_numbers
from vision.service.live_picture import LiveOverlay, LivePicture
from vision.service.place_locator import PlaceLocator
from vision.settings import CameraSettings
from vision.simulate.laid_coasters import lay_coasters
from vision.simulate.rendered_table import RenderedTable

CARD = (63.0, 88.0)
SIZE = (2304, 1296)


def shown(players: int = 2, without: int = 0) -> Image:
    """Return a picture of a table with coasters, optionally without one of them."""
    mat = lay_coasters(SEEN["take-a-train"].places(players), players, CARD, 1)
    if without:
        number = coaster_numbers(players)[without - 1]
        mat = type(mat)(
            mat.size, CARD, mat.slots, tuple([m for m in mat.markers if m.id != number]), outline=mat.outline
        )
    return RenderedTable(mat, {}, None, "easy", 1, SIZE).picture()


def located(folder: Path, picture: Image, **settings: object) -> PlaceLocator:
    """Return a place locator that has seen this picture."""
    where = PlaceLocator(folder, CameraSettings(**settings))  # type: ignore[arg-type]
    where.look(picture, 1)
    return where


def test_coasters_tell_for_how_many_they_are(tmp_path: Path) -> None:
    """Coasters tell the number of players, and their table has the game's places without slots."""
    where = located(tmp_path, shown(4))
    assert where.mat is not None and where.players() == 4
    assert where.mat.places == SEEN["take-a-train"].places(4) and where.mat.slots == ()


def test_a_missing_coaster_is_named(tmp_path: Path) -> None:
    """A missing coaster is named, and the table is read only after all four were seen."""
    where = located(tmp_path, shown(2, without=3))
    assert where.pose is None
    assert (where.trouble().key, where.trouble().fields) == ("coaster_missing", {"coaster": 3})


@pytest.mark.parametrize(("rotate", "side"), [(0, "left"), (90, "top"), (180, "right"), (270, "bottom")])
def test_how_to_hang_it_is_said_as_people_see_the_picture(tmp_path: Path, rotate: int, side: str) -> None:
    """Glare is reported on the side where people see it in the rotated picture."""
    picture = shown(2)
    where = located(tmp_path, picture, rotate=rotate)
    assert where.pose is not None and where.mat is not None
    assert [each for each in where.hanging if each.key.startswith("hang_glare")] == []
    assert len(where.table()) == 4 and all(0 <= part <= 1 for corner in where.table() for part in corner)
    height, width = picture.shape[:2]
    shiny = picture.copy()
    cv2.circle(shiny, (round(0.25 * width), round(0.5 * height)), 120, (255, 255, 255), cv2.FILLED)
    where.look(shiny, 2)
    assert where.hanging[-1] == HangingAdvice("hang_glare", {"side": side})


def test_a_game_whose_places_must_be_printed_refuses_coasters(tmp_path: Path) -> None:
    """A game with printed places refuses coasters and asks for its mat."""
    where = located(tmp_path, shown(2), game="trains")
    assert where.pose is None and where.trouble().key == "coasters_unfit"


def test_a_coaster_that_was_moved_is_named(tmp_path: Path) -> None:
    """A moved coaster is named, and the others still locate the table."""
    picture = shown(2)
    where = located(tmp_path, picture)
    assert where.mat is not None and where.pose is not None
    corners = where.pose.project(where.mat.markers[1].corners())
    (left, top), (right, low) = corners.min(axis=0).astype(int) - 14, corners.max(axis=0).astype(int) + 14
    moved = picture.copy()
    part = picture[top:low, left:right].copy()
    moved[top:low, left:right] = 120
    moved[top - 60 : low - 60, left:right] = part
    where.look(moved, 2)
    assert (where.trouble().key, where.trouble().fields) == ("coaster_moved", {"coaster": 2})


def test_all_is_black_outside_before_anything_looks(tmp_path: Path) -> None:
    """The area beyond the coasters' centres, with faces and hands, is blacked out before any analysis."""
    picture = shown(2)
    where = located(tmp_path, picture)
    assert where.mat is not None and where.pose is not None
    clean = black_out(picture, where.pose, where.mat)
    (left, top), (right, low) = np.array(where.mat.outline).min(axis=0), np.array(where.mat.outline).max(axis=0)
    beyond = np.array([(left - 40, (top + low) / 2), (right + 40, (top + low) / 2), ((left + right) / 2, low + 30)])
    within = np.array([((left + right) / 2, (top + low) / 2)])
    assert [int(clean[y, x].max()) for x, y in np.rint(where.pose.project(beyond)).astype(int)] == [0, 0, 0]
    assert [int(clean[y, x].max()) > 0 for x, y in np.rint(where.pose.project(within)).astype(int)] == [True]


@pytest.mark.parametrize("whole", [False, True])
def test_pages_show_found_cards_alone(tmp_path: Path, whole: bool) -> None:
    """Pages show only recognised cards and black out a letter, an open hand, a telephone and an unnamed card."""
    picture = shown(2)
    where = located(tmp_path, picture)
    mat, pose = where.mat, where.pose
    assert mat is not None and pose is not None
    white = np.full_like(picture, 255)
    card = ((200.0, 300.0), (263.0, 300.0), (263.0, 388.0), (200.0, 388.0))
    other = tuple([(x + 120, y) for x, y in card])
    found = Sighting("market", "coal-100", 0, "up", 1.0, "", ("coal-100",), card)
    unnamed = Sighting("market", None, 1, "up", 0.0, "unknown", (), other)
    live = LivePicture(tmp_path)
    live.watch(5.0, 0, whole)
    live.show(white, 1, mat, pose, LiveOverlay((found, unnamed)))
    frame = read_frame(tmp_path)
    assert frame is not None
    small = cv2.imdecode(np.frombuffer(next(tmp_path.glob("*.jpg")).read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    here = pose.resize((small.shape[1], small.shape[0]))
    points = np.array([(231.0, 344.0), (351.0, 344.0), (150.0, 200.0), (231.0, 420.0)])
    assert [int(small[y, x]) > 200 for x, y in np.rint(here.project(points)).astype(int)] == [True, False, False, False]
    lit = float((small > 60).mean()) * small.size / pose.resize((small.shape[1], small.shape[0])).scale ** 2
    assert lit < 1.6 * CARD[0] * CARD[1]
