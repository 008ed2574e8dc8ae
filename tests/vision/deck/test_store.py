"""A deck's file is read back as it was written; what is damaged, foreign, newer or older is refused with a sentence."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.vision.pictures import card
from vision.deck import Deck, DeckError, enrol, packed, unpacked


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Return a small deck."""
    return enrol("small", {"a": [card(1), card(2)], "back-b": [card(3)]})[0]


def changed(data: bytes, **members: bytes) -> bytes:
    """Return a deck's file with some of its members replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, members.get(name.replace(".", "_"), old.read(name)))
    return out.getvalue()


def header(data: bytes, **fields: object) -> bytes:
    """Return a deck's file whose description has other fields."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        index = msgspec.json.decode(file.read("deck.json"))
    return changed(data, deck_json=msgspec.json.encode(index | fields))


def test_a_deck_comes_back_as_it_was(deck: Deck, tmp_path: Path) -> None:
    """Names, pictures, features and families survive the file; the same deck makes the same bytes."""
    deck.save(tmp_path / "deck")
    again = Deck.load(tmp_path / "deck")
    assert (again.name, again.cards, again.backs, again.families()) == (
        deck.name,
        deck.cards,
        deck.backs,
        deck.families(),
    )
    for old, new in zip(deck.entries, again.entries, strict=True):
        for one, two in zip(old.shots, new.shots, strict=True):
            assert one.data == two.data and one.size == two.size
            assert np.array_equal(one.features.points, two.features.points)
            assert np.array_equal(one.features.descriptors, two.features.descriptors)
    assert packed(again) == packed(deck)


def test_a_damaged_file_is_refused_at_every_byte(deck: Deck) -> None:
    """A file that is cut off anywhere is refused with a sentence, and no other error comes."""
    data = packed(deck)
    for end in range(0, len(data), max(1, len(data) // 23)):
        with pytest.raises(DeckError, match="is damaged, or is no deck"):
            unpacked(data[:end])


def test_files_of_other_versions_are_refused(deck: Deck) -> None:
    """A newer and an older format, and a stranger's zip, each have their sentence."""
    data = packed(deck)
    with pytest.raises(DeckError, match="newer companion"):
        unpacked(header(data, format=99))
    with pytest.raises(DeckError, match="older companion"):
        unpacked(header(data, format=0))
    with pytest.raises(DeckError, match="no deck of cards"):
        unpacked(header(data, mark="something else"))


def test_sizes_are_checked_before_anything_is_unpacked(deck: Deck) -> None:
    """Features that are not there, and a picture that says it is gigantic, are refused."""
    data = packed(deck)
    with pytest.raises(DeckError, match="damaged"):
        unpacked(changed(data, features_bin=b"short"))
    picture = bytearray(deck.entries[0].shots[0].data)
    at = picture.index(b"\xff\xc0")
    picture[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    member = {"pictures/0000-00_jpg": bytes(picture)}
    with pytest.raises(DeckError, match="damaged"):
        unpacked(changed(data, **member))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A missing file and a folder each have their sentence."""
    with pytest.raises(DeckError, match="There is no deck"):
        Deck.load(tmp_path / "none")
    with pytest.raises(DeckError, match="is a folder"):
        Deck.load(tmp_path)
