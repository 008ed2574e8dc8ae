"""Tests of finding the mat at any angle, partly hidden, distorted, with misplaced sheets or a moved camera."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.vision.photographing import camera, drawn, furthest, mat_for, photograph
from vision.mat import Mat, MatDetector, black_out, detector, find, straighten

FULL_HD = (1920, 1080)
SECOND = 1_000_000_000


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_mat_is_found_from_any_side(turn: int) -> None:
    """Each place is located to half a millimetre at any angle of the camera."""
    mat = mat_for(4)
    true = camera(mat, FULL_HD, turn=turn)
    pose = find(photograph(drawn(mat), true), mat)
    assert pose is not None and furthest(pose, true, mat) < 0.5
    assert pose.off == () and pose.seen >= 30


@pytest.mark.parametrize("bend", [-0.08, 0.04])
def test_lens_that_bends_is_borne(bend: float) -> None:
    """Barrel and pincushion distortion are estimated from the markers."""
    mat = mat_for(4)
    true = camera(mat, (1440, 810), bend)
    pose = find(photograph(drawn(mat), true), mat)
    assert pose is not None and furthest(pose, true, mat) < 0.7
    assert pose.bend == pytest.approx(bend, abs=0.01)


def test_half_of_the_markers_are_enough() -> None:
    """The mat is found with every second marker hidden by cards, hands or cups."""
    mat = mat_for(3)
    hidden = tuple(marker.id for marker in mat.markers[::2])
    true = camera(mat, FULL_HD)
    pose = find(photograph(drawn(mat, hidden), true), mat)
    assert pose is not None and furthest(pose, true, mat) < 0.6


def test_too_few_markers_are_no_mat() -> None:
    """Two markers are not enough to locate a mat."""
    mat = mat_for(2)
    hidden = tuple(marker.id for marker in mat.markers[2:])
    assert find(photograph(drawn(mat, hidden), camera(mat, FULL_HD)), mat) is None


def test_wrongly_laid_sheet_is_named() -> None:
    """A sheet 7 mm off is named, and the other sheets are still found."""
    mat = mat_for(4)
    true = camera(mat, FULL_HD)
    pose = find(photograph(drawn(mat, moved={3: (7.0, -1.0)}), true), mat)
    assert pose is not None and pose.off == (3,)
    assert furthest(pose, true, mat) < 0.7


def test_sheets_laid_by_hand_are_borne() -> None:
    """Gaps of a millimetre between sheets are accepted."""
    mat = mat_for(4)
    moved = {sheet.number: (0.9 * (sheet.number % 3 - 1), 0.9 * (sheet.number % 2)) for sheet in mat.sheets}
    pose = find(photograph(drawn(mat, moved=moved), camera(mat, FULL_HD)), mat)
    assert pose is not None and pose.off == ()


def test_mat_tells_by_itself_which_it_is() -> None:
    """The mat's markers identify it among mats for other players and papers."""
    mats = [mat_for(players, paper=paper) for players in (2, 3, 4) for paper in ("a4", "a3")]
    lies = mats[3]
    finder = MatDetector(mats)
    assert finder.look(photograph(drawn(lies), camera(lies, FULL_HD)), 0) is not None and finder.mat is lies


def test_no_mat_is_made_after_the_one_that_lies_there() -> None:
    """No mat is built after the right one, which saves a Pi a second, unless a sheet is misplaced or hidden."""
    mats = [mat_for(players, paper=paper) for players in (3, 4) for paper in ("a4", "a3")]
    lies, made = mats[1], list[Mat]()

    def make(found: object) -> Iterator[Mat]:
        for mat in mats:
            made.append(mat)
            yield mat

    finder = MatDetector(make)
    assert finder.look(photograph(drawn(lies), camera(lies, FULL_HD)), 0) is not None
    assert (finder.mat, made) == (lies, mats[:2])
    finder.forget()
    made.clear()
    moved = {1: (1.8, 1.8)}
    assert finder.look(photograph(drawn(lies, moved=moved), camera(lies, FULL_HD)), 1) is not None
    assert (finder.mat, made) == (lies, mats)


def test_scale_is_of_the_worst_place() -> None:
    """The scale is the pixels per millimetre at the point farthest from the camera."""
    mat = mat_for(4)
    true = camera(mat, FULL_HD)
    pose = find(photograph(drawn(mat), true), mat)
    assert pose is not None
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    step = np.linalg.norm(true.project(points + (0.0, 1.0)) - true.project(points), axis=1)
    assert 0.9 * step.min() < pose.scale <= step.min() * 1.02


def test_finder_keeps_the_mat_while_it_is_hidden() -> None:
    """After the markers disappear, the last pose is kept for a while and then dropped."""
    mat = mat_for(2)
    seen, empty = photograph(drawn(mat), camera(mat, FULL_HD)), np.full((1080, 1920, 3), 90, dtype=np.uint8)
    finder = MatDetector([mat])
    pose = finder.look(seen, 0)
    assert pose is not None
    assert finder.look(empty, 5 * SECOND) is pose
    assert finder.look(empty, 1000 * SECOND) is None and finder.mat is None


def test_finder_notices_a_bumped_camera() -> None:
    """The pose stays while the camera is still and is found again after the camera moved."""
    mat = mat_for(2)
    finder = MatDetector([mat])
    first = finder.look(photograph(drawn(mat), camera(mat, FULL_HD)), 0)
    assert finder.look(photograph(drawn(mat), camera(mat, FULL_HD), noise=5), SECOND) is first
    pushed = camera(mat, FULL_HD, shift=25)
    after = finder.look(photograph(drawn(mat), pushed), 2 * SECOND)
    assert finder.bumped == 1 and after is not None and furthest(after, pushed, mat) < 0.5


def test_finder_looks_anew_only_where_something_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The finder searches only after something moved, and it notices a moved sheet."""
    mat = mat_for(2)
    finder, searched = MatDetector([mat]), []
    found = detector.detect
    monkeypatch.setattr(detector, "detect", lambda picture: searched.append(1) or found(picture))
    true = camera(mat, FULL_HD)
    for noise in (2, 3, 4):
        assert finder.look(photograph(drawn(mat), true, noise), 0) is not None
    assert len(searched) == 1
    pushed = finder.look(photograph(drawn(mat, moved={2: (6.0, 2.0)}), true), 0)
    assert len(searched) == 2 and pushed is not None and pushed.off == (2,)
    back = finder.look(photograph(drawn(mat), true), 0)
    assert len(searched) == 3 and back is not None and back.off == ()
    assert finder.look(np.full((1080, 1920, 3), 128, dtype=np.uint8), 0) is back and len(searched) == 4


def test_pose_follows_a_picture_made_smaller() -> None:
    """A pose of the full picture can be scaled to a small one."""
    mat = mat_for(2)
    true = camera(mat, FULL_HD, -0.05)
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    expected = (true.project(points) + 0.5) / 6 - 0.5
    assert np.allclose(true.resize((320, 180)).project(points), expected, atol=0.01)


@pytest.mark.parametrize("bend", [0.0, -0.08])
def test_straightened_picture_is_the_mat_from_above(bend: float) -> None:
    """In the straightened picture, the point at x, y millimetres lies at x, y times the scale in pixels."""
    mat = mat_for(2)
    true = camera(mat, (1280, 720), bend, turn=1)
    straight = straighten(photograph(drawn(mat), true), true, 2.0, mat.size)
    assert straight.shape[:2] == (round(mat.size[1] * 2), round(mat.size[0] * 2))
    again = find(straight, mat)
    assert again is not None
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    assert np.abs(again.project(points) - points * 2.0).max() < 1.0


def test_outside_the_places_all_is_black() -> None:
    """Everything outside the readable places is black, and these stay unchanged."""
    mat = mat_for(2)
    true = camera(mat, FULL_HD)
    picture = np.full((1080, 1920, 3), 200, dtype=np.uint8)
    blackened = black_out(picture, true, mat)
    for slot in mat.read():
        x, y = np.round(true.project(mat.corners(slot)).mean(axis=0)).astype(int)
        assert blackened[y, x].tolist() == [200, 200, 200]
    for corner in ((0, 0), (1079, 1919), (0, 1919), (1079, 0)):
        assert blackened[corner].tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="1920×1080"):
        black_out(picture[:500], true, mat)
