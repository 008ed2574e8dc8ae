"""Whether a camera sees: black, white and frozen pictures, and what only looks like them."""

from __future__ import annotations

import numpy as np

from vision.cameras.picture_check import PictureCheck
from vision.image import Image

SECOND = 1_000_000_000


def noisy(level: float, seed: int, contours: float = 0.0) -> Image:
    """Return a glance of a brightness with a sensor's noise, and contours of a table."""
    picture = np.full((180, 320), level) + np.random.default_rng(seed).normal(0, 2, (180, 320))
    picture[:, 100:200] += contours
    return np.clip(picture, 0, 255).astype(np.uint8)


def judged(pictures: list[Image], live: bool = True, every: int = SECOND // 10) -> list[str]:
    """Return the verdicts on pictures that come at so many nanoseconds."""
    judge = PictureCheck(live)
    return [judge.trouble(picture, nth * every) for nth, picture in enumerate(pictures)]


def test_black_and_white_are_told_after_a_few_glances() -> None:
    """A cap on the lens and a lamp in it; a single flash is neither."""
    assert judged([noisy(2, n) for n in range(4)]) == ["", "", "dark", "dark"]
    assert judged([noisy(254, n) for n in range(4)]) == ["", "", "white", "white"]
    assert judged([noisy(254, 1), noisy(120, 2, 60), noisy(254, 3), noisy(120, 4, 60)]) == [""] * 4


def test_a_table_by_night_is_not_black() -> None:
    """Little light with contours in it is still a picture."""
    assert judged([noisy(4, n, 30) for n in range(5)]) == [""] * 5


def test_frozen_picture_is_told_after_seconds() -> None:
    """The same bits for three seconds; noise is life."""
    same = [noisy(120, 1, 60)] * 5
    assert judged(same, every=SECOND) == ["", "", "", "frozen", "frozen"]
    assert judged([noisy(120, n, 60) for n in range(5)], every=SECOND) == [""] * 5


def test_recordings_may_stand_still() -> None:
    """A folder's picture is the same for ever, and that is no fault."""
    assert judged([noisy(120, 1, 60)] * 9, live=False, every=SECOND) == [""] * 9
