"""A new game is a copy of the example that plays at once; a name that is taken, or none, is refused in a sentence."""

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
    """Nothing of it names the example: not its class, words, imports and docstrings."""
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
    """The class gets another name."""
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
    """In a sentence, before anything is copied."""
    with pytest.raises(NewGameError, match=said) as refused:
        create_game(name, "Title")
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("title", ["", " ", 'The "Best"', "{name}", "two\nlines", "back\\slash"])
def test_a_title_that_would_break_words_is_refused(tmp_path: Path, title: str) -> None:
    """It goes into words and docstrings as it is."""
    with pytest.raises(NewGameError, match="cannot be a title"):
        create_game("hex-rails", title, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """A folder that is there stays as it is."""
    create_game("hex-rails", "Hex Rails", tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*")}
    with pytest.raises(NewGameError, match="exists already"):
        create_game("hex-rails", "Other", tmp_path)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*")} == before


def test_no_half_game_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full leaves nothing that would be found as a broken game."""

    def full(self: Path, *args: object, **more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        create_game("hex-rails", "Hex Rails", tmp_path)
    assert not list(tmp_path.iterdir())
