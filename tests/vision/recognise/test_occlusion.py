"""Tests that an object over a card's edge hides only that part and that the rest can still name the card."""

from __future__ import annotations

from typing import cast

import cv2
import msgspec
import numpy as np
import pytest

from tests.support.vision.pictures import SIZE, card, laid, photographed, table
from vision.deck.making import enrol
from vision.features.pixels import corners_of, homography
from vision.image import Image, Quad
from vision.recognise import Recogniser
from vision.recognise.candidates import Candidate
from vision.recognise.card_thresholds import agrees, passes, sure_beside, sure_half
from vision.recognise.scene import PictureScene
from vision.recognise.verification import Verdict, beyond_best_line

MIDDLE = (420, 260)
WIDTH = 170


def patched(top: int, colour: tuple[int, int, int]) -> Image:
    """Return a card with another's pattern except for a large field with a dot."""
    drawn = card(60)
    cv2.rectangle(drawn, (30, top), (220, top + 75), colour, -1)
    cv2.circle(drawn, (80, top + 38), 26, (30, 30, 30), -1, cv2.LINE_AA)
    return drawn


def low() -> Image:
    """Return a card that differs from its lookalike only in its lower half."""
    return patched(205, (200, 90, 40))


def book(on: Image, corners: list[tuple[int, int]]) -> None:
    """Lay a striped object over the picture."""
    inside = np.zeros(on.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.array(corners, np.int32)], 255)
    striped = np.full_like(on, (60, 150, 70))
    striped[:, ::9] = (40, 60, 50)
    on[inside > 0] = striped[inside > 0]


def knitted(like: Image, levels: tuple[int, int, int]) -> Image:
    """Return a rug with loops of three brightness levels, as large as a picture."""
    loops = np.random.default_rng(4).integers(0, 3, (36, 64))
    colours = np.array([(level - 10, level, level + 8) for level in levels], np.uint8)[loops]
    return cast(Image, cv2.resize(colours, (like.shape[1], like.shape[0]), interpolation=cv2.INTER_NEAREST))


@pytest.fixture(scope="module")
def reader() -> Recogniser:
    """Yield a recogniser of a card, one that differs only in its lower half, and two others."""
    pictures = {"card": [card(60)], "low": [low()], "bee": [card(1)], "cat": [card(2)]}
    return Recogniser(enrol("covered", pictures)[0], threads=1)


def asked(reader: Recogniser, name: str, on: Image, corners: Quad) -> Verdict:
    """Return the verdict on a card at a place for which many features voted."""
    scene, ref = PictureScene(photographed(on)), next(one for one in reader.bank.refs if reader.name(one) == name)
    pose = homography(corners_of(ref.frame), corners)
    return reader.settle(scene, reader.judge(scene, Candidate(ref, pose, 30, "votes")))


LEFT = [(250, 100), (390, 90), (405, 430), (250, 430)]
BELOW = [(300, 265), (560, 255), (560, 480), (300, 480)]


def test_a_card_under_the_edge_of_a_thing_is_named(reader: Recogniser) -> None:
    """A card with two fifths under a striped book is named by a visible difference from its lookalike."""
    on = table(31)
    laid(on, low(), *MIDDLE, WIDTH, turned=6)
    book(on, LEFT)
    assert [one.card for one in reader.read(photographed(on))] == ["low"]


@pytest.mark.parametrize("name", ["card", "low"])
def test_a_card_whose_telling_part_is_hidden_is_asked(reader: Recogniser, name: str) -> None:
    """If a book hides the half in which two cards differ, neither is confirmed."""
    on = table(31)
    corners = laid(on, low() if name == "low" else card(60), *MIDDLE, WIDTH, turned=6)
    book(on, BELOW)
    assert not passes(asked(reader, "card", on, corners))
    assert not passes(asked(reader, "low", on, corners))


def test_another_print_is_no_thing(reader: Recogniser) -> None:
    """A foreign card with a lookalike's print around a different field has no name."""
    on = table(31)
    corners = laid(on, patched(75, (60, 150, 70)), *MIDDLE, WIDTH, turned=6)
    assert not passes(asked(reader, "card", on, corners))


def test_the_table_beside_a_card_is_no_thing() -> None:
    """A foreign card that lacks one row has no name, even in a pose one row too high."""
    rows = np.full((SIZE[1], SIZE[0], 3), 236, np.uint8)
    for row in range(6):
        for column in range(3):
            cv2.circle(rows, (60 + 66 * column, 38 + 55 * row), 20, (60, 60, 200), -1, cv2.LINE_AA)
            cv2.line(rows, (40 + 66 * column, 38 + 55 * row), (50 + 66 * column, 60 + 55 * row), (20, 20, 20), 5)
    foreign = np.full_like(rows, 236)
    foreign[: SIZE[1] - 66] = rows[66:]
    reader = Recogniser(enrol("rows", {"rows": [rows], "bee": [card(1)]})[0], threads=1)
    on = table(31)
    corners = laid(on, foreign, *MIDDLE, WIDTH)
    assert not passes(asked(reader, "rows", on, corners - np.float32((0, 66 * WIDTH / SIZE[0]))))


def test_a_strangers_card_that_lies_over_a_card_is_a_thing(reader: Recogniser) -> None:
    """If a foreign card printed to its edges hides a third of a card, the rest names it."""
    on = table(31)
    corners = laid(on, low(), *MIDDLE, WIDTH, turned=6)
    laid(on, card(77)[40:-40, 40:-40], MIDDLE[0] - 112, MIDDLE[1] - 20, WIDTH, turned=-9)
    found = asked(reader, "card", on, corners)  # a rival replaces it
    assert (reader.name(reader.bank.refs[found.ref]), passes(found)) == ("low", True)


def test_a_motley_thing_is_one_thing(reader: Recogniser) -> None:
    """If a knitted rug in similar colours hides two fifths of a card, the rest names it."""
    on = table(31)
    corners = laid(on, low(), *MIDDLE, WIDTH, turned=6)
    rug = knitted(on, (60, 84, 120))
    inside = np.zeros(on.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.array(LEFT, np.int32)], 255)
    on[inside > 0] = rug[inside > 0]
    found = asked(reader, "card", on, corners)  # a rival replaces it
    assert (reader.name(reader.bank.refs[found.ref]), passes(found)) == ("low", True)


def test_a_plain_field_of_a_strangers_card_on_a_motley_rug_is_no_thing(reader: Recogniser) -> None:
    """A foreign card with a plain field at its edge has no name, because the rug beside it does not reach onto it."""
    drawn = low()
    cv2.rectangle(drawn, (0, 0), (95, SIZE[1]), (90, 100, 108), -1)
    on = knitted(table(31), (10, 90, 190))
    corners = laid(on, drawn, *MIDDLE, WIDTH, turned=6)
    assert not passes(asked(reader, "low", on, corners))


def test_the_smaller_part_of_a_card_beside_a_thing_has_no_name() -> None:
    """Less than about half of a card has no name, however well it agrees, because another card may share it."""
    part = Verdict(0, np.eye(3), 1, 9, 20, 0.9, 0.46, how="votes")
    assert sure_beside(part)
    assert not sure_beside(msgspec.structs.replace(part, visible=0.44))


def sleeved(reader: Recogniser, below: Image, over: int) -> list[str | None]:
    """Return the names read where a card in a broad dark sleeve lies over another's lower part."""
    on = table(31, (960, 640))
    laid(on, below, 420, 250, WIDTH, turned=4)
    laid(on, np.full((SIZE[1] + 52, SIZE[0] + 52, 3), 24, np.uint8), 500, 400, WIDTH * 1.2, turned=-20)
    laid(on, card(over), 500, 400, WIDTH, turned=-20)
    return sorted([one.card for one in reader.read(photographed(on)) if one.card])


@pytest.fixture(scope="module")
def numbers() -> Recogniser:
    """Yield a recogniser of densely printed cards on white paper."""
    return Recogniser(enrol("sleeves", {str(seed): [card(seed)] for seed in range(60, 66)}, drawn=True)[0], threads=1)


def test_the_sleeve_of_a_card_above_is_no_print(numbers: Recogniser) -> None:
    """A card under a sleeve is named by its rest, even though the sleeve extends beyond its own card."""
    assert sleeved(numbers, card(60), 62) == ["60", "62"]


def test_a_sleeve_hides_nothing_that_contradicts(numbers: Recogniser) -> None:
    """A foreign card with one different field has no name, even if a sleeve hides another part."""
    assert sleeved(numbers, patched(75, (60, 150, 70)), 62) == ["62"]


def test_the_best_line_parts_a_card_from_what_covers_it(reader: Recogniser) -> None:
    """The best line separates a card from the foreign card over its right part, without the blocks at the seam."""
    on = table(31)
    corners = laid(on, card(60), *MIDDLE, WIDTH)
    laid(on, card(99), MIDDLE[0] + 115, MIDDLE[1] + 6, WIDTH)
    ref = next(one for one in reader.bank.refs if reader.name(one) == "card")
    hidden = beyond_best_line(ref, homography(corners_of(ref.frame), corners), PictureScene(photographed(on)))
    width = hidden.shape[1]
    assert (hidden[:, : width // 2] == 0).mean() > 0.9 and (hidden[:, round(0.68 * width) :] == 255).mean() > 0.9


SURE = Verdict(0, np.eye(3), 0.97, 0.5, 2.5, 0.85, 0.47, margin=0.9, support=14, how="votes")
"""A verdict on a bare part with hardly any print."""


@pytest.mark.parametrize(("field", "value"), [("share", 0.9), ("whole", 0.7), ("margin", 0.7), ("how", "outline")])
def test_a_bare_part_is_believed_if_all_of_it_agrees(field: str, value: float | str) -> None:
    """A part with hardly any print is confirmed only if each measure agrees strongly."""
    assert agrees(SURE) and not agrees(msgspec.structs.replace(SURE, **{field: value}))


@pytest.mark.parametrize(("field", "value"), [("share", 0.7), ("visible", 0.2), ("margin", 0.4), ("support", 11)])
def test_half_a_card_is_believed_if_enough_voted(field: str, value: float) -> None:
    """Half a card is confirmed only above higher limits and with enough votes of features."""
    assert sure_half(SURE) and not sure_half(msgspec.structs.replace(SURE, **{field: value}))
