"""Tests that the edges of white cards on a white table are predicted from their print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import laid, symbols
from vision.deck.making import enrol
from vision.features.pixels import homography
from vision.image import Image
from vision.recognise import Recogniser
from vision.recognise.print_boxes import box_of_card, distinct, predicted_outlines

INKS = {"red": (60, 60, 210), "green": (70, 150, 60), "violet": (130, 50, 110)}


def bare(ink: str, count: int) -> Image:
    """Return a white card with the given number of ovals in a row across its shorter side."""
    drawn = np.full((352, 252, 3), 236, np.uint8)
    for at in range(count):
        y = 176 + round(84 * (at - (count - 1) / 2))
        cv2.ellipse(drawn, (126, y), (70, 32), 0, 0, 360, INKS[ink], -1, cv2.LINE_AA)
    return drawn


def deck() -> dict[str, list[Image]]:
    """Return a deck of nine bare cards."""
    return {f"{ink}-{count}": [bare(ink, count)] for ink in INKS for count in (1, 2, 3)}


def white_table() -> Image:
    """Return a white table of the cards' colour with a soft shadow."""
    rng = np.random.default_rng(4)
    shade = np.linspace(238, 230, 960, dtype=np.float32)[None, :, None] + rng.normal(0, 1.0, (540, 960, 3))
    return shade.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize(("turned", "width"), [(8, 130), (-35, 150)])
def test_white_cards_on_white_are_named(turned: float, width: float) -> None:
    """Three white cards on a white table are named by the outlines predicted from their print."""
    on = white_table()
    lying = {"red-1": (180, 250), "green-3": (470, 270), "violet-2": (760, 260)}
    for name, (x, y) in lying.items():
        ink, count = name.split("-")
        laid(on, bare(ink, int(count)), x, y, width, turned=turned)
    reader = Recogniser(enrol("bare", deck(), drawn=True)[0], threads=1)
    found = {one.card: np.mean(one.corners, axis=0) for one in reader.read(on) if one.card}
    assert set(found) == set(lying)
    assert all(np.abs(found[name] - lying[name]).max() < 12 for name in lying)


def test_outlines_follow_a_tilted_card() -> None:
    """For a tilted view, the predicted outline is foreshortened like the card."""
    on = white_table()
    corners = np.array([[300, 200], [430, 200], [430, 330], [300, 330]], np.float32)
    matrix = homography(np.array([[0, 0], [252, 0], [252, 352], [0, 352]], np.float32), corners)
    cv2.warpPerspective(bare("green", 2), matrix, (960, 540), on, borderMode=cv2.BORDER_TRANSPARENT)
    boxes = distinct([box_of_card(picture[0]) for picture in deck().values()])
    found = predicted_outlines(boxes, on)
    assert min(float(np.abs(np.sort(one.corners, axis=0) - np.sort(corners, axis=0)).max()) for one in found) < 8


def test_cards_full_of_print_predict_nothing() -> None:
    """A card printed to its edges predicts no outline, because its own edge is visible."""
    painted = [symbols(across, down) for across, down in ((3, 4), (2, 3), (4, 5))]
    assert [box_of_card(one) for one in painted] == [None] * 3


def test_boxes_that_are_alike_are_one() -> None:
    """Similar boxes are merged, so nine cards in three inks have hardly more boxes than counts of ovals."""
    parts = [box.parts for box in distinct([box_of_card(one[0]) for one in deck().values()])]
    assert set(parts) == {1, 2, 3} and len(parts) < 5
