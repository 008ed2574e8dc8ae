"""Tests of tables without a mat: four taps, arranged or drawn places, and their storage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.games.take_a_train.layout import places
from vision.mat import MatError
from vision.mat.manual import NAME, DrawnSlot, ManualPlaces, check_places, keep, load, mat_of, pose_of

CARD = (63.0, 88.0)
CORNERS = ((0.1, 0.2), (0.9, 0.15), (0.95, 0.9), (0.05, 0.85))
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def test_places_are_arranged_in_the_rectangle() -> None:
    """Four taps and a size arrange the places in the middle as on a mat and locate them in the picture."""
    by_hand = check_places(CORNERS, (1100.0, 750.0), 4)
    mat = mat_of(by_hand, places(4), CARD)
    assert {slot.place for slot in mat.slots} == {place.name for place in places(4)}
    hulls = np.vstack([mat.hull(slot) for slot in mat.slots])
    assert (hulls.min(axis=0) >= 0).all() and (hulls.max(axis=0) <= mat.size).all()
    pose = pose_of(by_hand, mat, (1920, 1080))
    ends = pose.project(np.array([[0, 0], [1100, 0], [1100, 750], [0, 750]], dtype=np.float64))
    assert np.allclose(ends, np.array(CORNERS) * (1920, 1080) - 0.5, atol=0.01)
    assert 0.5 < pose.scale < 1920 * 0.9 / 1100


def test_rectangle_that_is_too_small_is_refused_with_what_is_needed() -> None:
    """A rectangle that is too small is refused with the size that the places need."""
    with pytest.raises(MatError, match=r"30 × 20 cm is too small: these places need \d+ × \d+ cm"):
        mat_of(check_places(CORNERS, (300.0, 200.0), 6), places(6), CARD)


def test_places_are_drawn_by_hand() -> None:
    """A rectangle drawn around a place's cards defines its outlines for any seat's direction."""
    near = ((0.1, 0.5), (0.163, 0.5), (0.163, 0.742), (0.1, 0.742))
    far = ((0.763, 0.442), (0.7, 0.442), (0.7, 0.2), (0.763, 0.2))
    wide = ((0.2, 0.1), (0.401, 0.1), (0.401, 0.188), (0.2, 0.188))
    drawn = [{"place": "seat.1.train.1", "corners": near}, {"place": "seat.2.train.1", "corners": far},
             {"place": "market", "corners": wide}]  # fmt: skip
    mat = mat_of(check_places(SQUARE, (1000.0, 1000.0), 2, drawn), places(2), CARD)
    first, second, market = mat.slots
    assert (first.turn, second.turn, market.turn) == (0, 2, 0)
    assert np.allclose(first.step, (0, -22)) and np.allclose(second.step, (0, 22)) and np.allclose(market.step, (69, 0))
    assert np.allclose(mat.hull(first), np.array(near) * 1000, atol=0.1)
    assert np.allclose(mat.hull(second), np.roll(np.array(far), 2, axis=0) * 1000, atol=0.1)
    assert np.allclose(mat.corners(second)[0], (763, 288), atol=0.1)


def test_places_of_people_at_the_ends_lie_sideways() -> None:
    """A place at the left end is turned by a quarter, because its owner sits there."""
    left = ((0.3, 0.2), (0.3, 0.263), (0.058, 0.263), (0.058, 0.2))
    mat = mat_of(
        check_places(SQUARE, (1000.0, 1000.0), 2, [{"place": "seat.1.train.1", "corners": left}]), places(2), CARD
    )
    slot = mat.slots[0]
    assert slot.turn == 1 and np.allclose(slot.step, (22, 0), atol=0.1)
    assert np.allclose(mat.corners(slot)[0], (146, 200), atol=0.2)


@pytest.mark.parametrize(
    ("corners", "size"),
    [(CORNERS[:3], (1000, 700)), (CORNERS[::-1], (1000, 700)), (((0, 0), (0.5, 0), (1, 0), (0, 1)), (1000, 700)),
     (CORNERS, (5, 700)), ("four", (1000, 700)), (((0, 0), (9, 0), (9, 1), (0, 1)), (1000, 700)), (None, None)],
)  # fmt: skip
def test_what_is_no_table_is_refused(corners: object, size: object) -> None:
    """Three corners, wrong order, collinear points, far points and missing sizes are refused."""
    with pytest.raises(MatError):
        check_places(corners, size, 4)


def test_unknown_place_is_refused() -> None:
    """A place that the game does not have is refused."""
    with pytest.raises(MatError, match="attic"):
        mat_of(check_places(SQUARE, (900, 900), 2, [{"place": "attic", "corners": CORNERS}]), places(2), CARD)


def test_what_was_shown_is_kept(tmp_path: Path) -> None:
    """Places set by hand survive a restart until they are forgotten, and an unreadable file counts as none."""
    by_hand = ManualPlaces(CORNERS, (1000.0, 700.0), 3, (DrawnSlot("market", CORNERS),))
    assert load(tmp_path) is None
    keep(tmp_path, by_hand)
    assert load(tmp_path) == by_hand
    (tmp_path / NAME).write_text("{half", encoding="utf-8")
    assert load(tmp_path) is None
    keep(tmp_path, None)
    assert not (tmp_path / NAME).exists()
