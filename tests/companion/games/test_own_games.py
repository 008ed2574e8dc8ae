"""People's own games are found outside of the companion, in the folders of `COMPANION_GAMES`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import cli, own_games
from companion.games.discovery import OWN, find_games, package_of
from companion.ops.new_game import create_game
from web.plugins.demonstration.demo_command import forget_settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with one game, as if `COMPANION_GAMES` named it."""
    monkeypatch.setattr(own_games, "__path__", [str(tmp_path)])
    create_game("hex-rails", "Hex Rails", tmp_path, OWN)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith(f"{OWN}.")]:
        del sys.modules[name]
    vars(own_games).pop("hex_rails", None)


def test_the_variable_has_a_game_found_by_every_command(tmp_path: Path) -> None:
    """A new process finds games in every folder of the variable, and reports a folder that does not exist."""
    create_game("hex-rails", "Hex Rails", tmp_path, OWN)
    command = [sys.executable, "-m", "companion", "game", "list", "--json"]
    paths = os.pathsep.join((str(tmp_path / "nowhere"), str(tmp_path)))
    done = subprocess.run(command, env={**os.environ, own_games.VARIABLE: paths}, capture_output=True, check=True)
    told = json.loads(done.stdout)
    (found,) = [game for game in told["games"] if game["name"] == "hex-rails"]
    assert found["folder"] == str(tmp_path / "hex_rails") and not found["example"]
    assert told["broken"] == [
        {
            "folder": str(tmp_path / "nowhere"),
            "why": f"COMPANION_GAMES names {tmp_path / 'nowhere'}, which is no folder",
        }
    ]


def test_a_game_of_ones_own_is_a_game_like_any_other(folder: Path) -> None:
    """An own game is found in the package of own games."""
    found = find_games((OWN,))
    assert not found.broken
    assert package_of(found.games["hex-rails"]) == f"{OWN}.hex_rails"


def test_the_folder_of_one_game_holds_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that names the folder of a single game is refused with the reason."""
    monkeypatch.setattr(own_games, "__path__", [str(folder / "hex_rails")])
    (broken,) = find_games((OWN,)).broken
    assert broken.why.endswith("hex_rails, which is a package of Python itself, not a folder that holds games")


def test_a_game_does_not_take_the_folder_name_of_another(folder: Path) -> None:
    """A folder with the name of another game's folder is refused, because templates are found by that name."""
    folder.joinpath("hex_rails").rename(folder / "twenty_tons")
    for file in folder.glob("twenty_tons/*.py"):
        file.write_text(file.read_text().replace("hex_rails", "twenty_tons"))
    (broken,) = find_games(("companion.games.examples", OWN)).broken
    assert broken.package == f"{OWN}.twenty_tons" and broken.path == str(folder / "twenty_tons")
    assert broken.why == "companion.games.examples.twenty_tons has this folder's name already: choose another one"


def test_a_game_of_last_years_shape_is_said_with_its_file(folder: Path) -> None:
    """A package with rules as its `GAME`, as in an older version, is reported with its file."""
    folder.joinpath("hex_rails", "__init__.py").write_text(f"from {OWN}.hex_rails.rules import RULES as GAME\n")
    (broken,) = find_games((OWN,)).broken
    assert broken.why.startswith(f"{folder / 'hex_rails' / '__init__.py'}: its GAME is no GameDefinition")


def test_a_new_game_goes_where_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new game is created in the given folder, else in the first folder of own games, and never in a package."""
    monkeypatch.setattr(own_games, "__path__", [])

    def new(*words: str) -> str:
        return CliRunner().invoke(cli.main, ["game", "new", *words]).output

    said = new("hex-rails", "--to", str(tmp_path / "my games"))
    assert tmp_path.joinpath("my games", "hex_rails", "rules.py").is_file()
    assert f"export COMPANION_GAMES='{tmp_path}/my games'" in " ".join(said.split())
    monkeypatch.setattr(own_games, "__path__", [str(tmp_path)])
    assert "COMPANION_GAMES" not in new("fir-rails")
    assert tmp_path.joinpath("fir_rails", "rules.py").is_file()
    assert "which is a package of Python itself" in new("ash-rails", "--to", str(tmp_path / "fir_rails"))
    tmp_path.joinpath("file").touch()
    assert f"{tmp_path / 'file'} cannot be made: File exists." in " ".join(
        new("ash-rails", "--to", str(tmp_path / "file")).split()
    ).replace("- ", "-")


def test_a_demonstration_knows_own_games() -> None:
    """A demonstration removes all of the companion's variables except the folders of games."""
    variables = {"COMPANION_GAMES": "/my/games", "COMPANION_JOURNAL": "/theirs", "HOME": "/me"}
    forget_settings(variables)
    assert variables == {"COMPANION_GAMES": "/my/games", "HOME": "/me"}
