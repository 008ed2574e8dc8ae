"""Outlines: what they are sought with."""

import numpy as np
import pytest

from vision.features.quads import median


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (7, 9), (40, 30), (33, 61)])
@pytest.mark.parametrize("below", [2, 30, 256])
def test_the_median_is_numpys(size: tuple[int, int], below: int) -> None:
    """Counted or sorted, the middle is the same, for odd and even numbers of pixels and for one channel of several."""
    three = np.random.default_rng(3).integers(0, below, (*size, 3), np.uint8)
    assert median(three[:, :, 1]) == float(np.median(three[:, :, 1]))
