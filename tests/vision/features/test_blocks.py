"""Tests of the colour gains between an enrolled picture and a scene."""

from __future__ import annotations

import numpy as np

from vision.features.blocks import masked_gains


def test_a_grey_card_under_a_coloured_lamp_keeps_its_lights_gain() -> None:
    """A grey card under a coloured lamp keeps the gain of its light, because its ink takes the lamp's tint."""
    own = np.zeros((40, 40, 3), np.float32)
    own[::2] = (-60, 4, 4)
    seen = own.copy()
    seen[::2] = (-60, -4, 12)
    seen[1::2, :, 1:] = 0
    lamp = own * np.float32((1, -1, -1))
    assert masked_gains(own, seen, 1600.0).tolist() == [1.0, 1.0, 1.0]
    assert masked_gains(own, lamp, 1600.0).tolist() == [1.0, 0.5, 0.5]


def test_a_bleached_cards_colours_may_be_weaker_than_its_light() -> None:
    """The colours of a bleached card may be weaker than its light, by at most half."""
    own = np.full((40, 40, 3), (-40, 30, 30), np.float32)
    assert np.allclose(masked_gains(own, own * np.float32((1, 0.7, 0.7)), 1600.0), (1, 0.7, 0.7), atol=0.01)
