"""`companion game`, for people who write games: list games, copy an example, check a game for missing parts."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click

from companion import own_games
from companion.commands.game_argument import words_of
from companion.commands.terminal import FAILED, as_json, out, print_json
from companion.engine import AnyGame
from companion.games import BROKEN, GAMES, folder_of, is_example, why_unusable
from companion.ops.game_check import Ports, Shortcoming, examine, unique
from companion.ops.game_check.game_files import GameFiles
from companion.ops.new_game import FIRST_FILES, TEMPLATE, NewGameError, create_game, place_for, title_of


def make_command(ports: Callable[[], Ports]) -> click.Group:
    """Return the group of commands; `ports` imports and returns the functions that draw pages, mats and decks."""

    @click.group("game", short_help="List games, begin a new one, check what one lacks.")
    def group() -> None:
        """For people who write games: list them, copy a new one from the example, check for missing parts."""

    @group.command("check", short_help="List everything that a game lacks.")
    @click.argument("name")
    @as_json
    @click.pass_context
    def check(context: click.Context, name: str, as_json: bool) -> None:
        """List what the game NAME lacks and what people would see broken, each with the file to open.

        NAME is the game's name or its folder's. Exit code 0: the game is complete; 1: it is not.
        """
        found = shortcomings(name, ports)
        if as_json:
            print_json([{"file": each.file, "text": each.text} for each in found])
        else:
            for each in found:
                out().print(f"{short_path(each.file)}: {short_paths(each.text)}")
            things = "1 thing" if len(found) == 1 else f"{len(found)} things"
            out().print(f"{name}: {f'{things} to do' if found else 'nothing is missing'}.")
        if found:
            context.exit(FAILED)

    group.add_command(list_games)
    group.add_command(new)
    return group


def shortcomings(name: str, ports: Callable[[], Ports]) -> list[Shortcoming]:
    """Return the shortcomings of a game or folder with this name; a broken folder has a single one."""
    folder = name.replace("-", "_")
    broken = [each for each in BROKEN if each.package.rpartition(".")[2] == folder]
    game = GAMES.get(name) or next((game for game in GAMES.values() if folder_of(game) == folder), None)
    found = [Shortcoming(each.path, f"The game cannot be played: {each.why}") for each in broken]
    if game is None and not broken:
        known = ", ".join([*GAMES, *[each.package.rpartition(".")[2] for each in BROKEN]])
        raise click.ClickException(f"There is no game called {name!r}. Choose one of: {known}.")
    if game is not None:
        found += examine(game, ports())
    return unique(found)


def short_path(path: str) -> str:
    """Return a path relative to the current folder if it lies below it, otherwise unchanged."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def short_paths(text: str) -> str:
    """Return a text with all paths in it made relative to the current folder."""
    return text.replace(f"{Path.cwd()}/", "")


@click.command("list", short_help="List all games and their folders.")
@as_json
def list_games(as_json: bool) -> None:
    """List all games with their titles, players and folders, and folders that cannot be used, with the reason."""
    unusable = {name: why for name, game in GAMES.items() if (why := why_unusable(game))}
    games = [listed(game) for name, game in GAMES.items() if name not in unusable]
    broken = [(each.path, each.why) for each in BROKEN]
    broken += [(str(GameFiles(GAMES[name]).folder), why) for name, why in unusable.items()]
    if as_json:
        unplayable = [{"folder": folder, "why": why} for folder, why in broken]
        print_json({"games": [game._asdict() for game in games], "broken": unplayable})
        return
    wide, titles = (max([len(str(game[at])) for game in games], default=0) for at in (0, 1))
    for name, title, (least, most), folder, example in games:
        line = f"{name:{wide}}  {title:{titles}}  {least} to {most}  {short_path(folder)}"
        out().print(line + ("  (example)" if example else ""))
    for folder, why in broken:
        out().print(f"{short_path(folder)} cannot be played: {short_paths(why)}")


class ListedGame(NamedTuple):
    """A game as `companion game list` shows it."""

    name: str
    title: str
    players: tuple[int, int]
    folder: str
    example: bool


def listed(game: AnyGame) -> ListedGame:
    """Return a game's line in the list."""
    players = game.seats[0], game.seats[-1]
    folder = str(GameFiles(game).folder)
    return ListedGame(game.name, words_of(game)("game.title"), players, folder, is_example(game))


@click.command("new", short_help="Begin a new game as a copy of the example.")
@click.argument("name")
@click.option("--title", default=None, help="The title that people read. [default: from the name]")
@click.option("--like", default=TEMPLATE, help="The example to copy, such as goods-yard. [default: twenty-tons]")
@click.option("--to", type=click.Path(path_type=Path), metavar="FOLDER",
              help="The folder of your own games. [default: the first in COMPANION_GAMES]")  # fmt: skip
def new(name: str, title: str | None, like: str, to: Path | None) -> None:
    """Begin the game NAME: copy an example that plays at once, to be changed file by file."""
    try:
        parent, package = place_for(to)
        folder = create_game(name, title or title_of(name), parent, package, like)
    except NewGameError as error:
        raise click.ClickException(str(error)) from None
    out().print(f"{short_path(str(folder))} is a game now. Open its files in this order:")
    for file in [file for file in FIRST_FILES if (folder / file).is_file()]:
        out().print(f"  {short_path(str(folder / file))}")
    if parent is not None and str(parent) not in own_games.__path__:
        out().print("The companion finds it with this setting:")
        out().print(f"  export {own_games.VARIABLE}={shlex.quote(os.pathsep.join([*own_games.__path__, str(parent)]))}")
    out().print("Try it:")
    for command in (f"simulate {name}", "run", f"game check {name}"):
        out().print(f"  companion {command}")
