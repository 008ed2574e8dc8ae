"""Tests that data folders of the earlier enrolment format still open and that their decks can be continued."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.devices.camera_requests.decoding import answer_fields
from companion.devices.camera_requests.enrolment import CaptureAnswer, EnrolledAnswer
from vision.deck.stored_decks import DeckLibrary
from vision.enrolment.card_kind import CardsKind
from vision.enrolment.enrolment import Enrolment, EnrolmentKind
from vision.enrolment.frames_shelf import FramesShelf
from vision.enrolment.token_kind import TokensKind
from vision.tokens.token_file import load_tokens, pack_tokens, unpack_tokens

EARLIER = Path(__file__).parent / "earlier" / "data_folder.zip"
"""A finished deck with a token, and an unfinished one with a card, a token and unnamed captures of both."""
SIZE = (63.0, 88.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder in the earlier format with an empty frames folder."""
    with zipfile.ZipFile(EARLIER) as file:
        file.extractall(tmp_path)
    (tmp_path / "shelf").mkdir()
    return tmp_path


def enrolment(folder: Path, kind: EnrolmentKind) -> Enrolment:
    """Return the enrolment of one kind."""
    return Enrolment(kind, FramesShelf(folder / "shelf"))


def kinds(folder: Path) -> tuple[tuple[str, EnrolmentKind], ...]:
    """Return both kinds, each with the name of the answer that the earlier service recorded."""
    decks = DeckLibrary(folder)
    return ("making", CardsKind(decks, SIZE)), ("tokens", TokensKind(decks))


def waiting(found: EnrolledAnswer) -> CaptureAnswer:
    """Return the captures that wait for a name."""
    assert found.captured is not None
    return found.captured


def holds(found: Any, said: Any) -> bool:
    """Return whether an answer contains all recorded fields; it may contain more."""
    if isinstance(said, dict):
        return all(name in found and holds(found[name], value) for name, value in said.items())
    if isinstance(said, list):
        return len(found) == len(said) and all(map(holds, found, said))
    return bool(found == said)


def test_what_was_begun_is_said_as_before(folder: Path) -> None:
    """Names, pictures and captures of both kinds equal the recorded ones, and the frames folder has all pictures."""
    said = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    for name, kind in kinds(folder):
        found = enrolment(folder, kind).read("begun")
        assert holds(json.loads(json.dumps(answer_fields(found))), said[name])
        shown = {*waiting(found).waiting, *[file for files in found.pictures.values() for file in files]}
        assert shown <= {file.name for file in (folder / "shelf").iterdir()}


def test_what_waited_gets_its_name(folder: Path) -> None:
    """Earlier captures can be named, and the deck can be finished with them."""
    for _, kind in kinds(folder):
        enrolling = enrolment(folder, kind)
        enrolling.enrol("begun", waiting(enrolling.read("begun")).waiting[0], "named-now")
        assert "named-now" in enrolling.read("begun").pictures
        assert not enrolling.read("begun").captured or not waiting(enrolling.read("begun")).waiting
        if isinstance(kind, CardsKind):
            assert set(kind.finish("begun").cards) == {"coal-200", "named-now", "steam-3"}


def test_a_finished_deck_opens_and_keeps_its_bytes(folder: Path) -> None:
    """The cards and tokens of a finished deck are read, and its export equals the recorded bytes."""
    decks = DeckLibrary(folder)
    assert decks.last_used() == "finished" and set(decks.open("finished").cards) == {"coal-200", "steam-3"}
    tokens = decks.tokens_path("finished")
    assert load_tokens(tokens).names == ("money-50",) and pack_tokens(load_tokens(tokens)) == tokens.read_bytes()
    assert decks.hand_out("finished") == (folder / "handed-out.deck").read_bytes()
    assert decks.take_in(folder / "handed-out.deck", "again", unpack_tokens) == "again"
    assert decks.tokens_path("again").read_bytes() == tokens.read_bytes()


def test_cards_and_tokens_are_added_to_a_finished_deck(folder: Path) -> None:
    """A finished deck is unpacked for additions, and one of its pictures is removed again."""
    for _, kind in kinds(folder):
        enrolling = enrolment(folder, kind)
        known = dict(enrolling.read("finished").pictures)
        name, files = known.popitem()
        enrolling.forget("finished", name, files[0])
        assert dict(enrolling.read("finished").pictures) == known
