"""Tests of deck files: they survive a round trip, and damaged, foreign, newer or older ones are refused."""

from __future__ import annotations

import io
import os
import random
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.support.vision.pictures import card
from vision.deck.deck import Deck
from vision.deck.deck_file import load, pack, save, unpack
from vision.deck.making import enrol
from vision.enrolled_file import MOST_INDEX, DeckError


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Return a small deck."""
    return enrol("small", {"a": [card(1), card(2)], "back-b": [card(3)]})[0]


def changed(data: bytes, **members: bytes) -> bytes:
    """Return a deck's file with some members replaced."""
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
    """Names, pictures, features and families survive the file, and the same deck yields the same bytes."""
    save(deck, tmp_path / "deck")
    again = load(tmp_path / "deck")
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
    assert pack(again) == pack(deck)


def test_a_damaged_file_is_refused_at_every_byte(deck: Deck) -> None:
    """A file truncated at any byte is refused with a sentence and raises no other error."""
    data = pack(deck)
    for end in range(0, len(data), max(1, len(data) // 23)):
        with pytest.raises(DeckError, match="is damaged or is not a deck"):
            unpack(data[:end])


@pytest.mark.parametrize("data", [b"", b"garbage" * 99, b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + b"\xff" * 400])
def test_what_is_no_deck_is_refused(data: bytes) -> None:
    """An empty file, garbage, an empty zip and a truncated zip are refused with the same sentence."""
    with pytest.raises(DeckError, match="is damaged or is not a deck"):
        unpack(data)


def test_garbled_bytes_are_refused_or_harmless(deck: Deck) -> None:
    """A deck with changed bytes is either read or refused with a sentence."""
    data = pack(deck)
    luck = random.Random(4)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        headers = [info.header_offset for info in file.infolist()]
        index = file.getinfo("deck.json").header_offset
    places = [at + offset for at in headers for offset in range(30)] + list(range(index, len(data), 4))
    for place in places + luck.choices(range(len(data)), k=200):
        garbled = bytearray(data)
        garbled[place] = luck.choice((0, 255, garbled[place] ^ 1 << luck.randrange(8)))
        try:
            unpack(bytes(garbled))
        except DeckError as error:
            assert "Enrol the cards again" in str(error) or "not a deck of cards" in str(error)  # noqa: PT017


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(deck: Deck, packing: int) -> None:
    """A zip packed in another way is refused before it is unpacked."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pack(deck))) as old, zipfile.ZipFile(out, "w", packing) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    with pytest.raises(DeckError, match="damaged"):
        unpack(out.getvalue())


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"[" * 100_000,
        b'{"mark": {"a":' * 50_000,
        b'{"mark": "\xff"}',
        b"[]",
        b'{"mark": 7}',
    ],
)
def test_a_crafted_description_is_refused(deck: Deck, index: bytes) -> None:
    """A description that is invalid JSON, too deep, not text or of another type is refused with a sentence."""
    with pytest.raises(DeckError, match="damaged"):
        unpack(changed(pack(deck), deck_json=index))


@pytest.mark.parametrize("name", ["../pwn", "/tmp/pwn", "a/b", "a\\b", ".hidden", "..", "a\0b", "a\nb", "", "n" * 81])
def test_a_name_that_leads_elsewhere_is_refused(deck: Deck, name: str) -> None:
    """A card name with a path in it is refused, because the name becomes a folder when cards are added."""
    entries = (msgspec.structs.replace(deck.entries[0], name=name), *deck.entries[1:])
    with pytest.raises(DeckError, match="damaged"):
        unpack(pack(Deck(deck.name, entries)))


def test_cards_that_belong_together_are_cards_of_the_deck(deck: Deck) -> None:
    """A family or a picture that refers to no card of the deck is refused."""
    data = pack(deck)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        cards = msgspec.json.decode(file.read("deck.json"))["cards"]
    for fields in ({"family": 2}, {"family": -1}, {"family": 1 << 40}, {"shots": [{"picture": "x", "features": 0}]}):
        with pytest.raises(DeckError, match="damaged"):
            unpack(header(data, cards=[cards[0] | fields, cards[1]]))


def test_a_picture_that_cannot_be_unpacked_is_said(deck: Deck) -> None:
    """A picture with a valid header and damaged contents is refused with a sentence when it is opened."""
    whole = deck.entries[0].shots[0].data
    size = whole.index(b"\xff\xc0")
    member = {"pictures/0000-00_jpg": b"\xff\xd8" + whole[size : size + 19]}
    damaged = unpack(changed(pack(deck), **member))
    with pytest.raises(DeckError, match="A picture in the deck is damaged"):
        damaged.picture("a")


def test_files_of_other_versions_are_refused(deck: Deck) -> None:
    """Newer formats, older formats and unrelated zips are refused with a sentence each."""
    data = pack(deck)
    with pytest.raises(DeckError, match="newer companion"):
        unpack(header(data, format=99))
    with pytest.raises(DeckError, match="older companion"):
        unpack(header(data, format=0))
    with pytest.raises(DeckError, match="not a deck of cards"):
        unpack(header(data, mark="something else"))


def test_sizes_are_checked_before_anything_is_unpacked(deck: Deck) -> None:
    """Missing features and a picture with a gigantic declared size are refused."""
    data = pack(deck)
    with pytest.raises(DeckError, match="damaged"):
        unpack(changed(data, features_bin=b"short"))
    picture = bytearray(deck.entries[0].shots[0].data)
    at = picture.index(b"\xff\xc0")
    picture[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    member = {"pictures/0000-00_jpg": bytes(picture)}
    with pytest.raises(DeckError, match="damaged"):
        unpack(changed(data, **member))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A missing file and a folder are refused with a sentence each."""
    with pytest.raises(DeckError, match="There is no deck"):
        load(tmp_path / "none")
    with pytest.raises(DeckError, match="is a folder"):
        load(tmp_path)


def test_a_file_made_to_fill_the_memory_is_refused(deck: Deck, tmp_path: Path) -> None:
    """A picture referenced a thousand times is not unpacked a thousand times, and the list of cards is bounded."""
    index = msgspec.json.decode(zipfile.ZipFile(io.BytesIO(pack(deck))).read("deck.json"))
    shots = [shot for card in index["cards"] for shot in card["shots"]]
    for shot in shots:
        shot["picture"] = shots[0]["picture"]
    assert len(shots) > 1
    with pytest.raises(DeckError, match="damaged"):
        unpack(changed(pack(deck), deck_json=msgspec.json.encode(index)))
    with pytest.raises(DeckError, match="damaged"):
        unpack(changed(pack(deck), deck_json=b" " * (MOST_INDEX + 1)))


def test_a_pipe_in_a_deck_s_place_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe at a deck's path does not block the reader."""
    os.mkfifo(tmp_path / "x.deck")
    with pytest.raises(DeckError, match="it is a pipe, not a file"):
        load(tmp_path / "x.deck")
