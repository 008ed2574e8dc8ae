"""Tests that a slanting visible strip distinguishes two cards without regard to their hidden parts."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import SIZE, card, laid, photographed, table
from vision.deck.making import enrol
from vision.features.pixels import corners_of, homography, project
from vision.image import CARD, Image, Quad
from vision.recognise import Recogniser

MARK = (196, 300)
"""The position of the marked card's dot, in the visible corner of SIZE."""


def slanted(above: Image, marked: bool) -> Image:
    """Return a card with one picture in its hidden part and another in its visible part.

    above: the picture of the hidden part. marked: whether the visible part has a dot.
    """
    drawn = card(30)
    if marked:
        cv2.circle(drawn, MARK, 11, (60, 60, 200), -1, cv2.LINE_AA)
    width, height = SIZE
    hidden = np.zeros((height, width), np.uint8)
    cv2.fillPoly(hidden, [np.array([(0, 0), (width, 0), (width, 215), (0, 320)], np.int32)], 1)
    return cast(Image, np.where(hidden[:, :, None] > 0, above, drawn))


def shown(lower: Quad, upper: Quad) -> Image:
    """Return the mask of a card's part beside the card on top of it, in CARD's size."""
    onto = project(homography(lower, corners_of(CARD)), upper)
    visible = np.full((CARD[1], CARD[0]), 255, np.uint8)
    cv2.fillConvexPoly(visible, np.round(onto).astype(np.int32), 0)
    return cast(Image, cv2.erode(visible, np.ones((5, 5), np.uint8)))


@pytest.fixture(scope="module")
def pair() -> Recogniser:
    """Yield a recogniser of two cards that differ strongly in their hidden parts and by one dot in the visible ones."""
    faces = {"plain": slanted(card(31), marked=False), "marked": slanted(card(32), marked=True), "other": card(33)}
    return Recogniser(enrol("pair", {name: [face] for name, face in faces.items()})[0], threads=1)


@pytest.mark.parametrize(("name", "seed"), [("plain", 31), ("marked", 32)])
def test_what_is_hidden_does_not_count_between_two_cards(pair: Recogniser, name: str, seed: int) -> None:
    """Under a slanting card, a visible dot alone distinguishes two cards, and hidden differences do not count."""
    on = table(12)
    lower = laid(on, slanted(card(seed), marked=name == "marked"), 400, 260, 200)
    upper = laid(on, card(34), 351, 127, 320, turned=-22.6)
    visible = shown(lower, upper)
    rows = np.flatnonzero(visible.any(axis=1))
    assert 0.25 < float((visible[rows[0] :] > 0).mean()) < 0.75
    found = pair.read_at(photographed(on), lower + np.float32(1), visible)
    assert (found.card, found.doubt) == (name, "")


def test_cards_that_are_the_same_where_they_show_are_not_told_apart() -> None:
    """Cards that differ only in their hidden parts have no name."""
    faces = {"one": slanted(card(31), marked=False), "two": slanted(card(32), marked=False), "other": card(33)}
    reader = Recogniser(enrol("same", {name: [face] for name, face in faces.items()})[0], threads=1)
    on = table(12)
    lower = laid(on, faces["one"], 400, 260, 200)
    upper = laid(on, card(34), 351, 127, 320, turned=-22.6)
    found = reader.read_at(photographed(on), lower + np.float32(1), shown(lower, upper))
    assert (found.card, found.doubt) == (None, "hidden")
