"""Requests about tokens: photographs, the middle of a mat, and what is not looked at."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.devices import camera_requests as ask
from tests.support.vision.photographing import mat_for
from tests.vision.tokens.photographed import OnSheet, painted, photograph, row
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.mat.mat import TokenSlot
from vision.service.deck_reader import find_tokens
from vision.service.token_requests import MIDDLE, CameraView, TokenRequests, plain_ground
from vision.tokens.capture import TokenCapture
from vision.tokens.on_paper import tokens_on_paper
from vision.tokens.paper_sheet import PlainGround

SCALE = 3.6
"""Pixels per millimetre of a camera of 2304 × 1296 pixels over a small mat."""


def above(mat: Mat, tokens: list[OnSheet]) -> CameraView:
    """Return what a camera sees of a mat, straight from above, with a white sheet over its middle."""
    size = (round(mat.size[0] * SCALE), round(mat.size[1] * SCALE))
    picture = np.full((size[1], size[0], 3), 150, np.uint8)
    sheet = cv2.resize(
        painted(tokens, (297, 210)), (round(297 * SCALE), round(210 * SCALE)), interpolation=cv2.INTER_AREA
    )
    x, y = (size[0] - sheet.shape[1]) // 2, (size[1] - sheet.shape[0]) // 2
    picture[y : y + sheet.shape[0], x : x + sheet.shape[1]] = sheet * 0.9
    soft = cv2.GaussianBlur(picture, (0, 0), 0.6)
    return CameraView(np.asarray(soft, np.uint8), MatPose(np.diag([SCALE, SCALE, 1.0]), size, scale=SCALE), mat)


def requests(folder: Path, view: CameraView, photographed: Image | None = None) -> TokenRequests:
    """Return requests over a data folder; without a photograph there is none."""
    (folder / "shelf").mkdir(exist_ok=True)

    def read(name: str) -> Image:
        if photographed is None:
            raise RequestRefused("no_picture")
        return photographed

    return TokenRequests(TokenCapture(DeckLibrary(folder), folder / "shelf"), read, lambda: view)


def test_a_set_is_taught_from_the_camera_and_from_photographs(tmp_path: Path) -> None:
    """From the first picture to the tokens that the deck reads with."""
    view = above(mat_for(4), [OnSheet("money-50", 100, 90), OnSheet("money-100", 150, 90, 40)])
    asked = requests(tmp_path, view, photograph(row(["sequence-1"])))
    first = asked.fulfil(ask.CaptureTokens("ours"))
    assert isinstance(first, ask.TokenCaptureAnswer) and [token.faults for token in first.tokens] == [(), ()]
    for token, name in zip(first.tokens, ("money-50", "money-100"), strict=True):
        assert asked.fulfil(ask.EnrolToken("ours", token.picture, name)) == ask.CameraAnswer()
    second = asked.fulfil(ask.CaptureTokens("ours", "phone.jpg"))
    assert isinstance(second, ask.TokenCaptureAnswer)
    asked.fulfil(ask.EnrolToken("ours", second.tokens[0].picture, "sequence-1"))
    known = asked.fulfil(ask.ReadTokens("ours"))
    assert isinstance(known, ask.TokensAnswer) and list(known.tokens) == ["money-50", "money-100", "sequence-1"]
    assert asked.fulfil(ask.CompareTokens("ours")) == ask.ComparisonAnswer()
    asked.fulfil(ask.ForgetToken("ours", "sequence-1", second.tokens[0].picture))
    with pytest.raises(RequestRefused, match="no_picture"):
        requests(tmp_path, view).fulfil(ask.CaptureTokens("ours", "none.jpg"))
    with pytest.raises(RequestRefused, match="no_token"):
        asked.fulfil(ask.CompareTokens("nothing"))


@pytest.mark.parametrize("players", [2, 6])
def test_only_the_middle_of_a_mat_is_looked_at(players: int) -> None:
    """What lies beside it is not found."""
    ground = plain_ground(above(mat_for(players), [OnSheet("money-50", 148, 105), OnSheet("money-100", 15, 105)]))
    assert ground is not None and ground.picture.shape[:2] == (MIDDLE[1] * 8, MIDDLE[0] * 8)
    assert round(ground.scale, 1) == SCALE and len(tokens_on_paper(ground)) == 1


def test_places_of_seats_are_hidden() -> None:
    """Money that lies at a seat's place shows nowhere, even where that place reaches into the middle."""
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
    """As in a photograph; without one there is no ground."""
    ground = plain_ground(CameraView(photograph(row(["money-50"]))))
    assert ground is not None and len(tokens_on_paper(ground)) == 1
    assert plain_ground(CameraView(np.full((600, 800, 3), 90, np.uint8))) is None


def test_a_deck_reads_with_its_enrolled_tokens(tmp_path: Path) -> None:
    """Without tokens there is nothing to read; damaged ones do not keep the cards from being read."""
    decks = DeckLibrary(tmp_path)
    assert find_tokens(decks, "ours") is None
    asked = requests(tmp_path, CameraView(photograph(row(["money-50"]))))
    found = asked.fulfil(ask.CaptureTokens("ours"))
    assert isinstance(found, ask.TokenCaptureAnswer)
    asked.fulfil(ask.EnrolToken("ours", found.tokens[0].picture, "money-50"))
    assert find_tokens(decks, "ours") is not None
    decks.tokens_path("ours").write_bytes(b"damaged")
    assert find_tokens(decks, "ours") is None
