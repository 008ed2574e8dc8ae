"""Tests of a token set's file: it survives a round trip, and invalid files are refused."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.deck.deck_file import pack
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.tokens.drawn import drawn_tokens
from vision.tokens.token_file import MARK, load_tokens, pack_tokens, save_tokens, unpack_tokens
from vision.tokens.token_set import TokenSet

FEW = TokenSet("ours", drawn_tokens("take-a-train").faces[:3])


def test_a_set_is_kept_as_it_was(tmp_path: Path) -> None:
    """Names, pictures and outlines survive the file, and the same set yields the same bytes."""
    save_tokens(FEW, tmp_path / "a.tokens")
    found = load_tokens(tmp_path / "a.tokens")
    assert (found.name, [face.name for face in found.faces]) == ("ours", [face.name for face in FEW.faces])
    for face, known in zip(found.faces, FEW.faces, strict=True):
        assert (face.picture == known.picture).all() and (face.mask == known.mask).all()
    assert pack_tokens(found) == pack_tokens(FEW) == (tmp_path / "a.tokens").read_bytes()


def zipped(index: object, *pictures: bytes) -> bytes:
    """Return a zip with an index and pictures."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("tokens.json", index if isinstance(index, bytes) else json.dumps(index))
        for number, picture in enumerate(pictures):
            file.writestr(f"{number:04}.png", picture)
    return out.getvalue()


def png(*shape: int) -> bytes:
    """Return a white picture."""
    return cv2.imencode(".png", np.full(shape, 255, np.uint8))[1].tobytes()


GOOD = {"mark": MARK, "format": 1, "name": "x", "faces": ["money-50"]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zip",
        zipped(b"{"),
        zipped(b"[" * 100_000),
        zipped({**GOOD, "mark": "another"}, png(160, 160, 4)),
        zipped({**GOOD, "format": 2}, png(160, 160, 4)),
        zipped({**GOOD, "faces": []}),
        zipped({**GOOD, "faces": ["../x"]}, png(160, 160, 4)),
        zipped(GOOD),
        zipped(GOOD, b"no picture"),
        zipped(GOOD, png(160, 160, 3)),
        zipped(GOOD, png(160, 200, 4)),
        zipped(GOOD, png(20, 20, 4)),
        zipped(GOOD, png(3000, 3000, 4)),
        zipped(GOOD, png(160, 160, 4)[:200]),
        pack(Deck("cards", ())),
        pack_tokens(FEW)[:-40],
    ],
)
def test_what_is_no_set_is_refused_with_a_sentence(data: bytes) -> None:
    """Damaged files, other zips, names with paths and pictures of wrong size or without outline are refused."""
    with pytest.raises(DeckError, match="the file"):
        unpack_tokens(data)


def test_files_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    """A folder and a missing file are refused with a sentence."""
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(DeckError, match="cannot be read"):
            load_tokens(path)


def test_a_deck_takes_its_tokens_along(tmp_path: Path) -> None:
    """Export and import under another name keep the tokens, and a deck without tokens has unchanged bytes."""
    from tests.vision.service.test_loop import small_deck

    decks = DeckLibrary(tmp_path)
    decks.finish(small_deck("ours"))
    assert decks.hand_out("ours") == decks.path("ours").read_bytes()
    save_tokens(FEW, decks.tokens_path("ours"))
    (tmp_path / "x.deck").write_bytes(decks.hand_out("ours"))
    assert decks.take_in(tmp_path / "x.deck", "theirs", unpack_tokens) == "theirs"
    assert decks.tokens_path("theirs").read_bytes() == decks.tokens_path("ours").read_bytes()
    assert [(deck.name, deck.made, deck.tokens) for deck in decks.list_decks()] == [
        ("ours", True, True),
        ("theirs", True, True),
    ]
    decks.path("theirs").write_bytes((tmp_path / "x.deck").read_bytes())  # copied by hand
    assert decks.hand_out("theirs") != b"" and unpack_tokens(decks.tokens_path("theirs").read_bytes())


def test_a_deck_with_damaged_tokens_is_not_imported(tmp_path: Path) -> None:
    """A deck with damaged tokens is not imported, and a name used only by tokens counts as taken."""
    from tests.vision.service.test_loop import small_deck

    decks = DeckLibrary(tmp_path)
    decks.finish(small_deck("ours"))
    decks.tokens_path("ours").write_bytes(b"damaged")
    (tmp_path / "x.deck").write_bytes(decks.hand_out("ours"))
    for name, key in (("theirs", "bad_file"), ("ours", "bad_file")):
        with pytest.raises(RequestRefused) as refused:
            decks.take_in(tmp_path / "x.deck", name, unpack_tokens)
        assert refused.value.key == key
    assert not decks.path("theirs").exists() and not decks.tokens_path("theirs").exists()
    save_tokens(FEW, decks.tokens_path("begun"))
    (tmp_path / "y.deck").write_bytes(decks.path("ours").read_bytes())
    with pytest.raises(RequestRefused) as refused:
        decks.take_in(tmp_path / "y.deck", "begun", unpack_tokens)
    assert refused.value.key == "taken"
