"""Lamps that flicker with the mains: exposures without stripes, and whether it is 50 or 60 Hz.

A lamp flickers twice in each period of the mains. A sensor exposes its rows one after the other, so a lamp's flicker
becomes bright and dark stripes, unless each row sees whole flickers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

MAINS = (50, 60)
"""Hertz of the world's mains."""
USUAL = 50
"""Hertz where neither the settings nor the pictures tell."""
LEAST = 0.75
"""Part of a flicker below which an exposure is not lengthened to a whole one: the picture would be too bright."""
FAINT = 0.004
"""Part of the brightness below which stripes are noise; they disturb no reading either."""
ALONE = 0.6
"""Part of the rows' difference that stripes must explain; a hand that moves explains little of it."""
CLEARER = 3.0
"""Times by which one exposure's stripes must exceed the other's."""
STANDING = 0.05
"""Part of a flicker by which stripes may move from picture to picture and still seem to stand."""
CYCLES = np.arange(1.5, 20, 0.25)
"""How many stripes there may be in a picture."""

Rows: TypeAlias = npt.NDArray[np.float64]
"""The mean brightness of each row of a picture, from the top."""
Look = Callable[[float], Sequence[Rows]]
"""Takes pictures of one scene, exposed for so many µs each; returns their rows."""


def flicker_us(mains: int) -> float:
    """Return how long one flicker of a lamp takes, in microseconds."""
    return 500_000 / mains


def steady_exposure(us: float, gain: float, mains: int) -> tuple[float, float]:
    """Return an exposure (µs) of whole flickers and the gain (1 or more) that keep a picture as bright as it is.

    Where the gain is 1 already, the picture may become brighter by a third. With so much light that less than three
    quarters of a flicker are exposed, both stay: stripes remain.
    """
    flicker, light = flicker_us(mains), us * gain
    if light < LEAST * flicker:
        return us, gain
    steady = max(1, round(us / flicker)) * flicker
    return steady, max(1.0, light / steady)


def find_mains(look: Look, seconds: Callable[[], float]) -> int:
    """Return 50 or 60 where pictures tell, else 0; so many `seconds` passed from picture to picture of the last look.

    Exposed for one flicker at 50 Hz only a lamp at 60 Hz leaves stripes, and the other way round. Stripes move from
    picture to picture; where they stand still, only one of the two can, and the two exposures differ by them.
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
    """Return the stripes by which two pictures of one scene differ, as a part of the brightness; 0: there are none."""
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
    """Return the mean seconds between moments in nanoseconds."""
    return fmean([(later - earlier) / 1e9 for earlier, later in pairwise(moments)])
