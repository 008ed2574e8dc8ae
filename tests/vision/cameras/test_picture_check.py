"""Tests of the picture check: black, white and frozen pictures, and pictures that only resemble them."""

from __future__ import annotations

import numpy as np

from vision.cameras.picture_check import PictureCheck
from vision.image import Image

SECOND = 1_000_000_000


def noisy(level: float, seed: int, contours: float = 0.0) -> Image:
    """Return a glance of the given brightness with sensor noise and a table's contours."""
    picture = np.full((180, 320), level) + np.random.default_rng(seed).normal(0, 2, (180, 320))
    picture[:, 100:200] += contours
    return np.clip(picture, 0, 255).astype(np.uint8)


def judged(pictures: list[Image], live: bool = True, every: int = SECOND // 10) -> list[str]:
    """Return the verdicts on pictures at the given times in nanoseconds."""
    judge = PictureCheck(live)
    return [judge.trouble(picture, nth * every) for nth, picture in enumerate(pictures)]


def test_black_and_white_are_told_after_a_few_glances() -> None:
    """A capped lens and a lamp in the lens are reported after a few glances, and a single flash is not."""
    assert judged([noisy(2, n) for n in range(4)]) == ["", "", "dark", "dark"]
    assert judged([noisy(254, n) for n in range(4)]) == ["", "", "white", "white"]
    assert judged([noisy(254, 1), noisy(120, 2, 60), noisy(254, 3), noisy(120, 4, 60)]) == [""] * 4


def test_a_table_by_night_is_not_black() -> None:
    """A dark picture with contours is not reported as black."""
    assert judged([noisy(4, n, 30) for n in range(5)]) == [""] * 5


def test_frozen_picture_is_told_after_seconds() -> None:
    """Identical pixels for three seconds are reported as frozen, and noisy pictures are not."""
    same = [noisy(120, 1, 60)] * 5
    assert judged(same, every=SECOND) == ["", "", "", "frozen", "frozen"]
    assert judged([noisy(120, n, 60) for n in range(5)], every=SECOND) == [""] * 5


def test_recordings_may_stand_still() -> None:
    """A folder of pictures may repeat the same picture without a fault."""
    assert judged([noisy(120, 1, 60)] * 9, live=False, every=SECOND) == [""] * 9
