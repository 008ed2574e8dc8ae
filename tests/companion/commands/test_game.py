"""`companion game`: its output, its exit codes, and the file and line of errors in a broken folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.commands import game as commands
from companion.engine import AnyGame
from companion.games import GAMES, folder_of
from companion.ops import new_game
from companion.ops.game_check import Ports, Shortcoming, examine
from tests.support.broken_games import Copies, copies

__all__ = ["copies"]


def run(*words: str) -> Result:
    """Run `companion game` with the given words."""
    return CliRunner().invoke(cli.main, ["game", *words])


def install(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the copied games as if they were the product's own."""
    found = copies.found()
    for name, game in found.games.items():
        monkeypatch.setitem(GAMES, name, game)
    monkeypatch.setattr(commands, "BROKEN", found.broken)


@pytest.fixture
def examined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examine each game only once per run of the tests."""
    found: dict[AnyGame, list[Shortcoming]] = {}

    def once(game: AnyGame, ports: Ports) -> list[Shortcoming]:
        if game not in found:
            found[game] = examine(game, ports)
        return found[game]

    monkeypatch.setattr(commands, "examine", once)


def test_games_are_listed_with_their_folders(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """`game list` marks examples and lists unusable folders with the reason, as text and as JSON."""
    for name in ("bad-syntax", "bad-words"):
        copies.add(name)
    copies.change("rules.py", "class BadSyntax(", "class BadSyntax((", "bad-syntax")
    copies.change("words/fr.toml", "game = {", "game = ", "bad-words")
    install(copies, monkeypatch)
    result = run("list")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].split() == ["take-a-train", "Take", "a", "Train", "2", "to", "6", lines[0].split()[-1]]
    assert any(line.startswith("twenty-tons ") and line.endswith("(example)") for line in lines)
    assert any("bad_syntax cannot be played: " in line and "rules.py, line " in line for line in lines)
    assert any("bad_words cannot be played: " in line and "words/fr.toml: " in line for line in lines)
    told = json.loads(run("list", "--json").output)
    assert [game["name"] for game in told["games"]] == [name for name in GAMES if name != "bad-words"]
    assert told["games"][0]["players"] == [2, 6]
    assert [Path(each["folder"]).name for each in told["broken"]] == ["bad_syntax", "bad_words"]


@pytest.mark.usefixtures("examined_once")
def test_a_whole_game_lacks_nothing() -> None:
    """A complete game passes the check by its name and by its folder's name, with exit code 0."""
    for name in ("twenty-tons", "twenty_tons"):
        result = run("check", name)
        assert (result.exit_code, result.output) == (0, f"{name}: nothing is missing.\n")
    assert json.loads(run("check", "twenty-tons", "--json").output) == []


@pytest.mark.usefixtures("examined_once")
def test_all_that_is_missing_is_listed_with_its_file(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything missing in rules, words, pages, mat and deck is listed together, and the exit code is 1."""
    copies.change("words/fr.toml", ' middle = "le milieu",', "")
    copies.change("words/fr.toml", 'middle = "Milieu", ', "")
    copies.change("words/en.toml", 'amend = { wagon = "Wagon" }\n', "")
    copies.change("cards.py", "CARDS = {", 'CARDS = {"../wagon": 1} | {')
    install(copies, monkeypatch)
    result = run("check", "tried-out")
    assert result.exit_code == 1 and "Traceback" not in result.output
    for line in (
        "words/fr.toml: place.middle is missing.",
        "words/fr.toml: mat.middle is missing.",
        "words/en.toml: amend.wagon is missing, which 'fr' has.",
        "cards.py: '../wagon' is no name of a card",
    ):
        assert line in result.output
    assert f"tried-out: {len(result.output.splitlines()) - 1} things to do." in result.output
    told = json.loads(run("check", "tried-out", "--json").output)
    assert {"file", "text"} == set(told[0]) and len(told) == len(result.output.splitlines()) - 1


@pytest.mark.parametrize("name", ["bad-syntax", "bad_syntax"])
def test_a_broken_folder_is_checked_too(copies: Copies, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The check of a broken folder names the file and line of the error."""
    copies.add("bad-syntax")
    copies.change("steps.py", "class Took(", "class Took((", "bad-syntax")
    install(copies, monkeypatch)
    result = run("check", name)
    assert result.exit_code == 1
    assert "The game cannot be played: " in result.output and "bad_syntax/steps.py, line " in result.output
    assert result.output.endswith(f"{name}: 1 thing to do.\n")


def test_an_unknown_game_is_refused_with_those_that_are_there() -> None:
    """An unknown game is refused in one sentence that lists the existing ones."""
    result = run("check", "chess")
    assert result.exit_code == 1
    assert "There is no game called 'chess'. Choose one of: take-a-train" in result.output


def test_a_new_game_says_what_to_open_and_what_to_try(
    copies: Copies, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`game new` prints the created files and the next commands, and the game is found afterwards."""
    made = new_game.create_game
    monkeypatch.setattr(
        commands,
        "create_game",
        lambda name, title, parent, package, like: made(name, title, copies.folder, copies.package, like),
    )
    monkeypatch.chdir(tmp_path)
    result = run("new", "hex-rails", "--title", "Hexagons")
    assert result.exit_code == 0, result.output
    files = [line.strip() for line in result.output.splitlines() if line.startswith("  ") and "companion" not in line]
    assert files and all((tmp_path / file).is_file() for file in files)
    assert "companion simulate hex-rails" in result.output and "companion game check hex-rails" in result.output
    assert folder_of(copies.found().games["hex-rails"]) == "hex_rails"
    again = run("new", "hex-rails")
    assert again.exit_code == 1 and "exists already" in again.output
    assert run("new", "my-yard", "--like", "goods-yard").exit_code == 0
    assert type(copies.found().games["my-yard"]).__name__ == "MyYard"
    unknown = run("new", "other", "--like", "express")
    assert unknown.exit_code == 1 and "There is no example 'express': choose one of" in unknown.output
