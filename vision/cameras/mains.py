"""Handle lamps that flicker with the mains: find exposures without stripes, and detect 50 or 60 Hz.

A lamp flickers twice in each mains period. A sensor exposes its rows one after the other, so the flicker causes bright
and dark stripes unless each row's exposure covers whole flickers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

MAINS = (50, 60)
"""The mains frequencies of the world in hertz."""
USUAL = 50
"""The frequency in hertz if neither the settings nor the pictures determine it."""
LEAST = 0.75
"""The share of a flicker below which an exposure is not extended to a whole one, because the picture would be too
bright."""
FAINT = 0.004
"""The share of the brightness below which stripes are noise, which does not disturb reading."""
ALONE = 0.6
"""The share of the rows' difference that stripes must explain. A moving hand explains little of it."""
CLEARER = 3.0
"""The factor by which one exposure's stripes must exceed the other's."""
STANDING = 0.05
"""The movement of stripes between pictures, as a share of a flicker, up to which they seem to stand still."""
CYCLES = np.arange(1.5, 20, 0.25)
"""The possible numbers of stripes in a picture."""

Rows: TypeAlias = npt.NDArray[np.float64]
"""The mean brightness of each row of a picture, from the top."""
Look = Callable[[float], Sequence[Rows]]
"""Takes pictures of one scene with an exposure in µs, and returns their rows."""


def flicker_us(mains: int) -> float:
    """Return the duration of one flicker of a lamp in microseconds."""
    return 500_000 / mains


def steady_exposure(us: float, gain: float, mains: int) -> tuple[float, float]:
    """Return an exposure (µs) of whole flickers and a gain (1 or more) that preserve a picture's brightness.

    If the gain is already 1, the picture may become brighter by a third. In light so strong that the exposure is under
    three quarters of a flicker, both stay and stripes remain.
    """
    flicker, light = flicker_us(mains), us * gain
    if light < LEAST * flicker:
        return us, gain
    steady = max(1, round(us / flicker)) * flicker
    return steady, max(1.0, light / steady)


def find_mains(look: Look, seconds: Callable[[], float]) -> int:
    """Return 50 or 60 if the pictures determine it, else 0.

    seconds: returns the interval between the pictures of the last look. At an exposure of one flicker at 50 Hz only a
    lamp at 60 Hz leaves stripes, and vice versa. Stripes move from picture to picture. If they stand still, only one of
    the frequencies is possible, and the two exposures differ by the stripes.
    """
    long, short = look(flicker_us(50)), look(flicker_us(60))
    if min(len(long), len(short)) < 2:
        return 0
    at_60, at_50 = _moving_stripes(long), _moving_stripes(short)
    if max(at_60, at_50) > CLEARER * min(at_60, at_50):
        return 60 if at_60 > at_50 else 50
    if at_60 or not stripes(np.mean(long, axis=0), np.mean(short, axis=0)):
        return 0
    interval = seconds()
    standing = [mains for mains in MAINS if abs(2 * mains * interval - round(2 * mains * interval)) < STANDING]
    return standing[0] if len(standing) == 1 else 0


def _moving_stripes(pictures: Sequence[Rows]) -> float:
    return max(stripes(first, second) for first, second in combinations(pictures, 2))


def stripes(first: Rows, second: Rows) -> float:
    """Return the stripes by which two pictures of one scene differ, as a share of the brightness, or 0 without
    stripes."""
    rows = np.linspace(-1, 1, len(first))
    ratio = np.log((first + 1) / (second + 1))
    ratio = ratio - np.polynomial.Polynomial.fit(rows, ratio, 2)(rows)
    total = float(ratio @ ratio)
    if total <= len(rows) * FAINT**2 / 2:
        return 0.0
    waves = np.exp(1j * np.pi * np.outer(CYCLES, rows))
    heights = 2 * np.abs(waves @ ratio) / len(rows)
    height = float(heights.max())
    explained = height**2 / 2 * len(rows) / total
    return height if height >= FAINT and explained >= ALONE else 0.0


def mean_interval(moments: Sequence[int]) -> float:
    """Return the mean interval in seconds between times in nanoseconds."""
    return fmean([(later - earlier) / 1e9 for earlier, later in pairwise(moments)])
