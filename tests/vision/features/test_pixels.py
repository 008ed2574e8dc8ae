"""Tests that the fast pixel operations equal NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from vision.features.blocks import in_each_channel, products, scale_channels
from vision.features.pixels import median


@pytest.mark.parametrize("count", [1, 2, 7, 800])
def test_a_median_is_the_middle_number_or_between_the_two(count: int) -> None:
    """The median is the middle number or the mean of the middle two, without overflow for bytes."""
    values = np.random.default_rng(count).integers(0, 256, count).astype(np.uint8)
    for numbers in (values, values.astype(np.float32) / np.float32(7)):
        assert median(numbers) == pytest.approx(float(np.median(numbers)))


def test_channels_are_multiplied_exactly_as_numpy_does() -> None:
    """Channel products equal NumPy's for one factor, for a factor per channel and for their sum."""
    view = np.random.default_rng(2).random((32, 48, 3), np.float32)
    mask, by = view[:, :, 1].copy(), np.array([0.5, 1.25, 1.7], np.float32)
    assert np.array_equal(view * in_each_channel(mask), view * mask[:, :, None])
    assert np.array_equal(scale_channels(view, by), view * by)
    assert np.allclose(products(view, view), (view * view).sum(axis=2))
