"""Tests of reading tokens in a picture of one place."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.drawing import shapes
from companion.drawing.letters import text
from tests.vision.tokens.drawn import FINE, Camera, Laid, drawn_set, face, money, photographed, place, sequence
from vision.image import Image
from vision.tokens.comparison import READ_PX
from vision.tokens.reader import FoundToken, TokenReader
from vision.tokens.token_set import TokenFace, TokenSet

SIZE = (90.0, 42.0)
"""The size of a place in millimetres."""
CAMERA = Camera()


@lru_cache(maxsize=1)
def money_reader() -> TokenReader:
    """Return a reader of the drawn money."""
    return TokenReader(drawn_set().like({"money-50"}))


def mask(picture: Image) -> Image:
    """Return a mask that allows the whole picture."""
    return np.full(picture.shape[:2], 255, np.uint8)


def read(laid: list[Laid], camera: Camera = CAMERA, reader: TokenReader | None = None) -> tuple[FoundToken, ...]:
    """Return the reading of tokens on a place."""
    picture = place(SIZE, laid, camera, 1, READ_PX)
    return (reader or money_reader()).read(picture, mask(picture), camera.scale, camera.lean).tokens


def names(tokens: tuple[FoundToken, ...]) -> list[str]:
    """Return the names in order, with the doubt for tokens without a name."""
    return sorted(token.name or token.doubt for token in tokens)


def on_place(thing: Image, camera: Camera = CAMERA) -> tuple[FoundToken, ...]:
    """Return the reading of a place painted at `FINE` pixels per millimetre."""
    picture = photographed(thing, camera, np.random.default_rng(1), READ_PX)
    return money_reader().read(picture, mask(picture), camera.scale, camera.lean).tokens


def bare() -> Image:
    """Return an empty place."""
    return np.full((round(SIZE[1] * FINE), round(SIZE[0] * FINE), 3), 250, np.uint8)


def test_tokens_beside_one_another_are_named_however_they_are_turned() -> None:
    """Each value is named on both faces at any angle."""
    laid = [
        Laid(money(50), 12, 12, 0.3),
        Laid(money(500, other=True), 36, 28, 2.0),
        Laid(money(1000), 60, 14, 4.1),
        Laid(money(5000, other=True), 77, 30, 5.6),
    ]
    assert names(read(laid)) == ["money-1000", "money-50", "money-500", "money-5000"]


def test_tokens_over_one_another_are_named_from_the_top_downwards() -> None:
    """A token with two thirds visible is named, with its true centre."""
    laid = [Laid(money(100), 30, 20, 1.0), Laid(money(500), 40.5, 24, 2.2)]
    found = sorted(read(laid), key=lambda token: token.x)
    assert [token.name for token in found] == ["money-100", "money-500"]
    assert [round(token.visible, 1) for token in found] == [0.6, 1.0]
    assert np.hypot(found[0].x - 30, found[0].y - 20) < 1.5


def test_a_further_picture_confirms_what_lies_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unchanged tokens are not searched again, but one that is added, removed, moved or exchanged is."""
    reader, sought = money_reader(), []
    search = reader._in_print
    monkeypatch.setattr(reader, "_in_print", lambda *given: sought.append(given) or search(*given))
    lies = [Laid(money(50), 12, 12, 0.3), Laid(money(500), 40, 20, 2.0)]
    before = read(lies)
    others = (
        lies,
        [*lies, Laid(money(1000), 70, 20, 1.0)],
        lies[:1],
        [lies[0], Laid(money(500), 60, 20, 2.0)],
        [lies[0], Laid(money(5000), 40, 20, 2.0)],
        [],
    )
    told = []
    for nth, laid in enumerate(others, 2):
        picture = place(SIZE, laid, CAMERA, nth, READ_PX)
        sought.clear()
        again = reader.read(picture, mask(picture), CAMERA.scale, CAMERA.lean, before=before)
        told.append((names(again.tokens), len(sought) > 0))
    assert told[0] == (names(before), False)
    assert [names for names, _ in told[1:]] == [
        ["money-1000", "money-50", "money-500"], ["money-50"], ["money-50", "money-500"], ["money-50", "money-5000"], []
    ]  # fmt: skip


def test_a_token_between_two_equal_ones_is_never_left_out() -> None:
    """A token between two equal ones is found, even if only a third of it is left to compare."""
    laid = [
        Laid(money(50), 20, 17, 5.42828),
        Laid(money(50), 33.58589, 17.6, 1.75021),
        Laid(money(50), 43.0898, 20.60124, 2.80793),
    ]
    tokens = read(laid, replace(CAMERA, scale=1.736612))
    assert len(tokens) == 3
    assert {token.name for token in tokens} <= {"money-50", None}


def test_a_token_that_hardly_shows_is_covered() -> None:
    """A token with a third visible has no name and asks people to spread the tokens."""
    laid = [Laid(money(100), 34, 20, 1.0), Laid(money(500), 39, 22, 2.2)]
    assert names(read(laid)) == ["covered", "money-500"]


def test_an_empty_place_has_no_tokens() -> None:
    """Paper under uneven light contains no tokens."""
    assert read([], Camera(uneven=0.4)) == ()


def test_a_token_that_is_not_enrolled_is_no_other_one() -> None:
    """A chip of another colour and value is unknown."""
    others = TokenReader(TokenSet("money", [one for one in drawn_set().faces[:10] if one.name != "money-500"]))
    assert names(read([Laid(money(500), 45, 20, 0.4)], reader=others)) == ["unknown"]


def test_a_token_of_another_outline_is_unknown() -> None:
    """A square token at a place for money is reported as unknown."""
    assert names(read([Laid(sequence(3), 45, 20, 0.4)])) == ["unknown"]


@pytest.mark.parametrize("value", ["500", "1000", "5000"])
def test_values_of_one_colour_are_told_apart_by_their_digits(value: str) -> None:
    """Values that share colour and ring are told apart by their digits."""
    reader = TokenReader(TokenSet("orange", [orange(each) for each in ("500", "1000", "5000")]))
    assert names(read([Laid(orange(value), 45, 20, 0.4)], reader=reader)) == [f"money-{value}"]


@pytest.mark.parametrize("radius", [8.1, 10.0, 11.6])
def test_coins_are_unknown(radius: float) -> None:
    """A coin beside a token is reported as unknown."""
    thing = bare()
    cv2.circle(thing, (round(30 * FINE), round(20 * FINE)), round(radius * FINE), (70, 130, 175), cv2.FILLED)
    assert names(on_place(thing)) == ["unknown"]


def test_a_picture_of_a_token_on_a_phone_is_in_doubt() -> None:
    """A picture of a token on a phone is in doubt, because the phone around it is not a token."""
    thing = bare()
    thing[round(4 * FINE) : round(38 * FINE), round(10 * FINE) : round(78 * FINE)] = (30, 30, 30)
    shown = money(500)
    half = shown.picture.shape[0] // 2
    left, top = round(44 * FINE) - half, round(21 * FINE) - half
    part = thing[top : top + 2 * half, left : left + 2 * half]
    on = shown.mask[: 2 * half, : 2 * half] > 0
    part[on] = shown.picture[: 2 * half, : 2 * half][on]
    assert "unknown" in names(on_place(thing))


def test_half_a_token_below_a_sleeve_is_in_doubt() -> None:
    """A token half hidden by a sleeve is in doubt."""
    picture = place(SIZE, [Laid(money(500), 45, 20, 0.4)], CAMERA, 1, READ_PX)
    picture[:, round(46 * READ_PX) :] = (90, 60, 40)
    found = money_reader().read(picture, mask(picture), CAMERA.scale, CAMERA.lean).tokens
    assert [token for token in found if token.name] == []
    assert found


def test_a_place_that_may_not_be_looked_at_says_nothing() -> None:
    """A fully masked place is not reported as empty."""
    picture = place(SIZE, [Laid(money(500), 45, 20, 0.4)], CAMERA, 1, READ_PX)
    reading = money_reader().read(picture, np.zeros(picture.shape[:2], np.uint8))
    assert (reading.legible, reading.tokens) == (False, ())


def orange(value: str) -> TokenFace:
    """Return a round orange token with a value."""
    marks: tuple[shapes.Mark, ...] = (
        shapes.Fill((shapes.circle(20, 20, 10),), "#d98a4b"),
        shapes.Stroke(shapes.circle(20, 20, 9), 0.6, "#2b2b2b", closed=True),
        text(value, (20, 22.2), 4.4, anchor="middle"),
    )
    return face(f"money-{value}", shapes.circle(20, 20, 10), marks)


def test_tokens_of_another_printer_are_named() -> None:
    """Money printed darker, with less blue and more red, is named like the enrolled money."""
    levels = 255 * (np.arange(256)[:, None] / 255) ** 1.3 * np.array([0.8, 0.85, 1.1])
    table = np.clip(levels, 0, 255).astype(np.uint8).reshape(256, 1, 3)
    laid = []
    for nth, value in enumerate((50, 100, 500, 1000)):
        drawn = money(value)
        printed = np.asarray(cv2.LUT(drawn.picture, table), np.uint8)
        laid.append(Laid(TokenFace(drawn.name, printed, drawn.mask), 12 + 22 * nth, 15 + 5 * (nth % 2), nth))
    assert names(read(laid)) == ["money-100", "money-1000", "money-50", "money-500"]


@pytest.mark.parametrize("light", [(1.8, 1.8, 1.8), (1.85, 1.5, 1.2)])
def test_tokens_on_burnt_out_paper_are_named(light: tuple[float, float, float]) -> None:
    """On overexposed paper of unknown brightness, the tokens' faces reveal the light and are named."""
    laid = [
        Laid(money(value), 12 + 22 * nth, 15 + 5 * (nth % 2), nth) for nth, value in enumerate((50, 100, 500, 5000))
    ]
    picture = place(SIZE, laid, CAMERA, 1, READ_PX)
    bright = np.clip(picture * np.array(light), 0, 255).astype(np.uint8)
    found = money_reader().read(bright, mask(bright), CAMERA.scale, CAMERA.lean).tokens
    assert names(found) == ["money-100", "money-50", "money-500", "money-5000"]
