"""`companion catalogue`: check and show lists of cards."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Protocol

import click
import msgspec

from companion.commands.terminal import FAILED, GameName, as_json, out, print_json
from companion.engine import Game
from companion.files.untrusted import Unreadable, parse_toml, read_bytes
from companion.games import FIRST, part

LARGEST = 1 << 20
"""Maximum size of a catalogue's file in bytes."""
SHIPPED = ("reconstruction", "box")
"""Names of catalogues that come with every game."""


class CatalogueModule(Protocol):
    """A game's module `catalogue`: the type of a catalogue, and functions on it."""

    Catalogue: Any

    def complaints(self, catalogue: Any, /) -> list[str]:
        """Return what is missing or wrong, in words."""
        ...

    def shipped(self, name: str, /) -> Any:
        """Return a catalogue that comes with the game."""
        ...

    def listing(self, catalogue: Any, /) -> tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]:
        """Return a catalogue as tables: title, columns, rows."""
        ...


def catalogue_module(game: Game[Any]) -> CatalogueModule:
    """Return a game's module for its catalogues (`games/<name>/catalogue.py`)."""
    lists: CatalogueModule = part(game, "catalogue")
    return lists


game_option = click.option("--game", type=GameName(), default=FIRST, show_default=True, help="Game of the cards.")


def read_data(path: Path) -> dict[str, Any]:
    """Return a TOML file's data; raise `ClickException` if it cannot be read."""
    try:
        return parse_toml(read_bytes(path, LARGEST).decode("utf-8-sig"))
    except FileNotFoundError:
        raise click.ClickException(f"There is no file {path}.") from None
    except Unreadable as error:
        raise click.ClickException(f"{path} cannot be read: {error}.") from None
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} is not text: byte {error.start} cannot be read as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{path} cannot be read as TOML: {error}.") from None


def read_catalogue(path: Path, lists: CatalogueModule) -> tuple[Any, list[str]]:
    """Return a file's catalogue and what is wrong with it, in words."""
    data = read_data(path)
    try:
        catalogue = msgspec.convert(data, lists.Catalogue)
    except msgspec.ValidationError as error:
        return None, [explain_error(error)]
    return catalogue, lists.complaints(catalogue)


def explain_error(error: msgspec.ValidationError) -> str:
    """Return why data is not a catalogue, in words: the place in the file, what is there, what was expected."""
    text, _, path = str(error).partition(" - at `")
    place = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", path.rstrip("`").removeprefix("$"))
    place = place.replace("[...]", "").strip(".").replace(".", ", ")
    for pattern, words in WORDINGS:
        text = re.sub(pattern, words, text)
    return f"{place}: {text}." if place else f"{text[:1].upper()}{text[1:]}."


WORDINGS = (
    (r"Object missing required field `(\w+)`", r"'\1' is missing"),
    (r"Object contains unknown field `(\w+)`", r"'\1' is not allowed here"),
    (r"Invalid enum value '([^']*)'", r"'\1' is not one of the allowed words"),
    (r"Expected `([^`]*)`, got `([^`]*)`", r"expected \1, but found \2"),
    (r"\bint \| null\b|\bint\b", "a whole number"),
    (r"\bfloat\b", "a number with a point"),
    (r"\bstr\b", "a text"),
    (r"\barray\b", "a list"),
    (r"\bobject\b", "a table"),
)
"""Patterns of the decoder's messages, and our words for them."""


def find_catalogue(name: str) -> str | dict[str, Any]:
    """Return a shipped catalogue's name, or the data of a file."""
    return name if name in SHIPPED else read_data(Path(name))


@click.group("catalogue", short_help="Check or show a list of cards.")
def command() -> None:
    """Check or show a catalogue: the list of a game's cards with their figures and sources."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@game_option
@as_json
def check(file: Path, game: Game[Any], as_json: bool) -> None:
    """Check the catalogue FILE (TOML) and describe any faults.

    Exits with 0 if it can be played, with 1 if something is wrong.
    """
    catalogue, said = read_catalogue(file, catalogue_module(game))
    if as_json:
        print_json({"file": str(file), "good": not said, "complaints": said})
    elif said:
        for line in said:
            click.echo(line)
    else:
        click.echo(f"{file}: the catalogue {catalogue.name!r} is complete and can be played.")
        if not catalogue.known:
            click.echo("The table asks for missing figures when it first sees a card.")
    if said:
        raise click.exceptions.Exit(FAILED)


@command.command("show")
@click.argument("name", default="reconstruction", metavar="[NAME|FILE]")
@game_option
@as_json
def show(name: str, game: Game[Any], as_json: bool) -> None:
    """Show every card of a catalogue with the source of its figures.

    NAME is reconstruction (the one that comes with the game), box, or a TOML file.
    """
    lists = catalogue_module(game)
    if name in SHIPPED:
        catalogue = lists.shipped(name)
    else:
        catalogue, said = read_catalogue(Path(name), lists)
        if said:
            raise click.ClickException(" ".join(said))
    if as_json:
        print_json(catalogue)
        return
    from rich.table import Table

    console = out()
    for title, columns, rows in lists.listing(catalogue):
        table = Table(*columns, title=title)
        for row in rows:
            table.add_row(*row)
        console.print(table)
