"""Tests of a mat's places for tokens: the reported tokens, and the places that only report an open hand."""

from __future__ import annotations

from functools import lru_cache
from typing import cast
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from companion.engine.token_rules import money_place
from tests.vision.tokens.drawn import drawn_set, money
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.mat.mat import MatSheet, TokenSlot
from vision.mat.token_bar import bar_blocks
from vision.tokens.places import TokenPlaces, TokensRead, in_both, names_for
from vision.tokens.reader import FoundToken, TokenReader
from vision.tokens.token_set import PX, TokenFace

PICTURE_PX = 4.0
"""The scale of the vertical pictures of the mat in pixels per millimetre."""
PLACE = money_place(0)
SLOT = TokenSlot(PLACE, 20, 20, (90.0, 46.0), most=14, seat=0, bar=4.0)
MAT = Mat((140.0, 90.0), (63.0, 88.0), (), sheets=(MatSheet(1, 0, 0, 140.0, 90.0),), token_slots=(SLOT,))
SIZE = (560, 360)
POSE = MatPose(np.diag([PICTURE_PX, PICTURE_PX, 1.0]), SIZE, scale=PICTURE_PX)
READABLE = frozenset({PLACE})


def table(*tokens: tuple[TokenFace, float, float]) -> Image:
    """Return a picture of the mat with tokens at points in millimetres."""
    picture = np.full((SIZE[1], SIZE[0], 3), 225, np.uint8)
    for block in bar_blocks(SLOT):
        if block.dark:
            cv2.fillPoly(picture, [np.round(block.corners * PICTURE_PX).astype(np.int32)], (122, 107, 93))
    for face, x, y in tokens:
        half = (face.picture.shape[0] - 1) / 2
        factor = PICTURE_PX / PX
        matrix = np.array([[factor, 0, x * PICTURE_PX - factor * half], [0, factor, y * PICTURE_PX - factor * half]])
        soft = cv2.GaussianBlur(np.dstack([face.picture, face.mask]), (0, 0), 1.5)
        seen = cast(Image, cv2.warpAffine(soft, matrix, SIZE))
        share = seen[:, :, 3:].astype(np.float32) / 255
        picture[:] = picture * (1 - share) + seen[:, :, :3] * (225 / 255) * share
    return picture


@lru_cache(maxsize=1)
def shared() -> TokenPlaces:
    """Return a reader that all tests share; each begins with a picture in which no place is readable."""
    return TokenPlaces(MAT, drawn_set().like({"money-50"}))


def places() -> TokenPlaces:
    """Return a reader without memory of earlier pictures."""
    shared().read(table(), POSE, ())
    return shared()


LAID = table((money(500), 50, 38), (money(100), 80, 40))


def test_a_place_is_told_once_two_pictures_agree() -> None:
    """A place is pending after one picture and reported after two that agree, in millimetres of the mat."""
    reader = places()
    assert reader.read(LAID, POSE, READABLE) == TokensRead(pending=(PLACE,))
    read = reader.read(LAID, POSE, READABLE)
    assert (read.places, read.pending) == ((PLACE,), ())
    assert {one.token: tuple(round(each / 3) for each in one.middle) for one in read.sightings} == {
        "money-500": (17, 13),
        "money-100": (27, 13),
    }


def test_an_empty_place_is_told_as_read() -> None:
    """An empty place is reported as read and empty, as opposed to unknown."""
    reader = places()
    reader.read(table(), POSE, READABLE)
    assert reader.read(table(), POSE, READABLE) == TokensRead(places=(PLACE,))


def test_a_place_that_may_not_be_read_is_forgotten() -> None:
    """After a place was closed, its first picture alone reports nothing."""
    reader = places()
    for _ in range(2):
        reader.read(LAID, POSE, READABLE)
    assert reader.read(LAID, POSE, ()) == TokensRead()
    assert reader.outlines(PLACE) == ()
    assert reader.read(LAID, POSE, READABLE) == TokensRead(pending=(PLACE,))


def noisy(picture: Image, seed: int) -> Image:
    """Return a picture with sensor noise."""
    noise = np.random.default_rng(seed).normal(0, 4, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_what_two_pictures_agreed_on_is_read_again_once_something_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise does not trigger another reading, but a token pushed by a millimetre or exchanged does."""
    reader, read = places(), Mock(wraps=TokenReader.read)
    monkeypatch.setattr(TokenReader, "read", lambda *given: read(*given))
    for seed in range(5):
        told = reader.read(noisy(LAID, seed), POSE, READABLE)
    assert (read.call_count, len(told.sightings)) == (2, 2)
    for changed in ((money(500), 51, 38), (money(50), 50, 38)):
        picture = table(changed, (money(100), 80, 40))
        for seed in range(4):
            told = reader.read(noisy(picture, seed), POSE, READABLE)
        assert {one.token for one in told.sightings} == {changed[0].name, "money-100"}
    assert read.call_count == 5  # a pushed token keeps its position until two pictures agree


def test_nothing_is_kept_of_a_place_that_may_not_be_read() -> None:
    """For a closed place, neither its tokens nor its picture are kept."""
    reader = places()
    without = kept(reader)
    for _ in range(3):
        reader.read(LAID, POSE, READABLE)
    assert kept(reader) != without
    reader.read(LAID, POSE, ())
    assert kept(reader) == without


def kept(reader: TokenPlaces) -> dict[str, int]:
    """Return the sizes of the reader's stored data by name."""
    return {name: len(each) for name, each in vars(reader).items() if isinstance(each, dict)}


def test_a_place_whose_printed_edge_is_hidden_is_not_read() -> None:
    """A place whose printed bar is hidden, as by a player's screen, is not read."""
    pushed = LAID.copy()
    pushed[round(60 * PICTURE_PX) :, : round(60 * PICTURE_PX)] = (60, 90, 160)
    reader = places()
    for _ in range(2):
        assert reader.read(pushed, POSE, READABLE) == TokensRead()


def test_a_hand_is_open_where_something_new_lies() -> None:
    """A new token opens a hand, but a known token or an object reaching in does not."""
    reader = places()
    for _ in range(2):
        reader.read(LAID, POSE, READABLE)
    known = reader.outlines(PLACE)
    assert len(known) == 2
    more = table((money(500), 50, 38), (money(100), 80, 40), (money(50), 30, 48))
    arm = LAID.copy()
    arm[: round(40 * PICTURE_PX), round(24 * PICTURE_PX) : round(34 * PICTURE_PX)] = (120, 150, 200)
    assert [reader.is_open(picture, POSE, PLACE, known) for picture in (LAID, more, arm, table())] == [
        False, True, False, False,
    ]  # fmt: skip
    assert reader.is_open(LAID, POSE, PLACE)


def test_a_place_is_empty_where_nothing_lies_or_reaches_in() -> None:
    """A place is not empty if tokens lie in it or on its rim, or if a hand reaches in or hides it."""
    reader, rim = places(), table((money(500), 21, 38), (money(100), 38, 40))
    arm, pushed = table(), table()
    arm[: round(40 * PICTURE_PX), round(24 * PICTURE_PX) : round(34 * PICTURE_PX)] = (120, 150, 200)
    pushed[round(60 * PICTURE_PX) :, : round(60 * PICTURE_PX)] = (60, 90, 160)
    assert [reader.is_empty(picture, POSE, PLACE) for picture in (table(), LAID, rim, arm, pushed)] == [
        True, False, False, False, False,
    ]  # fmt: skip


def test_tokens_belong_where_a_place_is_called_like_them() -> None:
    """A payment place accepts only money, the auction's only auction tokens, and others any token."""
    known = ("money-50", "auction-pass", "back-auction", "purpose-P-1")
    assert [sorted(names_for(place, known)) for place in ("seat.1.money", "auction.token", "shelf")] == [
        ["money-50"], ["auction-pass", "back-auction"], sorted(known),
    ]  # fmt: skip


def test_what_only_one_of_two_pictures_shows_is_in_doubt() -> None:
    """A place with alternating readings is reported in the end, with the differing tokens in doubt."""
    steady = FoundToken("money-50", "", 10, 10, radius=10)
    first, second = (FoundToken(name, "", 40, 20, radius=10) for name in ("money-100", "money-500"))
    assert [(one.name, one.doubt, one.x) for one in in_both([steady, first], [second, steady])] == [
        ("money-50", "", 10), (None, "unknown", 40), (None, "unknown", 40),
    ]  # fmt: skip
