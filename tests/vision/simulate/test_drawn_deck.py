"""Tests of a rendered table's deck: drawn once, cached, and never a replacement for the owner's deck."""

from __future__ import annotations

import re
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from companion.games import GAMES, is_example, package_of
from companion.i18n import Words
from companion.mechanics.game_files import words_of
from vision.deck.deck_file import pack
from vision.deck.making import enrol
from vision.deck.stored_decks import DeckLibrary
from vision.print.cards import design_of, faces, printable_games
from vision.settings import LEVELS
from vision.simulate import drawn_deck as simulated
from vision.simulate.difficulty import DIFFICULTIES

FEW = ("steam-1", "coal-100", "back-wagon")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Draw only three cards, count the calls, and use an empty cache."""
    drew: list[str] = []

    def drawing(game: str) -> dict[str, object]:
        drew.append(game)
        return {name: picture for name, picture in faces(game).items() if name in FEW}

    monkeypatch.setattr(simulated, "faces", drawing)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return drew


def test_the_drawn_deck_is_made_once_and_used_by_every_folder(tmp_path: Path, few: list[str]) -> None:
    """Two folders use one deck, which is drawn only once."""
    for folder in (tmp_path / "one", tmp_path / "two"):
        name = simulated.provide_deck(folder, "take-a-train")
        deck = DeckLibrary(folder).open(name)
        assert (DeckLibrary(folder).last_used(), {*deck.cards, *deck.backs}) == (name, set(FEW))
    assert few == ["take-a-train"]


def test_a_cache_that_is_broken_is_made_anew(tmp_path: Path, few: list[str]) -> None:
    """A truncated or empty cache file of the deck or of the drawn cards is replaced."""
    simulated.provide_deck(tmp_path / "one", "take-a-train")
    (deck,), (cards,) = (tuple((tmp_path / "cache").rglob(f"*.{kind}")) for kind in ("deck", "cards"))
    deck.write_bytes(deck.read_bytes()[:100])
    assert simulated.provide_deck(tmp_path / "two", "take-a-train")
    assert len(few) == 1  # the deck was made from the cards as drawn
    whole = cards.read_bytes()
    for half in (whole[:1000], b"", whole[:1000] + bytes(len(whole) - 1000)):
        cards.write_bytes(half)
        assert {*simulated.drawn_cards("take-a-train")} == set(FEW)
        assert cards.read_bytes() == whole
    assert len(few) == 4


def test_the_cards_are_kept_as_they_are_drawn(few: list[str]) -> None:
    """Cached cards equal the drawn ones in each pixel, and a missing picture is reported as missing."""
    for _ in range(2):
        found = simulated.drawn_cards("take-a-train")
        assert len(found) == len(FEW) and "coal-200" not in found
        for name, picture in found.items():
            np.testing.assert_array_equal(picture, faces("take-a-train")[name])
    assert found.backs["coal-100"] == "back-wagon" and few == ["take-a-train"]


def test_the_deck_is_that_of_a_plain_enrolment(few: list[str]) -> None:
    """The deck equals that of a plain enrolment, although drawn cards skip the search for outlines."""
    pictures = {name: (picture,) for name, picture in simulated.drawn_cards("take-a-train").items()}
    assert simulated.deck_file("take-a-train").read_bytes() == pack(enrol("ours take-a-train", pictures, drawn=True)[0])


@pytest.mark.slow
def test_another_process_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process draws cards and deck, and cached ones are not drawn again."""

    def nothing(game: str) -> dict[str, object]:
        raise AssertionError(game)

    monkeypatch.setattr(simulated, "faces", nothing)
    monkeypatch.setattr(simulated, "end_with_parent", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    drawing = simulated.DeckDrawing("take-a-train")
    assert len(drawing.cards()) == len(faces("take-a-train"))
    assert DeckLibrary(tmp_path).open(drawing.deck(tmp_path)).cards
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.*")}
    simulated.main(["take-a-train"])
    assert files == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.*")}


def test_all_games_are_drawn_side_by_side(monkeypatch: pytest.MonkeyPatch, few: list[str]) -> None:
    """Like the installation, this module draws all games except the examples in one process each."""
    asked: list[list[str]] = []

    class Process:
        def __init__(self, command: list[str], env: dict[str, str], stdin: int) -> None:
            asked.append(command)

        def wait(self) -> None:
            asked.append(["waited"])

    monkeypatch.setattr(simulated.subprocess, "Popen", Process)
    monkeypatch.setattr(simulated, "end_with_parent", lambda: None)
    monkeypatch.setattr(simulated, "__name__", "__main__")
    simulated.main([])
    games = [name for name in printable_games() if not is_example(GAMES[name])]
    commands = [[sys.executable, "-m", simulated.__spec__.name, game] for game in games]
    assert games and asked == commands + [["waited"]] * len(games)


def test_what_other_sources_made_goes(tmp_path: Path, few: list[str]) -> None:
    """An older cache of the same game is removed, and one of another game is kept."""
    simulated.provide_deck(tmp_path, "take-a-train")
    (deck,) = (tmp_path / "cache").rglob("*.deck")
    older, other = deck.with_name("take-a-train-0123.deck"), deck.with_name("game-of-trains-0123.deck")
    older.write_bytes(b"")
    other.write_bytes(b"")
    deck.unlink()
    simulated.deck_file("take-a-train")
    assert deck.is_file() and other.is_file() and not older.exists()


def test_only_what_draws_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed sentence on a page keeps the cache, and one on a card invalidates it."""
    digest = simulated._source_digest.__wrapped__
    before, own = digest("trains"), words_of("companion.games.trains")

    def changed(key: str) -> str:
        other = Words("en", own.sentences | {key: "Something else"})
        monkeypatch.setattr(simulated, "words_of", lambda package: other)
        return str(digest("trains"))

    page, face = "moment.act.you", "card.garage"
    assert page in own and face in own
    assert changed(page) == before
    assert changed(face) != before


def test_the_key_has_every_sentence_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing all decks uses only sentences in the key and no module of an excluded folder."""
    asked: set[str] = set()
    say = Words.__call__

    def noted(words: Words, key: str, /, **fields: object) -> str:
        asked.add(key)
        return say(words, key, **fields)

    monkeypatch.setattr(Words, "__call__", noted)
    for game in printable_games():
        design_of(GAMES[game])
        folder = Path(str(resources.files(package_of(GAMES[game]))))
        for source in (*folder.glob("deck.py"), *folder.glob("deck/*.py")):
            imported = re.findall(rf"{folder.name}\.(\w+)[. ]", source.read_text(encoding="utf-8"))
            assert not simulated.UNDRAWN & {*imported}, source
    assert asked and {key for key in asked if not key.startswith(simulated.ON_CARDS)} == set()


def test_the_owners_deck_stays_in_use(tmp_path: Path, few: list[str]) -> None:
    """A deck named in the settings or used before stays in use, even if it is missing."""
    assert simulated.provide_deck(tmp_path, "take-a-train", "mine") == "mine"
    assert not few and not (tmp_path / "decks").exists()
    name = simulated.provide_deck(tmp_path, "take-a-train")
    assert simulated.provide_deck(tmp_path, "take-a-train") == name and len(few) == 1


def test_a_game_that_is_not_drawn_has_none(tmp_path: Path, few: list[str]) -> None:
    """A game without drawings has no drawn deck."""
    assert simulated.provide_deck(tmp_path, "chess") == ""


def test_the_settings_know_every_difficulty() -> None:
    """The settings allow exactly the difficulties that can be rendered."""
    assert set(LEVELS) == set(DIFFICULTIES)
