"""Tests of locating the places: the mat's identity, its faults, and places set by hand."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.support.vision.photographing import camera, drawn, mat_for, photograph
from tests.support.vision.token_mats import token_mat
from vision.deck.stored_decks import RequestRefused
from vision.image import Image
from vision.mat import MatError, MatPose
from vision.mat.manual import check_places
from vision.service.place_locator import NEEDED, PlaceLocator, outside
from vision.settings import CameraSettings

BARE: Image = np.full((1080, 1920, 3), 110, dtype=np.uint8)
TAPS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


def places(folder: Path, **settings: object) -> PlaceLocator:
    """Return a place locator with these settings."""
    return PlaceLocator(folder, CameraSettings(**settings))  # type: ignore[arg-type]


def seen(players: int, size: tuple[int, int] = (1920, 1080), paper: str = "a4", shift: float = 0.0) -> Image:
    """Return a photograph of a mat."""
    mat = mat_for(players, paper=paper)
    return photograph(drawn(mat), camera(mat, size, shift=shift, turn=1))


@pytest.mark.pixels
@pytest.mark.parametrize(("players", "paper"), [(2, "a3"), (4, "a4")])
def test_mat_tells_for_how_many_and_on_which_paper(tmp_path: Path, players: int, paper: str) -> None:
    """Without any setting, the markers tell the mat's number of players and paper."""
    where = places(tmp_path)
    assert where.look(seen(players, paper=paper), 0)
    assert where.mat == mat_for(players, paper=paper) and where.players() == players


@pytest.mark.pixels
@pytest.mark.parametrize("players", [2, 6])
def test_mats_with_and_without_places_for_tokens_are_told_apart(tmp_path: Path, players: int) -> None:
    """Mats with and without places for tokens use the same markers at other positions, so older mats stay valid."""
    for mat in (token_mat(players), mat_for(players)):
        where = places(tmp_path)
        assert where.look(photograph(drawn(mat), camera(mat, (2560, 1440), turn=1)), 0)
        assert where.mat == mat and not where.trouble().key.startswith("mat")


def test_tokens_outside_the_picture_are_told_with_the_side(tmp_path: Path) -> None:
    """If places for tokens extend outside the picture, the side is reported."""
    mat = token_mat(2)
    where, pose = places(tmp_path), camera(mat, (2560, 1440), shift=160.0, turn=1)
    assert where.look(photograph(drawn(mat), pose), 0)
    assert outside(pose, mat) == "right"
    assert outside(pose, msgspec.structs.replace(mat, token_slots=())) == ""


def test_mat_for_other_players_is_none(tmp_path: Path) -> None:
    """A mat for another number of players than in the settings is refused."""
    assert not places(tmp_path, players=3).look(seen(2), 0)


def test_scale_that_does_not_do_is_told_with_what_is_needed(tmp_path: Path) -> None:
    """An insufficient scale is reported with picture size, pixels per millimetre and the required value."""
    where = places(tmp_path)
    where.look(seen(2), 0)
    trouble = where.trouble()
    assert trouble.key == "too_small" and trouble.fields["needed"] == NEEDED
    assert trouble.fields["width"] == 1920 and 1.0 < float(trouble.fields["scale"]) < 3.0


def test_twelve_megapixels_are_enough(tmp_path: Path) -> None:
    """Twelve megapixels are enough for the mat for two."""
    where = places(tmp_path)
    assert where.look(seen(2, (4608, 2592)), 0)
    assert where.trouble().key == "" and where.pose is not None and where.pose.scale > NEEDED


def test_tiny_picture_is_told_as_too_small(tmp_path: Path) -> None:
    """In 320 × 240 pixels no marker is readable, and the message states the best possible scale and the goal."""
    where = places(tmp_path, players=4)
    assert not where.look(seen(4, (320, 240)), 0)
    assert where.trouble().key == "too_small"
    assert where.trouble().fields == {"scale": 0.4, "needed": NEEDED, "width": 320, "height": 240}


def test_bare_table_has_no_mat(tmp_path: Path) -> None:
    """A large picture of a bare table contains no mat."""
    where = places(tmp_path)
    assert not where.look(BARE, 0) and where.trouble().key == "no_mat"


@pytest.mark.parametrize(("shift", "side"), [(-700.0, "left"), (700.0, "right")])
def test_half_of_a_mat_is_told_with_the_side(tmp_path: Path, shift: float, side: str) -> None:
    """A mat that extends outside the picture is reported with the side."""
    where = places(tmp_path)
    assert where.look(seen(2, shift=shift), 0)
    assert where.trouble().key == "mat_half" and where.trouble().fields == {"side": side}


def test_places_that_people_showed_hold_without_a_mat(tmp_path: Path) -> None:
    """Places set by hand survive a restart, yield to a visible mat and can be removed."""
    where = places(tmp_path, players=3)
    assert not where.look(BARE, 0)
    where.set_by_hand(check_places(TAPS, where.default_size(3), 3))
    assert where.look(BARE, 1) and where.mat is not None and where.mat.markers == ()
    first: MatPose | None = where.pose
    assert where.look(BARE, 2) and where.pose is first
    again = places(tmp_path, players=3)
    assert again.look(BARE, 0)
    assert again.look(seen(3), 1) and again.mat == mat_for(3)
    again.set_by_hand(None)
    assert not places(tmp_path).look(BARE, 0)


def test_places_are_not_shown_by_hand_while_a_mat_is_seen(tmp_path: Path) -> None:
    """Places cannot be set by hand while a mat is visible, but existing ones can be removed."""
    where = places(tmp_path, players=3)
    assert where.look(seen(3), 0)
    with pytest.raises(RequestRefused) as refused:
        where.set_by_hand(check_places(TAPS, where.default_size(3), 3))
    assert refused.value.key == "mat_seen" and where.mat == mat_for(3)
    assert not places(tmp_path, players=3).look(BARE, 0)
    where.set_by_hand(None)


def test_places_that_do_not_fit_are_refused_and_change_nothing(tmp_path: Path) -> None:
    """Places that do not fit are refused, and the previous ones stay."""
    where = places(tmp_path)
    where.set_by_hand(check_places(TAPS, where.default_size(2), 2))
    with pytest.raises(MatError):
        where.set_by_hand(check_places(TAPS, (200.0, 200.0), 6))
    assert places(tmp_path).look(BARE, 0)


def test_places_for_another_size_of_cards_do_not_hold(tmp_path: Path) -> None:
    """If larger cards no longer fit the rectangle, there are no places and no error."""
    where = places(tmp_path)
    where.set_by_hand(check_places(TAPS, where.default_size(2), 2))
    assert not places(tmp_path, card=(120.0, 120.0)).look(BARE, 0)
