"""Tests that cards are named where they lie at any angle and that foreign cards are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import SIZE, card, laid, photographed, symbols, table
from vision.deck.making import enrol
from vision.image import CARD, Image, Quad
from vision.recognise import Recogniser

NAMES = ("ace", "bee", "cat", "dog", "elk", "fox")


@pytest.fixture(scope="module")
def six() -> Recogniser:
    """Yield a recogniser of six different cards."""
    return Recogniser(enrol("six", {name: [card(seed)] for seed, name in enumerate(NAMES)})[0], threads=1)


@pytest.fixture(scope="module")
def valued() -> Recogniser:
    """Yield a recogniser of one artwork with three values and of another card."""
    pictures = {f"coal-{value}": [card(40, value)] for value in ("100", "200", "500")}
    return Recogniser(enrol("valued", pictures | {"bee": [card(1)]})[0], threads=1)


def near(corners: tuple[tuple[float, float], ...], wanted: Quad, limit: float = 4) -> bool:
    """Return whether four corners are the expected ones in their order."""
    return bool(np.abs(np.array(corners) - wanted).max() < limit)


def test_cards_are_named_where_they_lie(six: Recogniser) -> None:
    """Four cards at different angles are named, and their corners begin at their own upper left."""
    on = table()
    wanted = {
        "ace": laid(on, card(0), 160, 160, turned=0),
        "bee": laid(on, card(1), 400, 200, turned=37),
        "cat": laid(on, card(2), 660, 200, turned=180),
        "dog": laid(on, card(3), 300, 400, turned=-95),
    }
    found = six.read(photographed(on))
    assert {one.card for one in found if one.card} == set(wanted)
    assert all(near(one.corners, wanted[one.card]) for one in found if one.card)
    assert {(one.face, one.doubt) for one in found if one.card} == {("up", "")}


def test_foreign_cards_are_not_named(six: Recogniser) -> None:
    """Foreign cards have no name, and the visible ones are reported as unknown."""
    on = table(1)
    for at in range(3):
        laid(on, card(70 + at), 180 + 280 * at, 260, turned=20 * at)
    found = six.read(photographed(on))
    assert [one.card for one in found if one.card] == []
    assert {one.doubt for one in found} <= {"unknown", "hidden"}


def test_an_empty_table_has_no_cards(six: Recogniser) -> None:
    """A bare table and pictures of one colour contain no cards."""
    assert six.read(photographed(table(2))) == []
    for level in (0, 128, 255):
        assert six.read(np.full((240, 320, 3), level, np.uint8)) == []


def test_a_card_under_another_is_named(six: Recogniser) -> None:
    """Both cards are named when one half covers the other."""
    on = table(3)
    laid(on, card(4), 420, 260, 160)
    laid(on, card(5), 500, 300, 160, turned=8)
    assert {one.card for one in six.read(photographed(on))} == {"elk", "fox"}


def test_two_threads_read_what_one_reads(six: Recogniser) -> None:
    """Several threads read the same as one, both separate cards and piles."""
    on = table(3, (1280, 720))
    for seed, (x, y, turned) in enumerate(
        [(200, 200, 5), (270, 240, 40), (330, 300, 80), (800, 200, 0), (1000, 470, 170)]
    ):
        laid(on, card(seed), x, y, 150, turned=turned)
    picture = photographed(on)
    found = six.read(picture)
    assert {one.card for one in found if one.card} >= {"bee", "cat", "dog", "elk"}
    assert Recogniser(six.deck, threads=2).read(picture) == found


def test_a_card_under_one_that_is_found_later_is_named() -> None:
    """Both cards are named even if the lower one is found first by features and the sparse upper one by its outline."""
    sparse = np.full((SIZE[1], SIZE[0], 3), (200, 220, 235), np.uint8)
    cv2.ellipse(sparse, (126, 176), (66, 34), 0, 0, 360, (60, 60, 200), 6, cv2.LINE_AA)
    pictures = {"ace": [card(0)], "bee": [card(1)], "sparse": [sparse]}
    on = table(3)
    laid(on, card(0), 420, 260, 170)
    laid(on, sparse, 482, 290, 170, turned=10)
    reader = Recogniser(enrol("late", pictures)[0], threads=1)
    assert {one.card for one in reader.read(photographed(on)) if one.card} == {"ace", "sparse"}


def test_cards_full_of_symbols_are_named() -> None:
    """Cards with many symbols are named by their outlines, although their symbols have many more outlines."""
    pictures = {"red": [symbols(2, 4)], "blue": [symbols(2, 4, (170, 90, 30))], "ace": [card(0)]}
    reader = Recogniser(enrol("symbols", pictures, drawn=True)[0], threads=1)
    on = table(3, (1200, 720))
    for at in range(10):
        laid(on, pictures["blue" if at == 3 else "red"][0], 240 * (at % 5) + 120, 360 * (at // 5) + 180, 200, at - 5)
    found = [one.card for one in reader.read(photographed(on)) if one.card]
    assert sorted(found) == ["blue", *["red"] * 9]


def test_a_mask_hides_cards(six: Recogniser) -> None:
    """Masked areas are not read."""
    on = table(4)
    laid(on, card(0), 200, 260)
    laid(on, card(1), 700, 260)
    mask = np.zeros(on.shape[:2], np.uint8)
    mask[:, 480:] = 255
    assert [one.card for one in six.read(photographed(on), mask=mask)] == ["bee"]


def test_a_known_size_is_heeded(six: Recogniser) -> None:
    """If the scale is known, a card of another size is ignored."""
    on = table(5)
    laid(on, card(0), 200, 260, 130)
    laid(on, card(1), 700, 260, 230)
    assert [one.card for one in six.read(photographed(on), size=(114, 146)) if one.card] == ["ace"]


def test_grey_pictures_can_be_read(six: Recogniser) -> None:
    """A grey picture is accepted."""
    on = table(6)
    laid(on, card(0), 300, 260, 170)
    grey: Image = photographed(on)[:, :, 1]
    assert {one.card for one in six.read(grey)} <= {"ace", None}


def test_values_are_read_where_the_digits_are_large_enough(valued: Recogniser) -> None:
    """Cards of one artwork are told apart by their printed value."""
    on = table(7, (1280, 720))
    for at, value in enumerate(("100", "200", "500")):
        laid(on, card(40, value), 240 + 380 * at, 360, 250, turned=6 * at - 6)
    found = sorted(valued.read(photographed(on)), key=lambda one: one.corners[0][0])
    assert [one.card for one in found if one.card] == ["coal-100", "coal-200", "coal-500"]


def test_values_that_cannot_be_read_are_not_guessed(valued: Recogniser) -> None:
    """A small card with a known artwork and an unreadable value has no name, and its siblings are the suggestions."""
    on = table(8, (640, 360))
    laid(on, card(40, "200"), 300, 180, 62)
    found = [one for one in valued.read(photographed(on)) if one.likeliest and one.likeliest[0].startswith("coal")]
    assert all(one.card in (None, "coal-200") for one in found)
    assert all(one.doubt == "value" for one in found if one.card is None and one.doubt != "unknown")


def strip(top: float) -> Image:
    """Return a mask that shows only the lower part of a card."""
    visible = np.zeros((CARD[1], CARD[0]), np.uint8)
    visible[round(top * CARD[1]) :] = 255
    return visible


def test_a_tucked_card_is_read_at_its_place(six: Recogniser) -> None:
    """A tucked card with a visible third is named at a slightly inexact pose."""
    on = table(9)
    corners = laid(on, card(2), 400, 260, 180)
    laid(on, card(3), 400, 180, 180)
    found = six.read_at(photographed(on), corners + np.float32(1.2), strip(0.68))
    assert (found.card, found.doubt) == ("cat", "")


def test_a_foreign_card_at_a_place_is_not_named(six: Recogniser) -> None:
    """Neither a foreign card nor the bare table has a name at a given pose."""
    on = table(10)
    corners = laid(on, card(77), 300, 260, 180)
    picture = photographed(on)
    assert six.read_at(picture, corners).card is None
    assert six.read_at(picture, corners, strip(0.7)).card is None
    assert six.read_at(picture, corners + np.float32((400, 0))).card is None


def test_names_outside_the_given_ones_are_not_thought_of(six: Recogniser) -> None:
    """With only other names allowed, a card has no name."""
    on = table(11)
    corners = laid(on, card(0), 300, 260, 180)
    assert six.read_at(photographed(on), corners, among=("ace", "bee")).card == "ace"
    assert six.read_at(photographed(on), corners, among=("bee", "cat", "dog")).card is None
