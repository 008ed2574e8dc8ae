"""Test the kinds, the outlines and the faces of the tokens of Take a Train."""

from __future__ import annotations

from itertools import combinations, pairwise

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.drawing import TOKEN_BLEED, Drawing, Fill, Mark, TokenDesign, transform
from companion.games.take_a_train.catalogue import shipped
from companion.games.take_a_train.events import KINDS
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.table import BANK_TOTAL
from companion.games.take_a_train.token_art import token_designs
from companion.games.take_a_train.tokens import AUCTION_BACK, PURPOSE_BACK, TOKEN_KINDS
from vision.image import Image
from vision.print.drawing.raster import to_pixels
from vision.print.token_pictures import token_faces, token_pictures

CAMERA = 3.3
"""Resolution of a camera above a whole table, in pixels per millimetre."""
FINE = 8.0
"""Resolution for measuring outlines, in pixels per millimetre."""
SLACK = 0.35
"""Permitted error of the bleed in millimetres. The corners of a hexagon lie 0.23 mm further out than its edges."""
APART = 30.0
"""Smallest mean difference between two faces in their most similar rotation, in grey levels of 255."""
DESIGNS = {token.name: token for token in token_designs()}
FORMS = {
    form: [name for name in DESIGNS if name.startswith(form)] for form in ("money", "auction", "sequence", "purpose")
}
"""Token names by outline. Tokens with different outlines never look alike."""


def test_the_box_has_155_tokens_of_35_kinds() -> None:
    """The box has the printed numbers of money, auction, sequence and purpose tokens (R-03, R-04)."""
    money = [("money-50", 20, 50), ("money-100", 25, 100), ("money-500", 35, 500), ("money-1000", 35, 1000),
             ("money-5000", 10, 5000)]  # fmt: skip
    single = [
        *[(f"auction-{kind}", AUCTION_BACK) for kind in KINDS],
        *[(f"sequence-{number}", "") for number in range(1, 7)],
        *[(f"purpose-{purpose.id}", PURPOSE_BACK) for purpose in PURPOSES],
    ]
    assert [(kind.name, kind.count, kind.value) for kind in TOKEN_KINDS if kind.value] == money
    assert [(kind.name, kind.back) for kind in TOKEN_KINDS if not kind.value and kind.count == 1] == single
    assert (len(TOKEN_KINDS), sum([kind.count for kind in TOKEN_KINDS])) == (35, 155)
    assert sum([kind.count * kind.value for kind in TOKEN_KINDS]) == BANK_TOTAL


def test_every_kind_is_drawn_as_often_as_it_is_in_the_box() -> None:
    """The drawn tokens have the names, counts and backs of the data, in the same order."""
    drawn = [(token.name, token.count, token.back) for token in token_designs()]
    assert drawn == [(kind.name, kind.count, kind.back) for kind in TOKEN_KINDS]


def test_sequence_tokens_bear_the_prices_of_the_catalogue() -> None:
    """A changed price changes only its own token (R-58)."""
    book = shipped("reconstruction")
    changed = {
        **{name: getattr(book, name) for name in ("name", "locomotives", "wagons")},
        "sequence": (600, None, 400, 300, 200, 100),
    }
    other = {token.name for token in token_designs(changed) if token != DESIGNS[token.name]}
    assert other == {"sequence-2"}


# --- outlines and bleed ---------------------------------------------------------------------------


@pytest.mark.parametrize("token", DESIGNS.values(), ids=DESIGNS)
def test_art_reaches_as_far_beyond_the_outline_as_its_bleed(token: TokenDesign) -> None:
    """The art of both faces extends to the bleed and no further, because the next token lies there."""
    outline = drawn((Fill((token.outline,), "#ffffff"),), "#000000")[:, :, 0]
    for name, marks in token_faces(token).items():
        painted = (drawn(marks, "#ff00ff") == drawn(marks, "#00ff00")).all(axis=2)
        assert painted[grown(outline, TOKEN_BLEED - SLACK) > 0].all(), name
        assert not painted[grown(outline, TOKEN_BLEED + SLACK) == 0].any(), name


def drawn(marks: tuple[Mark, ...], paper: str) -> Image:
    """Return the marks as pixels, with (0, 0) in the middle."""
    return to_pixels(Drawing(40, 40, transform(marks, 20, 20)), FINE, paper=paper)


def grown(area: Image, far: float) -> Image:
    """Return the area extended by `far` millimetres."""
    size = 2 * round(far * FINE) + 1
    return np.asarray(cv2.dilate(area, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), np.uint8)


# --- telling them apart ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_no_two_faces_are_alike_in_any_turn(form: str) -> None:
    """Faces of different tokens, backs included, differ clearly in every rotation at camera resolution."""
    pictures = token_pictures("take-a-train", CAMERA)
    turned = {name: turns(*pictures[name]) for name in pictures if form in name}
    area = min([int((mask > 127).sum()) for name, (_, mask) in pictures.items() if form in name])
    for one, other in combinations(turned, 2):
        if one.partition("/")[0] != other.partition("/")[0]:
            differing = np.abs(turned[one] - turned[other][0]).max(axis=3).sum(axis=(1, 2)) / area
            assert differing.min() > APART, (one, other)


def turns(picture: Image, mask: Image) -> npt.NDArray[np.int16]:
    """Return a face in 36 rotations, with black outside its outline."""
    middle = ((picture.shape[0] - 1) / 2,) * 2
    own = np.where(mask[:, :, None] > 127, picture, 0).astype(np.uint8)
    spins = [cv2.getRotationMatrix2D(middle, angle, 1) for angle in range(0, 360, 10)]
    return np.array([cv2.warpAffine(own, spin, picture.shape[:2]) for spin in spins], np.int16)


def test_values_differ_in_lightness() -> None:
    """The rims of both faces grow darker from 50 to 5000, so that people can tell them apart without colour."""
    pictures = token_pictures("take-a-train", FINE)
    for other in ("", "/2"):
        rims = [rim_lightness(pictures[name + other][0]) for name in FORMS["money"]]
        assert min([one - darker for one, darker in pairwise(rims)]) > 9, rims


def rim_lightness(picture: Image) -> float:
    """Return the mean lightness of a money token's rim with its marks, from 0 to 100 (CIELAB)."""
    y, x = np.indices(picture.shape[:2]) - (picture.shape[0] - 1) / 2
    away = np.hypot(x, y) / FINE
    light = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)[:, :, 0]
    return float(light[(away > 7.7) & (away < 10)].mean()) / 2.55


@pytest.mark.parametrize(("back", "symmetry"), [(AUCTION_BACK, 6), (PURPOSE_BACK, 2)])
def test_backs_hide_what_a_token_is(back: str, symmetry: int) -> None:
    """All tokens of a kind have the same back, which looks the same in every symmetric rotation."""
    others = {token.other for token in DESIGNS.values() if token.back == back}
    assert len(others) == 1
    marks = others.pop()
    turned = drawn(transform(marks, turn=360 / symmetry), "#ffffff")
    assert float(cv2.absdiff(drawn(marks, "#ffffff"), turned).mean()) < 1
