"""A new game is a copy of an example that can be played at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bots.simulation import simulate
from companion.engine import Setup
from companion.games import folder_of, game_words
from companion.ops.new_game import NewGameError, create_game
from tests.support.broken_games import Copies, copies

__all__ = ["copies"]


def test_a_copy_plays_at_once_under_its_own_name(copies: Copies) -> None:
    """The copy can be played, and none of its files contain the example's name."""
    game = copies.game()
    assert (game.name, type(game).__name__, folder_of(game)) == ("tried-out", "TriedOut", "tried_out")
    assert {game_words(game, lang)("game.title") for lang in ("en", "fr")} == {"Tried Out"}
    texts = [file.read_text(encoding="utf-8") for file in copies.folder.rglob("*.*") if file.suffix in (".py", ".toml")]
    for old in ("Twenty", "Vingt", "twenty", "examples", "adding-a-game"):
        assert not [text for text in texts if old in text], old
    assert all(result.winners for result in simulate(game, Setup(game.name, 4), 3, 1))
    assert not list(copies.folder.rglob("__pycache__/*twenty*"))


@pytest.mark.parametrize("name", ["table", "policy", "took"])
def test_a_name_that_the_example_uses_otherwise_is_no_trouble(copies: Copies, name: str) -> None:
    """If the example uses the new name for something else, the class is named differently."""
    copies.add(name)
    assert type(copies.game(name)).__name__ == f"{name.capitalize()}Game"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Hex Rails", "is no name of a game: use small letters"),
        ("1-train", "is no name of a game"),
        ("../hex", "is no name of a game"),
        ("hex_rails", "is no name of a game"),
        ("hex--rails", "is no name of a game"),
        ("class", "is a word of Python"),
        ("take-a-train", "There is a game called 'take-a-train' already"),
        ("twenty-tons", "There is a game called 'twenty-tons' already"),
        ("discovery", "exists already"),
        ("examples", "exists already"),
        ("words", "exists already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, said: str) -> None:
    """An impossible or existing name is refused before anything is copied."""
    with pytest.raises(NewGameError, match=said) as refused:
        create_game(name, "Title")
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("title", ["", " ", 'The "Best"', "{name}", "two\nlines", "back\\slash"])
def test_a_title_that_would_break_words_is_refused(tmp_path: Path, title: str) -> None:
    """A title that would break TOML or docstrings is refused."""
    with pytest.raises(NewGameError, match="cannot be a title"):
        create_game("hex-rails", title, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """An existing folder is not overwritten."""
    create_game("hex-rails", "Hex Rails", tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*")}
    with pytest.raises(NewGameError, match="exists already"):
        create_game("hex-rails", "Other", tmp_path)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*")} == before


def test_no_half_game_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, no partial game remains."""

    def full(self: Path, *args: object, **more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        create_game("hex-rails", "Hex Rails", tmp_path)
    assert not list(tmp_path.iterdir())
