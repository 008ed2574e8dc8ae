"""Tests of mains flicker: exposures without stripes, and the detection of 50 or 60 Hz from pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.vision.lamp import Lamp
from vision.cameras.mains import Rows, find_mains, steady_exposure, stripes


def left(us: float, mains: int) -> float:
    """Return the fraction of a lamp's flicker that remains at an exposure."""
    turns = 2 * mains * us / 1e6
    return abs(math.sin(math.pi * turns) / (math.pi * turns))


@pytest.mark.parametrize("mains", [50, 60])
@pytest.mark.parametrize("us", [6_400, 8_333, 9_900, 14_000, 16_667, 25_000, 33_333, 40_100])
@pytest.mark.parametrize("gain", [1.0, 1.3, 4.0])
def test_an_exposure_of_whole_flickers_has_no_stripes(mains: int, us: int, gain: float) -> None:
    """An exposure of whole flicker periods has no stripes and changes brightness by at most a third."""
    steady, made_up = steady_exposure(us, gain, mains)
    if us * gain < 0.75 * 500_000 / mains:
        assert (steady, made_up) == (us, gain)
        return
    assert left(steady, mains) < 0.001 and made_up >= 1
    assert 1 - 1e-9 <= steady * made_up / (us * gain) <= 4 / 3


@pytest.mark.parametrize(("us", "gain", "steady"), [(4_900, 1.0, 4_900), (4_900, 2.5, 10_000), (800, 1.0, 800)])
def test_below_one_flicker_only_gain_can_help(us: int, gain: float, steady: float) -> None:
    """Below one flicker period the exposure grows only if the gain can fall in return."""
    assert steady_exposure(us, gain, 50)[0] == steady


def looks(lamp: Lamp, seconds: float, hand: bool = False) -> list[Sequence[Rows]]:
    """Return the rows of pictures at the first two exposures, followed by the result of `find_mains`."""
    seen: list[Sequence[Rows]] = []

    def look(us: float) -> Sequence[Rows]:
        start = len(seen) * 1.234
        seen.append([lamp.rows(us, start + n * seconds, hand=n if hand else 0) for n in range(4)])
        return seen[-1]

    found = find_mains(look, lambda: seconds)
    return [seen[0], seen[1], [np.array([found])]]


@pytest.mark.parametrize("mains", [50, 60])
@pytest.mark.parametrize("rate", [14.35, 30.0, 25.0, 29.97, 15.0])
@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0])
def test_two_exposures_tell_the_mains(mains: int, rate: float, depth: float) -> None:
    """Two exposures identify the mains frequency for three kinds of lamps, even where the stripes stand still."""
    assert looks(Lamp(mains, depth), 1 / rate)[2][0][0] == mains


@pytest.mark.parametrize(
    ("lamp", "rate"),
    [(Lamp(50, 0.0), 30.0), (Lamp(60, 0.0), 14.35), (Lamp(50, 0.8), 20.0), (Lamp(60, 0.8), 10.0)],
)
def test_where_pictures_cannot_tell_nothing_is_said(lamp: Lamp, rate: float) -> None:
    """The mains stay unknown in daylight, under good lamps and at frame rates at which any stripes stand still."""
    assert looks(lamp, 1 / rate)[2][0][0] == 0


def test_a_hand_is_no_flicker() -> None:
    """A moving hand darkens rows but is not mistaken for flicker."""
    assert looks(Lamp(50, 0.0), 1 / 30, hand=True)[2][0][0] == 0


def test_stripes_are_measured() -> None:
    """Stripes are measured as a fraction of the brightness."""
    rows = np.full(360, 120.0)
    striped = rows * (1 + 0.05 * np.sin(2 * np.pi * 7 * np.arange(360) / 360))
    assert stripes(rows, striped) == pytest.approx(0.05, abs=0.003) and stripes(rows, rows) == 0


def test_too_few_pictures_tell_nothing() -> None:
    """Without pictures, `find_mains` returns no frequency."""
    assert find_mains(lambda us: [], lambda: 0.07) == 0
