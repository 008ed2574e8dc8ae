"""Tests of enrolling tokens from the camera's picture or photographs: the mat's middle, and areas that stay hidden."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.devices.camera_requests.enrolment import ComparisonAnswer, EnrolAnswer, TokenCaptureAnswer
from tests.support.vision.photographing import mat_for
from tests.vision.tokens.photographed import OnSheet, painted, photograph, row
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolment.camera_view import MIDDLE, CameraView, plain_ground
from vision.enrolment.enrolment import Enrolment
from vision.enrolment.frames_shelf import FramesShelf
from vision.enrolment.paper_sheet import PlainGround
from vision.enrolment.token_kind import TokensKind
from vision.enrolment.tokens_on_paper import tokens_on_paper
from vision.mat import Mat, MatPose
from vision.mat.mat import TokenSlot
from vision.service.deck_reader import find_tokens

SCALE = 3.6
"""Pixels per millimetre of a camera of 2304 × 1296 pixels over a small mat."""


def above(mat: Mat, tokens: list[OnSheet]) -> CameraView:
    """Return a vertical camera view of a mat with a white sheet over its middle."""
    size = (round(mat.size[0] * SCALE), round(mat.size[1] * SCALE))
    picture = np.full((size[1], size[0], 3), 150, np.uint8)
    sheet = cv2.resize(
        painted(tokens, (297, 210)), (round(297 * SCALE), round(210 * SCALE)), interpolation=cv2.INTER_AREA
    )
    x, y = (size[0] - sheet.shape[1]) // 2, (size[1] - sheet.shape[0]) // 2
    picture[y : y + sheet.shape[0], x : x + sheet.shape[1]] = sheet * 0.9
    soft = cv2.GaussianBlur(picture, (0, 0), 0.6)
    return CameraView(np.asarray(soft, np.uint8), MatPose(np.diag([SCALE, SCALE, 1.0]), size, scale=SCALE), mat)


def tokens_of(folder: Path) -> Enrolment:
    """Return the tokens in a data folder."""
    (folder / "shelf").mkdir(exist_ok=True)
    return Enrolment(TokensKind(DeckLibrary(folder)), FramesShelf(folder / "shelf"))


def test_a_set_is_taught_from_the_camera_and_from_photographs(tmp_path: Path) -> None:
    """A token set is taught from the camera and from photographs, and its deck then reads with it."""
    tokens = tokens_of(tmp_path)
    view = above(mat_for(4), [OnSheet("money-50", 100, 90), OnSheet("money-100", 150, 90, 40)])
    first = tokens.capture("ours", view)
    assert isinstance(first, TokenCaptureAnswer) and [token.faults for token in first.tokens] == [(), ()]
    for token, name in zip(first.tokens, ("money-50", "money-100"), strict=True):
        assert tokens.enrol("ours", token.picture, name) == EnrolAnswer(name, 1)
    second = tokens.capture("ours", CameraView(photograph(row(["sequence-1"]))))
    tokens.enrol("ours", second.waiting[0], "sequence-1")
    assert list(tokens.read("ours").pictures) == ["money-50", "money-100", "sequence-1"]
    assert tokens.compare("ours") == ComparisonAnswer()
    tokens.forget("ours", "sequence-1", second.waiting[0])
    with pytest.raises(RequestRefused, match="no_token"):
        tokens.compare("nothing")


@pytest.mark.parametrize("players", [2, 6])
def test_only_the_middle_of_a_mat_is_looked_at(players: int) -> None:
    """Tokens beside the middle of the mat are not found."""
    ground = plain_ground(above(mat_for(players), [OnSheet("money-50", 148, 105), OnSheet("money-100", 15, 105)]))
    assert ground is not None and ground.picture.shape[:2] == (MIDDLE[1] * 8, MIDDLE[0] * 8)
    assert round(ground.scale, 1) == SCALE and len(tokens_on_paper(ground)) == 1


def test_places_of_seats_are_hidden() -> None:
    """Money in a seat's place is hidden, even if that place reaches into the middle."""
    mat = mat_for(4)
    seat = TokenSlot("seat.1.money", mat.size[0] / 2 - 20, mat.size[1] / 2 - 20, (40, 40), seat=0)
    nobody = msgspec.structs.replace(seat, place="auction.token", seat=None)
    view = above(mat, [OnSheet("money-5000", 148.5, 105)])
    found = []
    for slot in (seat, nobody):
        ground = plain_ground(msgspec.structs.replace(view, mat=msgspec.structs.replace(mat, token_slots=(slot,))))
        assert isinstance(ground, PlainGround)
        found.append(len(tokens_on_paper(ground)))
    assert found == [0, 1]


def test_without_a_mat_the_sheet_is_sought() -> None:
    """Without a mat, the sheet of paper is sought as in a photograph, and its absence is reported."""
    ground = plain_ground(CameraView(photograph(row(["money-50"]))))
    assert ground is not None and len(tokens_on_paper(ground)) == 1
    assert plain_ground(CameraView(np.full((600, 800, 3), 90, np.uint8))) is None


def test_a_deck_reads_with_its_enrolled_tokens(tmp_path: Path) -> None:
    """A deck reads its enrolled tokens, if it has any, and damaged tokens do not affect its cards."""
    decks = DeckLibrary(tmp_path)
    assert find_tokens(decks, "ours") is None
    tokens = tokens_of(tmp_path)
    found = tokens.capture("ours", CameraView(photograph(row(["money-50"]))))
    tokens.enrol("ours", found.waiting[0], "money-50")
    assert find_tokens(decks, "ours") is not None
    decks.tokens_path("ours").write_bytes(b"damaged")
    assert find_tokens(decks, "ours") is None
