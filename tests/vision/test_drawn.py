"""The deck of a rendered table: made of drawings once, kept, and never in the way of the owner's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision import drawn
from vision.cards import faces
from vision.decks import Decks
from vision.rendered.difficulty import DIFFICULTIES
from vision.settings import LEVELS

FEW = ("steam-1", "coal-100", "back-wagon")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Draw three cards alone, count how often, and keep no cache of this machine."""
    drew: list[str] = []

    def drawing(game: str) -> dict[str, object]:
        drew.append(game)
        return {name: picture for name, picture in faces(game).items() if name in FEW}

    monkeypatch.setattr(drawn, "faces", drawing)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return drew


def test_the_drawn_deck_is_made_once_and_used_by_every_folder(tmp_path: Path, few: list[str]) -> None:
    """Two folders have the deck, and it was drawn for the first one alone."""
    for folder in (tmp_path / "one", tmp_path / "two"):
        name = drawn.provided(folder, "take-a-train")
        deck = Decks(folder).open(name)
        assert (Decks(folder).used(), {*deck.cards, *deck.backs}) == (name, set(FEW))
    assert few == ["take-a-train"]


def test_a_cache_that_is_broken_is_made_anew(tmp_path: Path, few: list[str]) -> None:
    """A file that a power cut left half written is replaced."""
    drawn.provided(tmp_path / "one", "take-a-train")
    (kept,) = (tmp_path / "cache").rglob("*.deck")
    kept.write_bytes(kept.read_bytes()[:100])
    assert drawn.provided(tmp_path / "two", "take-a-train")
    assert len(few) == 2


def test_the_owners_deck_stays_in_use(tmp_path: Path, few: list[str]) -> None:
    """A deck that is named, or was used before, is left alone, even where it is missing: that is said elsewhere."""
    assert drawn.provided(tmp_path, "take-a-train", "mine") == "mine"
    assert not few and not (tmp_path / "decks").exists()
    name = drawn.provided(tmp_path, "take-a-train")
    assert drawn.provided(tmp_path, "take-a-train") == name and len(few) == 1


def test_a_game_that_is_not_drawn_has_none(tmp_path: Path, few: list[str]) -> None:
    """Of a game without drawings no deck is made."""
    assert drawn.provided(tmp_path, "chess") == ""


def test_the_settings_know_every_difficulty() -> None:
    """What the settings allow is what can be rendered."""
    assert set(LEVELS) == set(DIFFICULTIES)
