"""Tests of Take a Train with all possible mishaps: each game ends with the truth, and each mishap is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.mishaps import (
    CAMERA,
    COUNTING,
    EXCHANGE,
    FISTS,
    HALF_READY,
    MISPLACED,
    SUMS,
    TABLETS,
    WAGONS,
    troubled,
)
from tests.end_to_end.outcome import agreed
from tests.end_to_end.play import play
from tests.end_to_end.world import Evening

OPTIONS = {"reveal": "signal"}
"""The options of a table at which fists open on a signal."""
BY_HAND = {**OPTIONS, "bid_channel": "hand"}
"""The same options with money in real fists."""
ALWAYS = {WAGONS, *CAMERA, *TABLETS}


def befallen(
    folder: Path, players: int, seed: int, until: int = 1 << 30, pixels: bool = False, hand: bool = False
) -> set[str]:
    """Play to the end or for a number of events, check the match against the truth and return the mishaps."""
    with Evening(folder, players, seed, pixels=pixels) as evening:
        evening.sit_down(**(BY_HAND if hand else OPTIONS))
        mishaps = troubled(evening, seed)
        report = play(mishaps.playing, until)
        agreed(evening, mishaps.playing, report)
        assert report.over or report.counts["events"] >= until
        mishaps.end()
        assert mishaps.lagged or not report.over
        return set(mishaps.struck)


def test_a_game_for_two_in_which_everything_goes_wrong(tmp_path: Path) -> None:
    """A game for two survives kills in counts and auctions, lost buttons, a blind camera and sleeping tablets."""
    assert befallen(tmp_path, 2, 2) == {*ALWAYS, *COUNTING, *HALF_READY, FISTS}


def test_a_game_for_four_in_which_everything_goes_wrong(tmp_path: Path) -> None:
    """A game for four also survives kills between an exchange and its refill, and misplaced cards."""
    assert befallen(tmp_path, 4, 5) == {*ALWAYS, *COUNTING, EXCHANGE, MISPLACED}


def test_the_auctions_of_six_in_which_everything_goes_wrong(tmp_path: Path) -> None:
    """Auctions for six survive kills while fists are closed or ready, up to the first wagons."""
    assert befallen(tmp_path, 6, 6, 150) >= {*HALF_READY, FISTS, *TABLETS}


@pytest.mark.parametrize(("players", "seed", "until"), [(3, 5, 125), (4, 7, 150), (6, 6, 115)])
def test_real_fists_in_which_everything_goes_wrong(tmp_path: Path, players: int, seed: int, until: int) -> None:
    """Real fists survive kills between two fists and during counts, and a lost camera during the first fist."""
    assert befallen(tmp_path, players, seed, until, hand=True) >= {SUMS, *CAMERA[:2]}


@pytest.mark.pixels
def test_what_goes_wrong_in_pixels(tmp_path: Path) -> None:
    """Fists, a sale under a covered lens and the first wagons survive mishaps with a camera that reads pictures."""
    assert befallen(tmp_path, 2, 2, 36, pixels=True) >= {"covered", FISTS, *HALF_READY, WAGONS}


@pytest.mark.whole_games
@pytest.mark.parametrize(
    ("players", "seed"), [(2, 1), (2, 3), (2, 19), (3, 1), (4, 2), (4, 12), (4, 37), (6, 1), (6, 6), (6, 38)]
)
def test_games_in_which_everything_goes_wrong(tmp_path: Path, players: int, seed: int) -> None:
    """More whole games with a simulated perfect camera end in the true state."""
    assert befallen(tmp_path, players, seed) >= ALWAYS


@pytest.mark.whole_games
@pytest.mark.parametrize(("players", "seed"), [(n, seed) for seed in (2, 5, 8, 11) for n in range(2, 7)])
def test_real_fists_to_the_end_in_which_everything_goes_wrong(tmp_path: Path, players: int, seed: int) -> None:
    """Further games with real fists end with the truth under a simulated perfect camera."""
    assert befallen(tmp_path, players, seed, hand=True) >= {WAGONS, SUMS, *CAMERA[:2]}


@pytest.mark.whole_games
@pytest.mark.parametrize(("players", "seed"), [(2, 2), (4, 5)])
def test_games_in_pixels_in_which_everything_goes_wrong(tmp_path: Path, players: int, seed: int) -> None:
    """Further games in pictures of a rendered table end with the truth."""
    assert befallen(tmp_path, players, seed, pixels=True) >= ALWAYS
