"""Outlines: what they are sought with."""

import numpy as np
import pytest

from vision.features.quads import Outline, fits, median


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (7, 9), (40, 30), (33, 61)])
@pytest.mark.parametrize("below", [2, 30, 256])
def test_the_median_is_numpys(size: tuple[int, int], below: int) -> None:
    """Counted or sorted, the middle is the same, for odd and even numbers of pixels and for one channel of several."""
    three = np.random.default_rng(3).integers(0, below, (*size, 3), np.uint8)
    assert median(three[:, :, 1]) == float(np.median(three[:, :, 1]))


@pytest.mark.parametrize(("wide", "fitting"), [(62.0, True), (40.0, True), (37.0, True), (33.0, False), (150.0, True)])
def test_a_card_may_lie_far_askew(wide: float, fitting: bool) -> None:
    """An outline 62 x 88 that is seen from the side is still one until it is narrower by three quarters."""
    corners = np.array([[0, 0], [wide, 0], [wide, 88], [0, 88]], np.float32)
    assert fits(Outline(corners, 1.0), [88 / 62], 20.0, 200.0) is fitting
