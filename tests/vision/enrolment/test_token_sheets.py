"""Tests of enrolling tokens from photographs of a sheet of paper: detection, faults and recovery after a power loss."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.camera_requests.enrolment import TokenCaptureAnswer, TokensAnswer
from tests.vision.tokens.photographed import OnSheet, Phone, photograph, row
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolment.camera_view import CameraView
from vision.enrolment.enrolment import Enrolment
from vision.enrolment.frames_shelf import FramesShelf
from vision.enrolment.paper_sheet import find_sheet
from vision.enrolment.token_kind import TokensKind
from vision.enrolment.token_likeness import alike_faces, likeliest_names
from vision.enrolment.tokens_on_paper import tokens_on_paper
from vision.image import Image
from vision.print.token_pictures import OTHER, token_pictures
from vision.tokens.drawn import drawn_tokens
from vision.tokens.token_set import TokenFace

FEW = ("money-50", "money-500/2", "auction-blind", "sequence-4", "purpose-P-3", "back-purpose")
"""One token for each outline."""
NAMES = tuple(token_pictures("take-a-train", 8.0))
GREEN = (60, 110, 50)


@pytest.fixture
def capture(tmp_path: Path) -> Enrolment:
    """Return an enrolment over an empty data folder."""
    return opened(tmp_path)


def opened(folder: Path) -> Enrolment:
    """Return an enrolment over a data folder, as after a restart."""
    (folder / "shelf").mkdir(exist_ok=True)
    return Enrolment(TokensKind(DeckLibrary(folder)), FramesShelf(folder / "shelf"))


def taken(capture: Enrolment, picture: Image, deck: str = "ours") -> TokenCaptureAnswer:
    """Capture the tokens of a photograph and return the answer."""
    found = capture.capture(deck, CameraView(picture))
    assert isinstance(found, TokenCaptureAnswer)
    return found


@pytest.mark.pixels
@pytest.mark.parametrize("paper", [(297.0, 210.0), (210.0, 297.0), (279.4, 215.9)])
@pytest.mark.parametrize("aside", [(0.0, 0.0), (0.1, 0.15), (-0.2, 0.25)])
def test_paper_gives_the_size(paper: tuple[float, float], aside: tuple[float, float]) -> None:
    """Tokens have their true size on A4 and on letter paper, in both orientations, from above or at an angle."""
    phone = Phone(aside=aside, fills=0.7 if paper[0] > 250 else 0.42, table=GREEN)
    ground = find_sheet(photograph(row(FEW[:4], across=2), paper, phone))
    assert ground is not None
    found = tokens_on_paper(ground)
    across = [2 * np.sqrt(token.face.area / np.pi) for token in found[:2]]
    assert len(found) == 4 and np.abs(np.array(across) - 20).max() < 0.8


@pytest.mark.parametrize(
    "picture",
    [
        photograph([], phone=Phone(fills=1.3)),
        np.full((900, 1200, 3), 200, np.uint8),
        cv2.rectangle(np.full((900, 1200, 3), 40, np.uint8), (100, 400), (1000, 600), (230, 230, 230), -1),
    ],
)
def test_without_a_whole_sheet_nothing_is_found(capture: Enrolment, picture: Image) -> None:
    """A cropped sheet, a missing sheet and paper of other proportions yield no tokens."""
    assert taken(capture, picture) == TokenCaptureAnswer(faults=("no_sheet",))


def test_empty_paper_has_no_tokens(capture: Enrolment) -> None:
    """An empty sheet yields no tokens to name."""
    assert taken(capture, photograph([])) == TokenCaptureAnswer(faults=("none",))
    assert capture.read("ours") == TokensAnswer()


@pytest.mark.pixels
@pytest.mark.parametrize("part", [slice(0, 21), slice(21, 42)])
def test_every_token_is_found_with_its_likeliest_name(part: slice) -> None:
    """For each face of the box at any angle, the first suggested name is right."""
    ground = find_sheet(photograph(row(NAMES[part], step=42, across=6)))
    assert ground is not None
    found = [token.face for token in tokens_on_paper(ground)]
    offered = [names[0] for names in likeliest_names(found, drawn_tokens("take-a-train").faces, 1)]
    assert sorted(offered) == sorted(name.removesuffix(OTHER) for name in NAMES[part])


@pytest.mark.pixels
@pytest.mark.parametrize(
    ("phone", "tokens", "fault"),
    [
        (Phone(blur=5), row(FEW), "blur"),
        (Phone(size=(800, 600), blur=0.4), row(FEW), "small"),
        (Phone(), [OnSheet("money-50", 40, 40), OnSheet("money-100", 59.6, 40)], "several"),
        (Phone(), [OnSheet("sequence-1", 12, 40)], "cut"),
    ],
)
def test_faults_are_told(capture: Enrolment, phone: Phone, tokens: list[OnSheet], fault: str) -> None:
    """Blur, too few pixels, touching tokens and a token at the paper's edge are reported."""
    assert fault in taken(capture, photograph(tokens, phone=phone)).tokens[0].faults


@pytest.mark.pixels
def test_glare_and_darkness_are_told(capture: Enrolment) -> None:
    """Glare on a token and too little light are reported."""
    picture = photograph([OnSheet("auction-twist", 148, 105)], phone=Phone(aside=(0, 0), turn=0))
    glared = cv2.circle(picture.copy(), (1200, 900), 40, (255, 255, 255), -1)
    assert taken(capture, glared).tokens[0].faults == ("glare",)
    assert "dark" in taken(capture, (picture // 4).astype(np.uint8)).tokens[0].faults
    assert taken(capture, picture).tokens[0].faults == ()


@pytest.mark.pixels
def test_nothing_is_lost_when_the_plug_is_pulled(capture: Enrolment, tmp_path: Path) -> None:
    """Named tokens and those without names survive a restart that empties the frames folder."""
    first = taken(capture, photograph(row(FEW)))
    pictures = [token.picture for token in first.tokens]
    capture.enrol("ours", pictures[0], "money-50")
    for file in (tmp_path / "shelf").iterdir():
        file.unlink()
    known = opened(tmp_path).read("ours")
    assert known.pictures == {"money-50": [pictures[0]]}
    assert known.captured is not None and list(known.captured.waiting) == pictures[1:]
    assert {file.name for file in (tmp_path / "shelf").iterdir()} == {first.picture, *pictures}
    opened(tmp_path).enrol("ours", pictures[1], "money-500")
    assert set(opened(tmp_path).read("ours").pictures) == {"money-50", "money-500"}


def test_a_token_named_twice_is_kept_once(capture: Enrolment, tmp_path: Path) -> None:
    """A power loss between saving the set and removing the capture does not add the token twice."""
    first = taken(capture, photograph(row(FEW)))
    waiting = tmp_path / "decks" / ".ours.tokens" / "waiting.json"
    before = waiting.read_bytes()
    capture.enrol("ours", first.tokens[0].picture, "money-50")
    waiting.write_bytes(before)
    capture.enrol("ours", first.tokens[0].picture, "money-50")
    assert capture.read("ours").pictures == {"money-50": [first.tokens[0].picture]}


def test_tokens_are_left_out_and_removed(capture: Enrolment, tmp_path: Path) -> None:
    """A token without a name can be discarded, and removing the last picture removes the set."""
    first = taken(capture, photograph(row(FEW[:2])))
    one, two = [token.picture for token in first.tokens]
    capture.enrol("ours", one, "")
    capture.enrol("ours", two, "money-500")
    assert capture.read("ours") == TokensAnswer({"money-500": [two]})
    with pytest.raises(RequestRefused, match="no_token"):
        capture.forget("ours", "money-50", two)
    capture.forget("ours", "money-500", two)
    assert capture.read("ours") == TokensAnswer() and not (tmp_path / "decks" / "ours.tokens").exists()


@pytest.mark.pixels
def test_a_known_token_is_offered_first(capture: Enrolment) -> None:
    """The name of a known token is suggested first, at any angle."""
    first = taken(capture, photograph([OnSheet("purpose-P-3", 60, 60)]))
    assert first.tokens[0].likeliest == ()
    capture.enrol("ours", first.tokens[0].picture, "purpose-P-3")
    again = taken(capture, photograph([OnSheet("purpose-P-3", 200, 120, 130), OnSheet("money-50", 60, 60)], seed=2))
    assert [token.likeliest for token in again.tokens] == [(), ("purpose-P-3",)]


def test_a_failed_picture_leaves_no_token_to_be_named(capture: Enrolment) -> None:
    """A failed capture discards earlier tokens, so they cannot get the wrong names."""
    first = taken(capture, photograph(row(FEW)))
    taken(capture, photograph([]))
    with pytest.raises(RequestRefused, match="no_picture"):
        capture.enrol("ours", first.tokens[0].picture, "money-50")


@pytest.mark.parametrize("name", ["../x", "a/b", ".x", "used"])
def test_names_that_lead_elsewhere_are_refused(capture: Enrolment, name: str) -> None:
    """Names of decks or tokens that contain a path are refused."""
    first = taken(capture, photograph(row(FEW[:1])))
    for call in (lambda: str(capture.read(name)), lambda: str(capture.enrol("ours", first.tokens[0].picture, name))):
        with pytest.raises(RequestRefused, match="name"):
            call()


def test_what_looks_alike_is_told() -> None:
    """A token with two names is reported; a second photograph of it and other values are not."""
    faces = drawn_tokens("take-a-train").faces
    twin = TokenFace("money-60", faces[0].picture, faces[0].mask)
    pairs = alike_faces([*faces[:4], twin])
    assert [(pair.first, pair.second) for pair in pairs if pair.margin <= 0] == [("money-50", "money-60")]
