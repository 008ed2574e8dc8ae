"""Tests that named cards reveal a picture's colours, with which doubtful cards are judged again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import SIZE, laid, photographed, table
from vision.deck.making import enrol
from vision.features.pixels import corners_of, homography
from vision.image import Image
from vision.recognise import Recogniser
from vision.recognise.inks import Shown, colours_in, find_inks, recoloured
from vision.recognise.scene import PictureScene

VIOLET, ORANGE, GREEN = (150, 30, 95), (40, 75, 225), (60, 130, 20)
PINK = (160, 40, 150)
"""The violet ink (BGR) as a camera shows it."""


def printed(shape: str, ink: tuple[int, int, int]) -> Image:
    """Return a card with one symbol or two bars on bare paper."""
    width, height = SIZE
    drawn = np.full((height, width, 3), 232, np.uint8)
    if shape == "ring":
        cv2.ellipse(drawn, (width // 2, height // 2), (70, 110), 0, 0, 360, ink, 14, cv2.LINE_AA)
    elif shape == "bars":
        cv2.rectangle(drawn, (40, 60), (110, 290), ink, -1)
        cv2.rectangle(drawn, (140, 60), (210, 290), ink, -1)
    else:
        cv2.circle(drawn, (width // 2, height // 2), 85, ink, -1, cv2.LINE_AA)
    return drawn


def deck() -> Recogniser:
    """Return a recogniser of nine cards: three shapes in three inks."""
    inks = {"violet": VIOLET, "orange": ORANGE, "green": GREEN}
    cards = {
        f"{name}-{shape}": [printed(shape, ink)] for name, ink in inks.items() for shape in ("ring", "bars", "dot")
    }
    return Recogniser(enrol("inks", cards)[0], threads=1)


@pytest.fixture(scope="module")
def nine() -> Recogniser:
    """Yield a recogniser of all nine cards."""
    return deck()


def test_a_decks_inks_are_the_directions_of_its_print(nine: Recogniser) -> None:
    """Three inks are found, one for each colour of the deck."""
    inks = find_inks((ref, nine.flat_areas(ref)) for ref in nine.bank.refs)
    assert inks.shape == (3, 3)
    assert np.allclose(np.linalg.norm(inks, axis=1), 1, atol=1e-5)
    assert float((inks @ inks.T - 2 * np.eye(3)).max()) < 0.8


def test_named_cards_tell_the_colour_of_their_ink_alone(nine: Recogniser) -> None:
    """A violet ring that the camera shows pink changes the violet ink, and unseen inks stay as enrolled."""
    on = table(31)
    wanted = laid(on, printed("ring", PINK), 400, 260, 200, 5)
    ref = next(one for one in nine.bank.refs if nine.name(one) == "violet-ring")
    inks = find_inks((one, nine.flat_areas(one)) for one in nine.bank.refs)
    pose = homography(corners_of(ref.frame), wanted)
    seen = colours_in(PictureScene(photographed(on)), inks, [Shown(ref, nine.flat_areas(ref), pose)])
    turned = (seen * inks).sum(axis=1) / np.linalg.norm(seen, axis=1)
    assert sorted(turned > 0.9999) == [False, True, True]
    violet = int(turned.argmin())
    view = recoloured(ref, nine.flat_areas(ref), inks, seen)
    inked = np.linalg.norm(view - ref.view, axis=2) > 1
    assert violet == int((inks @ (ref.view - ref.view[2, 2])[inked].mean(axis=0)).argmax())
    assert not inked[nine.flat_areas(ref).patches[0].part].any()


def test_a_doubted_card_is_judged_by_the_ink_of_named_ones(nine: Recogniser) -> None:
    """A ring in a distant hue has no name alone, but it is named beside a dot of the same hue."""
    alone, beside, hue = table(32), table(32), (140, 45, 165)
    laid(alone, printed("ring", hue), 200, 260, 200, -6)
    laid(beside, printed("ring", hue), 200, 260, 200, -6)
    laid(beside, printed("dot", hue), 600, 260, 200, 4)
    assert [{one.card for one in nine.read(photographed(on)) if one.card} for on in (alone, beside)] == [
        set(),
        {"violet-dot", "violet-ring"},
    ]


def test_a_card_that_is_not_enrolled_keeps_no_name_beside_named_ones() -> None:
    """Named violet rings do not explain a dot in another ink, which stays unnamed."""
    reader = deck()
    on = table(33)
    laid(on, printed("ring", PINK), 200, 260, 200, -6)
    laid(on, printed("dot", (150, 120, 10)), 600, 260, 200, 4)
    assert {one.card for one in reader.read(photographed(on)) if one.card} == {"violet-ring"}


def test_a_named_cards_own_cover_does_not_hide_it() -> None:
    """The area of an accepted card is closed for other cards, but its own colours can still be read."""
    scene = PictureScene(table(34))
    corners = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], np.float32)
    other = corners + (300, 0)
    scene.cover(corners)
    scene.cover(other.astype(np.float32))
    free = scene.uncovered(corners).free
    assert (free[40, 35], free[40, 110], scene.free[40, 35]) == (255, 0, 0)
