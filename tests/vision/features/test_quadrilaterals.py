"""Tests of the search for quadrilateral outlines."""

import numpy as np
import pytest

from tests.support.vision.pictures import laid, photographed, symbols, table
from vision.features.pixels import Floats
from vision.features.quadrilaterals import (
    MOST,
    QuadOutline,
    all_outlines,
    may_be_card,
    median,
    nesting_depths,
    outlines,
    take_outermost,
)


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (7, 9), (40, 30), (33, 61)])
@pytest.mark.parametrize("below", [2, 30, 256])
def test_the_median_is_numpys(size: tuple[int, int], below: int) -> None:
    """The median equals NumPy's, by counting or sorting, for odd and even counts and for one channel."""
    three = np.random.default_rng(3).integers(0, below, (*size, 3), np.uint8)
    assert median(three[:, :, 1]) == float(np.median(three[:, :, 1]))


@pytest.mark.parametrize(("wide", "fitting"), [(62.0, True), (40.0, True), (37.0, True), (33.0, False), (150.0, True)])
def test_a_card_may_lie_far_askew(wide: float, fitting: bool) -> None:
    """A card of 62 x 88 seen from the side is accepted at a width of 37 and refused at 33."""
    corners = np.array([[0, 0], [wide, 0], [wide, 88], [0, 88]], np.float32)
    assert may_be_card(QuadOutline(corners, 1.0), [88 / 62], 20.0, 200.0) is fitting


def box(left: float, top: float, wide: float, high: float, straight: float = 1.0) -> QuadOutline:
    """Return an upright outline."""
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) + np.float32((left, top))
    return QuadOutline(corners, straight)


def among(found: list[QuadOutline], wanted: Floats) -> bool:
    """Return whether one of the outlines has these corners, within 8 pixels."""
    return any(
        float(np.abs(np.roll(one.corners, turn, axis=0) - wanted).max()) < 8 for one in found for turn in range(4)
    )


def test_printed_symbols_do_not_crowd_out_cards() -> None:
    """Ten rounded cards are among the few best outlines, although their eighty symbols have straighter ones."""
    on = table(3, (1200, 720))
    cards = [laid(on, symbols(2, 4), 240 * column + 120, 360 * row + 180, 200, 3 * column - 5)
             for column in range(5) for row in range(2)]  # fmt: skip
    picture = photographed(on)
    assert len(all_outlines(picture, [1.4], (20, 900))) > 2 * MOST
    found = outlines(picture, [1.4], (20, 900))
    assert len(found) == MOST
    assert all(among(found, corners) for corners in cards)


def test_cards_on_a_tray_come_before_what_is_printed_on_them() -> None:
    """Within a tray's outline, cards still rank before their symbols, because fewer outlines enclose them."""
    tray, cards = box(0, 0, 900, 600, 0.5), [box(40 + 200 * at, 50, 150, 210, 0.6) for at in range(4)]
    printed = [box(60 + 200 * at, 80 + 60 * row, 60, 40) for at in range(4) for row in range(3)]
    found = [*printed, *cards, tray]
    assert nesting_depths(found).tolist() == [2] * 12 + [1] * 4 + [0]
    assert take_outermost(found, 5) == [tray, *cards]


def test_a_card_that_another_covers_in_part_is_not_inside_it() -> None:
    """Overlapping cards, a tucked card's strip and two edges of one card rank equally."""
    card, over, strip = box(0, 0, 150, 210), box(60, 40, 150, 210), box(0, -52, 150, 50)
    sleeve = box(-6, -6, 162, 222)
    assert nesting_depths([card, over, strip, sleeve]).tolist() == [0, 0, 0, 0]


def test_nothing_is_left_out_where_there_is_room() -> None:
    """A small card on a large one is kept, because inner outlines only rank last."""
    large, small = box(0, 0, 300, 420, 0.7), box(80, 90, 100, 140)
    assert take_outermost([small, large], 2) == [large, small]
    assert take_outermost([], 2) == []
