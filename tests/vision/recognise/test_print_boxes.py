"""White cards on a white table: their edges are predicted from their print, and the right ones are named."""

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
    """Return a white card with so many ovals side by side, across its shorter side."""
    drawn = np.full((352, 252, 3), 236, np.uint8)
    for at in range(count):
        y = 176 + round(84 * (at - (count - 1) / 2))
        cv2.ellipse(drawn, (126, y), (70, 32), 0, 0, 360, INKS[ink], -1, cv2.LINE_AA)
    return drawn


def deck() -> dict[str, list[Image]]:
    """Return nine bare cards."""
    return {f"{ink}-{count}": [bare(ink, count)] for ink in INKS for count in (1, 2, 3)}


def white_table() -> Image:
    """Return a table in the cards' own white, with a soft shade."""
    rng = np.random.default_rng(4)
    shade = np.linspace(238, 230, 960, dtype=np.float32)[None, :, None] + rng.normal(0, 1.0, (540, 960, 3))
    return shade.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize(("turned", "width"), [(8, 130), (-35, 150)])
def test_white_cards_on_white_are_named(turned: float, width: float) -> None:
    """No edge shows, nothing votes: three cards are named by where their print says that they lie."""
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
    """Seen from aside, print and card are shorter in the same way: the predicted outline is the card's."""
    on = white_table()
    corners = np.array([[300, 200], [430, 200], [430, 330], [300, 330]], np.float32)
    matrix = homography(np.array([[0, 0], [252, 0], [252, 352], [0, 352]], np.float32), corners)
    cv2.warpPerspective(bare("green", 2), matrix, (960, 540), on, borderMode=cv2.BORDER_TRANSPARENT)
    boxes = distinct([box_of_card(picture[0]) for picture in deck().values()])
    found = predicted_outlines(boxes, on)
    assert min(float(np.abs(np.sort(one.corners, axis=0) - np.sort(corners, axis=0)).max()) for one in found) < 8


def test_cards_full_of_print_predict_nothing() -> None:
    """A painted card's print ends where the card does: its own edge says as much, and no time is spent."""
    painted = [symbols(across, down) for across, down in ((3, 4), (2, 3), (4, 5))]
    assert [box_of_card(one) for one in painted] == [None] * 3


def test_boxes_that_are_alike_are_one() -> None:
    """Nine cards in three inks make hardly more boxes than there are numbers of ovals."""
    parts = [box.parts for box in distinct([box_of_card(one[0]) for one in deck().values()])]
    assert set(parts) == {1, 2, 3} and len(parts) < 5
